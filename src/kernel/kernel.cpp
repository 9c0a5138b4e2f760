#include "parsimap/kernel/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/kernel/training_geometry.hpp"

namespace parsimap {
namespace {

// Rows whose kernel values are held at the same time: with a few thousand columns they stay in cache.
constexpr Index kValueRows = 64;

// Rows that are mapped at the same time.
constexpr Index kMapped = 768;

template <typename Scalar>
using RowsOf = Eigen::Ref<const Eigen::MatrixX<Scalar>>;
using Rows = RowsOf<double>;

// A distance that was computed as a difference of squares, `factor` |a - b|^2 = `values`, has lost most of its digits
// where the two rows are much nearer to each other than to the origin, as pixels of one class are where classes hardly
// vary. There it is computed once more from the difference of the rows. `a_norms` and `b_norms` are |factor| |a|^2 and
// |factor| |b|^2.
template <typename Scalar>
void compute_near_anew(Eigen::MatrixX<Scalar>& values, Scalar factor, const RowsOf<Scalar>& a,
                       const Eigen::Ref<const Eigen::VectorX<Scalar>>& a_norms, const RowsOf<Scalar>& b,
                       const Eigen::Ref<const Eigen::VectorX<Scalar>>& b_norms) {
  constexpr auto kNear = Scalar(1e-6);
  constexpr auto kAccurate = Scalar(1e3);  // norms whose rounding no kernel value shows
  if (a_norms.size() == 0 || b_norms.size() == 0 || a_norms.maxCoeff() + b_norms.maxCoeff() <= kAccurate) {
    return;
  }
  const Scalar sign = factor > 0 ? Scalar(1) : Scalar(-1);
  for (Index j = 0; j < values.cols(); ++j) {
    if ((sign * values.col(j) - kNear * a_norms).minCoeff() > kNear * b_norms(j)) {
      continue;
    }
    // All of a few rows at once, a coordinate at a time: near ones lie among others.
    const auto renew = [&](Index i, auto count) {
      auto part = values.col(j).segment(i, count).array();
      const auto near = (sign * part <= kNear * (a_norms.segment(i, count).array() + b_norms(j))).eval();
      if (near.any()) {
        auto distances = (a.col(0).segment(i, count).array() - b(j, 0)).square().eval();
        for (Index k = 1; k < a.cols(); ++k) {
          distances += (a.col(k).segment(i, count).array() - b(j, k)).square();
        }
        part = near.select(factor * distances, part);
      }
    };
    constexpr Index kAtOnce = 8;
    Index i = 0;
    for (; i + kAtOnce <= values.rows(); i += kAtOnce) {
      renew(i, Eigen::fix<kAtOnce>);
    }
    renew(i, values.rows() - i);
  }
}

// exp(-1/2 |a - b|^2) of the rows of `a` and of `b`, whose half squared norms are known. The exponent is computed as
// a'b - 1/2 |a|^2 - 1/2 |b|^2, so that one matrix product serves all pairs; rounding may make it slightly positive for
// equal rows, hence the minimum with 0.
template <typename Scalar>
Eigen::MatrixX<Scalar> gaussian_values(const RowsOf<Scalar>& a, const Eigen::Ref<const Eigen::VectorX<Scalar>>& a_norms,
                                       const RowsOf<Scalar>& b,
                                       const Eigen::Ref<const Eigen::VectorX<Scalar>>& b_norms) {
  Eigen::MatrixX<Scalar> values = a * b.transpose();
  values.colwise() -= a_norms;
  values.rowwise() -= b_norms.transpose();
  if constexpr (std::is_same_v<Scalar, double>) {
    compute_near_anew<Scalar>(values, -0.5, a, a_norms, b, b_norms);
  }
  return values.array().min(Scalar(0)).max(kLeastExponent<Scalar>).exp();
}

// The kernel values of rows with coordinates `a` and half squared norms `a_norms` with all rows of `b`. With profiles
// it is (1 - mu) k(x, z) + mu exp(-1/2 w |p - r|^2), where the last q coordinates are the features of the profiles,
// times sqrt(w) (docs/method.md, "A kernel of profiles").
template <typename Scalar>
Eigen::MatrixX<Scalar> kernel_values(const ProfileTerm& profile, const RowsOf<Scalar>& a, const RowsOf<Scalar>& a_norms,
                                     const RowsOf<Scalar>& b, const RowsOf<Scalar>& b_norms) {
  if (profile.features == 0) {
    return gaussian_values<Scalar>(a, a_norms.col(0), b, b_norms.col(0));
  }
  const Index q = profile.features;
  const Index p = a.cols() - q;
  const auto share = static_cast<Scalar>(profile.share);
  Eigen::MatrixX<Scalar> values = gaussian_values<Scalar>(a.leftCols(p), a_norms.col(0), b.leftCols(p), b_norms.col(0));
  values *= 1 - share;
  values += share * gaussian_values<Scalar>(a.rightCols(q), a_norms.col(1), b.rightCols(q), b_norms.col(1));
  return values;
}

// 1/2 |a|^2 of the two parts of the coordinates, n x 1 without profiles and n x 2 with them.
template <typename Scalar>
Eigen::MatrixX<Scalar> half_norms(const ProfileTerm& profile, const Eigen::MatrixX<Scalar>& coordinates) {
  const Index q = profile.features;
  Eigen::MatrixX<Scalar> norms(coordinates.rows(), q > 0 ? 2 : 1);
  norms.col(0) = coordinates.leftCols(coordinates.cols() - q).rowwise().squaredNorm() / 2;
  if (q > 0) {
    norms.col(1) = coordinates.rightCols(q).rowwise().squaredNorm() / 2;
  }
  return norms;
}

}  // namespace

MahalanobisKernel::MahalanobisKernel(ClassMetric metric) : metric_(std::move(metric)) {}

Matrix MahalanobisKernel::map_spectra(const Rows& spectra) const {
  // The coordinates sqrt(w_0) x + Q diag(sqrt(v) - sqrt(w_0)) Q'x, in which the metric of the class is the Euclidean
  // one, so that D need not be computed as a small difference of large numbers. For w_0 = 0 the p coordinates
  // sqrt(v_l) q_l'x have the same distances.
  const Vector roots = metric_.weights.cwiseSqrt();
  const Matrix along = spectra * metric_.directions;
  if (metric_.rest_weight == 0) {
    return along * roots.asDiagonal();
  }
  const double rest = std::sqrt(metric_.rest_weight);
  Matrix mapped = rest * spectra;
  if (roots.size() > 0) {
    const Matrix stretched = along * (roots.array() - rest).matrix().asDiagonal();
    mapped.noalias() += stretched * metric_.directions.transpose();
  }
  return mapped;
}

Matrix MahalanobisKernel::map(const Matrix& samples) const {
  const Index q = metric_.profile.features;
  if (q == 0) {
    return map_spectra(samples);
  }
  const Matrix spectra = map_spectra(samples.leftCols(samples.cols() - q));
  Matrix mapped(samples.rows(), spectra.cols() + q);
  mapped << spectra, std::sqrt(metric_.profile.weight) * samples.rightCols(q);
  return mapped;
}

template <typename Scalar>
Eigen::MatrixX<Scalar> MahalanobisKernel::values(const Eigen::MatrixX<Scalar>& a,
                                                 const Eigen::MatrixX<Scalar>& b) const {
  return kernel_values<Scalar>(metric_.profile, a, half_norms(metric_.profile, a), b, half_norms(metric_.profile, b));
}
template Matrix MahalanobisKernel::values(const Matrix& a, const Matrix& b) const;
template MatrixF MahalanobisKernel::values(const MatrixF& a, const MatrixF& b) const;

Matrix MahalanobisKernel::block(const Matrix& x, const Matrix& z) const {
  // A common origin near the data keeps the difference of squares accurate.
  const Eigen::RowVectorXd origin =
      z.rows() > 0 ? Eigen::RowVectorXd(z.colwise().mean()) : Eigen::RowVectorXd::Zero(x.cols());
  return values(map(x.rowwise() - origin), map(z.rowwise() - origin));
}

KernelForm::KernelForm(const MahalanobisKernel& kernel, const Matrix& samples, Work work, int threads)
    : profile_(kernel.profile()), work_(std::move(work)), threads_(threads) {
  const Eigen::RowVectorXd mean = samples.colwise().mean();
  // The number of coordinates is that of a map of no samples: it depends on the metric. Samples are centred, because
  // distances are differences of squares.
  coordinates_.resize(samples.rows(), kernel.map(samples.topRows(0)).cols());
  parallel_for(part_count(samples.rows(), kMapped), threads_, [&](Index part) {
    const Index first = part * kMapped;
    const Index count = std::min(kMapped, samples.rows() - first);
    coordinates_.middleRows(first, count) = kernel.map(samples.middleRows(first, count).rowwise() - mean);
  });
  norms_ = half_norms(profile_, coordinates_);
}

KernelForm::KernelForm(const KernelForm& whole, const Indices& rows)
    : profile_(whole.profile_),
      coordinates_(whole.coordinates_(rows, Eigen::all)),
      norms_(whole.norms_(rows, Eigen::all)),
      work_(whole.work_),
      threads_(whole.threads_) {}

std::unique_ptr<const QuadraticForm> KernelForm::restricted(Indices rows) const {
  return std::unique_ptr<const QuadraticForm>(new KernelForm(*this, rows));
}

// Whether the matrix is held as a whole, now that so many rows and columns of it are asked for. Solvers go through
// similar sets of samples again and again, and mostly ask for a few columns, which are computed faster than all.
bool KernelForm::holds_all(std::size_t rows, std::size_t columns) const {
  constexpr Index kHeld = 2048;
  asked_ += static_cast<Index>(rows * columns);
  if (values_.size() == 0 && size() <= kHeld && 2 * asked_ > size() * size()) {
    values_ = computed(consecutive(size()), consecutive(size()));
  }
  return values_.size() > 0;
}

Matrix KernelForm::block(const Indices& rows, const Indices& columns) const {
  return holds_all(rows.size(), columns.size()) ? Matrix(values_(rows, columns)) : computed(rows, columns);
}

// The columns are gathered once; threads share the rows, a few at a time.
Matrix KernelForm::computed(const Indices& rows, const Indices& columns) const {
  Matrix values(rows.size(), columns.size());
  const Matrix right = coordinates_(columns, Eigen::all);
  const Matrix right_norms = norms_(columns, Eigen::all);
  parallel_for(part_count(values.rows(), kValueRows), threads_, [&](Index part) {
    const Index first = part * kValueRows;
    const Index count = std::min(kValueRows, values.rows() - first);
    const Indices some(rows.begin() + first, rows.begin() + first + count);
    values.middleRows(first, count) =
        kernel_values<double>(profile_, coordinates_(some, Eigen::all), norms_(some, Eigen::all), right, right_norms);
    count_work(work_, operations(count, right.rows(), kernel_operations(right.cols(), profile_.features)));
  });
  for (std::size_t k = 0; k < std::min(rows.size(), columns.size()); ++k) {
    // The distance of a sample from itself is 0, not what rounding leaves of it.
    if (rows[k] == columns[k]) {
      values(static_cast<Index>(k), static_cast<Index>(k)) = 1;
    }
  }
  return values;
}

Vector KernelForm::product(const Indices& columns, const Vector& coefficients) const {
  if (holds_all(static_cast<std::size_t>(size()), columns.size())) {
    return DenseQuadraticForm(values_, threads_).product(columns, coefficients);
  }
  const Matrix right = coordinates_(columns, Eigen::all);
  const Matrix right_norms = norms_(columns, Eigen::all);
  Vector result(size());
  parallel_for(part_count(size(), kValueRows), threads_, [&](Index part) {
    const Index first = part * kValueRows;
    const Index count = std::min(kValueRows, size() - first);
    result.segment(first, count) = kernel_values<double>(profile_, coordinates_.middleRows(first, count),
                                                         norms_.middleRows(first, count), right, right_norms) *
                                   coefficients;
    count_work(work_, operations(count, right.rows(), kernel_operations(right.cols(), profile_.features)));
  });
  return result;
}

Matrix KernelForm::panel(Index first, Index count) const {
  Matrix values = kernel_values<double>(profile_, coordinates_.middleRows(first, count),
                                        norms_.middleRows(first, count), coordinates_, norms_);
  for (Index k = 0; k < count; ++k) {
    values(k, first + k) = 1;
  }
  count_work(work_, operations(count, size(), kernel_operations(coordinates_.cols(), profile_.features)));
  return values;
}

// Rows whose kernel values are computed at the same time.
constexpr Index kKernelRows = 512;

// [(<x, z> + 1) / sqrt((<x, x> + 1)(<z, z> + 1))]^r with the inner product of the class metric times `width`, which in
// the coordinates of the Gaussian kernel is the plain inner product (docs/method.md, "Polynomials and sums"). The
// products are computed once; a width then costs as much as an elementwise product. Nothing is centred, because the
// kernel depends on the origin.
static KernelOfWidth polynomial(const ClassMetric& metric, int degree, const Matrix& x, const Matrix& z) {
  const MahalanobisKernel kernel(metric);
  const Matrix a = kernel.map(x);
  const Matrix b = kernel.map(z);
  return [degree, products = Matrix(a * b.transpose()), a_norms = Vector(a.rowwise().squaredNorm()),
          b_norms = Vector(b.rowwise().squaredNorm()), values = Matrix()](double width) mutable -> const Matrix& {
    const Vector left = (1 + width * a_norms.array()).rsqrt();
    const Vector right = (1 + width * b_norms.array()).rsqrt();
    const Matrix cosines = left.asDiagonal() * (1 + width * products.array()).matrix() * right.asDiagonal();
    values = cosines;
    for (int factor = 1; factor < degree; ++factor) {
      values = values.cwiseProduct(cosines);
    }
    return values;
  };
}

// The squared distances |x - z|^2 in the metric, as |a|^2 + |b|^2 - 2 a'b of the coordinates. These differences of
// squares are accurate about an origin near the data, which does not change distances: `origin`, or else the mean of z.
static Matrix squared_distances_in(const ClassMetric& metric, const Matrix& x, const Matrix& z,
                                   const Eigen::RowVectorXd& origin) {
  const MahalanobisKernel kernel(metric);
  const Eigen::RowVectorXd about = origin.size() > 0 ? origin : Eigen::RowVectorXd(z.colwise().mean());
  const Matrix a = kernel.map(x.rowwise() - about);
  const Matrix b = &x == &z ? a : kernel.map(z.rowwise() - about);
  const Vector a_norms = a.rowwise().squaredNorm();
  const Vector b_norms = b.rowwise().squaredNorm();
  Matrix distances;
  if (&x == &z) {
    distances = squared_distances(a);
  } else {
    distances = -2 * a * b.transpose();
    distances.colwise() += a_norms;
    distances.rowwise() += b_norms.transpose();
  }
  compute_near_anew<double>(distances, 1, a, a_norms, b, b_norms);
  return distances.cwiseMax(0.0);
}

// The sum over the metrics of all classes is one kernel for all classifiers, whose matrix they share. Otherwise each
// class has its own.
std::vector<std::vector<int>> classes_by_kernel(const MetricKernel& kernel, int classes) {
  const bool sum = kernel.form == MetricKernel::Form::sum;
  std::vector<std::vector<int>> kernels(sum ? 1 : static_cast<std::size_t>(classes));
  for (int c = 0; c < classes; ++c) {
    kernels[sum ? 0 : static_cast<std::size_t>(c)].push_back(c);
  }
  return kernels;
}

// 1/K sum_c exp(-1/2 width |x - z|_c^2) of the squared distances in K metrics. K = 1 is the Gaussian kernel of one
// class.
KernelOfWidth gaussian_of_width(std::vector<Matrix> distances) {
  return [distances = std::move(distances), values = Matrix()](double width) mutable -> const Matrix& {
    const auto kernel = [&](const Matrix& of) {
      return (-0.5 * width * of.array()).max(kLeastExponent<double>).exp().matrix();
    };
    values = kernel(distances.front());
    for (std::size_t c = 1; c < distances.size(); ++c) {
      values += kernel(distances[c]);
    }
    if (distances.size() > 1) {
      values /= static_cast<double>(distances.size());
    }
    return values;
  };
}

KernelOfWidth kernel_of_width(const MetricKernel& kernel, const std::vector<ClassMetric>& metrics, const Matrix& x,
                              const Matrix& z, const Eigen::RowVectorXd& origin) {
  if (kernel.form == MetricKernel::Form::polynomial) {
    return polynomial(metrics.front(), kernel.degree, x, z);
  }
  // A Gaussian kernel is the sum of one.
  auto distances =
      mapped<Matrix>(metrics, [&](const ClassMetric& metric) { return squared_distances_in(metric, x, z, origin); });
  return &x == &z && distances.size() == 1 ? gaussian_among(std::move(distances.front()))
                                           : gaussian_of_width(std::move(distances));
}

KernelOfWidth gaussian_among(Matrix distances) {
  const Index n = distances.rows();
  return [geometry = TrainingGeometry(Matrix(n, 0), std::make_shared<Matrix>(std::move(distances))),
          values = Matrix()](double width) mutable -> const Matrix& {
    geometry.gram({Vector(), width}, values);
    return values;
  };
}

Matrix kernel_matrix(const MetricKernel& kernel, const std::vector<ClassMetric>& metrics, const Matrix& x,
                     const Matrix& z) {
  Matrix values(x.rows(), z.rows());
  for (Index first = 0; first < x.rows(); first += kKernelRows) {
    const Index count = std::min(kKernelRows, x.rows() - first);
    values.middleRows(first, count) = kernel_of_width(kernel, metrics, x.middleRows(first, count), z)(1);
  }
  return values;
}

namespace {

// Smallest variance, relative to the largest: smaller ones are mostly rounding errors, and their inverse would give a
// direction without information nearly all of the weight.
constexpr double kVarianceFloor = 1e-8;

// The variances of a model along its directions and across them, floored.
struct Spectrum {
  Eigen::ArrayXd signal;
  double noise;
};

Spectrum floored_spectrum(const SubspaceModel& model) {
  const double largest = std::max(model.dimension() > 0 ? model.variances(0) : 0.0, model.noise_variance);
  const double floor = kVarianceFloor * largest;
  return {model.variances.array().max(floor), std::max(model.noise_variance, floor)};
}

const Names<KernelFamily>& family_names() {
  static const Names<KernelFamily> names = {
      {KernelFamily::hdda, "hdda"}, {KernelFamily::pca, "pca"}, {KernelFamily::gaussian, "gaussian"}};
  return names;
}

}  // namespace

KernelFamily parse_kernel_family(const std::string& text) { return parse_name("kernel", text, family_names()); }

std::string to_string(KernelFamily family) { return name_among(family, family_names()); }

ClassMetric damped_metric(const SubspaceModel& model, double damping, double width) {
  const Index d = model.directions.rows();
  const Index p = model.dimension();
  // v_l = tau lambda_l^-g and w_0 = tau b^-g (docs/method.md, "Two families of kernels"). The difference of two samples
  // of the class has the variance 2 lambda_l along direction l, and 2 b along each of the d - p others. Their mean
  // squared distance with the weights lambda_l^-g and b^-g is therefore 2 [sum_l lambda_l^(1-g) + (d - p) b^(1-g)], and
  // tau is `width` divided by it.
  const auto [signal, noise] = floored_spectrum(model);
  // Noise without variance after flooring means a class without any variance: all bands get the weight `width`.
  if (!(noise > 0)) {
    return {Matrix(d, 0), Vector(), width};
  }
  const double mean_distance =
      2 * (signal.pow(1 - damping).sum() + static_cast<double>(d - p) * std::pow(noise, 1 - damping));
  const double tau = width / mean_distance;
  // All weights are equal for g = 0: a Gaussian kernel, for which directions would only cost time.
  if (damping == 0) {
    return {Matrix(d, 0), Vector(), tau};
  }
  return {model.directions, tau * signal.pow(-damping), tau * std::pow(noise, -damping)};
}

ClassMetric damped_directions(const SubspaceModel& model, double damping, double width) {
  // The same with w_0 = 0: tau follows from the mean squared distance along the directions only.
  const Eigen::ArrayXd signal = floored_spectrum(model).signal;
  const double tau = width / (2 * signal.pow(1 - damping).sum());
  return {model.directions, tau * signal.pow(-damping), 0};
}

ClassMetric scaled(ClassMetric metric, double factor) {
  metric.weights *= factor;
  metric.rest_weight *= factor;
  return metric;
}

ClassMetric with_directions_of(const ClassMetric& metric, const Matrix& spectra) {
  if (metric.weights.size() == 0) {
    return metric;
  }
  const DimensionRule rule{DimensionMethod::fixed, static_cast<double>(metric.weights.size())};
  // Fewer samples may have fewer directions than there are weights. Weights are sorted by the variance of their
  // direction, so that those of the largest variances are kept.
  const Matrix directions = subspace_model(class_statistics(spectra), rule).directions;
  return {directions, metric.weights.head(directions.cols()), metric.rest_weight};
}

ClassMetric with_profile(ClassMetric metric, const ProfileTerm& profile) {
  metric.profile = profile;
  return metric;
}

}  // namespace parsimap
