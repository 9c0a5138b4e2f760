// A small model made by hand, and its decision values by the slow, obvious double loop.
#pragma once

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/model.hpp"

#include "support/toy_problems.hpp"

namespace parsimap::toy {

// For tests of what does not depend on the choice of a metric, which takes nearly all of the time of small trainings.
inline TrainingOptions one_shape() {
  TrainingOptions options;
  options.family = KernelFamily::gaussian;
  return options;
}

// K classes on d bands with m support spectra; machine c has c directions (none for the first) and every (c + 1)-th
// support spectrum.
inline Model random_model(Index classes, Index d, Index m, std::uint64_t seed) {
  Random random(seed);
  Model model;
  model.scene_bands = d;
  for (Index b = 0; b < d; ++b) {
    model.bands.push_back(b);
    model.band_table.push_back({"band " + std::to_string(b + 1), 400.0 + 10.0 * static_cast<double>(b)});
  }
  model.scaling = {Vector::Constant(d, 2000) + 100 * Vector(random.normal_matrix(d, 1)),
                   Vector::Constant(d, 500) + 50 * Vector(random.normal_matrix(d, 1))};
  model.support_spectra = random.normal_matrix(m, d).array() + 0.5;
  model.softmax_slope = 1.7;
  for (Index c = 0; c < classes; ++c) {
    model.classes.push_back({static_cast<int>(c) + 1, "class " + std::to_string(c + 1), {}});
    BinaryClassifier machine;
    machine.samples = 10;
    machine.metric.directions = orthonormal(d, std::min(c, d), seed + 100 + static_cast<std::uint64_t>(c));
    machine.metric.weights = random.normal_matrix(std::min(c, d), 1).array().abs() + 0.05;
    machine.metric.rest_weight = 0.5 / static_cast<double>(d);
    machine.C = 10;
    machine.bias = random.normal();
    for (Index i = 0; i < m; i += c + 1) {
      machine.support.push_back(i);
    }
    machine.coefficients = random.normal_matrix(static_cast<Index>(machine.support.size()), 1);
    machine.solver_stop = "optimal";
    machine.selection = {"leave-one-out", 0.1, 20, "gradient below tolerance"};
    model.classifiers.push_back(machine);
  }
  return model;
}

// Adds profiles of q <= d features to the support spectra of a model, and a kernel of them to its machines.
inline void add_profiles(Model& model, Index q, double weight, double share, std::uint64_t seed) {
  const auto d = static_cast<Index>(model.bands.size());
  const Index m = model.support_spectra.rows();
  model.profile = {Vector::Zero(d), Matrix::Identity(d, q), Vector::Ones(q), {}};
  model.support_spectra.conservativeResize(m, d + q);
  model.support_spectra.rightCols(q) = Random(seed).normal_matrix(m, q).array() + 2;
  for (BinaryClassifier& machine : model.classifiers) {
    machine.metric.profile = {q, weight, share};
  }
}

// Raw spectra in the neighbourhood of the model's support, followed by profiles where the model has them.
inline Matrix raw_spectra(const Model& model, Index n, std::uint64_t seed) {
  const Index d = model.scaling.offset.size();
  Matrix raw = Random(seed).normal_matrix(n, model.support_spectra.cols()).array() + 0.5;
  raw.leftCols(d).array().rowwise() *= model.scaling.scale.transpose().array();
  raw.leftCols(d).rowwise() += model.scaling.offset.transpose();
  raw.rightCols(raw.cols() - d).array() += 1.5;
  return raw;
}

// f_c(x) for raw spectra x, followed by profiles where the model has them, in double precision.
inline Matrix naive_decisions(const Model& model, const Matrix& raw) {
  const Index d = model.scaling.offset.size();
  Matrix x = raw;
  x.leftCols(d) = model.scaling.apply(raw.leftCols(d));
  Matrix values(x.rows(), static_cast<Index>(model.classifiers.size()));
  for (Index c = 0; c < values.cols(); ++c) {
    const BinaryClassifier& machine = model.classifiers[static_cast<std::size_t>(c)];
    for (Index i = 0; i < x.rows(); ++i) {
      double f = machine.bias;
      for (std::size_t k = 0; k < machine.support.size(); ++k) {
        const Eigen::RowVectorXd both = x.row(i) - model.support_spectra.row(machine.support[k]);
        const Eigen::RowVectorXd difference = both.head(d);
        double distance = machine.metric.rest_weight * difference.squaredNorm();
        for (Index l = 0; l < machine.metric.weights.size(); ++l) {
          const double along = difference.dot(machine.metric.directions.col(l).transpose());
          distance += (machine.metric.weights(l) - machine.metric.rest_weight) * along * along;
        }
        const ProfileTerm& profile = machine.metric.profile;
        const double around = std::exp(-0.5 * profile.weight * both.tail(profile.features).squaredNorm());
        f += machine.coefficients(static_cast<Index>(k)) *
             ((1 - profile.share) * std::exp(-0.5 * distance) + profile.share * around);
      }
      values(i, c) = f;
    }
  }
  return model.combination.size() > 0 ? Matrix(values * model.combination.transpose()) : values;
}

}  // namespace parsimap::toy
