#include "verdict.hpp"

#include <algorithm>

#include "parsimap/report/text_table.hpp"

namespace parsimap {
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
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.pixels > b.pixels; });
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
  Index count = 0;
  for (Index c = 0; c < confusion.size(); ++c) {
    count += confusion.class_accuracy(c).reference_pixels > 0 ? 1 : 0;
  }
  return count;
}

}  // namespace

std::string accuracy_verdict(const VerdictMeasure& measure, const ConfusionMatrix& confusion) {
  std::string text = measure.name + " " + percent(measure.accuracy) + " %";
  if (const auto& interval = measure.interval) {
    text += " (95 % interval " + percent(interval->low) + " to " + percent(interval->high);
    if (interval->regions && *interval->regions < kEnoughRegions) {
      text += *interval->regions < kFewestRegions
                  ? ", not reliable: from regions that count as fewer than 10 of equal size"
                  : ", approximate: from regions that count as fewer than 20 of equal size";
    }
    text += ")";
  }
  return text + " on " + counted(confusion.pixels(), measure.pixel) + " of " +
         counted(classes_with_pixels(confusion), "class") + weakest_text(confusion) + ".";
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
