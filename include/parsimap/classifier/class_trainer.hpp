// Training of single classes against the rest, on one set of training samples.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/hdda/intrinsic_dimension.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/selection/criterion.hpp"
#include "parsimap/selection/select.hpp"

namespace parsimap {

struct TrainingOptions {
  KernelFamily family = KernelFamily::hdda;
  CriterionKind criterion = CriterionKind::leave_one_out;
  DimensionRule dimension;
  ScalingRule scaling = ScalingRule::global;
  std::uint64_t seed = 0;  // of the subset that hyperparameters are selected on
  int threads = 1;         // classes trained at the same time
  // Support vectors of a machine up to which its system is factorised. Beyond it is solved iteratively, and
  // leave-one-out values of support vectors are estimated from the preconditioner.
  Index largest_factor = 10000;
};

struct TrainedClass {
  BinaryMachine machine;  // its support are rows of the training samples
  Vector left_out;        // leave-one-out decision values of the training samples, n
};

class ClassTrainer {
 public:
  // Raw spectra of the bands used, at least two classes, at least two samples of each. The samples are kept by the
  // caller.
  ClassTrainer(const SampleSet& samples, const TrainingOptions& options);

  [[nodiscard]] const Scaling& scaling() const { return scaling_; }
  // The training samples, scaled, n x d.
  [[nodiscard]] const Matrix& spectra() const { return spectra_; }

  // Class `c` against the rest. Leave-one-out selects hyperparameters on a stratified subset when there are more
  // samples than kSelectionSamples, since its cost grows with their cube; the machine is then fitted to all of them.
  // `on_evaluation` is called before every evaluation of the criterion; it may throw to stop. May be called from
  // several threads at a time.
  [[nodiscard]] TrainedClass train(int c, const std::function<void()>& on_evaluation) const;
  // The final fit alone, with hyperparameters chosen elsewhere.
  [[nodiscard]] TrainedClass fit(int c, const Selection& selection) const;

 private:
  [[nodiscard]] Vector labels_of(int c) const;
  [[nodiscard]] SubspaceModel class_subspace(int c) const;
  [[nodiscard]] TrainedClass fit(int c, const Matrix& class_directions, const Selection& selection) const;

  const SampleSet& samples_;
  TrainingOptions options_;
  Scaling scaling_;
  Matrix spectra_;                           // scaled
  Indices selection_rows_;                   // of the samples that hyperparameters are selected on
  Matrix selection_spectra_;                 // scaled
  std::shared_ptr<const Matrix> distances_;  // between them, shared by the classes
};

// Decision values f(x) of one machine for scaled spectra (m x d), in double precision: m. `support_spectra` (scaled)
// are the rows that machine.support points into.
Vector decision_values(const BinaryMachine& machine, const Matrix& support_spectra, const Matrix& spectra);

inline constexpr Index kSelectionSamples = 1500;

}  // namespace parsimap
