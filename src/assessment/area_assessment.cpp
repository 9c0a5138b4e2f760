#include "parsimap/assessment/assessment.hpp"

namespace parsimap {

AreaUnit area_unit(const AreaAssessment& record) {
  const auto pixels = static_cast<double>(record.estimate.pixels);
  if (!record.pixel_area) {
    return {"pixels", pixels};
  }
  constexpr double hectare = 1e4;
  const double area = pixels * *record.pixel_area;
  return area < hectare ? AreaUnit{"m2", area} : AreaUnit{"ha", area / hectare};
}

}  // namespace parsimap
