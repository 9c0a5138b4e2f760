#include "report/area_text.hpp"

#include <doctest/doctest.h>

#include "unit/assessment/small_assessment.hpp"

using namespace parsimap;

TEST_CASE("areas of Cohen's example as a stratified sample, whole") {
  // Shares of "yes": 0.75 * 2/3 + 0.25 * 1/4; their errors from 0.75^2 * 2/9 / 29 and 0.25^2 * 3/16 / 19.
  CHECK(
      area_text(test::small_areas(), {"yes", "no"}) ==
      "Areas and accuracy of all 400 classified pixels (36 ha),\n"
      "estimated from a stratified random sample with the map's classes as strata\n"
      "\n"
      "     class  mapped ha  estimated ha  std. error                        producer's %                  user's %\n"
      "  1  yes           27         20.25     2.52696  (15.2972 to 25.2028)          88.9  (80.8 to 97.0)      66.7  "
      "(49.5 to 83.8)\n"
      "  2  no             9         15.75     2.52696  (10.7972 to 20.7028)          42.9  (28.7 to 57.0)      75.0  "
      "(55.5 to 94.5)\n"
      "\n"
      "  overall accuracy %         68.8  (55.0 to 82.5)\n"
      "  quantity disagreement %    18.8\n"
      "  allocation disagreement %  12.5\n"
      "\n"
      "Estimated shares of the area in percent: rows are reference, columns are map.\n"
      "\n"
      "     reference \\ map     1     2    sum\n"
      "  1  yes              50.0   6.2   56.2\n"
      "  2  no               25.0  18.8   43.8\n"
      "     sum              75.0  25.0  100.0\n"
      "\n"
      "  In brackets: 95 % intervals, +- 1.96 standard errors; none where the sample units all agree.\n");
}

TEST_CASE("what must be known to read the numbers is said") {
  AreaAssessment record = test::small_areas();
  record.design = SamplingDesign::simple;
  record.strata = "strata.tif";
  record.pixel_area.reset();
  record.unclassified_pixels = 7;
  record.pixels_outside_strata = 9;
  record.merged_strata = {"a + b"};
  record.estimate.single_unit_strata = {"yes", "no"};
  const std::string text = area_text(record, {"yes", "no"});
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(has("of all 400 classified pixels,\n"));
  CHECK(has("a simple random sample with strata of strata.tif\n"));
  CHECK(has("mapped pixels"));
  CHECK(has("Left out as unclassified in the map: 7 pixels.\n"));
  CHECK(has("Left out as outside the strata: 9 pixels.\n"));
  CHECK(has("Made one for having too few sample units: 'a + b'.\n"));
  CHECK(has("counts with the largest possible: 'yes', 'no'.\n"));
}

TEST_CASE("an accuracy that is not defined is a dash, and units that agree have no interval") {
  AreaAssessment record = test::small_areas();
  record.estimate.classes[1].producers_accuracy.reset();
  record.estimate.classes[1].share.interval.reset();
  const std::string text = area_text(record, {"yes", "no"});
  CHECK(text.find("15.75     2.52696                                   -") != std::string::npos);
}
