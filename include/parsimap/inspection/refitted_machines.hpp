// The machines of a model, trained anew on some of the labelled samples.
//
// What was chosen for the model stays: the shape and the width of its metrics, as many directions of every class, the
// penalties. What follows from labels is estimated anew: covariances, directions, support vectors. So machines can
// judge samples whose labels have not touched them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/kernel/mahalanobis_kernel.hpp"
#include "parsimap/selection/class_weights.hpp"

namespace parsimap {

// What of a model stays when it is trained on other samples.
class MachineDesign {
 public:
  // `class_weights` are those that the model was trained with. With a rule classes have as many directions as it finds
  // in their samples, as in training; without one as many as in the model.
  explicit MachineDesign(const Model& model, ClassWeights class_weights = ClassWeights::none,
                         std::optional<DimensionRule> dimension = {});

  [[nodiscard]] std::size_t classes() const { return machines_.size(); }
  [[nodiscard]] double C(std::size_t c) const { return machines_[c].C; }
  [[nodiscard]] ClassWeights class_weights() const { return class_weights_; }

  // The metric of every class from scaled spectra (n x d), followed by profiles where the machines have a kernel of
  // these, and their class indices. A class without samples has that of the model.
  [[nodiscard]] std::vector<ClassMetric> metrics(const Matrix& spectra, const std::vector<int>& labels) const;

 private:
  struct Machine {
    ClassMetric metric;  // of the model
    double C;
  };

  std::vector<Machine> machines_;
  std::optional<MetricShape> shape_;  // unset: every class has directions of its own and weights that were learnt
  double width_ = 1;
  ClassWeights class_weights_;
  std::optional<DimensionRule> dimension_;
};

// One machine for each class against the rest.
class RefittedMachines {
 public:
  // `spectra` n x d, scaled, and followed by profiles as above; `labels` n class indices of the design. `on_machine`
  // may be empty; it is called before every machine that is trained, and may throw to stop.
  RefittedMachines(const MachineDesign& design, const Matrix& spectra, const std::vector<int>& labels,
                   const std::function<void()>& on_machine);

  // Decision values of such spectra (m rows), m x K. A class that has no samples has the value -infinity, and so have
  // all others where a class has all samples.
  [[nodiscard]] Matrix decisions(const Matrix& spectra) const;

 private:
  struct Machine {
    MahalanobisKernel kernel;
    Matrix coordinates;  // of the support vectors in the metric of the class
    Vector coefficients;
    double bias;
  };

  Eigen::RowVectorXd origin_;                     // near the samples, so that distances are no differences of large
                                                  // numbers
  std::vector<std::optional<Machine>> machines_;  // by class; unset where one side has no samples
};

}  // namespace parsimap
