#include "parsimap/report/class_summary.hpp"

#include <doctest/doctest.h>

#include "unit/classifier/small_model.hpp"

using namespace parsimap;

TEST_CASE("a class has its pixels, regions, left-out accuracy and what most of its errors were taken for") {
  const std::vector<ClassSummary> summaries = class_summaries(small_model());
  REQUIRE(summaries.size() == 2);
  CHECK(summaries[0].name == "Brocoli");
  CHECK(summaries[0].pixels == 30);
  CHECK(summaries[0].regions == 8);
  CHECK(*summaries[0].accuracy == doctest::Approx(29.0 / 30));
  CHECK(summaries[0].confused_with == "Forêt \"dense\"");
  CHECK(summaries[0].confused_share == doctest::Approx(1.0 / 30));
  CHECK(*summaries[1].accuracy == 1);
  CHECK_FALSE(summaries[1].confused_with);
}

TEST_CASE("a class that is never right is confused with the first of those it is taken for most") {
  Model model = small_model();
  model.classes.push_back({9, "water", std::nullopt});
  model.machines.push_back(model.machines[1]);
  CountMatrix confusion(3, 3);
  confusion << 0, 2, 2, 0, 0, 0, 1, 3, 6;
  model.provenance.left_out.confusion = confusion;
  const std::vector<ClassSummary> summaries = class_summaries(model);
  CHECK(*summaries[0].accuracy == 0);
  CHECK(summaries[0].confused_with == "Forêt \"dense\"");
  CHECK(summaries[0].confused_share == 0.5);
  // No pixel of the second class was left out.
  CHECK_FALSE(summaries[1].accuracy);
  CHECK_FALSE(summaries[1].confused_with);
  CHECK(summaries[2].confused_with == "Forêt \"dense\"");
  CHECK(summaries[2].confused_share == doctest::Approx(0.3));
}

TEST_CASE("a model that did not count leaves regions and accuracies open") {
  Model model = small_model();
  model.machines[0].regions.reset();
  model.provenance.left_out.confusion.reset();
  const ClassSummary summary = class_summaries(model)[0];
  CHECK_FALSE(summary.regions);
  CHECK_FALSE(summary.accuracy);
  CHECK_FALSE(summary.confused_with);
}
