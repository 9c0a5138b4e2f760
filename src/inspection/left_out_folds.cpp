#include "parsimap/inspection/left_out_folds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/samples/folds.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap {
namespace {

constexpr Index kFolds = 5;
constexpr Index kLeastOfClass = 50;  // samples that machines are trained on

std::vector<int> labels_at(const std::vector<int>& labels, const Indices& rows) {
  std::vector<int> chosen;
  for (const Index row : rows) {
    chosen.push_back(labels[static_cast<std::size_t>(row)]);
  }
  return chosen;
}

}  // namespace

std::vector<LeftOutFold> left_out_folds(const LabelledSpectra& samples, const Indices& untrusted,
                                        const LeftOutOptions& options) {
  std::vector<LeftOutFold> folds;
  for (Index repeat = 0; repeat < options.repeats; ++repeat) {
    const std::vector<Index> fold_of = assign_folds(samples.labels, samples.classes, samples.groups, kFolds,
                                                    options.seed, static_cast<std::uint64_t>(repeat));
    std::vector<bool> drawn(samples.labels.size(), false);
    for (const Index row : draw_stratified(samples.labels, samples.classes, options.samples, kLeastOfClass,
                                           options.seed + static_cast<std::uint64_t>(repeat))) {
      drawn[static_cast<std::size_t>(row)] = true;
    }
    for (const Index row : untrusted) {
      drawn[static_cast<std::size_t>(row)] = false;
    }
    for (Index number = 0; number < kFolds; ++number) {
      FoldRows rows = rows_of_fold(fold_of, number);
      std::erase_if(rows.others, [&](Index row) { return !drawn[static_cast<std::size_t>(row)]; });
      if (!rows.held_out.empty() && !rows.others.empty()) {
        folds.push_back({std::move(rows.others), std::move(rows.held_out)});
      }
    }
  }
  return folds;
}

void for_each_fold(const LabelledSpectra& samples, const std::vector<LeftOutFold>& folds, const MachineDesign& design,
                   const LeftOutOptions& options,
                   const std::function<void(std::size_t fold, const RefittedMachines& machines)>& judge) {
  std::mutex mutex;
  Index trained = 0;
  const auto expected = static_cast<double>(folds.size() * samples.classes);
  const auto on_machine = [&] {
    const std::lock_guard lock(mutex);
    if (options.progress) {
      options.progress(std::min(1.0, static_cast<double>(trained) / expected));
    }
    ++trained;
  };
  parallel_for(static_cast<Index>(folds.size()), options.threads, [&](Index i) {
    const auto fold = static_cast<std::size_t>(i);
    const Indices& rows = folds[fold].training;
    const RefittedMachines machines(design, samples.spectra(rows, Eigen::all), labels_at(samples.labels, rows),
                                    on_machine);
    judge(fold, machines);
  });
}

Matrix left_out_decisions(const LabelledSpectra& samples, const std::vector<LeftOutFold>& folds,
                          const MachineDesign& design, const LeftOutOptions& options) {
  std::vector<Matrix> values(folds.size());
  for_each_fold(samples, folds, design, options, [&](std::size_t fold, const RefittedMachines& machines) {
    values[fold] = machines.decisions(samples.spectra(folds[fold].held, Eigen::all));
  });
  // Sums are made fold by fold, so that they do not depend on which was ready first.
  const auto classes = static_cast<Index>(samples.classes);
  Matrix sums = Matrix::Zero(samples.spectra.rows(), classes);
  Matrix counts = sums;
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    const Indices& held = folds[fold].held;
    for (std::size_t i = 0; i < held.size(); ++i) {
      for (Index c = 0; c < classes; ++c) {
        const double value = values[fold](static_cast<Index>(i), c);
        if (std::isfinite(value)) {
          sums(held[i], c) += value;
          counts(held[i], c) += 1;
        }
      }
    }
  }
  constexpr double kUnknown = -std::numeric_limits<double>::infinity();
  return (counts.array() > 0).select(sums.array() / counts.array(), kUnknown);
}

}  // namespace parsimap
