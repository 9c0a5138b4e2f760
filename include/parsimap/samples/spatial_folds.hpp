// Folds of samples that lie apart: each class is cut into compact parts of the scene, and what lies near a part that is
// tested is not trained on.
//
// What is learnt of a pixel's surroundings is shared by pixels that lie near each other, so neither single pixels nor
// polygons side by side can judge it. The groups of a class (polygons, plots) are cut by their centres into five parts
// of about as many samples: along the axis on which they are spread farthest, into two, those again, and so on. A class
// in fewer than five groups is cut through them, pixel by pixel. Fold f tests part f of every class, and trains on the
// samples of the other parts that are at least the buffer away from any sample that it tests.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct SpatialFold {
  Indices train;  // ascending
  Indices test;   // ascending; of classes that have kept enough samples to train on
};

struct SpatialFolds {
  double buffer = 0;
  std::vector<std::int64_t> units = {};  // n: the part of its class that a sample is in, for standard errors
  std::vector<SpatialFold> folds = {};   // those that can train two classes and test a sample
  Index tested = 0;                      // samples in all folds
};

inline constexpr Index kSpatialFolds = 5;

// The part, in [0, kSpatialFolds), of every sample. `labels` are class indices in [0, classes); samples of equal
// `groups` stay together, with the class that most of them have, where that class has five groups at least. Rows of
// `positions`: n x 2.
std::vector<Index> spatial_parts(const std::vector<int>& labels, std::size_t classes,
                                 const std::vector<std::int64_t>& groups, const Matrix& positions);

// The folds with the largest of `buffers` (descending, in units of the positions) at which two thirds of the samples
// can be tested: a sample is, if its class keeps a third of its other samples to train on, and two at least. None
// where no buffer allows that: then the samples lie too near to each other, or are too few.
std::optional<SpatialFolds> plan_spatial_folds(const std::vector<int>& labels, std::size_t classes,
                                               const std::vector<std::int64_t>& groups, const Matrix& positions,
                                               const std::vector<double>& buffers);

}  // namespace parsimap
