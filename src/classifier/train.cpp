#include "parsimap/classifier/train.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/svm/iterative_system.hpp"

namespace parsimap {
namespace {

// Gathers the machines: the spectra that support any of them are shared by all.
Model assemble(const SampleSet& samples, const TrainingSource& source, const TrainingOptions& options,
               const ClassTrainer& trainer, std::vector<BinaryMachine> machines) {
  Model model;
  model.classes = samples.classes;
  model.family = options.family;
  model.scene_bands = source.scene_bands;
  model.bands = source.bands;
  model.band_table = source.band_table;
  model.dropped_bands = source.dropped_bands;
  model.scaling_rule = options.scaling;
  model.scaling = trainer.scaling();
  // Mark the samples that support any machine, number them in their order, and let the machines point to the numbers.
  std::vector<Index> position(static_cast<std::size_t>(samples.size()), -1);
  for (const BinaryMachine& machine : machines) {
    for (const Index i : machine.support) {
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
  for (BinaryMachine& machine : machines) {
    for (Index& row : machine.support) {
      row = position[static_cast<std::size_t>(row)];
    }
  }
  model.machines = std::move(machines);
  model.novelty = fit_novelty(trainer.spectra(), samples, options.dimension, options.threads);
  model.provenance = {PARSIMAP_VERSION, source.options, options.seed, source.inputs, samples.size(), {},
                      source.validation};
  return model;
}

// Progress of a training: its first half finds the choices, the second fits the machines. Classes run side by side.
class TrainingProgress {
 public:
  TrainingProgress(const Progress& progress, Index classes) : progress_(progress), classes_(classes) {}

  // The selection has come this far.
  void selected(double fraction) { tell(0.5 * fraction); }
  // One more class has been chosen or fitted. Also told of no more at every evaluation, so that whoever listens can
  // stop a long search.
  void add_class(Index more) {
    const std::lock_guard lock(mutex_);
    done_ += more;
    tell(0.5 * static_cast<double>(done_) / static_cast<double>(classes_));
  }

 private:
  void tell(double fraction) const {
    if (progress_) {
      progress_(fraction);
    }
  }

  const Progress& progress_;
  Index classes_;
  std::mutex mutex_;
  Index done_ = 0;  // classes chosen and classes fitted
};

// What all machines are made of, and how well such machines did when samples were left out.
struct Choices {
  std::vector<ClassChoice> classes;
  Judgement judgement;
  MetricShape shape;
  std::vector<ShapeScore> scan;
};

Choices choose(const ClassTrainer& trainer, const TrainingOptions& options, Index classes, TrainingProgress& progress) {
  Choices choices;
  // By left-out regions all classes are chosen together, and the judgement of the choice is part of it. By the
  // radius-margin bound each class descends by itself, and the machines found are judged afterwards.
  if (options.criterion == CriterionKind::leave_one_out) {
    MetricSelection selection = trainer.select_metric([&](double fraction) { progress.selected(fraction); });
    choices = {trainer.choices(selection), std::move(selection.judgement), selection.shape, std::move(selection.scan)};
    progress.add_class(classes);
    return choices;
  }
  choices.classes.resize(static_cast<std::size_t>(classes));
  parallel_for(classes, options.threads, [&](Index c) {
    choices.classes[static_cast<std::size_t>(c)] = trainer.descend(static_cast<int>(c), [&] { progress.add_class(0); });
    progress.add_class(1);
  });
  choices.judgement = trainer.judge(choices.classes, [&](double) { progress.add_class(0); });
  return choices;
}

}  // namespace

std::int64_t training_bytes(Index samples, Index bands, const TrainingOptions& options) {
  const auto square = [](Index n) { return static_cast<std::int64_t>(sizeof(double)) * n * n; };
  const std::int64_t spectra = static_cast<std::int64_t>(sizeof(double)) * samples * bands;
  // A class in work has centred spectra, their coordinates, and the system of its final fit, taken as half of the
  // samples, with its factor, or what takes their place.
  const Index support = samples / 2;
  std::int64_t fitting = 2 * square(std::min(support, options.largest_factor));
  if (support > options.largest_factor) {
    fitting = std::max(fitting, IterativeSystem::bytes(support, IterativeOptions{}));
  }
  // Before that the samples that hyperparameters are selected on: kernel matrix and distances, and systems of about
  // half of the samples. A descent on the radius-margin bound shares the distances of all samples.
  const Index left_out = std::min(samples, kSelectionSamples);
  const bool descent = options.criterion == CriterionKind::radius_margin;
  const std::int64_t selecting = std::max(3 * square(left_out), descent ? 2 * square(samples) : 0);
  return 2 * spectra + (descent ? square(samples) : 0) + options.threads * (2 * spectra + std::max(selecting, fitting));
}

Model train_one_vs_all(const SampleSet& samples, const TrainingSource& source, const TrainingOptions& options,
                       const Progress& progress) {
  // Scale the spectra, choose kernels and penalties, fit one machine for each class to all samples, and gather them.
  const ClassTrainer trainer(samples, options);
  const auto classes = static_cast<Index>(samples.classes.size());
  TrainingProgress steps(progress, classes);
  Choices choices = choose(trainer, options, classes, steps);
  std::vector<BinaryMachine> machines(samples.classes.size());
  parallel_for(classes, options.threads, [&](Index c) {
    const auto at = static_cast<std::size_t>(c);
    machines[at] = trainer.fit(static_cast<int>(c), choices.classes[at]);
    steps.add_class(1);
  });
  Model model = assemble(samples, source, options, trainer, std::move(machines));
  model.softmax_slope = choices.judgement.softmax_slope;
  model.provenance.left_out = std::move(choices.judgement.scores);
  model.shape = choices.shape;
  model.scan = std::move(choices.scan);
  return model;
}

Model train_one_vs_all(const SampleSet& samples, const TrainingOptions& options, const Progress& progress) {
  TrainingSource source;
  source.scene_bands = samples.spectra.cols();
  for (Index band = 0; band < source.scene_bands; ++band) {
    source.bands.push_back(band);
  }
  source.band_table.resize(static_cast<std::size_t>(source.scene_bands));
  return train_one_vs_all(samples, source, options, progress);
}

}  // namespace parsimap
