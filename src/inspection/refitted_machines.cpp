#include "parsimap/inspection/refitted_machines.hpp"

#include <algorithm>
#include <limits>

#include "parsimap/hdda/blended_model.hpp"
#include "parsimap/selection/class_weights.hpp"
#include "parsimap/svm/margin_problem.hpp"

namespace parsimap {
namespace {

DimensionRule fixed_dimension(const ClassMetric& metric) {
  return {DimensionMethod::fixed, static_cast<double>(std::max<Index>(1, metric.weights.size()))};
}

// The directions of these samples under weights that were learnt for the class.
ClassMetric with_own_directions(const ClassMetric& learnt, const Matrix& own) {
  if (learnt.weights.size() == 0) {
    return learnt;
  }
  const Matrix directions = subspace_model(class_statistics(own), fixed_dimension(learnt)).directions;
  return {directions, learnt.weights.head(directions.cols()), learnt.rest_weight};
}

}  // namespace

MachineDesign::MachineDesign(const Model& model, ClassWeights class_weights, std::optional<DimensionRule> dimension)
    : class_weights_(class_weights), dimension_(dimension) {
  for (const BinaryMachine& machine : model.machines) {
    machines_.push_back({machine.metric, machine.C});
  }
  for (const ShapeScore& score : model.scan) {
    if (score.shape == model.shape) {
      shape_ = model.shape;
      width_ = model.profile && model.profile_score ? model.profile_score->point.width : score.point.width;
    }
  }
}

std::vector<ClassMetric> MachineDesign::metrics(const Matrix& spectra, const std::vector<int>& labels) const {
  std::vector<Index> samples(machines_.size(), 0);
  for (const int label : labels) {
    ++samples[static_cast<std::size_t>(label)];
  }
  std::vector<ClassMetric> metrics;
  const Index bands = spectra.cols() - machines_.front().metric.profile.features;
  const BlendedModels models(spectra.leftCols(bands), labels, machines_.size());
  for (std::size_t c = 0; c < machines_.size(); ++c) {
    const ClassMetric& of_model = machines_[c].metric;
    if (samples[c] == 0) {
      metrics.push_back(of_model);
    } else if (shape_) {
      const SubspaceModel model =
          models.model(static_cast<int>(c), shape_->blend, dimension_.value_or(fixed_dimension(of_model)));
      metrics.push_back(with_profile(scaled(shaped_metric(model, *shape_), width_), of_model.profile));
    } else {
      Indices own;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i] == static_cast<int>(c)) {
          own.push_back(static_cast<Index>(i));
        }
      }
      metrics.push_back(with_own_directions(of_model, spectra(own, Eigen::all)));
    }
  }
  return metrics;
}

RefittedMachines::RefittedMachines(const MachineDesign& design, const Matrix& spectra, const std::vector<int>& labels,
                                   const std::function<void()>& on_machine)
    : origin_(spectra.colwise().mean()), machines_(design.classes()) {
  const std::vector<ClassMetric> metrics = design.metrics(spectra, labels);
  const Vector weights = sample_weights(design.class_weights(), labels);
  const Matrix centred = spectra.rowwise() - origin_;
  for (std::size_t c = 0; c < machines_.size(); ++c) {
    Vector sides(spectra.rows());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      sides(static_cast<Index>(i)) = labels[i] == static_cast<int>(c) ? 1 : -1;
    }
    if ((sides.array() > 0).all() || (sides.array() < 0).all()) {
      continue;
    }
    if (on_machine) {
      on_machine();
    }
    MahalanobisKernel kernel(metrics[c]);
    const Matrix coordinates = kernel.map(centred);
    Matrix values = kernel.values(coordinates, coordinates);
    values.diagonal().setOnes();
    const MarginSolution margin = solve_margin(DenseQuadraticForm(values), sides, design.C(c) * weights);
    machines_[c] = Machine{std::move(kernel), coordinates(margin.support, Eigen::all),
                           margin.coefficients(margin.support), margin.bias};
  }
}

Matrix RefittedMachines::decisions(const Matrix& spectra) const {
  const Matrix centred = spectra.rowwise() - origin_;
  Matrix values(spectra.rows(), static_cast<Index>(machines_.size()));
  for (std::size_t c = 0; c < machines_.size(); ++c) {
    const auto column = static_cast<Index>(c);
    if (const auto& machine = machines_[c]) {
      values.col(column) =
          (machine->kernel.values(machine->kernel.map(centred), machine->coordinates) * machine->coefficients).array() +
          machine->bias;
    } else {
      values.col(column).setConstant(-std::numeric_limits<double>::infinity());
    }
  }
  return values;
}

}  // namespace parsimap
