#include "reduced_model.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "parsimap/selection/reduced_support.hpp"

namespace parsimap {

void reduce_model(Model& model, const ClassTrainer& trainer, const SampleSet& samples, const TrainingOptions& options,
                  const Progress& progress) {
  std::vector<ClassMachine> exact;
  SupportReduction reduction;
  reduction.exact_spectra = model.support_spectra.rows();
  for (const BinaryMachine& machine : model.machines) {
    exact.push_back({machine.metric, machine.C});
    reduction.exact_kernels += machine.coefficients.size();
  }
  const ClassMetric& metric = model.machines.front().metric;
  const Matrix& columns = trainer.columns(metric);
  const auto reduced =
      reduce_support({columns, samples.labels, samples.groups, samples.classes.size(), metric.profile.features}, exact,
                     reduction.exact_spectra,
                     {options.class_weights, options.seed, options.threads,
                      std::min(options.classes_at_once, kReductionsAtOnce), progress});
  if (!reduced) {
    return;
  }
  reduction.penalty_factor = reduced->penalty_factor;
  reduction.loss = reduced->loss.exact_accuracy - reduced->loss.reduced_accuracy;
  reduction.loss_error = reduced->loss.error;
  reduction.samples = reduced->loss.samples;
  reduction.exact_slope = model.softmax_slope;
  // The slope of the exact machines was found with metrics that were estimated without the samples left out, so it
  // stands, and what changes is how much the decision values of the same samples have to be stretched.
  model.softmax_slope *= reduced->loss.reduced_slope / reduced->loss.exact_slope;
  model.support_spectra = columns(reduced->centres, Eigen::all);
  Indices all(reduced->centres.size());
  std::iota(all.begin(), all.end(), Index{0});
  for (std::size_t c = 0; c < model.machines.size(); ++c) {
    BinaryMachine& machine = model.machines[c];
    machine.support = all;
    machine.coefficients = reduced->coefficients.col(static_cast<Index>(c));
    machine.bias = reduced->biases(static_cast<Index>(c));
    machine.kkt_violation = reduced->violations(static_cast<Index>(c));
  }
  model.reduction = reduction;
}

}  // namespace parsimap
