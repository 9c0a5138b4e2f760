#include "parsimap/selection/binary_problem.hpp"

namespace parsimap {

BinaryProblem subset(const BinaryProblem& problem, const Indices& rows) {
  return {problem.directions,
          problem.projections(rows, Eigen::all),
          std::make_shared<const Matrix>((*problem.distances)(rows, rows)),
          problem.labels(rows),
          problem.variances,
          problem.noise_variance};
}

TrainingGeometry family_geometry(const BinaryProblem& problem, KernelFamily family) {
  return {family == KernelFamily::gaussian ? Matrix(problem.labels.size(), 0) : problem.projections,
          family == KernelFamily::pca ? nullptr : problem.distances};
}

}  // namespace parsimap
