#include <cmath>
#include <numeric>

#include "parsimap/report/text_table.hpp"
#include "parsimap/report/training_report.hpp"

namespace parsimap {
namespace {

// Mean and standard deviation over the folds in which the measure is defined. The deviation has the divisor n - 1 and
// needs two folds at least; the sum of squares is taken about the mean, in a second pass, which does not cancel.
FoldSpread spread_of(const std::vector<std::optional<double>>& measures) {
  std::vector<double> values;
  for (const std::optional<double>& measure : measures) {
    if (measure) {
      values.push_back(*measure);
    }
  }
  FoldSpread spread;
  if (values.empty()) {
    return spread;
  }
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  spread.mean = mean;
  if (values.size() > 1) {
    const double squares = std::accumulate(values.begin(), values.end(), 0.0, [mean](double sum, double value) {
      return sum + (value - mean) * (value - mean);
    });
    spread.deviation = std::sqrt(squares / (count - 1));
  }
  return spread;
}

std::string count_of(Index count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string confusion_text(const ConfusionMatrix& confusion) {
  // Columns: number and name of the reference class, one column for each predicted class, sum and producer's accuracy.
  // The last two rows are the sums of the columns and the user's accuracies.
  std::vector<Alignment> alignments(static_cast<std::size_t>(confusion.size()) + 4, Alignment::right);
  alignments[1] = Alignment::left;
  TextTable table(alignments);
  std::vector<std::string> header = {"", "reference \\ predicted"};
  std::vector<std::string> sums = {"", "sum"};
  std::vector<std::string> users = {"", "user's %"};
  for (Index c = 0; c < confusion.size(); ++c) {
    const ClassAccuracy accuracy = confusion.class_accuracy(c);
    header.push_back(std::to_string(c + 1));
    sums.push_back(std::to_string(accuracy.map_pixels));
    users.push_back(percent(accuracy.users_accuracy));
  }
  header.insert(header.end(), {"sum", "producer's %"});
  sums.insert(sums.end(), {std::to_string(confusion.pixels()), ""});
  users.insert(users.end(), {"", ""});
  table.add_row(header);
  for (Index r = 0; r < confusion.size(); ++r) {
    const ClassAccuracy accuracy = confusion.class_accuracy(r);
    std::vector<std::string> row = {std::to_string(r + 1), confusion.names()[static_cast<std::size_t>(r)]};
    for (Index c = 0; c < confusion.size(); ++c) {
      row.push_back(std::to_string(confusion.counts()(r, c)));
    }
    row.insert(row.end(), {std::to_string(accuracy.reference_pixels), percent(accuracy.producers_accuracy)});
    table.add_row(row);
  }
  table.add_row(sums);
  table.add_row(users);
  return table.text();
}

std::string scores_text(const ValidationScores& scores) {
  TextTable table({Alignment::left, Alignment::right, Alignment::right, Alignment::right});
  table.add_row({"", "pooled", "mean of folds", "deviation"});
  table.add_row({"overall accuracy %", percent(scores.pooled.overall_accuracy()), percent(scores.overall_accuracy.mean),
                 percent(scores.overall_accuracy.deviation)});
  table.add_row({"average accuracy %", percent(scores.pooled.average_accuracy()), percent(scores.average_accuracy.mean),
                 percent(scores.average_accuracy.deviation)});
  table.add_row({"kappa", four_decimals(scores.pooled.kappa()), four_decimals(scores.kappa.mean),
                 four_decimals(scores.kappa.deviation)});
  return table.text();
}

std::string losses_text(const Validation& validation) {
  // Both counts are sums over the folds: a pixel near several test pixels is counted once in each fold concerned.
  Index buffered = 0;
  Index untested = 0;
  for (const ValidationFold& fold : validation.results) {
    buffered += fold.buffered_pixels;
    untested += fold.untested_pixels;
  }
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

}  // namespace

ValidationScores validation_scores(const Validation& validation, const ClassTable& classes) {
  const std::vector<std::string> names = class_names(classes);
  // Measures of the single folds show how much they vary. The pooled matrix adds the counts of all folds, in which a
  // pixel is tested at most once in each repeat, and is the better estimate of a measure where folds are small.
  std::vector<std::optional<double>> overall;
  std::vector<std::optional<double>> average;
  std::vector<std::optional<double>> kappa;
  for (const ValidationFold& fold : validation.results) {
    const ConfusionMatrix confusion(names, fold.confusion);
    overall.push_back(confusion.overall_accuracy());
    average.push_back(confusion.average_accuracy());
    kappa.push_back(confusion.kappa());
  }
  return {ConfusionMatrix(names, validation.pooled()), spread_of(overall), spread_of(average), spread_of(kappa)};
}

std::string validation_title(const Validation& validation) {
  std::string text = std::to_string(validation.folds) + " folds of ";
  // Folds of single pixels, of regions, or of the groups of a field, whose name is in `grouping`.
  if (validation.grouping == "pixels") {
    text += "single pixels";
  } else if (validation.grouping == "regions") {
    text += count_of(validation.groups, "whole region", "whole regions");
  } else {
    text += count_of(validation.groups, "whole group", "whole groups") + " (" + validation.grouping + ")";
  }
  return text + (validation.repeats > 1 ? ", " + std::to_string(validation.repeats) + " repeats" : "");
}

std::string validation_text(const Validation& validation, const ClassTable& classes) {
  const ValidationScores scores = validation_scores(validation, classes);
  return "Validation by " + validation_title(validation) + "; each fold was trained anew on the others.\n" +
         losses_text(validation) + "Pixels, all folds together: rows are reference, columns are predicted.\n\n" +
         confusion_text(scores.pooled) + "\n" + scores_text(scores);
}

}  // namespace parsimap
