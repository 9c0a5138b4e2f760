#include "map_accuracy.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <utility>

namespace parsimap {
constexpr double kBorrowed = 0.02;  // of the counts of a neighbouring bin, for classes without records in a bin
constexpr double kUnseen = 0.5;  // units, in error and right, that the replicates add in all, as Jeffreys' prior does
constexpr double kSharesPrior = 0.5;  // parameter of the Dirichlet distribution of shares before the map is seen
constexpr double kManyUnits = 50;     // the weights of the bootstrap need no correction

// The entries of each group are replaced by their weighted mean.
template <typename List>
static void average_groups(const Indices& group, const Vector& weights, List& list) {
  for (std::size_t first = 0; first < group.size();) {
    double total = weights(static_cast<Index>(first));
    auto sum = list[first];
    sum *= total;
    std::size_t next = first + 1;
    for (; next < group.size() && group[next] == group[first]; ++next) {
      sum += weights(static_cast<Index>(next)) * list[next];
      total += weights(static_cast<Index>(next));
    }
    sum /= total;
    std::fill(&list[0] + first, &list[0] + next, sum);
    first = next;
  }
}

Indices falling_groups(const Vector& values, const Vector& weights) {
  struct Group {
    double sum, weight;
    Index size;
  };
  std::vector<Group> groups;
  for (Index i = 0; i < values.size(); ++i) {
    groups.push_back({values(i) * weights(i), weights(i), 1});
    while (groups.size() > 1) {
      const Group last = groups.back();
      Group& before = groups[groups.size() - 2];
      if (before.sum * last.weight >= last.sum * before.weight) {
        break;
      }
      before = {before.sum + last.sum, before.weight + last.weight, before.size + last.size};
      groups.pop_back();
    }
  }
  Indices group_of;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    group_of.insert(group_of.end(), static_cast<std::size_t>(groups[g].size), static_cast<Index>(g));
  }
  return group_of;
}

MapAccuracy::MapAccuracy(LeftOutTable table, const std::vector<double>& label_shares)
    : table_(std::move(table)),
      map_weights_(table_.bin_weights),
      unit_weights_(map_weights_.size()),
      label_shares_(static_cast<Index>(table_.tested.size())),
      map_shares_(Vector::Zero(label_shares_.size())) {
  for (Index b = 0; b < map_weights_.size(); ++b) {
    const Support& support = table_.bins[static_cast<std::size_t>(b)].support;
    unit_weights_(b) = static_cast<double>(std::max<std::int64_t>(support.units, 1));
  }
  const Index tested = label_shares_.size();
  for (Index t = 0; t < tested; ++t) {
    const auto c = static_cast<std::size_t>(own_column(t));
    label_shares_(t) = label_shares[c];
    map_shares_(t) = table_.map_pixels.empty() ? 0 : static_cast<double>(table_.map_pixels[c]);
  }
  if (!(label_shares_.sum() > 0)) {
    label_shares_.setOnes();
  }
  label_shares_ /= label_shares_.sum();
  map_pixels_ = map_shares_.sum();
  map_shares_ /= std::max(1.0, map_pixels_);
  shares_ = label_shares_;
  estimate_errors();
  // The errors of C are weighted by the shares, and bins are pooled by the accuracy at them: a second step takes them
  // from the first.
  for (int step = 0; map_pixels_ > 0 && step < 3; ++step) {
    shares_ = shares_of(confusion_.whole, map_shares_, label_shares_);
    if (step == 1) {
      confusion_ = confusion_of(counts(Vector::Ones(table_.units)), Matrix::Zero(tested, 2));
    }
  }
}

AccuracyValues MapAccuracy::values(const Confusion& confusion, const Vector& shares) const {
  const auto found = [&](const Matrix& rows) {
    return Vector(Vector::NullaryExpr(rows.rows(), [&](Index t) { return rows(t, own_column(t)); }));
  };
  AccuracyValues values{shares.dot(found(confusion.whole)), found(confusion.whole).mean(), Vector(map_weights_.size())};
  for (Index b = 0; b < map_weights_.size(); ++b) {
    values.by_distance(b) = shares.dot(found(confusion.by_bin[static_cast<std::size_t>(b)]));
  }
  // With the shares of the map as weights, the mean over the map stays the overall accuracy.
  const Vector weights = map_weights_.array() + 1e-9;
  average_groups(falling_groups(values.by_distance, weights), weights, values.by_distance);
  return values;
}

AccuracyValues MapAccuracy::replicate(Random& random) const {
  const Index tested = shares_.size();
  Vector weights(table_.units);
  for (Index u = 0; u < table_.units; ++u) {
    weights(u) = random.gamma(shapes_(u)) / shapes_(u);
  }
  const double unseen_shape = kUnseen / static_cast<double>(tested);
  Matrix unseen(tested, 2);
  Vector map_shares(tested);
  Vector prior(tested);
  for (Index t = 0; t < tested; ++t) {
    unseen.row(t) << random.gamma(unseen_shape), random.gamma(unseen_shape);
    map_shares(t) = random.gamma(map_pixels_ * map_shares_(t) + unseen_shape);
    prior(t) = random.gamma(kSharesPrior);
  }
  const Confusion drawn = confusion_of(counts(weights), unseen);
  // Each replicate is drawn towards shares of its own, anywhere on the simplex. So the replicates spread over all
  // shares that C and the map leave possible, and agree where these determine them.
  return values(drawn, map_pixels_ > 0
                           ? shares_of(drawn.whole, map_shares / map_shares.sum(), prior / std::max(prior.sum(), 1e-12))
                           : label_shares_);
}

Matrix MapAccuracy::square(const Matrix& whole) const {
  Matrix result = whole(Eigen::all, table_.tested);
  for (Index t = 0; t < result.rows(); ++t) {
    result.row(t) /= std::max(result.row(t).sum(), 1e-12);
  }
  return result;
}

double MapAccuracy::degrees_of_freedom(const Vector& weights) const {
  const Eigen::ArrayXd parts = weights.array().square() / units_.array();
  return std::max(1.0, std::pow(parts.sum(), 2) / (parts.square() / (units_.array() - 1).max(0.5)).sum());
}

// The records of the units with these weights. Bin b also counts in bin a, with kBorrowed^|a - b|.
MapAccuracy::Counts MapAccuracy::counts(const Vector& weights) const {
  Counts counts(table_.bins.size(), Matrix::Zero(shares_.size(), table_.classes.size()));
  for (const LeftOutCell& cell : table_.cells) {
    counts[static_cast<std::size_t>(cell.bin)](cell.row, cell.column) += cell.count * weights(cell.unit);
  }
  Counts spread(counts.size(), Matrix::Zero(shares_.size(), std::ssize(table_.classes)));
  for (Index a = 0; a < map_weights_.size(); ++a) {
    for (Index b = 0; b < map_weights_.size(); ++b) {
      const double part = std::pow(kBorrowed, std::abs(a - b));
      spread[static_cast<std::size_t>(a)] += part * counts[static_cast<std::size_t>(b)];
    }
  }
  return spread;
}

// `unseen` (T x 2) has for each class how many units are added that are in error, shared out to the other classes, and
// how many that are right.
MapAccuracy::Confusion MapAccuracy::confusion_of(Counts counts, const Matrix& unseen) const {
  const Index tested = unseen.rows();
  Vector accuracy = Vector::Zero(map_weights_.size());
  for (std::size_t b = 0; b < counts.size(); ++b) {
    Matrix& rows = counts[b];
    for (Index t = 0; t < tested; ++t) {
      const double units = units_(t) + unseen.row(t).sum();
      rows.row(t) *= units_(t) / units / rows.row(t).sum();
      for (Index other = 0; other < tested; ++other) {
        rows(t, own_column(other)) +=
            (other == t ? unseen(t, 1) : unseen(t, 0) / static_cast<double>(tested - 1)) / units;
      }
      accuracy(static_cast<Index>(b)) += shares_(t) * rows(t, own_column(t));
    }
  }
  // Where accuracy would rise with distance, bins have their mean confusion.
  average_groups(falling_groups(accuracy, unit_weights_), unit_weights_, counts);
  Confusion result{std::move(counts), Matrix::Zero(tested, table_.classes.size())};
  for (std::size_t b = 0; b < result.by_bin.size(); ++b) {
    result.whole += map_weights_(static_cast<Index>(b)) * result.by_bin[b];
  }
  return result;
}

Vector MapAccuracy::shares_of(const Matrix& whole, const Vector& map_shares, const Vector& prior) const {
  const auto tested = static_cast<double>(prior.size());
  const Vector of_map = map_shares_.array() * (1 - map_shares_.array()) / map_pixels_ + 1e-8;
  // The variance of an entry of the Dirichlet distribution of the prior.
  const double spread = std::max((1 - 1 / tested) / tested / (kSharesPrior * tested + 1), 1e-8);
  return class_shares(square(whole), map_shares, variances_.transpose() * shares_.cwiseAbs2() + of_map, prior, spread);
}

// How much a record of a class counts in C, by its bin: T x bins.
Matrix MapAccuracy::weights_of_records(const Counts& sums) const {
  Matrix weights = Matrix::Zero(shares_.size(), map_weights_.size());
  for (Index a = 0; a < weights.cols(); ++a) {
    for (Index b = 0; b < weights.cols(); ++b) {
      weights.col(a) += map_weights_(b) * std::pow(kBorrowed, std::abs(a - b)) *
                        sums[static_cast<std::size_t>(b)].rowwise().sum().cwiseInverse();
    }
  }
  return weights;
}

// The effective numbers of units and the variances of C between units. A unit that has x_j of the weight of its class
// in column j, and x in all, deviates by x_j - C_cj x.
void MapAccuracy::estimate_errors() {
  const Index tested = shares_.size();
  const Counts sums = counts(Vector::Ones(table_.units));
  units_ = Vector::Ones(tested);
  confusion_ = confusion_of(sums, Matrix::Zero(tested, 2));
  const Matrix weights = weights_of_records(sums);
  Matrix unit_sizes = Matrix::Zero(table_.units, tested);
  variances_ = Matrix::Zero(tested, table_.classes.size());
  for (auto first = table_.cells.begin(); first != table_.cells.end();) {
    Matrix part = Matrix::Zero(tested, variances_.cols());
    const Index unit = first->unit;
    for (; first != table_.cells.end() && first->unit == unit; ++first) {
      part(first->row, first->column) += weights(first->row, first->bin) * first->count;
    }
    const Vector size = part.rowwise().sum();
    unit_sizes.row(unit) = size.transpose();
    variances_ += (part - size.asDiagonal() * confusion_.whole).cwiseAbs2();
  }
  units_ = unit_sizes.colwise().squaredNorm().cwiseInverse().transpose();
  for (Index t = 0; t < tested; ++t) {
    variances_.row(t) *= units_(t) / std::max(units_(t) - 1, 0.5);
    variances_.row(t).array() += std::pow(kUnseen / static_cast<double>(tested) / (units_(t) + 1), 2);
  }
  variances_ = Matrix(variances_(Eigen::all, table_.tested));
  set_shapes(unit_sizes);
}

// Weights of n units with the gamma distribution of shape 1 - 2/n give a mean the variance s^2/n: relative to their
// sum, they have a Dirichlet distribution with the sum of parameters n - 2, and 1/(n - 1) of the mean square of the
// units.
void MapAccuracy::set_shapes(const Matrix& unit_sizes) {
  const Vector shape_of_class =
      units_.unaryExpr([](double n) { return n < kManyUnits ? std::max(0.1, 1 - 2 / n) : 1.0; });
  shapes_ = (unit_sizes * shape_of_class).cwiseQuotient(unit_sizes.rowwise().sum());
}

// The least over sum x = 1 of the free entries, the others being 0: with u = H^-1 g and v = H^-1 1 it is u - l v, where
// the multiplier l makes the sum 1.
static Vector minimum_on_face(const Matrix& hessian, const Vector& gradient, const Indices& free, double& multiplier) {
  const Eigen::LLT<Matrix> factor(hessian(free, free));
  const Vector u = factor.solve(gradient(free));
  const Vector v = factor.solve(Vector::Ones(u.size()));
  multiplier = (u.sum() - 1) / v.sum();
  return u - multiplier * v;
}

Vector minimise_on_simplex(const Matrix& hessian, const Vector& gradient) {
  const Index size = gradient.size();
  Vector x = Vector::Constant(size, 1 / static_cast<double>(size));
  Indices free = consecutive(size);
  // An active-set method: the minimum on the face of the free entries is approached until one of them becomes 0, which
  // leaves the face. At the minimum of a face, the entry with the steepest descent becomes free. The value falls with
  // every face, so that none comes back; rounding is bounded by the number of steps.
  for (Index step = 0; step < 20 * size + 20; ++step) {
    double multiplier = 0;
    const Vector least = minimum_on_face(hessian, gradient, free, multiplier);
    double length = 1;
    Index leaving = -1;
    for (Index k = 0; k < least.size(); ++k) {
      const double from = x(free[static_cast<std::size_t>(k)]);
      if (least(k) < 0 && from / (from - least(k)) < length) {
        length = from / (from - least(k));
        leaving = k;
      }
    }
    for (Index k = 0; k < least.size(); ++k) {
      double& entry = x(free[static_cast<std::size_t>(k)]);
      entry = std::max(0.0, entry + length * (least(k) - entry));
    }
    if (leaving >= 0) {
      x(free[static_cast<std::size_t>(leaving)]) = 0;
      free.erase(free.begin() + leaving);
      continue;
    }
    const Vector slope = ((hessian * x - gradient).array() + multiplier).matrix();
    Index steepest = 0;
    if (slope.minCoeff(&steepest) >= -1e-9 * (1 + gradient.cwiseAbs().maxCoeff()) ||
        std::ranges::count(free, steepest) > 0) {
      break;
    }
    free.push_back(steepest);
  }
  return x / x.sum();
}

Vector class_shares(const Matrix& confusion, const Vector& map_shares, const Vector& variances, const Vector& prior,
                    double prior_variance) {
  const auto classes = static_cast<double>(confusion.rows());
  const Vector weights = (classes - 1) / classes * variances.cwiseInverse();
  Matrix hessian = confusion * weights.asDiagonal() * confusion.transpose();
  hessian.diagonal().array() += 1 / prior_variance;
  return minimise_on_simplex(hessian, confusion * weights.cwiseProduct(map_shares) + prior / prior_variance);
}

}  // namespace parsimap
