#include "commands/inspect_report.hpp"

#include <doctest/doctest.h>

#include "parsimap/scene/memory_scene.hpp"

#include "support/small_inspection.hpp"
#include "support/small_scene.hpp"

namespace parsimap::test {

TEST_CASE("the page shows where suspicious labels lie, and where it comes from") {
  MemoryScene scene("scene", {10, 4, {}, {}}, {{"b", 500}, {"c", 600}}, Spectra::Constant(40, 2, 1));
  SampleSet samples;
  samples.pixels = {10, 11, 25, 26, 30};
  const std::vector<std::pair<std::string, std::string>> options = {{"repeats", "4"}};
  InspectionRecord record = small_inspection();
  const std::string page = inspect_report(record, {samples, scene, options, {}, "2026-11-22"});
  CHECK(contains(page, "<figure id=\"picture-suspects\">"));
  CHECK(contains(page, "first 5 % of the list"));
  CHECK(contains(page, "1 looks like another class"));
  CHECK(contains(page, ", 2026-11-22</p>"));
  CHECK(contains(page, "<td>repeats</td><td>4</td>"));
  CHECK_FALSE(contains(page, "id=\"wavelengths\""));
  record.wavelengths = small_wavelengths();
  CHECK(contains(inspect_report(record, {samples, scene, options, {}, "2026-11-22"}), "id=\"wavelengths\""));
}

}  // namespace parsimap::test
