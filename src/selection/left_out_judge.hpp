// Judges metrics and machines by samples that were left out of their estimation (docs/method.md, "Selection by left-out
// regions").
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "parsimap/selection/metric_selection.hpp"

#include "left_out.hpp"

namespace parsimap {

// Counts the machines that are trained, and tells how many of those expected they are. Safe to call from several
// threads at a time.
class MachineCount {
 public:
  // `progress` is kept by the caller.
  MachineCount(const Progress& progress, Index expected) : progress_(progress), expected_(expected) {}

  // To be called before a machine is trained.
  void add();
  [[nodiscard]] Index trained() const { return trained_; }

 private:
  const Progress& progress_;
  Index expected_;
  std::mutex mutex_;
  Index trained_ = 0;
};

// Some of the labelled samples, dealt out to folds, and what is needed to leave the folds out in turn.
class LeftOutJudge {
 public:
  // Judges on the rows `rows` (ascending) of the samples. Options and count are kept by the caller.
  LeftOutJudge(const LabelledSpectra& all, const Indices& rows, const MetricSelectionOptions& options,
               MachineCount& machines);
  LeftOutJudge(const LeftOutJudge&) = delete;
  LeftOutJudge& operator=(const LeftOutJudge&) = delete;

  [[nodiscard]] Index samples() const { return spectra_.rows(); }

  // What left-out samples say of one candidate.
  struct Outcome {
    MachinePoint point;
    LeftOutRisk risk;
    double errors = 0;      // fraction of wrong labels, classes counted as in all samples
    CountMatrix confusion;  // of the samples themselves, rows are their own classes
  };

  // The outcome of lowest risk among `points` (not empty) with metrics of a shape.
  [[nodiscard]] Outcome best_of(const MetricShape& shape, const std::vector<MachinePoint>& points);

  // The outcome of machines of other designs, one for each class.
  [[nodiscard]] Outcome outcome(const std::vector<ClassDesign>& designs) const;

  // The outcome of a shape, and how much lower its risk is than that of `first`, with the standard error over units.
  [[nodiscard]] ShapeScore score(const MetricShape& shape, const Outcome& first, const Outcome& outcome) const;

  [[nodiscard]] Judgement judgement(const Outcome& outcome) const;

 private:
  void weigh(const std::vector<int>& all_labels);
  [[nodiscard]] double standard_error(const Vector& difference, double mean) const;
  [[nodiscard]] const std::vector<SubspaceModel>& fold_models(double blend);
  [[nodiscard]] std::vector<SubspaceModel> estimate_fold_models(double blend) const;

  const MetricSelectionOptions& options_;
  MachineCount& machines_;
  std::size_t classes_;
  Matrix spectra_;
  std::vector<int> labels_;
  LeftOutUnits units_;
  Vector shares_;   // n: how many of all samples each one stands for
  Vector weights_;  // n: how much each one counts in the risk
  LeftOutScorer scorer_;
  std::map<double, std::vector<SubspaceModel>> models_;  // by blend, fold by fold and in each class by class
};

}  // namespace parsimap
