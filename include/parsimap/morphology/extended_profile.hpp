// The features of an extended morphological profile, computed for a rectangle of pixels and the same for any rectangle.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/morphology/partial_opening.hpp"
#include "parsimap/morphology/profile_design.hpp"

namespace parsimap {

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

// The features (profile_design.hpp: P (2R + 1) for each pixel, in that order) of the pixels of `components` that are at
// least `border` columns and rows away from the edges, row by row; border is at least profile_reach(). The P components
// are images of the same size, with NaN in all of them where there is no pixel; its features are NaN. `radii` in pixels
// (pixel_radii()). The same for any number of threads.
void extended_profile(const std::vector<Image>& components, Index border, const Indices& radii, Index steps,
                      int threads, ProfileBuffers& buffers, Spectra& features);

// Bytes of the buffers for components of rows x columns.
std::int64_t extended_profile_bytes(Index rows, Index columns, int threads);

}  // namespace parsimap
