#include "parsimap/morphology/profile_design.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

void require(bool holds, const std::string& broken) {
  if (!holds) {
    throw DataError("profile: " + broken);
  }
}

void check_radii(const std::vector<double>& radii) {
  double previous = 0;
  for (const double radius : radii) {
    require(std::isfinite(radius) && radius > previous, "radius " + std::to_string(radius) + " follows " +
                                                            std::to_string(previous) +
                                                            "; radii must be positive and ascend");
    previous = radius;
  }
}

}  // namespace

Index ProfileDesign::features() const { return components() * (2 * static_cast<Index>(radii.size()) + 1); }

Indices pixel_radii(const ProfileDesign& design, const double* pixel_metres) {
  if (design.metres && pixel_metres == nullptr) {
    throw DataError("the radii of the profile are in metres, and the scene does not say how large its pixels are");
  }
  Indices pixels;
  for (const double radius : design.radii) {
    const double rounded = std::round(design.metres ? radius / *pixel_metres : radius);
    pixels.push_back(std::max<Index>(1, static_cast<Index>(rounded)));
  }
  return pixels;
}

void check_profile_design(const ProfileDesign& design, Index bands) {
  require(design.mean.size() == bands && design.directions.rows() == bands,
          "it is of " + std::to_string(design.directions.rows()) + " bands; it must be of " + std::to_string(bands));
  require(design.components() >= 1, "it has no components; it must have 1 or more");
  require(design.deviations.size() == design.components(), "it has " + std::to_string(design.deviations.size()) +
                                                               " deviations of " + std::to_string(design.components()) +
                                                               " components; it must have one of each");
  require(design.mean.allFinite() && design.directions.allFinite(), "it holds a value that is not finite");
  require(design.deviations.allFinite() && design.deviations.minCoeff() > 0, "deviations must be positive");
  check_radii(design.radii);
  require(design.steps >= 0, "steps is " + std::to_string(design.steps) + "; it must be 0 or more");
}

}  // namespace parsimap
