// The extended morphological profile of a pixel: what lies around it, beside its own spectrum (Benediktsson, Palmason,
// Sveinsson, Classification of hyperspectral data from urban areas based on extended morphological profiles, 2005).
//
// The scene is reduced to a few principal components, and each component is opened and closed by reconstruction with
// structuring elements of growing radius. What is brighter (openings) or darker (closings) than its surroundings and
// smaller than the element vanishes from one radius to the next, so the values say how large the object is that a pixel
// belongs to, and what its inside looks like.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

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

}  // namespace parsimap
