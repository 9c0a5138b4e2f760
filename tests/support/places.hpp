// Units of samples by their numbers.
#pragma once

#include <vector>

#include "parsimap/samples/sample_place.hpp"

namespace parsimap::test {

inline std::vector<SampleUnit> units(const std::vector<std::int64_t>& numbers) {
  std::vector<SampleUnit> result;
  for (const std::int64_t number : numbers) {
    result.push_back({number});
  }
  return result;
}

// Pixels from 0, each in the region and unit of a number.
inline std::vector<SamplePlace> places(const std::vector<std::int64_t>& numbers) {
  std::vector<SamplePlace> result;
  for (const std::int64_t number : numbers) {
    result.push_back({std::ssize(result), number, {number}});
  }
  return result;
}

}  // namespace parsimap::test
