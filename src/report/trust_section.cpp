#include "parsimap/report/trust_section.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "parsimap/core/text.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/validation_report.hpp"

namespace parsimap {
namespace {

// Classes of which fewer pixels than these are found are named.
constexpr double kFewFound = 0.7;

std::string range_text(const std::optional<Interval>& interval) {
  return interval ? percent(interval->low) + " to " + percent(interval->high) : "-";
}

std::string overall_sentence(const ExpectedAccuracy& expected, const LeftOutScores& left_out) {
  const std::string labels = counted(left_out.samples, "labelled pixel");
  if (!expected.overall) {
    return "How much of the map is right is not known: no labelled pixels could be left out of the training to test "
           "it.";
  }
  const std::string interval =
      expected.overall_interval ? " (with a confidence of 95 %, " + range_text(expected.overall_interval) + " %)" : "";
  return "About " + percent(expected.overall) + " % of the map is expected to be right" + interval +
         ". This rests on " + labels + " that were left out of the training in turn, in " +
         counted(left_out.units, "unit") + ", and compared with what the map would say there." +
         (expected.average_first ? " The classes are confused so much that this figure is uncertain." : "");
}

// Accuracies by the distance from labels, where they were measured.
Table distance_table(const ExpectedAccuracy& expected) {
  Table table{"Accuracy by the distance to the nearest labelled pixel",
              {"distance, pixels", "right, %", "95 % interval, %", "share of the map, %", "left-out pixels", "units"},
              {},
              "lrirrr"};
  for (const DistanceAccuracy& part : expected.by_distance) {
    table.rows.push_back({"up to " + short_number(std::round(10 * part.farthest) / 10), percent(part.accuracy),
                          range_text(part.interval), percent(part.map_share), std::to_string(part.support.pixels),
                          std::to_string(part.support.units)});
  }
  if (!table.rows.empty() && expected.not_measured.value_or(0) > 0) {
    table.rows.push_back({"farther", "-", "not measured", percent(expected.not_measured), "0", "0"});
  }
  return table;
}

std::vector<std::string> distance_sentences(const ExpectedAccuracy& expected) {
  constexpr double kPoints = 0.02;
  std::vector<std::string> sentences;
  const auto& parts = expected.by_distance;
  if (!parts.empty() && parts.front().accuracy && parts.back().accuracy &&
      *parts.front().accuracy - *parts.back().accuracy >= kPoints) {
    sentences.push_back("Near labelled places more of the map is right (" + percent(parts.front().accuracy) +
                        " %) than far from them (" + percent(parts.back().accuracy) + " %).");
  }
  if (expected.not_measured.value_or(0) > 0) {
    sentences.push_back(percent(expected.not_measured) +
                        " % of the map lies farther from all labelled pixels than any of these could be left out: how "
                        "much is right there is not known.");
  }
  return sentences;
}

std::vector<std::string> inside_sentences(const ExpectedAccuracy& expected) {
  const std::optional<AccuracyInside>& inside = expected.inside;
  if (!inside || !inside->accuracy) {
    return {};
  }
  return {"Pixels of " + percent(inside->map_share) +
          " % of the map are like the labelled pixels of their class (the area of applicability). About " +
          percent(inside->accuracy) + " % (" + range_text(inside->interval) +
          " %) of this part is expected to be right. The option --reject-outside " + short_number(kLargestUnlikeness) +
          " leaves out the other pixels."};
}

Table found_table(const Model& model, const ExpectedAccuracy& expected) {
  Table table{
      "Left-out pixels by their class", {"class", "found, %", "share of the map, %", "left-out pixels", "units"}, {}};
  for (std::size_t c = 0; c < expected.classes.size(); ++c) {
    const ExpectedClass& entry = expected.classes[c];
    table.rows.push_back({model.classes[c].name, percent(entry.found), percent(entry.share),
                          std::to_string(entry.support.pixels), std::to_string(entry.support.units)});
  }
  return table;
}

std::vector<std::string> class_sentences(const Model& model, const ExpectedAccuracy& expected) {
  std::vector<std::string> weak;
  std::vector<std::string> untested;
  for (std::size_t c = 0; c < expected.classes.size(); ++c) {
    const std::optional<double>& found = expected.classes[c].found;
    const std::string name = "'" + model.classes[c].name + "'";
    if (!found) {
      untested.push_back(name);
    } else if (*found < kFewFound) {
      weak.push_back(name + " (" + percent(found) + " %)");
    }
  }
  std::vector<std::string> sentences;
  if (!weak.empty()) {
    sentences.push_back("Of these classes fewer than " + percent(kFewFound) +
                        " % of the pixels are found: " + separated(weak, ", ") + ".");
  }
  if (!untested.empty()) {
    sentences.push_back("Nothing is known of " + separated(untested, ", ") +
                        ", of which no labelled pixel could be left out.");
  }
  return sentences;
}

// What none of the figures covers.
std::vector<std::string> limits(const Model& model, const std::string& scene) {
  std::vector<std::string> sentences;
  const std::vector<TrainedScene>& trained = model.provenance.trained;
  const auto is_scene = [&](const TrainedScene& one) { return base_name(one.path) == base_name(scene); };
  if (!scene.empty() && !trained.empty() && std::ranges::none_of(trained, is_scene)) {
    sentences.push_back("These figures are those of " +
                        separated(trained, ", ", [](const TrainedScene& one) { return base_name(one.path); }) +
                        ", where the labels are. Of " + base_name(scene) + ", another scene, nothing was tested.");
  }
  sentences.emplace_back(
      "Surfaces of kinds that nobody labelled have one of these classes all the same. A layer of novelty shows where "
      "pixels are unlike all of them.");
  return sentences;
}

}  // namespace

Section trust_section(const Model& model, const std::string& scene) {
  Section section{.id = "trust", .title = "Where this map may be trusted"};
  const ExpectedAccuracy expected = expected_accuracy(model);
  if (left_out_elsewhere(model)) {
    section.paragraphs = {overall_sentence(expected, model.provenance.left_out)};
    add_all(section.paragraphs, distance_sentences(expected));
    add_all(section.paragraphs, inside_sentences(expected));
    add_all(section.paragraphs, class_sentences(model, expected));
    section.tables = {distance_table(expected), found_table(model, expected)};
    section.figures = {"by-distance"};
    section.figure_data = distances_json(model);
  } else {
    section.paragraphs = {
        "How much of the map is right is not known: the labelled pixels lie so close to each other that none of them "
        "can stand for the rest of the map."};
  }
  add_all(section.paragraphs, limits(model, scene));
  return section;
}

}  // namespace parsimap
