// Morphological profiles: what lies around a pixel, as features beside its spectrum.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The extended morphological profile of a pixel: what lies around it, beside its own spectrum (Benediktsson, Palmason,
// Sveinsson, Classification of hyperspectral data from urban areas based on extended morphological profiles, 2005).
//
// The scene is reduced to a few principal components, and each component is opened and closed by reconstruction with
// structuring elements of growing radius. What is brighter (openings) or darker (closings) than its surroundings and
// smaller than the element vanishes from one radius to the next, so the values say how large the object is that a pixel
// belongs to, and what its inside looks like.

// What the features are computed by. It is part of a model, so that every scene gets the features of the training
// scene.
struct ProfileDesign {
  Vector mean;                // d, of the bands used
  Matrix directions;          // d x P, orthonormal columns: the principal directions of the scene
  Vector deviations;          // P, > 0: the standard deviation of the scene along each of them
  std::vector<double> radii;  // R, ascending, > 0: of the structuring elements, in metres or in pixels
  bool metres = false;        // the unit of `radii`
  Index steps = 0;            // geodesic steps of a reconstruction, >= 0

  [[nodiscard]] Index components() const { return directions.cols(); }
  // q = P (2 R + 1): for each component the closings from the largest radius down, itself, and the openings.
  [[nodiscard]] Index features() const;
};

// The radii in whole pixels, 1 at least, of a scene whose pixels are `pixel_metres` wide (null where that is not
// known). As many as the design has, so that every scene gets as many features; two may become the same. DataError
// where radii in metres meet a scene without a known size of its pixels.
Indices pixel_radii(const ProfileDesign& design, const double* pixel_metres);

// DataError with the field, its value and the rule, where a design breaks what is said above, or `bands` is not d.
void check_profile_design(const ProfileDesign& design, Index bands);

// Images opened by reconstruction with a bounded number of geodesic steps.
//
// docs/method.md ("Morphological profiles") has the formulas. Opening with a disc removes what is brighter than its
// surroundings and too narrow for the disc, and cuts corners, which geodesic steps bring back (Vincent, 1993). After a
// bounded number of steps (Bellens and others, 2008) objects have their shape again, and little more; and a pixel
// depends on nothing that is farther away than its reach.

// Rows x columns, single precision, a row's values next to each other; NaN where there is no pixel.
using Image = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// How many columns or rows away, at most, lies what a pixel of the opened image depends on: 2 radius + steps.
Index opening_reach(Index radius, Index steps);

// Keeps its buffers from one image to the next, and so is for one thread at a time.
class PartialOpening {
 public:
  // Opens the pixels of `image` that are at least `border` columns and rows away from its edges; border is at least the
  // reach. The disc is the pixels at most `radius` >= 1 away; steps >= 0. Where there is no pixel nothing counts,
  // nothing spreads, and the result is NaN. Results are values of the image, whatever it was cut out of; they are kept
  // until the next call.
  const Image& open(const Image& image, Index border, Index radius, Index steps);
  // Closes it, which is the same upside down, -open(-image): what is darker than its surroundings and narrow vanishes.
  const Image& close(const Image& image, Index border, Index radius, Index steps);

  // Bytes of the buffers for images of rows x columns.
  static std::int64_t bytes(Index rows, Index columns);

 private:
  const Image& apply(const Image& image, Index border, Index radius, Index steps, float sign);
  void reconstruct(Index edge, Index steps);
  bool step(Index edge);

  Image mask_;  // f; the lowest value where there is no pixel
  Image runs_;  // extremes over runs of columns
  Image eroded_;
  Image marker_;  // g_k
  Image next_;    // g_(k+1)
  Image result_;
  Eigen::ArrayXf column_;      // the largest values of three rows
  std::vector<char> changed_;  // by row: whether the last step changed it
  std::vector<char> changes_;  // the same of the step that is made
};

// The features of an extended morphological profile, computed for a rectangle of pixels and the same for any rectangle.

// The components of a design as they are computed from spectra: for each, the value along its direction from the mean,
// in standard deviations. A pixel's values depend on its spectrum alone, in every bit.
class ComponentValues {
 public:
  explicit ComponentValues(const ProfileDesign& design);

  [[nodiscard]] Index count() const { return static_cast<Index>(offsets_.size()); }
  // `values` (count()) of the d values of a spectrum, which are finite.
  void of(const float* spectrum, float* values) const;

 private:
  static constexpr Index kGroup = 4;  // components that are computed at once

  Index bands_ = 0;
  std::vector<double> weights_;  // for each group: bands x kGroup
  std::vector<double> offsets_;  // what the mean has of each
};

// How many columns or rows away, at most, lies what a pixel's features depend on: the reach of the largest radius.
Index profile_reach(const Indices& radii, Index steps);

// What extended_profile() computes in, kept from one call to the next. Threads come and go, and memory that each took
// for itself would stay behind with them.
class ProfileBuffers {
 public:
  // A thread takes one, computes, and puts it back.
  [[nodiscard]] PartialOpening take();
  void put(PartialOpening opening);

 private:
  std::mutex mutex_;
  std::vector<PartialOpening> idle_;
};

// The features (ProfileDesign: P (2R + 1) for each pixel, in that order) of the pixels of `components` that are at
// least `border` columns and rows away from the edges, row by row; border is at least profile_reach(). The P components
// are images of the same size, with NaN in all of them where there is no pixel; its features are NaN. `radii` in pixels
// (pixel_radii()). The same for any number of threads.
void extended_profile(const std::vector<Image>& components, Index border, const Indices& radii, Index steps,
                      int threads, ProfileBuffers& buffers, Spectra& features);

// Bytes of the buffers for components of rows x columns.
std::int64_t extended_profile_bytes(Index rows, Index columns, int threads);

}  // namespace parsimap
