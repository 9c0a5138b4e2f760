// Folds for tests of what leaves them out.
#pragma once

#include <vector>

#include "parsimap/validation/left_out.hpp"

namespace parsimap::test {

// Three samples after each other share a fold.
inline std::vector<Index> folds_in_turn(Index n) {
  std::vector<Index> folds;
  for (Index i = 0; i < n; ++i) {
    folds.push_back((i / 3) % kFolds);
  }
  return folds;
}

}  // namespace parsimap::test
