#include "parsimap/report/assessment_page.hpp"

#include <doctest/doctest.h>

#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/text_table.hpp"

#include "report/comparison_text.hpp"

using namespace parsimap;

TEST_CASE("accuracies of all classes and of each, and the matrix as a run") {
  ConfusionMatrix confusion({"oak", "pine"});
  confusion.add(0, 0, 6);
  confusion.add(0, 1, 2);
  confusion.add(1, 1, 8);
  Assessment record{"map.tif", "crowns.gpkg", confusion, pixel_intervals(confusion)};
  record.unclassified_pixels = 4;
  const CommandPage page = assessment_page(record, {{"class-field", "species"}});
  CHECK(page.title == "Accuracy of map.tif");
  CHECK(page.lead == "87.5 % of 16 reference pixels of crowns.gpkg have the same class in the map.");
  const auto& tables = page.sections[0].tables;
  CHECK(tables[0].rows[2] == std::vector<std::string>{"kappa", "0.75", tables[0].rows[2][2]});
  CHECK(tables[0].rows[3] == std::vector<std::string>{"quantity disagreement %", "12.5", ""});
  CHECK(tables[0].rows[6] == std::vector<std::string>{"unclassified in the map, not counted", "4", ""});
  CHECK(page.sections[0].paragraphs == std::vector<std::string>{intervals_note(record.intervals)});
  CHECK(tables[0].rows[0][2] == percent_interval(record.intervals.overall_accuracy));
  CHECK(tables[1].rows[0][3] == "75.0");
  CHECK(tables[1].rows[0][4] == percent_interval(record.intervals.classes[0].producers_accuracy));
  CHECK(tables[1].rows[0][7] == "85.7");
  const ExperimentRun run = assessment_run(record);
  REQUIRE(run.tests.front().confusion);
  CHECK(run.tests.front().confusion->counts()(0, 1) == 2);
  CHECK(run.tests.front().overall_accuracy == 0.875);
}

TEST_CASE("a second map has a section") {
  const ConfusionMatrix confusion({"oak", "pine"});
  Assessment record{"map.tif", "crowns.gpkg", confusion, pixel_intervals(confusion)};
  MapComparison comparison;
  comparison.map = "other.tif";
  comparison.counts = {30, 6, 2, 2};
  comparison.test = mcnemar_test(comparison.counts);
  record.comparison = comparison;
  const CommandPage page = assessment_page(record, {});
  REQUIRE(page.sections.size() == 4);
  CHECK(page.sections[2].tables.front().caption == "This map and other.tif");
  CHECK(page.sections[2].tables.front().rows == comparison_rows(comparison));
  CHECK(page.sections[2].paragraphs.front().starts_with("McNemar's test: exact binomial, p = "));
}

TEST_CASE("probabilities have a section where they are known") {
  const ConfusionMatrix confusion({"oak", "pine"});
  Assessment record{"map.tif", "crowns.gpkg", confusion, pixel_intervals(confusion)};
  CHECK(assessment_page(record, {}).sections.size() == 3);
  record.reliability.emplace().add(0.75, true);
  const CommandPage page = assessment_page(record, {});
  REQUIRE(page.sections.size() == 4);
  CHECK(page.sections[2].id == "probabilities");
  CHECK(page.sections[2].paragraphs[0].ends_with("expected calibration error 0.25."));
}
