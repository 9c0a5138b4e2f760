#include "accuracy_measures.hpp"

#include <algorithm>

namespace parsimap {

std::string value_text(const Measure& measure, std::optional<double> value) {
  return measure.fraction ? percent(value) : four_decimals(value);
}

std::string interval_text(const Measure& measure) {
  const auto& interval = measure.interval;
  return interval ? interval_text(value_text(measure, interval->low), value_text(measure, interval->high), *interval)
                  : "";
}

std::vector<Measure> overall_measures(const ConfusionMatrix& confusion, const AccuracyIntervals& intervals) {
  // Quantity and allocation disagreement after Pontius and Millones (docs/method.md, "Accuracy and areas"): their sum
  // is 1 minus the overall accuracy.
  const auto errors = disagreement(confusion.counts().cast<double>());
  return {{"overall_accuracy", "overall accuracy %", confusion.overall_accuracy(), intervals.overall_accuracy},
          {"average_accuracy", "average accuracy %", confusion.average_accuracy(), intervals.average_accuracy},
          {"kappa", "kappa", confusion.kappa(), intervals.kappa, false},
          {"quantity_disagreement", "quantity disagreement %", errors ? std::optional(errors->quantity) : std::nullopt},
          {"allocation_disagreement", "allocation disagreement %",
           errors ? std::optional(errors->allocation) : std::nullopt}};
}

std::vector<Measure> class_measures(const ConfusionMatrix& confusion, Index c, const ClassIntervals& intervals) {
  const ClassAccuracy accuracy = confusion.class_accuracy(c);
  return {{"producers_accuracy", "producer's %", accuracy.producers_accuracy, intervals.producers_accuracy},
          {"users_accuracy", "user's %", accuracy.users_accuracy, intervals.users_accuracy},
          {"f1", "F1 %", accuracy.f1, intervals.f1}};
}

void list_measures(Fields& field, const std::vector<Measure>& measures) {
  for (const Measure& measure : measures) {
    field.derived(measure.key, [&] { return measure.value; });
  }
}

// Measures follow from the matrix and are written for readers of the document. Where it is read, there is no matrix
// yet.
void list_accuracies(Fields& field, const ConfusionMatrix& confusion) {
  if (!field.reads()) {
    std::vector<Measure> measures = overall_measures(confusion);
    measures.resize(kAccuracies);
    list_measures(field, measures);
  }
}

void list_disagreement(Fields& field, const ConfusionMatrix& confusion) {
  if (!field.reads()) {
    std::vector<Measure> measures = overall_measures(confusion);
    measures.erase(measures.begin(), measures.begin() + kAccuracies);
    list_measures(field, measures);
  }
}

Table matrix_table(const NamedCodes& classes, const Matrix& values, const std::string& corner,
                   const std::function<std::string(double)>& format) {
  Table table{"", {"", corner}, {}, "rlr"};
  std::vector<std::string> sums = {"", "sum"};
  for (Index r = 0; r < values.rows(); ++r) {
    const auto c = static_cast<std::size_t>(r);
    table.columns.push_back(classes.codes[c]);
    sums.push_back(format(values.col(r).sum()));
    std::vector<std::string> row = {classes.codes[c], classes.names[c]};
    for (const double value : values.row(r)) {
      row.push_back(format(value));
    }
    row.push_back(format(values.row(r).sum()));
    table.rows.push_back(std::move(row));
  }
  table.columns.emplace_back("sum");
  sums.push_back(format(values.sum()));
  table.rows.push_back(std::move(sums));
  return table;
}

std::string pixel_count(double pixels) { return std::to_string(static_cast<std::int64_t>(pixels)); }

namespace {

struct MutualConfusion {
  Index first;
  Index second;
  std::int64_t pixels;  // of both that are called the other
};

// Those with the most pixels first; of equal ones the one of earlier classes.
std::vector<MutualConfusion> pairs_of(const CountMatrix& counts) {
  std::vector<MutualConfusion> pairs;
  for (Index first = 0; first < counts.rows(); ++first) {
    for (Index second = first + 1; second < counts.cols(); ++second) {
      // Each unordered pair of classes is considered once, with the confusion of both directions together: a pair is
      // difficult to separate whichever of the two loses the pixels.
      const std::int64_t pixels = counts(first, second) + counts(second, first);
      if (pixels > 0) {
        // The one that loses more pixels to the other comes first.
        const bool turned = counts(second, first) > counts(first, second);
        pairs.push_back(turned ? MutualConfusion{second, first, pixels} : MutualConfusion{first, second, pixels});
      }
    }
  }
  std::ranges::stable_sort(pairs, [](const auto& a, const auto& b) { return a.pixels > b.pixels; });
  return pairs;
}

std::string lost_text(const ConfusionMatrix& confusion, Index from, Index to) {
  const auto& names = confusion.names();
  return grouped(confusion.counts()(from, to)) + " of " + counted(confusion.counts().row(from).sum(), "pixel") +
         " of " + names[static_cast<std::size_t>(from)] + " are called " + names[static_cast<std::size_t>(to)];
}

std::string pair_text(const ConfusionMatrix& confusion, const MutualConfusion& pair, bool first) {
  const auto name = [&](Index c) { return confusion.names()[static_cast<std::size_t>(c)]; };
  std::string text = (first ? "Most confused are " : "Then ") + name(pair.first) + " and " + name(pair.second) + ": " +
                     lost_text(confusion, pair.first, pair.second);
  if (confusion.counts()(pair.second, pair.first) > 0) {
    text += ", and " + lost_text(confusion, pair.second, pair.first);
  }
  return text + ".";
}

// The class of the least producer's accuracy; nothing where every pixel is right.
std::string weakest_text(const ConfusionMatrix& confusion) {
  // Producer's accuracy is the share of the reference pixels of a class that the map finds. Classes without reference
  // pixels have none and are passed over. Starting from 1 leaves a map without errors without a weakest class.
  Index weakest = -1;
  double least = 1;
  for (Index c = 0; c < confusion.size(); ++c) {
    const std::optional<double> found = confusion.class_accuracy(c).producers_accuracy;
    if (found && *found < least) {
      weakest = c;
      least = *found;
    }
  }
  if (weakest < 0) {
    return "";
  }
  return "; weakest: " + confusion.names()[static_cast<std::size_t>(weakest)] + " (" + percent(least) + " % of its " +
         counted(confusion.class_accuracy(weakest).reference_pixels, "pixel") + " found)";
}

Index classes_with_pixels(const ConfusionMatrix& confusion) {
  return (confusion.counts().rowwise().sum().array() > 0).count();
}

}  // namespace

std::string accuracy_with_interval(std::optional<double> accuracy, const std::optional<Interval>& interval) {
  std::string text = percent(accuracy) + " %";
  if (interval) {
    text += " (95 % interval " + percent(interval->low) + " to " + percent(interval->high);
    if (interval->regions && *interval->regions < kEnoughRegions) {
      text += *interval->regions < kFewestRegions
                  ? ", not reliable: from regions that count as fewer than 10 of equal size"
                  : ", approximate: from regions that count as fewer than 20 of equal size";
    }
    text += ")";
  }
  return text;
}

std::string accuracy_verdict(const VerdictMeasure& measure, const ConfusionMatrix& confusion) {
  return measure.name + " " + accuracy_with_interval(measure.accuracy, measure.interval) + " on " +
         counted(confusion.pixels(), measure.pixel) + " of " + counted(classes_with_pixels(confusion), "class") +
         weakest_text(confusion) + ".";
}

TakenFor taken_for(const CountMatrix& confusion, Index c, const ClassTable& classes) {
  Eigen::Matrix<std::int64_t, 1, Eigen::Dynamic> counts = confusion.row(c);
  const auto all = static_cast<double>(counts.sum());
  if (all == 0) {
    return {};
  }
  TakenFor result{static_cast<double>(counts(c)) / all};
  // With its diagonal entry removed, the largest entry of the row is that of the class they are most often taken for.
  counts(c) = 0;
  Index other = 0;
  if (const std::int64_t most = counts.maxCoeff(&other); most > 0) {
    result.other = classes[static_cast<std::size_t>(other)].name;
    result.other_share = static_cast<double>(most) / all;
  }
  return result;
}

std::vector<std::string> confused_pairs(const ConfusionMatrix& confusion, std::size_t most) {
  std::vector<std::string> sentences;
  for (const MutualConfusion& pair : pairs_of(confusion.counts())) {
    if (sentences.size() == most) {
      break;
    }
    sentences.push_back(pair_text(confusion, pair, sentences.empty()));
  }
  return sentences;
}

}  // namespace parsimap
