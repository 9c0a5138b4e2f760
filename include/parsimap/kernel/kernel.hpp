// Kernels in the metrics of the classes: the metric of a class, and the kernels that follow from it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/core/matrix_forms.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/hdda/subspace_model.hpp"

namespace parsimap {

// The metric of one class and the kernels that follow from it.
//
//   k(x, z) = exp(-1/2 [ sum_{l<=p} v_l d_l + w_0 D ]),   d_l = (q_l'(x - z))^2,   D = |x - z|^2 - sum_l d_l,
//
// with the total weight v_l of direction q_l and the weight w_0 of everything orthogonal to the directions. The class
// kernel, for maps, has any v_l > 0, such as less than w_0 where a class varies much; the kernel as the paper prints it
// has v_l = w_0 + w_l with w_l >= 0. The Gaussian kernel has no directions (docs/method.md, "Two families of kernels").

// Which terms of the kernel are used.
enum class KernelFamily {
  hdda,     // all of it: directions q_i of the class subspace, and w_0 for what is left
  pca,      // w_0 = 0
  gaussian  // no directions
};

// "hdda", "pca", "gaussian" and back; another text is a ConfigError that lists them.
KernelFamily parse_kernel_family(const std::string& text);
std::string to_string(KernelFamily family);

// A second kernel that is added to the first, for what lies around a pixel (morphology/extended_profile.hpp):
//   (1 - share) k(x, z) + share exp(-weight/2 |p - r|^2),   p and r the profiles of the two pixels.
// A sum of kernels with weights that are not negative is a kernel (composite kernels: Camps-Valls, Gomez-Chova,
// Munoz-Mari, Vila-Frances, Calpe-Maravilla, Composite kernels for hyperspectral image classification, 2006).
struct ProfileTerm {
  Index features = 0;  // q: columns that follow those of the bands; 0 without a second kernel
  double weight = 0;   // > 0 where there are features
  double share = 0;    // in [0, 1]
  bool operator==(const ProfileTerm&) const = default;
};

struct ClassMetric {
  Matrix directions;       // Q, d x p, orthonormal columns; d x 0 for the Gaussian kernel
  Vector weights;          // v, p, > 0
  double rest_weight = 0;  // w_0 >= 0
  ProfileTerm profile = {};
};

// v_l = tau lambda_l^-damping and w_0 = tau b^-damping of a class model, tau such that two samples drawn from the model
// have a mean squared distance of `width` > 0 in the metric: tau = width / (2 [sum lambda_l^(1 - damping) + (d - p)
// b^(1 - damping)]). Damping 1 is the Mahalanobis metric, 0 the Euclidean one, without directions. Variances are taken
// as at least 1e-8 of the largest. A model without variance gets the weight `width` in all bands.
ClassMetric damped_metric(const SubspaceModel& model, double damping, double width);

// The same along the directions alone, w_0 = 0, for a model that has directions; the mean is over these.
ClassMetric damped_directions(const SubspaceModel& model, double damping, double width);

// All weights multiplied by `factor`: squared distances of spectra are so many times as large.
ClassMetric scaled(ClassMetric metric, double factor);

// The directions of these samples of a class (n x d), as many as the metric has, under the weights of the metric; the
// metric itself where it has none.
ClassMetric with_directions_of(const ClassMetric& metric, const Matrix& spectra);

// The metric with another term for profiles.
ClassMetric with_profile(ClassMetric metric, const ProfileTerm& profile);

// A Gaussian kernel in the metric of one class, and what is added to it for profiles (kernel/kernel.hpp).
//
// Samples are rows of d columns, one for each band. Where the metric has a term for profiles, the q columns of their
// features follow.
class MahalanobisKernel {
 public:
  explicit MahalanobisKernel(ClassMetric metric);

  [[nodiscard]] const ProfileTerm& profile() const { return metric_.profile; }

  // k(x_i, z_j) for rows x_i of `x` (n x (d + q)) and z_j of `z` (m x (d + q)): n x m.
  [[nodiscard]] Matrix block(const Matrix& x, const Matrix& z) const;

  // Coordinates in which the kernel of the spectra is exp(-1/2 |a - b|^2): sqrt(w_0) x + Q diag(sqrt(v) - sqrt(w_0))
  // Q'x, n x d, or diag(sqrt(v)) Q'x, n x p, where w_0 is 0. Their distances are never small differences of large
  // numbers. Behind them are those of the profiles, sqrt(weight) p, n x q.
  [[nodiscard]] Matrix map(const Matrix& samples) const;

  // k of samples that have these coordinates, rows of `a` and of `b`, whose origin should be near to them. In single or
  // double precision.
  template <typename Scalar>
  [[nodiscard]] Eigen::MatrixX<Scalar> values(const Eigen::MatrixX<Scalar>& a, const Eigen::MatrixX<Scalar>& b) const;

 private:
  [[nodiscard]] Matrix map_spectra(const Eigen::Ref<const Matrix>& spectra) const;

  ClassMetric metric_;
};

// The kernel matrix of many samples as a solver sees it, computed where it is asked for. It is held as a whole only
// where samples are few, and values enough of it were asked for. Panels of it are shared between threads; values do not
// depend on how many there are.
class KernelForm final : public QuadraticForm {
 public:
  // K_ij = k(x_i, x_j) for the rows of `samples` (n x (d + q)). Holds their coordinates as of map().
  // `work` receives the operations of all kernel values, from several threads at a time.
  KernelForm(const MahalanobisKernel& kernel, const Matrix& samples, Work work = {}, int threads = 1);

  [[nodiscard]] Index size() const override { return coordinates_.rows(); }
  [[nodiscard]] Matrix block(const Indices& rows, const Indices& columns) const override;
  [[nodiscard]] Vector product(const Indices& columns, const Vector& coefficients) const override;
  [[nodiscard]] Matrix panel(Index first, Index count) const override;
  // Holds the coordinates of these samples again.
  [[nodiscard]] std::unique_ptr<const QuadraticForm> restricted(Indices rows) const override;

 private:
  KernelForm(const KernelForm& whole, const Indices& rows);
  [[nodiscard]] Matrix computed(const Indices& rows, const Indices& columns) const;
  [[nodiscard]] bool holds_all(std::size_t rows, std::size_t columns) const;

  ProfileTerm profile_;
  Matrix coordinates_;  // of map()
  Matrix norms_;        // 1/2 |a|^2 of the spectra and, where the kernel has a term for them, of the profiles
  Work work_;
  int threads_;
  mutable Index asked_ = 0;     // values
  mutable Matrix values_ = {};  // all of them, or none
};

// Operations of a kernel value, of samples with so many coordinates, of which so many are features of profiles.
inline Index kernel_operations(Index coordinates, Index features = 0) {
  constexpr Index kExponential = 15;
  return coordinates + (features > 0 ? 2 : 1) * kExponential;
}

// The kernels that are made of the metrics of the classes. Fauvel et al. (2013) have the Gaussian one and name the
// others as future work; docs/method.md has their formulas. The polynomial one is normalised, so that k(x, x) = 1 and
// penalties mean what they mean for the Gaussian kernel; it depends on the origin of the scaled spectra. The sum of the
// classes' Gaussian kernels is the same for the classifiers of all classes. A further kernel is a form here, its values
// in kernel_of_width(), and a test; selection and training take it from here.
struct MetricKernel {
  enum class Form { gaussian, polynomial, sum };
  Form form = Form::gaussian;
  int degree = 2;  // r >= 1 of the polynomial
};

// Which classes, of indices in [0, classes), have a kernel in common, which is made of their metrics: each its own
// Gaussian or polynomial kernel, but all of them the sum.
std::vector<std::vector<int>> classes_by_kernel(const MetricKernel& kernel, int classes);

// The kernel between two sets of samples, all weights of its metrics times `width`. The next call overwrites it.
using KernelOfWidth = std::function<const Matrix&(double width)>;

// k(x_i, z_j) for the rows x_i of `x` (n x d) and z_j of `z` (m x d), n x m, with what does not depend on the width
// computed once: n x m numbers for each metric. `metrics` are those of the classes that have the kernel in common.
// Distances are taken about `origin`, which should be near to the samples, or about the mean of z where it is empty.
// Where z is x itself, the matrices are symmetric, and take half as long.
KernelOfWidth kernel_of_width(const MetricKernel& kernel, const std::vector<ClassMetric>& metrics, const Matrix& x,
                              const Matrix& z, const Eigen::RowVectorXd& origin = {});
// The mean of exp(-1/2 width D) over matrices D of squared distances, which all have the same size; and one of a D
// between samples and themselves.
KernelOfWidth gaussian_of_width(std::vector<Matrix> distances);
KernelOfWidth gaussian_among(Matrix distances);

// kernel_of_width() at width 1, in panels of rows, so that nothing else of its size is held.
Matrix kernel_matrix(const MetricKernel& kernel, const std::vector<ClassMetric>& metrics, const Matrix& x,
                     const Matrix& z);

}  // namespace parsimap
