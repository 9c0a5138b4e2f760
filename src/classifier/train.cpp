#include "parsimap/classifier/train.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "parsimap/classifier/calibration.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/svm/iterative_system.hpp"

namespace parsimap {
namespace {

// Gathers the machines: the spectra that support any of them are shared by all.
Model assemble(const SampleSet& samples, const TrainingOptions& options, const ClassTrainer& trainer,
               std::vector<TrainedClass>& trained) {
  Model model;
  model.classes = samples.classes;
  model.family = options.family;
  model.scaling_rule = options.scaling;
  model.scaling = trainer.scaling();
  Matrix left_out(samples.size(), static_cast<Index>(trained.size()));
  std::vector<Index> position(static_cast<std::size_t>(samples.size()), -1);
  for (std::size_t c = 0; c < trained.size(); ++c) {
    left_out.col(static_cast<Index>(c)) = trained[c].left_out;
    for (const Index i : trained[c].machine.support) {
      position[static_cast<std::size_t>(i)] = 0;
    }
  }
  Indices union_rows;
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (position[i] == 0) {
      position[i] = static_cast<Index>(union_rows.size());
      union_rows.push_back(static_cast<Index>(i));
    }
  }
  model.support_spectra = trainer.spectra()(union_rows, Eigen::all);
  for (TrainedClass& one : trained) {
    for (Index& row : one.machine.support) {
      row = position[static_cast<std::size_t>(row)];
    }
    model.machines.push_back(std::move(one.machine));
  }
  model.novelty = fit_novelty(trainer.spectra(), samples, options.dimension, options.threads);
  model.softmax_slope = fit_softmax_slope(left_out, samples.labels);
  model.provenance.training_pixels = samples.size();
  model.provenance.leave_one_out_accuracy = argmax_accuracy(left_out, samples.labels);
  return model;
}

}  // namespace

std::int64_t training_bytes(Index samples, Index bands, const TrainingOptions& options) {
  const auto square = [](Index n) { return static_cast<std::int64_t>(sizeof(double)) * n * n; };
  const std::int64_t spectra = static_cast<std::int64_t>(sizeof(double)) * samples * bands;
  const Index selection =
      options.criterion == CriterionKind::leave_one_out ? std::min(samples, kSelectionSamples) : samples;
  // Of a class in work: centred spectra and coordinates; and either a kernel matrix with the systems of about half of
  // its samples, or the system of the final fit, its factor and its inverse, or what takes their place.
  const std::int64_t selecting = 2 * square(selection);
  const Index support = samples / 2;
  std::int64_t fitting = 3 * square(std::min(support, options.largest_factor));
  if (support > options.largest_factor) {
    fitting = std::max(fitting, IterativeSystem::bytes(support, IterativeOptions{}));
  }
  return 2 * spectra + square(selection) + options.threads * (2 * spectra + std::max(selecting, fitting));
}

Model train_one_vs_all(const SampleSet& samples, const TrainingOptions& options, const Progress& progress) {
  const ClassTrainer trainer(samples, options);
  const auto classes = static_cast<Index>(samples.classes.size());
  std::vector<TrainedClass> trained(samples.classes.size());
  std::mutex mutex;
  Index done = 0;
  // Also reported, unchanged, at every evaluation, so that whoever listens can stop a long search.
  const auto report = [&](Index more) {
    const std::lock_guard lock(mutex);
    done += more;
    if (progress) {
      progress(static_cast<double>(done) / static_cast<double>(classes));
    }
  };
  parallel_for(classes, options.threads, [&](Index c) {
    trained[static_cast<std::size_t>(c)] = trainer.train(static_cast<int>(c), [&] { report(0); });
    report(1);
  });
  return assemble(samples, options, trainer, trained);
}

}  // namespace parsimap
