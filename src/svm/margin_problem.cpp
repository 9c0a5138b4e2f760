#include <algorithm>
#include <cmath>

#include "parsimap/svm/l2_svm.hpp"

#include "normal_equations.hpp"

namespace parsimap {
namespace {

// Problems up to this size start with every sample inside the margin.
constexpr Index kCoarsest = 200;

// A point of the primal problem: the coefficients g, and the function values h = K g without the bias, which are kept
// because K g costs far more than a step along a line does.
struct MarginPoint {
  Vector g;
  Vector h;
  double bias = 0;

  [[nodiscard]] Vector decision() const { return h.array() + bias; }
};

// How far a solution is from the conditions of optimality (Karush, Kuhn, Tucker): in the support y_i - f_i = g_i / C_i
// and a_i >= 0, outside of it y_i f_i >= 1, and the g_i sum up to 0.
double kkt_violation(const MarginSolution& solution, const Vector& labels, const Vector& penalties) {
  double violation = std::abs(solution.coefficients.sum());
  const Vector& g = solution.coefficients;
  std::vector<bool> supported(static_cast<std::size_t>(labels.size()), false);
  for (const Index i : solution.support) {
    supported[static_cast<std::size_t>(i)] = true;
    const double residual = labels(i) - solution.decision(i) - g(i) / penalties(i);
    violation = std::max({violation, std::abs(residual), -labels(i) * g(i)});
  }
  for (Index i = 0; i < labels.size(); ++i) {
    if (!supported[static_cast<std::size_t>(i)]) {
      violation = std::max(violation, 1 - labels(i) * solution.decision(i));
    }
  }
  return violation;
}

// Newton's method in function space: alternates between the system of the samples inside the margin and the question
// which samples are inside the margin at its solution, until the answer stays the same.
class MarginSolver {
 public:
  MarginSolver(ActiveSystem& system, const Vector& labels, const SolverOptions& options)
      : system_(system), labels_(labels), options_(options) {}

  // From a decision function.
  MarginSolution solve(const Vector& start) { return solve_from({}, start); }

  // From a point of this problem.
  MarginSolution solve(const MarginPoint& start) { return solve_from(start, start.decision()); }

 private:
  // `point` may be empty: a decision function suffices to choose the samples to begin with.
  MarginSolution solve_from(MarginPoint point, const Vector& decision) {
    solution_.coefficients = Vector::Zero(labels_.size());
    solution_.decision = Vector::Zero(labels_.size());
    Indices support = with_both_classes(inside_margin(labels_, decision), labels_);
    while (solution_.iterations < options_.iterations) {
      ++solution_.iterations;
      if (!solve_on(support)) {
        solution_.stop = SolverStop::not_positive;
        break;
      }
      // The Newton point is the optimum if it has the same samples inside the margin that it was computed from.
      Indices next = inside_margin(labels_, solution_.decision);
      solution_.kkt_violation = kkt_violation(solution_, labels_, system_.penalties());
      if (next == support || solution_.kkt_violation <= options_.kkt_tolerance) {
        solution_.stop = SolverStop::optimal;
        break;
      }
      support = with_both_classes(advance(point, std::move(next)), labels_);
    }
    solution_.squared_margin = labels_.dot(solution_.coefficients);
    return std::move(solution_);
  }

  // The Newton point of the samples in `support`: [K~_SS 1; 1' 0] [g; bias] = [y_S; 0]. With u = K~_SS^-1 y_S and
  // v = K~_SS^-1 1 the second line gives bias = sum u / sum v, and the first one g = u - bias v.
  bool solve_on(const Indices& support) {
    Matrix solved(static_cast<Index>(support.size()), 2);
    solved.col(0) = labels_(support);
    solved.col(1).setOnes();
    if (!system_.solve(support, solved)) {
      return false;
    }
    solution_.bias = solved.col(0).sum() / solved.col(1).sum();
    const Vector g = solved.col(0) - solution_.bias * solved.col(1);
    solution_.coefficients = Vector::Zero(labels_.size());
    solution_.coefficients(support) = g;
    solution_.decision = system_.kernel().product(support, g).array() + solution_.bias;
    solution_.support = support;
    return true;
  }

  // Moves `point` towards the Newton point as far as the objective falls; returns the samples inside the margin there.
  // The first Newton point is taken whole: there is nothing to compare it with.
  Indices advance(MarginPoint& point, Indices inside_at_newton) {
    MarginPoint newton{solution_.coefficients, solution_.decision.array() - solution_.bias, solution_.bias};
    if (point.g.size() == 0) {
      point = std::move(newton);
      return inside_at_newton;
    }
    const MarginPoint step{newton.g - point.g, newton.h - point.h, newton.bias - point.bias};
    const Vector decision = point.decision();
    const Vector change = step.decision();
    const double t =
        line_search({decision, change, point.g.dot(step.h), step.g.dot(step.h)}, labels_, system_.penalties());
    point.g += t * step.g;
    point.h += t * step.h;
    point.bias += t * step.bias;
    return inside_margin(labels_, point.decision());
  }

  ActiveSystem& system_;
  const Vector& labels_;
  SolverOptions options_;
  MarginSolution solution_;
};

// A point to start from: the solution on every second sample of each class, themselves started in the same way. Its few
// samples inside the margin save the factorisation of all.
MarginPoint start_from_half(const QuadraticForm& kernel, const Vector& labels, const Vector& penalties,
                            const SolverOptions& options) {
  Indices half;
  bool take_positive = true;
  bool take_negative = true;
  for (Index i = 0; i < labels.size(); ++i) {
    bool& take = labels(i) > 0 ? take_positive : take_negative;
    if (take) {
      half.push_back(i);
    }
    take = !take;
  }
  const MarginSolution solution =
      solve_margin(*kernel.restricted(half), labels(half), Vector(penalties(half)), nullptr, options);
  const Indices support = values_at(half, solution.support);
  const Vector coefficients = solution.coefficients(solution.support);
  MarginPoint point{Vector::Zero(labels.size()), kernel.product(support, coefficients), solution.bias};
  point.g(support) = coefficients;
  return point;
}

}  // namespace

Vector labels_against_rest(const std::vector<int>& classes, int c) {
  Vector labels(static_cast<Index>(classes.size()));
  std::transform(classes.begin(), classes.end(), labels.begin(), [c](int other) { return other == c ? 1 : -1; });
  return labels;
}

bool has_both_classes(const Vector& labels) { return (labels.array() > 0).any() && (labels.array() < 0).any(); }

MarginSolution solve_margin(ActiveSystem& system, const Vector& labels, const Vector* start,
                            const SolverOptions& options) {
  MarginSolver solver(system, labels, options);
  if (start != nullptr) {
    return solver.solve(*start);
  }
  if (system.kernel().size() <= kCoarsest) {
    return solver.solve(Vector(Vector::Zero(labels.size())));
  }
  return solver.solve(start_from_half(system.kernel(), labels, system.penalties(), options));
}

MarginSolution solve_margin(const QuadraticForm& kernel, const Vector& labels, const Vector& penalties,
                            const Vector* start, const SolverOptions& options) {
  ActiveSystem system(kernel, penalties, options);
  return solve_margin(system, labels, start, options);
}

MarginSolution solve_margin(const QuadraticForm& kernel, const Vector& labels, double C, const Vector* start,
                            const SolverOptions& options) {
  return solve_margin(kernel, labels, Vector(Vector::Constant(labels.size(), C)), start, options);
}

}  // namespace parsimap
