#include "deciding_features.hpp"

#include <limits>

namespace parsimap {

OriginBins::OriginBins(const Model& model) {
  const SupportOrigins& origins = *model.origins;
  of_support.assign(static_cast<std::size_t>(model.support_spectra.rows()), 0);
  features = origins.features();
  count = features;
  for (std::size_t i = 0; i < origins.support.size(); ++i) {
    const Index support = origins.support[i];
    const double share = origins.share(static_cast<Index>(i));
    const bool again = i > 0 && origins.support[i - 1] == support;
    const bool several = again || (i + 1 < origins.support.size() && origins.support[i + 1] == support);
    if (!several) {
      of_support[static_cast<std::size_t>(support)] = origins.origin[i];
      continue;
    }
    count += again ? 0 : 1;
    of_support[static_cast<std::size_t>(support)] = count - 1;
    parts.push_back({count - 1, origins.origin[i], share});
  }
}

void decide(const Eigen::MatrixXf& terms, const OriginBins& bins, const Matrix& usual, const Matrix& combination,
            const Eigen::Ref<const Spectra>& values, Eigen::Ref<Spectra> result) {
  const Index classes = values.cols();
  // Column c: M_wc - M_sc of every pixel.
  Eigen::MatrixXf weights = Eigen::MatrixXf::Zero(values.rows(), classes);
  Eigen::VectorXf lead(values.rows());
  for (Index i = 0; i < values.rows(); ++i) {
    Index winner = 0;
    lead(i) = values.row(i).maxCoeff(&winner);
    Index second = winner == 0 ? 1 : 0;
    for (Index c = 0; c < classes; ++c) {
      second = c != winner && values(i, c) > values(i, second) ? c : second;
    }
    lead(i) -= values(i, second);
    if (combination.size() > 0) {
      weights.row(i) = (combination.row(winner) - combination.row(second)).cast<float>();
    } else {
      weights(i, winner) = 1;
      weights(i, second) = -1;
    }
  }
  // Without a combination, classes that are first or second nowhere have no weight.
  const Indices weighed = indices_where(classes, [&](Index c) { return (weights.col(c).array() != 0).any(); });
  // Feature by feature, for all pixels at a time: the terms of a feature lie side by side.
  Eigen::VectorXf most = Eigen::VectorXf::Constant(values.rows(), -std::numeric_limits<float>::infinity());
  Eigen::VectorXf least = -most;
  Eigen::VectorXf speaks_for = Eigen::VectorXf::Ones(values.rows());
  Eigen::VectorXf speaks_against = speaks_for;
  Eigen::VectorXf relative(values.rows());
  for (Index f = 0; f < bins.features; ++f) {
    relative.setZero();
    for (const Index c : weighed) {
      relative.array() += weights.col(c).array() *
                          (terms.col(c * bins.count + f).head(values.rows()).array() - static_cast<float>(usual(c, f)));
    }
    const auto number = static_cast<float>(f + 1);
    speaks_for = (relative.array() > most.array()).select(number, speaks_for);
    speaks_against = (relative.array() < least.array()).select(number, speaks_against);
    most = most.cwiseMax(relative);
    least = least.cwiseMin(relative);
  }
  result.col(0) = speaks_for;
  result.col(1) = speaks_against;
  result.col(2) = lead - most;
}

}  // namespace parsimap
