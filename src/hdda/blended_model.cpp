#include <algorithm>
#include <cmath>
#include <numeric>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap {
// Both parts of S(rho) = rho S_c + (1 - rho) S_w are sums over samples less the mean of their own class, which are
// therefore computed once for all classes and all rho (docs/method.md, "Blended covariance").
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
  // A class of so few samples has hardly any covariance of its own: it takes that of all classes, rho = 0.
  const double share = own < kLeastSamples ? 0 : blend;
  // For rho = 1 the samples of the other classes have the weight 0, so that they are left out of the decomposition.
  if (share == 1) {
    return subspace_model(covariance_statistics(centred_(members, Eigen::all) / std::sqrt(own), own), rule);
  }
  // Row i of A is the centred sample i times the root of its weight [i in c] rho/n_c + (1 - rho)/n. Then A'A = S(rho),
  // and with fewer samples than bands the eigenvalues come from the n x n matrix A A'.
  Vector weights = Vector::Constant(all, (1 - share) / static_cast<double>(all));
  weights(members).array() += share / static_cast<double>(std::max<Index>(1, own));
  const auto samples =
      static_cast<Index>(std::lround(share * static_cast<double>(own) + (1 - share) * static_cast<double>(all)));
  return subspace_model(covariance_statistics(weights.cwiseSqrt().asDiagonal() * centred_, samples), rule);
}

namespace {

// Samples that are centred at the same time.
constexpr Index kBlock = 1024;

// S = 1/n sum (x - m)(x - m)' over the rows `members`, zero without any. Two passes over the samples, first for the
// mean and then for the products: the formula sum x x' - n m m' needs one pass only, but loses digits where means are
// large compared with deviations. Blocks keep the copies small whatever the number of samples.
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

// S_w = sum_c n_c/n S_c. The covariances of the classes take K d^2 numbers, instead of the n d of centred samples: less
// memory where there are very many samples.
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

// The model of BlendedModels::model() up to rounding, from the d x d matrix rho S_c + (1 - rho) S_w itself.
SubspaceModel BlendedCovariances::model(int c, double blend, const DimensionRule& rule) const {
  const auto at = static_cast<std::size_t>(c);
  const auto own = static_cast<double>(counts_[at]);
  const auto all = static_cast<double>(std::accumulate(counts_.begin(), counts_.end(), Index{0}));
  const double share = counts_[at] < BlendedModels::kLeastSamples ? 0 : blend;
  const auto samples = static_cast<Index>(std::lround(share * own + (1 - share) * all));
  return subspace_model(decomposed_covariance(share * own_[at] + (1 - share) * within_, samples), rule);
}

}  // namespace parsimap
