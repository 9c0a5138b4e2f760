#include "parsimap/report/trust_section.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "parsimap/core/text.hpp"

namespace parsimap::test {
namespace {

// A model of two classes of which 200 pixels in 40 units were left out.
Model left_out_model() {
  Model model;
  model.classes = {{1, "pine", {}}, {2, "oak", {}}};
  model.classifiers.resize(2);
  Provenance& provenance = model.provenance;
  provenance.trained.resize(1);
  provenance.trained.front().path = "data/north.tif";
  provenance.left_out.samples = 200;
  provenance.left_out.units = 40;
  provenance.left_out.by_region = {true, true};
  ExpectedAccuracy expected;
  expected.overall = 0.875;
  expected.overall_interval = Interval{0.75, 0.9375};
  expected.classes = {{0.75, 0.9375, {150, 30}}, {0.25, 0.5, {50, 10}}};
  expected.by_distance = {DistanceAccuracy{0, 3, 2, 0.9375, Interval{0.875, 1}, {120, 25}, 0.625},
                          DistanceAccuracy{3, 10, 5, 0.75, std::nullopt, {80, 15}, 0.25}};
  expected.not_measured = 0.125;
  expected.inside = AccuracyInside{0.9375, Interval{0.875, 1}, {180, 38}, 0.75, false};
  provenance.expected = expected;
  return model;
}

std::string text_of(const Section& section) { return separated(section.paragraphs, "\n"); }
bool has(const Section& section, const std::string& part) { return text_of(section).find(part) != std::string::npos; }

}  // namespace

TEST_CASE("where a map may be trusted: accuracy, distances and classes as they were left out") {
  const Section section = trust_section(left_out_model(), "elsewhere/north.tif");
  CHECK(section.title == "Where this map may be trusted");
  CHECK(has(section, "About 87.5 % of the map is expected to be right (with a confidence of 95 %, 75.0 to 93.8 %)."));
  CHECK(has(section, "200 labelled pixels that were left out of the training in turn, in 40 units"));
  CHECK(has(section, "Near labelled places more of the map is right (93.8 %) than far from them (75.0 %)."));
  CHECK(
      has(section,
          "Pixels of 75.0 % of the map are like the labelled pixels of their class (the area of applicability). About "
          "93.8 % (87.5 to 100.0 %) of this part is expected to be right."));
  CHECK(has(section, "12.5 % of the map lies farther from all labelled pixels"));
  CHECK(has(section, "fewer than 70.0 % of the pixels are found: 'oak' (50.0 %)."));
  CHECK_FALSE(has(section, "another scene"));
  REQUIRE(section.tables.size() == 2);
  CHECK(section.tables[0].rows == TableRows{{"up to 3", "93.8", "87.5 to 100.0", "62.5", "120", "25"},
                                            {"up to 10", "75.0", "-", "25.0", "80", "15"},
                                            {"farther", "-", "not measured", "12.5", "0", "0"}});
  CHECK(section.tables[1].rows ==
        TableRows{{"pine", "93.8", "75.0", "150", "30"}, {"oak", "50.0", "25.0", "50", "10"}});
  // The curve is drawn from the same numbers.
  CHECK(section.figures == std::vector<std::string>{"by-distance"});
  const auto curve = nlohmann::json::parse(section.figure_data)["by_distance"];
  REQUIRE(curve.size() == 2);
  CHECK(curve[0]["interval"] == std::vector{0.875, 1.0});
  CHECK(curve[1]["distance"] == 10);
  CHECK(curve[1]["accuracy"] == 0.75);
  CHECK(curve[1]["interval"].is_null());
}

TEST_CASE("of another scene, of untested classes and of maps far from all labels nothing is claimed") {
  Model model = left_out_model();
  CHECK(has(trust_section(model, "south.tif"), "Of south.tif, another scene, nothing was tested."));
  model.provenance.expected->classes[1].found.reset();
  CHECK(has(trust_section(model, ""), "Nothing is known of 'oak'"));
  model.provenance.expected->by_distance.clear();
  model.provenance.expected->not_measured.reset();
  CHECK(trust_section(model, "").tables[0].rows.empty());
  CHECK(trust_section(model, "").figure_data.empty());
  model.provenance.expected->overall.reset();
  CHECK(has(trust_section(model, ""), "How much of the map is right is not known: no labelled pixels"));

  // Pixels of one region each, left out beside others of it.
  model.provenance.left_out.by_region = {false, false};
  model.classifiers[0].samples = 100;
  const Section section = trust_section(model, "");
  CHECK(has(section, "the labelled pixels lie so close to each other"));
  CHECK(section.tables.empty());
  // As of a model of which nothing is known.
  CHECK_FALSE(trust_section(Model{}, "scene.tif").paragraphs.empty());
}

}  // namespace parsimap::test
