#include <doctest/doctest.h>

#include "parsimap/assessment/assessment.hpp"

#include "unit/assessment/small_assessment.hpp"

using namespace parsimap;

TEST_CASE("areas are hectares, square metres below one, and pixels where their size is unknown") {
  AreaAssessment record = test::small_areas();
  CHECK(area_unit(record).name == "ha");
  CHECK(area_unit(record).factor == doctest::Approx(36));
  record.pixel_area = 1;
  CHECK(area_unit(record).name == "m2");
  CHECK(area_unit(record).factor == 400);
  record.pixel_area.reset();
  CHECK(area_unit(record).name == "pixels");
  CHECK(area_unit(record).factor == 400);
}
