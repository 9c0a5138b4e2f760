#include "parsimap/report/validation_report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "parsimap/core/text.hpp"

#include "accuracy_measures.hpp"

namespace parsimap {

// Mean and standard deviation over the folds in which the measure is defined. The deviation has the divisor n - 1 and
// needs two folds at least; the sum of squares is taken about the mean, in a second pass, which does not cancel.
static FoldSpread spread_of(const std::vector<std::optional<double>>& measures) {
  const auto known = filtered(measures, [](const auto& measure) { return measure.has_value(); });
  const auto values = mapped<double>(known, [](const auto& measure) { return *measure; });
  if (values.empty()) {
    return {};
  }
  const auto count = static_cast<double>(values.size());
  const double mean = total(values, std::identity()) / count;
  FoldSpread spread{mean, {}};
  if (values.size() > 1) {
    const double squares = total(values, [mean](double value) { return (value - mean) * (value - mean); });
    spread.deviation = std::sqrt(squares / (count - 1));
  }
  return spread;
}

static Table confusion_table(const ConfusionMatrix& confusion, const ClassTable& classes) {
  // The matrix with producer's accuracies beside the sums of its rows, and user's accuracies below those of its
  // columns.
  const NamedCodes named{confusion.names(), mapped<std::string>(classes, [](const ClassEntry& entry) {
                           return std::to_string(entry.code);
                         })};
  Table table = matrix_table(named, confusion.counts().cast<double>(), "reference \\ predicted", pixel_count);
  std::vector<std::string> users = {"", "user's %"};
  table.columns.emplace_back("producer's %");
  for (Index c = 0; c < confusion.size(); ++c) {
    const ClassAccuracy accuracy = confusion.class_accuracy(c);
    table.rows[static_cast<std::size_t>(c)].push_back(percent(accuracy.producers_accuracy));
    users.push_back(percent(accuracy.users_accuracy));
  }
  table.rows.back().emplace_back();
  users.resize(table.columns.size());
  table.rows.push_back(std::move(users));
  return table;
}

static Table scores_table(const ValidationScores& scores) {
  Table table{"", {"", "pooled", "mean of folds", "deviation"}, {}};
  const std::vector<Measure> measures = overall_measures(scores.pooled);
  for (std::size_t i = 0; i < kAccuracies; ++i) {
    const FoldSpread& spread = scores.over_folds[i];
    table.rows.push_back({measures[i].title, value_text(measures[i], measures[i].value),
                          value_text(measures[i], spread.mean), value_text(measures[i], spread.deviation)});
  }
  return table;
}

static std::string losses_text(const Validation& validation) {
  // Both counts are sums over the folds: a pixel near several test pixels is counted once in each fold concerned.
  const Index buffered = total(validation.results, &ValidationFold::buffered_pixels);
  const Index untested = total(validation.results, &ValidationFold::untested_pixels);
  std::string text;
  if (validation.buffer > 0) {
    text += "Pixels nearer than " + short_number(validation.buffer) + " " + validation.buffer_unit +
            " to a test pixel were not trained on: " + std::to_string(buffered) + " over all folds.\n";
  }
  if (untested > 0) {
    text += "Pixels of classes that a fold could not train were not tested there: " + std::to_string(untested) +
            " over all folds.\n";
  }
  // A fold without a result is one in which nothing could be trained, or nothing was left to test.
  const Index left_out = validation.folds * validation.repeats - static_cast<Index>(validation.results.size());
  if (left_out > 0) {
    text += "Folds left out because nothing could be trained or tested: " + std::to_string(left_out) + ".\n";
  }
  return text;
}

ValidationScores validation_scores(const Validation& validation, const ClassTable& classes) {
  const std::vector<std::string> names = class_names(classes);
  // Measures of the single folds show how much they vary. The pooled matrix adds the counts of all folds, in which a
  // pixel is tested at most once in each repeat, and is the better estimate of a measure where folds are small.
  std::array<std::vector<std::optional<double>>, kAccuracies> values;
  for (const ValidationFold& fold : validation.results) {
    const std::vector<Measure> measures = overall_measures(ConfusionMatrix(names, fold.confusion));
    for (std::size_t i = 0; i < kAccuracies; ++i) {
      values[i].push_back(measures[i].value);
    }
  }
  ValidationScores scores{ConfusionMatrix(names, validation.pooled()), {}};
  std::transform(values.begin(), values.end(), scores.over_folds.begin(), spread_of);
  return scores;
}

std::string validation_title(const Validation& validation) {
  // Folds of single pixels, of regions, or of the groups of a field, whose name is in `grouping`.
  const std::string text = std::to_string(validation.folds) + " folds of " +
                           (validation.grouping == "pixels" ? "single pixels"
                            : validation.grouping == "regions"
                                ? counted(validation.groups, "whole region")
                                : counted(validation.groups, "whole group") + " (" + validation.grouping + ")");
  return text + (validation.repeats > 1 ? ", " + std::to_string(validation.repeats) + " repeats" : "");
}

std::string validation_text(const Validation& validation, const ClassTable& classes) {
  const ValidationScores scores = validation_scores(validation, classes);
  return "Validation by " + validation_title(validation) + "; each fold was trained anew on the others.\n" +
         losses_text(validation) + "Pixels, all folds together: rows are reference, columns are predicted.\n\n" +
         table_text(confusion_table(scores.pooled, classes)) + "\n" + table_text(scores_table(scores));
}

// Models of earlier versions know a share alone.
static bool nothing_left_out(const LeftOutScores& left_out) {
  return left_out.samples == 0 || (left_out.confusion && left_out.confusion->sum() == 0);
}

ExpectedAccuracy expected_accuracy(const Model& model) {
  ExpectedAccuracy expected;
  if (!nothing_left_out(model.provenance.left_out)) {
    expected.overall = model.provenance.left_out.accuracy;
  }
  return model.provenance.expected.value_or(expected);
}

bool left_out_elsewhere(const Model& model) {
  const LeftOutScores& left_out = model.provenance.left_out;
  if (const std::optional<UnitDesign>& units = model.provenance.units) {
    const std::optional<ExpectedAccuracy>& expected = model.provenance.expected;
    // What was left out at several distances stands for the part of the map that is as far from labels.
    const bool measured = expected && !expected->by_distance.empty() && expected->not_measured.value_or(0) <= 0.5;
    return (measured || units->matches()) && left_out.units >= kFewestUnits;
  }
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    const BinaryClassifier& classifier = model.classifiers[c];
    if (!left_out.by_region[c] && classifier.samples > classifier.regions.value_or(0)) {
      return false;
    }
  }
  return true;
}

// One decimal at most.
static std::string distance_text(double distance) { return short_number(std::round(10 * distance) / 10); }

static std::string with_range(double share, const std::optional<Interval>& interval) {
  return percent(share) + " %" +
         (interval ? " (" + percent(interval->low) + " to " + percent(interval->high) + ")" : std::string());
}

// Why the overall accuracy is known badly; a part of a sentence.
static std::string problem_text(const Model& model, const ExpectedAccuracy& expected) {
  const std::string classes = separated(expected.problem_classes, ", ", [&](int c) {
    return "'" + model.classes[static_cast<std::size_t>(c)].name + "'";
  });
  switch (expected.problem) {
    case SharesProblem::overlap:
      return "since " + classes + " are confused so much that their shares of the map are hardly known";
    case SharesProblem::never_predicted:
      return "since no left-out pixel was taken for " + classes;
    case SharesProblem::untested_class:
      return "since no pixel of " + classes + " could be left out";
    case SharesProblem::none:
      break;
  }
  return "since the shares of the classes in the map are hardly known";
}

// "90.1 % (95 % interval ..) for the map; average accuracy .. % (..).", with the end of the line.
static std::string expected_text(const Model& model) {
  const ExpectedAccuracy expected = expected_accuracy(model);
  const bool of_map = model.provenance.expected && model.provenance.left_out.map_shares.size() > 0;
  if (!expected.overall) {
    return "no accuracy, since fewer than two classes have left-out pixels.\n";
  }
  const std::string overall = accuracy_with_interval(*expected.overall, expected.overall_interval) +
                              (of_map ? " with the classes weighted by their shares of the map"
                                      : " with the classes weighted by their training pixels");
  if (!expected.average) {
    return overall + ".\n";
  }
  const std::string average = "verage accuracy " + with_range(*expected.average, expected.average_interval);
  return expected.average_first ? "A" + average + "; the overall accuracy is uncertain, " +
                                      problem_text(model, expected) + ": " + overall + ".\n"
                                : overall + "; a" + average + ".\n";
}

// How the accuracy falls with the distance to the labels, where it does; or nothing. Neighbouring distances whose
// accuracies differ by less than a point are one, with the accuracy of the farthest, which is the lowest.
static std::string by_distance_text(const ExpectedAccuracy& expected) {
  constexpr double kPoint = 0.01;
  std::vector<std::string> statements;
  double nearest = 0;
  double map_share = 0;
  for (const DistanceAccuracy& part : expected.by_distance) {
    if (!part.accuracy || part.map_share.value_or(0) <= 0) {
      continue;
    }
    if (map_share > 0 && *part.accuracy > nearest - kPoint) {
      statements.pop_back();
    } else {
      nearest = *part.accuracy;
      map_share = 0;
    }
    map_share += *part.map_share;
    statements.push_back("up to " + distance_text(part.farthest) + " pixels " +
                         with_range(*part.accuracy, part.interval) + ", " + percent(map_share) + " % of the map");
  }
  if (expected.not_measured.value_or(0) > 0) {
    statements.push_back("farther away not measured, " + percent(*expected.not_measured) + " % of the map");
  }
  return statements.empty() ? "" : "By distance to the nearest label: " + separated(statements, "; ") + ".\n";
}

static std::string inside_text(const ExpectedAccuracy& expected) {
  if (!expected.inside || !expected.inside->accuracy) {
    return "";
  }
  const AccuracyInside& inside = *expected.inside;
  return "Where pixels are like their class (--reject-outside " + short_number(kLargestUnlikeness) + "), " +
         percent(inside.map_share) + " % of the map: " + with_range(*inside.accuracy, inside.interval) +
         (inside.average_first ? ", uncertain" : "") + ".\n";
}

static std::string pixels_text(const Model& model) {
  return "Left-out accuracy of " + std::to_string(model.provenance.left_out.samples) + " training pixels, ";
}

// Of a design that was matched to the map.
static std::string unit_text(const Model& model, const UnitDesign& units, const std::string& right) {
  std::string distances;
  // Of units that could not be shared out to folds there are no distances.
  const std::size_t half = units.map_distances.size() / 2;
  if (half > 0 && half < units.fold_distances.size()) {
    const std::string metres = units.metres ? " m" : " pixels";
    distances = "Half of the map pixels lie within " + distance_text(units.map_distances[half]) + metres +
                " of a label, half of the left-out pixels within " + distance_text(units.fold_distances[half]) +
                metres + " of a pixel trained on.\n";
  }
  const std::string left_out = "each classified without its " + units.unit + " (" +
                               counted(model.provenance.left_out.units, "unit") + " in 5 folds)" +
                               (model.provenance.left_out.neighbours ? " and with its neighbours, as in maps" : "");
  if (left_out_elsewhere(model)) {
    return pixels_text(model) + left_out + ": " + expected_text(model) + by_distance_text(expected_accuracy(model)) +
           inside_text(expected_accuracy(model)) + distances;
  }
  return "No accuracy for the map: " +
         std::string(units.matches() ? "fewer than ten units could be left out"
                                     : "no part of the labels can be left out as far from the others as the map is") +
         ". " + right + " left-out training pixels were classified correctly, " + left_out + ".\n" + distances;
}

// The sentence on class weights, or nothing.
static std::string balanced_text(const std::optional<BalancedWeights>& balanced) {
  if (!balanced || (balanced->average_accuracy == balanced->average_without &&
                    balanced->overall_accuracy == balanced->overall_without)) {
    return "";
  }
  return "Class weights: " + std::string(balanced->better() ? "balanced" : "none") +
         ". Balanced, the average accuracy of " + std::to_string(balanced->samples) + " left-out pixels is " +
         percent(balanced->average_accuracy) + " % instead of " + percent(balanced->average_without) +
         " %, the overall accuracy " + percent(balanced->overall_accuracy) + " % instead of " +
         percent(balanced->overall_without) + " %.\n";
}

// What the accuracy of left-out pixels is one of.
static std::string accuracy_text(const Model& model) {
  // Classes in one region are left out pixel by pixel. Beside pixels of their own region that were trained on, they say
  // nothing about other places.
  const LeftOutScores& left_out = model.provenance.left_out;
  if (nothing_left_out(left_out)) {
    return "No accuracy: no training pixel could be left out.\n";
  }
  std::string alone;
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    if (!left_out.by_region[c]) {
      alone += (alone.empty() ? "" : ", ") + model.classes[c].name + " (" +
               counted(model.classifiers[c].regions.value_or(0), "region") + ")";
    }
  }
  const std::optional<CountMatrix>& counts = left_out.confusion;
  const double share =
      counts ? static_cast<double>(counts->trace()) / static_cast<double>(counts->sum()) : left_out.accuracy;
  const std::string right = percent(share) + " % of " + std::to_string(left_out.samples);
  if (const std::optional<UnitDesign>& units = model.provenance.units) {
    return unit_text(model, *units, right);
  }
  if (!left_out_elsewhere(model)) {
    return "No accuracy for other places: of classes in one region single pixels were left out, beside "
           "pixels of the same regions that were trained on: " +
           alone + ". So " + right + " left-out training pixels were classified correctly.\n";
  }
  const auto& options = model.provenance.options;
  const std::string unit =
      std::ranges::any_of(options, [](const auto& option) { return option.first == "group-field"; }) ? "group"
                                                                                                     : "region";
  return pixels_text(model) + "each classified without its " + unit + " (" + std::to_string(left_out.units) + " " +
         unit + "s in 5 folds" + (alone.empty() ? "" : "; single pixels: " + alone) + "): " + expected_text(model) +
         inside_text(expected_accuracy(model));
}

std::string left_out_text(const Model& model) {
  return accuracy_text(model) + balanced_text(model.provenance.left_out.balanced);
}

}  // namespace parsimap
