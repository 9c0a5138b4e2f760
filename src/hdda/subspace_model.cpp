#include "parsimap/hdda/subspace_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/samples/sampling.hpp"

#include "class_statistics.hpp"

namespace parsimap {
// Cattell's scree test as the tables of the paper apply it: with the drops t_i = lambda_i - lambda_(i+1), i = 1 ..
// r - 1, p is the last i with t_i >= S max t. Only the r non-zero eigenvalues take part, because the drop to zero at
// the rank of few samples contains no information about the class. `last` counts from 0, so that p is last + 1.
static Index scree_dimension(const Vector& eigenvalues, double threshold) {
  const Index r = eigenvalues.size();
  if (r < 2) {
    return r;
  }
  const Vector drops = eigenvalues.head(r - 1) - eigenvalues.tail(r - 1);
  const double level = threshold * drops.maxCoeff();
  Index last = 0;
  for (Index i = 0; i < drops.size(); ++i) {
    if (drops(i) >= level) {
      last = i;
    }
  }
  return last + 1;
}

// BIC(p) = 2 log-likelihood - parameters * log n, up to terms that do not depend on p. Parameters: the mean, p
// directions of an orthonormal frame, p variances, one noise variance and p itself (Bouveyron, Girard, Schmid 2007).
static double bayesian_information(const ClassStatistics& statistics, Index p) {
  const auto n = static_cast<double>(statistics.samples);
  const auto d = static_cast<double>(statistics.bands);
  const auto q = static_cast<double>(p);
  const double noise = (statistics.trace - statistics.eigenvalues.head(p).sum()) / (d - q);
  // Without any variance left for the noise the likelihood would be infinite: such p are excluded.
  if (!(noise > 0)) {
    return -std::numeric_limits<double>::infinity();
  }
  const double log_determinant = statistics.eigenvalues.head(p).array().log().sum() + (d - q) * std::log(noise);
  const double parameters = d + q * (d - (q + 1) / 2) + q + 2;
  return -n * log_determinant - parameters * std::log(n);
}

// 2/n of the log-likelihood's maximum in the isotropic model, up to terms that do not depend on p: one variance for the
// p directions and one for the rest. The rest is added up from the smallest, so that none of it is exactly zero.
static double isotropic_likelihood(const ClassStatistics& statistics, Index p) {
  const auto d = static_cast<double>(statistics.bands);
  const auto q = static_cast<double>(p);
  const double signal = statistics.eigenvalues.head(p).mean();
  const double noise = statistics.eigenvalues.tail(statistics.eigenvalues.size() - p).reverse().sum() / (d - q);
  return noise > 0 ? -q * std::log(signal) - (d - q) * std::log(noise) : -std::numeric_limits<double>::infinity();
}

// The p from 1 to `largest` with the highest criterion, the smallest one of equals.
template <typename Criterion>
static Index best_dimension(const ClassStatistics& statistics, Index largest, const Criterion& criterion) {
  Index best = 1;
  double best_value = -std::numeric_limits<double>::infinity();
  for (Index p = 1; p <= largest; ++p) {
    const double value = criterion(statistics, p);
    if (value > best_value) {
      best = p;
      best_value = value;
    }
  }
  return best;
}

static Index variance_dimension(const ClassStatistics& statistics, double fraction) {
  double sum = 0;
  for (Index i = 0; i < statistics.eigenvalues.size(); ++i) {
    sum += statistics.eigenvalues(i);
    if (sum >= fraction * statistics.trace) {
      return i + 1;
    }
  }
  return statistics.eigenvalues.size();
}

static double parse_parameter(const std::string& rule, const std::string& text) {
  const auto value = parse_number<double>(text);
  if (!value) {
    throw ConfigError("dimension '" + rule + "': '" + text + "' is not a number");
  }
  return *value;
}

DimensionRule parse_dimension_rule(const std::string& text) {
  if (text == "bic" || text == "ml") {
    return {text == "bic" ? DimensionMethod::bic : DimensionMethod::ml, 0};
  }
  const auto colon = text.find(':');
  const std::string method = text.substr(0, colon);
  const bool known = method == "scree" || method == "variance" || method == "fixed";
  if (!known || colon == std::string::npos) {
    throw ConfigError("dimension '" + text +
                      "' is unknown; it must be scree:S, variance:F, fixed:P, bic or ml, as in scree:0.01");
  }
  const double value = parse_parameter(text, text.substr(colon + 1));
  if (method == "fixed") {
    if (value < 1 || value > 1e6 || value != std::floor(value)) {
      throw ConfigError("dimension '" + text + "': the number of directions must be a whole number of at least 1");
    }
    return {DimensionMethod::fixed, value};
  }
  if (value <= 0 || value >= 1) {
    throw ConfigError("dimension '" + text + "': the threshold must lie strictly between 0 and 1");
  }
  return {method == "scree" ? DimensionMethod::scree : DimensionMethod::variance, value};
}

std::string to_string(const DimensionRule& rule) {
  static const Names<DimensionMethod> names = {{DimensionMethod::bic, "bic"},
                                               {DimensionMethod::ml, "ml"},
                                               {DimensionMethod::scree, "scree"},
                                               {DimensionMethod::variance, "variance"},
                                               {DimensionMethod::fixed, "fixed"}};
  const bool plain = rule.method == DimensionMethod::bic || rule.method == DimensionMethod::ml;
  return name_among(rule.method, names) + (plain ? "" : ":" + number_text(rule.parameter, 6));
}

Index intrinsic_dimension(const ClassStatistics& statistics, const DimensionRule& rule) {
  // At most as many directions as there are non-zero eigenvalues, and at most d - 1, so that the noise variance has at
  // least one dimension. Only a class without variance has no direction.
  const Index largest = std::min(statistics.eigenvalues.size(), statistics.bands - 1);
  if (largest < 1) {
    return 0;
  }
  Index p = 1;
  switch (rule.method) {
    case DimensionMethod::scree:
      p = scree_dimension(statistics.eigenvalues, rule.parameter);
      break;
    case DimensionMethod::bic:
      p = best_dimension(statistics, largest, bayesian_information);
      break;
    case DimensionMethod::ml:
      p = best_dimension(statistics, largest, isotropic_likelihood);
      break;
    case DimensionMethod::variance:
      p = variance_dimension(statistics, rule.parameter);
      break;
    case DimensionMethod::fixed:
      p = static_cast<Index>(rule.parameter);
      break;
  }
  return std::clamp<Index>(p, 1, largest);
}

SubspaceModel subspace_model(const ClassStatistics& statistics, const DimensionRule& rule) {
  return subspace_model(statistics, intrinsic_dimension(statistics, rule));
}

SubspaceModel subspace_model(const ClassStatistics& statistics, Index p) {
  SubspaceModel model;
  model.directions = statistics.eigenvectors.leftCols(p);
  model.variances = statistics.eigenvalues.head(p);
  // b = (trace S - sum lambda_l) / (d - p). Where the directions contain nearly all of the variance, rounding may make
  // the difference negative.
  const double rest = std::max(0.0, statistics.trace - model.variances.sum());
  model.noise_variance = rest / static_cast<double>(std::max<Index>(1, statistics.bands - p));
  return model;
}

ClassGaussian class_gaussian(const ClassStatistics& statistics, Index freedom, const GaussianRule& rule) {
  // At most half of the degrees of freedom are used for directions: with more, b would be estimated from hardly any
  // samples, and samples that are not among them would have distances many times too large (docs/method.md, "Novelty").
  const Index p = std::min(intrinsic_dimension(statistics, rule.dimension), freedom / 2);
  ClassGaussian gaussian{statistics.mean, subspace_model(statistics, p)};
  SubspaceModel& subspace = gaussian.subspace;
  subspace.variances = subspace.variances.cwiseMax(rule.least_variance);
  subspace.noise_variance = std::max(subspace.noise_variance, rule.least_variance);
  return gaussian;
}

Vector squared_mahalanobis(const ClassGaussian& gaussian, const Matrix& spectra) {
  const SubspaceModel& subspace = gaussian.subspace;
  // D = sum_l (q_l'(x - m))^2 / lambda_l + (|x - m|^2 - sum_l (q_l'(x - m))^2) / b. The bracket is a squared length;
  // rounding may make it slightly negative.
  const Matrix centred = spectra.rowwise() - gaussian.mean.transpose();
  const Matrix projected = centred * subspace.directions;
  const Vector noise = (centred.rowwise().squaredNorm() - projected.rowwise().squaredNorm()).cwiseMax(0.0);
  return projected.cwiseAbs2() * subspace.variances.cwiseInverse() + noise / subspace.noise_variance;
}

// Both parts of S(rho) = rho S_c + (1 - rho) S_w are sums over samples less the mean of their own class, which are
// therefore computed once for all classes and all rho (docs/method.md, "Blended covariance").
BlendedModels::BlendedModels(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes)
    : centred_(spectra), members_(rows_by_class(labels, classes)) {
  for (const Indices& members : members_) {
    if (!members.empty()) {
      const Matrix own = spectra(members, Eigen::all);
      Matrix centred = own.rowwise() - own.colwise().mean();
      drop_rounding(centred, own);
      centred_(members, Eigen::all) = centred;
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

// Samples that are centred at the same time.
constexpr Index kBlock = 1024;

// S = 1/n sum (x - m)(x - m)' over the rows `members`, zero without any. Two passes over the samples, first for the
// mean and then for the products: the formula sum x x' - n m m' needs one pass only, but loses digits where means are
// large compared with deviations. Blocks keep the copies small whatever the number of samples.
static Matrix covariance(const Matrix& spectra, const Indices& members) {
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
    Matrix centred = block.rowwise() - mean;
    drop_rounding(centred, block);
    sum.selfadjointView<Eigen::Lower>().rankUpdate(centred.transpose());
  });
  return Matrix(sum.selfadjointView<Eigen::Lower>()) / static_cast<double>(std::max<Index>(1, count));
}

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
