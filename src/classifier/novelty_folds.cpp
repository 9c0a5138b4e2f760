#include "novelty_folds.hpp"

#include <algorithm>
#include <vector>

namespace parsimap {

Indices novelty_folds(const SampleSet& samples, const Indices& rows) {
  std::vector<std::int64_t> regions;
  for (const Index i : rows) {
    regions.push_back(samples.regions[static_cast<std::size_t>(i)]);
  }
  std::vector<std::int64_t> distinct = regions;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const bool whole = static_cast<Index>(distinct.size()) >= kNoveltyFolds;
  Indices folds;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const auto rank = std::lower_bound(distinct.begin(), distinct.end(), regions[i]) - distinct.begin();
    folds.push_back((whole ? rank : static_cast<Index>(i)) % kNoveltyFolds);
  }
  return folds;
}

FoldRows rows_of_fold(const Indices& folds, Index fold) {
  FoldRows rows;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    (folds[i] == fold ? rows.held_out : rows.seen).push_back(static_cast<Index>(i));
  }
  return rows;
}

}  // namespace parsimap
