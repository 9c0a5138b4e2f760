// Hyperparameters of single classes in experiments and for the criterion radius-margin: descent on the radius-margin
// bound, and the cross-validated grid that it is compared with.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/kernel/training_geometry.hpp"

namespace parsimap {

// Descent on a smooth function of a few variables inside a box.
struct DescentOptions {
  Index evaluations = 200;           // at most
  double gradient_tolerance = 1e-5;  // on the largest entry of the projected gradient
  double decrease_tolerance = 1e-6;  // of the value over an iteration, relative to max(1, |value|)
};

enum class DescentStop {
  gradient,          // the projected gradient is below its tolerance
  decrease,          // the value no longer falls by more than its tolerance
  evaluation_limit,  // the evaluations ran out
  line_search,       // no step along the last direction lowers the value (a kink of the function)
  not_finite         // the function had no finite value
};

std::string to_string(DescentStop stop);

struct Descent {
  Vector point;      // the best point seen
  double value = 0;  // there
  Index evaluations = 0;
  DescentStop stop = DescentStop::not_finite;
  std::vector<double> trace;  // value of every evaluation, in order
};

// The function's value at a point; fills the gradient.
using Objective = std::function<double(const Vector& point, Vector& gradient)>;

// Limited-memory BFGS with bounds (LBFGSpp). `start` is moved into [lower, upper] first. What the objective throws ends
// the descent and reaches the caller.
Descent minimise(const Objective& objective, const Vector& start, const Vector& lower, const Vector& upper,
                 const DescentOptions& options);

// The two criteria that hyperparameters are chosen by, and how an optimiser of the second one sees them.
//
// Parameters are theta = (log w_1 .. log w_p, log w_0 where the kernel has it, log C): positivity for free, and steps
// are relative (docs/method.md, "The radius-margin bound").
enum class CriterionKind {
  leave_one_out,  // loss of samples whose region was left out, one metric for all classes (metric_selection.hpp)
  radius_margin   // T = R^2 M^2, the paper's bound, of every class by itself (radius_margin.hpp)
};

// "leave-one-out", "radius-margin" and back; another text is a ConfigError that lists them.
CriterionKind parse_criterion(const std::string& text);
std::string to_string(CriterionKind kind);

struct Hyperparameters {
  KernelWeights weights;
  double C = 1;
};

// Between hyperparameters and theta, for a geometry with `directions` directions and perhaps an isotropic term.
Vector to_theta(const Hyperparameters& parameters, bool has_isotropic);
Hyperparameters from_theta(const Vector& theta, Index directions, bool has_isotropic);

struct CriterionValue {
  double value = 0;  // infinite when a quadratic problem was not solved: never a quotient of unchecked solves
  Vector gradient;   // with respect to theta; empty when only the value was asked for
};

// The hyperparameters of the printed kernel of one class against the rest, by descent on the radius-margin bound: a
// scan on few samples, then descent on more and more of them.

// One class against the rest, as hyperparameter selection sees it.
struct BinaryProblem {
  Matrix directions;                        // d x p, of the class
  Matrix projections;                       // n x p, samples on the class directions
  std::shared_ptr<const Matrix> distances;  // n x n squared Euclidean distances
  Vector labels;                            // n, +1 for the class, -1 for the rest
  Vector variances;                         // p, of the class along its directions
  double noise_variance = 0;                // of the class across them
};

// The problem restricted to the samples at `rows`.
BinaryProblem subset(const BinaryProblem& problem, const Indices& rows);

// What a kernel family uses of the samples: the Gaussian kernel no projections, the PCA kernel no distances.
TrainingGeometry family_geometry(const BinaryProblem& problem, KernelFamily family, int threads = 1);

struct Selection {
  Hyperparameters parameters;
  double value = 0;       // of the criterion, on all samples given
  Index evaluations = 0;  // of the criterion on them, scan and coarser descents not counted
  DescentStop stop = DescentStop::not_finite;
  std::vector<double> trace;  // criterion along the last descent
  bool trivial = false;       // ended on the plateau T = n - 1
};

struct SelectionOptions {
  DescentOptions descent;
  Work work;        // receives the operations of evaluations of the criterion, on however few samples
  int threads = 1;  // share an evaluation
};

// About how many operations that takes, with so many samples and directions.
double descent_operations(Index samples, Index directions, KernelFamily family);

// Few samples: descent from the best starts of a scan, for the bound has many local optima there. Many: descent from
// the optimum of a stratified subset, found in the same way. The HDDA kernel may also start from the optima of its two
// limits, the Gaussian and the PCA kernel on the same samples, so that T_hdda <= min(T_gaussian, T_pca) always.
Selection select_hyperparameters(const BinaryProblem& problem, KernelFamily family,
                                 const SelectionOptions& options = {});

// Hyperparameters as most users of a Gaussian SVM choose them: one kernel width and one C for all classes, those with
// the best cross-validated accuracy on a grid. The baseline that the criteria are compared with.
struct GridOptions {
  Index folds = 5;         // at least 2
  std::uint64_t seed = 0;  // of the folds
  // Called before every evaluation; it may throw to stop the search.
  std::function<void()> on_evaluation;
};

struct GridCell {
  double isotropic = 0;  // w_0, twice the gamma of LIBSVM: k(x, z) = exp(-1/2 w_0 |x - z|^2)
  double C = 1;
  double accuracy = 0;  // the fraction of all samples that were right when their fold was left out
};

struct GridSearch {
  Hyperparameters best;         // isotropic weight and C alone
  double accuracy = 0;          // of the best cell
  std::vector<GridCell> cells;  // kernels from wide to narrow, C ascending within each
  Index evaluations = 0;        // pairs of cell and fold: each trains all classes on the other folds
};

// How often a search with five folds calls on_evaluation.
inline constexpr Index kGridEvaluations = 6 * 7 * 5;

// One-vs-all L2-SVMs, the class of the largest decision value (the first of equals). 6 kernels x 7 C: w_0 / 2 is
// 10^-3 .. 10^2 over the mean squared distance of the samples, C is 10^-1 .. 10^5. Of equal accuracies the smaller C
// wins, then the wider kernel.
// `spectra` n x d, scaled; `labels` n class indices in [0, classes). A fold that has all samples of a class leaves it
// untrained and its samples wrong. DataError when fewer than two classes have at least two samples, or when all samples
// are equal.
GridSearch cross_validated_grid(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes,
                                const GridOptions& options = {});

}  // namespace parsimap
