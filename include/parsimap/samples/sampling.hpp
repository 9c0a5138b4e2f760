// Which samples are used: all random draws of samples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// How many labelled pixels of every class are drawn, by the six strategies of Orfeo ToolBox's SampleSelection, and
// which.

enum class SamplingStrategy {
  all,       // every pixel
  constant,  // N of every class
  smallest,  // of every class as many as the smallest class has
  percent,   // P percent of every class
  total,     // N altogether, in proportion to the class sizes
  by_class   // what a table says for every class
};

struct SamplingRule {
  SamplingStrategy strategy = SamplingStrategy::all;
  double number = 0;  // N or P
  std::string file;   // of by_class
};

// "all", "constant:N", "smallest", "percent:P", "total:N", "byclass:FILE"; anything else is a ConfigError that states
// the form or the range that is broken: N is 1 or more, 0 < P <= 100.
SamplingRule parse_sampling_rule(const std::string& text);
std::string to_string(const SamplingRule& rule);

// A class that is trained keeps this many samples at least, where it has them.
inline constexpr Index kLeastSamples = 1;

// The number of samples of every class, at most its size and at least min(kLeastSamples, size). Percent is rounded;
// the counts of total add up to N where these bounds allow (largest remainders first, then the first class).
// `table` is that of by_class, one count per class.
std::vector<Index> sample_counts(const SamplingRule& rule, const std::vector<Index>& sizes,
                                 const std::vector<Index>& table);

// The rows of every class in [0, classes), ascending.
std::vector<Indices> rows_by_class(const std::vector<int>& labels, std::size_t classes);

// Random subsets that respect the classes: every draw of the program is one of these.
//
// Up to counts[c] samples of every class c (all of a smaller one), drawn without replacement; ascending indices.
// The draw of one class does not depend on the samples of the others. `labels` holds class indices below counts.size().
Indices draw_counts(const std::vector<int>& labels, const std::vector<Index>& counts, std::uint64_t seed);

// The same with `per_class` samples of every class in [0, classes).
Indices draw_per_class(const std::vector<int>& labels, std::size_t classes, Index per_class, std::uint64_t seed);

// About `most` samples, as many of one class as of another, or all that it has; of each at least min(`least`, class
// size). All samples where there are no more than `most`.
Indices draw_evenly(const std::vector<int>& labels, std::size_t classes, Index most, Index least, std::uint64_t seed);

// About `total` samples in proportion to the class sizes, with at least min(`least`, class size) of every class.
Indices draw_stratified(const std::vector<int>& labels, std::size_t classes, Index total, Index least,
                        std::uint64_t seed);

}  // namespace parsimap
