// Which samples an estimate has not seen, so that they say how far others of their class are from it.
#pragma once

#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

inline constexpr Index kNoveltyFolds = 5;

// The fold of each of the samples at `rows`, in [0, kNoveltyFolds): whole regions in one fold where they come from at
// least as many regions as folds, else every fifth sample. Fewer samples than folds are each a fold of their own.
Indices novelty_folds(const SampleSet& samples, const Indices& rows);

struct FoldRows {
  Indices seen;
  Indices held_out;
};

// The positions in `folds` that hold `fold`, and the others.
FoldRows rows_of_fold(const Indices& folds, Index fold);

}  // namespace parsimap
