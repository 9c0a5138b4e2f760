#include "parsimap/samples/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

constexpr Index kMostSamples = Index{1} << 40U;

static double parse_count(const std::string& rule, const std::string& text) {
  const std::optional<double> value = parse_number<double>(text);
  if (!value || *value != std::floor(*value) || *value < kLeastSamples || *value > static_cast<double>(kMostSamples)) {
    throw ConfigError("sampling '" + rule + "': the number of pixels must be a whole number of at least " +
                      std::to_string(kLeastSamples));
  }
  return *value;
}

static double parse_percent(const std::string& rule, const std::string& text) {
  const std::optional<double> value = parse_number<double>(text);
  if (!value || *value <= 0 || *value > 100) {
    throw ConfigError("sampling '" + rule + "': the percentage must be above 0 and at most 100");
  }
  return *value;
}

// Shares out `total` by the largest remainders, with the fraction f = total / sum N_c.
static std::vector<Index> proportional(const std::vector<Index>& sizes, double total) {
  const double all = std::max(1.0, static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), Index{0})));
  const double fraction = std::min(1.0, total / all);
  std::vector<Index> counts;
  std::vector<double> remainders;
  // Every class gets the whole part of its share f N_c; what is then left of the total goes, one sample each, to the
  // classes with the largest remainders. The sort is stable, so that the first of equal classes comes first.
  double left = std::round(fraction * all);
  for (const Index size : sizes) {
    const double share = fraction * static_cast<double>(size);
    counts.push_back(static_cast<Index>(std::floor(share)));
    remainders.push_back(share - std::floor(share));
    left -= std::floor(share);
  }
  Indices order = consecutive(std::ssize(sizes));
  std::ranges::stable_sort(order, std::greater{}, [&](Index c) { return remainders[static_cast<std::size_t>(c)]; });
  for (const Index c : order) {
    if (left >= 1) {
      ++counts[static_cast<std::size_t>(c)];
      left -= 1;
    }
  }
  return counts;
}

// What the rule asks of every class, without regard to how many samples there are.
static std::vector<Index> unbounded_counts(const SamplingRule& rule, const std::vector<Index>& sizes,
                                           const std::vector<Index>& table) {
  // The numbers of docs/method.md, "Drawing training pixels", before they are limited to what there is.
  std::vector<Index> counts = sizes;
  switch (rule.strategy) {
    case SamplingStrategy::all:
      break;
    case SamplingStrategy::constant:
      std::ranges::fill(counts, static_cast<Index>(rule.number));
      break;
    case SamplingStrategy::smallest:
      std::ranges::fill(counts, sizes.empty() ? 0 : *std::ranges::min_element(sizes));
      break;
    case SamplingStrategy::percent:
      for (Index& count : counts) {
        count = static_cast<Index>(std::lround(rule.number / 100 * static_cast<double>(count)));
      }
      break;
    case SamplingStrategy::total:
      return proportional(sizes, rule.number);
    case SamplingStrategy::by_class:
      return table;
  }
  return counts;
}

// Keeps count(class, size) random members of every class, in the order of the samples. Each class has a random stream
// of its own, so that its draw does not depend on the other classes.
template <class Count>
static Indices draw(const std::vector<int>& labels, std::size_t classes, std::uint64_t seed, Count count) {
  const std::vector<Indices> rows = rows_by_class(labels, classes);
  Indices drawn;
  for (std::size_t c = 0; c < classes; ++c) {
    const auto size = static_cast<Index>(rows[c].size());
    Indices order = Random(seed, c).permutation(size);
    order.resize(static_cast<std::size_t>(std::clamp(count(c, size), Index{0}, size)));
    add_all(drawn, values_at(rows[c], order));
  }
  std::ranges::sort(drawn);
  return drawn;
}

static const Names<SamplingStrategy> kStrategies = {
    {SamplingStrategy::all, "all"},           {SamplingStrategy::constant, "constant"},
    {SamplingStrategy::smallest, "smallest"}, {SamplingStrategy::percent, "percent"},
    {SamplingStrategy::total, "total"},       {SamplingStrategy::by_class, "byclass"}};

static bool stands_alone(SamplingStrategy strategy) {
  return strategy == SamplingStrategy::all || strategy == SamplingStrategy::smallest;
}

SamplingRule parse_sampling_rule(const std::string& text) {
  // The word before the colon is the strategy, what follows is its number or file.
  const auto colon = text.find(':');
  const std::string value = colon == std::string::npos ? "" : text.substr(colon + 1);
  const auto named =
      std::ranges::find(kStrategies, text.substr(0, colon), &Names<SamplingStrategy>::value_type::second);
  if (named == kStrategies.end() || (stands_alone(named->first) ? colon != std::string::npos : value.empty())) {
    throw ConfigError("sampling '" + text +
                      "' is unknown; it must be all, constant:N, smallest, percent:P, total:N or byclass:FILE, as in "
                      "constant:200");
  }
  const SamplingStrategy strategy = named->first;
  if (stands_alone(strategy) || strategy == SamplingStrategy::by_class) {
    return {strategy, 0, value};
  }
  return {strategy, strategy == SamplingStrategy::percent ? parse_percent(text, value) : parse_count(text, value), {}};
}

std::string to_string(const SamplingRule& rule) {
  const bool of_file = rule.strategy == SamplingStrategy::by_class;
  return name_among(rule.strategy, kStrategies) +
         (stands_alone(rule.strategy) ? "" : ":" + (of_file ? rule.file : number_text(rule.number)));
}

std::vector<Index> sample_counts(const SamplingRule& rule, const std::vector<Index>& sizes,
                                 const std::vector<Index>& table) {
  std::vector<Index> counts = unbounded_counts(rule, sizes, table);
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    // No class disappears, and none has more samples than it has pixels.
    counts[c] = std::min(std::max(counts[c], kLeastSamples), sizes[c]);
  }
  return counts;
}

std::vector<Indices> rows_by_class(const std::vector<int>& labels, std::size_t classes) {
  std::vector<Indices> rows(classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    rows[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
  }
  return rows;
}

Indices draw_counts(const std::vector<int>& labels, const std::vector<Index>& counts, std::uint64_t seed) {
  return draw(labels, counts.size(), seed, [&counts](std::size_t c, Index) { return counts[c]; });
}

Indices draw_per_class(const std::vector<int>& labels, std::size_t classes, Index per_class, std::uint64_t seed) {
  return draw(labels, classes, seed, [per_class](std::size_t, Index) { return per_class; });
}

Indices draw_evenly(const std::vector<int>& labels, std::size_t classes, Index most, Index least, std::uint64_t seed) {
  const auto n = static_cast<Index>(labels.size());
  if (n <= most) {
    return consecutive(n);
  }
  // A class that is smaller than its share leaves the total smaller; the others are not enlarged.
  return draw_per_class(labels, classes, std::max(least, most / static_cast<Index>(classes)), seed);
}

Indices draw_stratified(const std::vector<int>& labels, std::size_t classes, Index total, Index least,
                        std::uint64_t seed) {
  // Every class keeps the same share of its samples, rounded, so that the draw has about the size asked for.
  const double fraction = static_cast<double>(total) / static_cast<double>(std::max<std::size_t>(labels.size(), 1));
  return draw(labels, classes, seed, [fraction, least](std::size_t, Index size) {
    return std::max(least, static_cast<Index>(std::lround(fraction * static_cast<double>(size))));
  });
}

}  // namespace parsimap
