#include "parsimap/report/inspection_record.hpp"

#include <doctest/doctest.h>

#include "support/small_inspection.hpp"

using namespace parsimap;

TEST_CASE("classes are counted as they are labelled") {
  const InspectionRecord record = test::small_inspection();
  const std::vector<InspectedClass> classes = inspected_classes(record);
  REQUIRE(classes.size() == 2);
  CHECK(classes[0].name == "oak");
  CHECK(classes[0].regions == 2);
  CHECK(classes[0].suspicious_regions == 1);
  CHECK(classes[0].pixels == 4);
  CHECK(classes[0].agreement == 0.5);
  CHECK(classes[0].taken_for == "elm");
  // Nobody knows the class of the only region of elms.
  CHECK(classes[1].regions == 1);
  CHECK_FALSE(classes[1].agreement);
  CHECK_FALSE(classes[1].taken_for);
  CHECK(suspicious_regions(record) == 1);
}
