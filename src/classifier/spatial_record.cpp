#include "parsimap/classifier/spatial_record.hpp"

namespace parsimap {

std::string to_string(const SpatialSteps& steps) {
  if (steps.profiles) {
    return steps.neighbours ? "profiles and neighbours" : "profiles";
  }
  return steps.neighbours ? "neighbours" : "none";
}

}  // namespace parsimap
