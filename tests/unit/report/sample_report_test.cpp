#include "parsimap/report/sample_report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

SampleRecord small_record(SamplingDesign design) {
  SampleRecord record;
  record.map = "folder/map.tif";
  record.out = "plan.gpkg";
  record.pixel_area = 100.0;
  record.plan.design = design;
  record.plan.strata = {{"forest", 9000, 60}, {"water", 1000, 40}};
  record.plan.clusters = design == SamplingDesign::clusters ? 20 : 0;
  record.plan.promised = {
      {AimKind::overall, {}, 0.02}, {AimKind::users, "water", 0.05}, {AimKind::area, "water", 0.01}};
  record.aims = {{AimKind::overall, {}, 0.025}};
  record.points = 100;
  return record;
}

}  // namespace

TEST_CASE("the text says how large the sample is and what it will say") {
  const std::string text = sample_text(small_record(SamplingDesign::stratified));
  CHECK(text.starts_with("A stratified sample of 100 points of the 10,000 pixels that map.tif classifies.\n"));
  CHECK(contains(text, "'parsimap assess map.tif --sample'"));
  CHECK(contains(sample_text(small_record(SamplingDesign::clusters)), "A sample of 100 points in 20 clusters of the"));
  CHECK(
      contains(sample_text(small_record(SamplingDesign::systematic)), "no intervals that stay valid while the sample"));
}

TEST_CASE("the document has the plan and its standard errors") {
  const auto document = nlohmann::json::parse(sample_json(small_record(SamplingDesign::stratified)));
  CHECK(document["design"] == "stratified");
  CHECK(document["points"] == 100);
  CHECK(document["strata_points"][1] == nlohmann::json{{"name", "water"}, {"pixels", 1000}, {"points", 40}});
  CHECK(document["standard_errors"][1]["measure"] == "user's accuracy of water");
  CHECK(document["aims"] == nlohmann::json{"overall:0.025"});
}

TEST_CASE("the page begins with the size and the overall accuracy") {
  const CommandPage page = sample_page(small_record(SamplingDesign::simple), {}, {{"size", "100"}});
  CHECK(page.verdict.size() == 2);
  CHECK(contains(page.verdict[1], "standard error of about 2.0 %"));
  const TableRows& promised = page.sections[0].tables.front().rows;
  REQUIRE(promised.size() == 3);
  CHECK(promised[0] == std::vector<std::string>{"overall accuracy", "2.0 %", "-", "+- 4.0 %", "2.5 %"});
  // One hundredth of 100 hectares.
  CHECK(promised[2] == std::vector<std::string>{"share of water", "1.0 %", "1.00", "+- 2.0 %", "-"});
  CHECK(page.sections[1].tables.front().rows[1] == std::vector<std::string>{"water", "1,000", "40", "0.04"});
}

}  // namespace parsimap::test
