// Training of one machine for every class against the rest.
#pragma once

#include <cstdint>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/hdda/intrinsic_dimension.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/selection/criterion.hpp"

namespace parsimap {

struct TrainingOptions {
  KernelFamily family = KernelFamily::hdda;
  CriterionKind criterion = CriterionKind::leave_one_out;
  DimensionRule dimension;
  ScalingRule scaling = ScalingRule::global;
  std::uint64_t seed = 0;  // of the subset that hyperparameters are selected on
  int threads = 1;         // classes trained at the same time
};

// Trains on raw spectra of the bands used (at least two classes, at least two samples of each). Leave-one-out selects
// hyperparameters on a stratified subset when there are more samples than kSelectionSamples, since its cost grows with
// their cube; every machine is then fitted to all samples. The model's classes are those of `samples`. Not filled:
// scene_bands, bands, band_table, and the provenance but for its training figures. Identical for any `threads`.
Model train_one_vs_all(const SampleSet& samples, const TrainingOptions& options, const Progress& progress);

// About how much memory training holds at its peak: the distances of all samples, and for every class in work its
// kernel matrix and the systems of its support vectors, taken as half of the samples.
std::int64_t training_bytes(Index samples, int threads);

inline constexpr Index kSelectionSamples = 1500;

}  // namespace parsimap
