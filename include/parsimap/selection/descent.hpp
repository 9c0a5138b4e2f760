// Hyperparameters of the printed kernel of one class against the rest, by descent on the radius-margin bound: a scan on
// few samples, then descent on more and more of them.
//
// Parameters are theta = (log w_1 .. log w_p, log w_0 where the kernel has it, log C): positivity for free, and steps
// are relative (docs/method.md, "The radius-margin bound").
#pragma once

#include <memory>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/kernel/training_geometry.hpp"
#include "parsimap/svm/minimise.hpp"

namespace parsimap {

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
  bool trivial = false;       // is_trivial(value)
};

// Whether a radius-margin bound is that of C -> 0, where all samples are taken for the larger side with any kernel, so
// that it says nothing about the metric: T = 4 m (n - m) (n - 1) / n^2 for a class with m of n samples.
bool is_trivial(double bound, Index of_class, Index samples);

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

}  // namespace parsimap
