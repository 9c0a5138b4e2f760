// How many labelled pixels of every class training draws: the six strategies of Orfeo ToolBox's SampleSelection.
#pragma once

#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

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

// A class that is trained keeps this many samples at least, where it has them.
inline constexpr Index kLeastSamples = 1;

// The number of samples of every class, at most its size and at least min(kLeastSamples, size). Percent is rounded;
// the counts of total add up to N where these bounds allow (largest remainders first, then the first class).
// `table` is that of by_class, one count per class.
std::vector<Index> sample_counts(const SamplingRule& rule, const std::vector<Index>& sizes,
                                 const std::vector<Index>& table);

}  // namespace parsimap
