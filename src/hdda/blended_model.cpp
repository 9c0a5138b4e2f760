#include <algorithm>
#include <cmath>
#include <numeric>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap {
BlendedModels::BlendedModels(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes)
    : centred_(spectra), members_(rows_by_class(labels, classes)) {
  for (const Indices& members : members_) {
    if (!members.empty()) {
      const Matrix own = spectra(members, Eigen::all);
      centred_(members, Eigen::all) = own.rowwise() - own.colwise().mean();
    }
  }
}

SubspaceModel BlendedModels::model(int c, double blend, const DimensionRule& rule) const {
  const Indices& members = members_[static_cast<std::size_t>(c)];
  const auto own = static_cast<Index>(members.size());
  const Index all = centred_.rows();
  const double share = own < kLeastSamples ? 0 : blend;
  if (share == 1) {
    return subspace_model(covariance_statistics(centred_(members, Eigen::all) / std::sqrt(own), own), rule);
  }
  Vector weights = Vector::Constant(all, (1 - share) / static_cast<double>(all));
  weights(members).array() += share / static_cast<double>(std::max<Index>(1, own));
  const auto samples =
      static_cast<Index>(std::lround(share * static_cast<double>(own) + (1 - share) * static_cast<double>(all)));
  return subspace_model(covariance_statistics(weights.cwiseSqrt().asDiagonal() * centred_, samples), rule);
}

namespace {

// Samples that are centred at the same time.
constexpr Index kBlock = 1024;

// S = 1/n sum (x - m)(x - m)' over the rows `members`.
Matrix covariance(const Matrix& spectra, const Indices& members) {
  const auto count = static_cast<Index>(members.size());
  const auto each_block = [&](const auto& visit) {
    for (Index first = 0; first < count; first += kBlock) {
      const Indices some(members.begin() + first, members.begin() + std::min(count, first + kBlock));
      visit(Matrix(spectra(some, Eigen::all)));
    }
  };
  Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(spectra.cols());
  each_block([&](const Matrix& block) { mean += block.colwise().sum(); });
  mean /= static_cast<double>(std::max<Index>(1, count));
  Matrix sum = Matrix::Zero(spectra.cols(), spectra.cols());
  each_block([&](const Matrix& block) {
    const Matrix centred = block.rowwise() - mean;
    sum.selfadjointView<Eigen::Lower>().rankUpdate(centred.transpose());
  });
  return Matrix(sum.selfadjointView<Eigen::Lower>()) / static_cast<double>(std::max<Index>(1, count));
}

}  // namespace

BlendedCovariances::BlendedCovariances(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes,
                                       int threads)
    : own_(classes), counts_(classes), within_(Matrix::Zero(spectra.cols(), spectra.cols())) {
  const std::vector<Indices> members = rows_by_class(labels, classes);
  parallel_for(static_cast<Index>(classes), threads, [&](Index c) {
    const auto at = static_cast<std::size_t>(c);
    counts_[at] = static_cast<Index>(members[at].size());
    own_[at] = covariance(spectra, members[at]);
  });
  for (std::size_t c = 0; c < classes; ++c) {
    within_ += static_cast<double>(counts_[c]) / static_cast<double>(labels.size()) * own_[c];
  }
}

SubspaceModel BlendedCovariances::model(int c, double blend, const DimensionRule& rule) const {
  const auto at = static_cast<std::size_t>(c);
  const auto own = static_cast<double>(counts_[at]);
  const auto all = static_cast<double>(std::accumulate(counts_.begin(), counts_.end(), Index{0}));
  const double share = counts_[at] < BlendedModels::kLeastSamples ? 0 : blend;
  const auto samples = static_cast<Index>(std::lround(share * own + (1 - share) * all));
  return subspace_model(decomposed_covariance(share * own_[at] + (1 - share) * within_, samples), rule);
}

}  // namespace parsimap
