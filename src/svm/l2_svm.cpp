#include "parsimap/svm/l2_svm.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <utility>

#include "normal_equations.hpp"

namespace parsimap {
namespace {

// Problems up to this size start with every sample inside the margin.
constexpr Index kCoarsest = 200;

// A step that lowers the objective by no more than this part of it may have moved along rounding errors; so many such
// steps are taken.
constexpr double kLeastFall = 1e-14;
constexpr int kFlatSteps = 5;

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
    Indices support = with_both_classes(inside_margin(labels_, decision), labels_);
    lowest_ = point.g.size() > 0 ? objective(point) : 0;
    while (true) {
      ++solution_.iterations;
      if (!solve_on(support, point.bias)) {
        solution_ = {Vector::Zero(labels_.size()), 0, Vector::Zero(labels_.size()), {}, 0, 0, solution_.iterations,
                     SolverStop::not_positive};
        break;
      }
      // The Newton point is the optimum if it has the same samples inside the margin that it was computed from.
      Indices next = inside_margin(labels_, solution_.decision);
      solution_.kkt_violation = kkt_violation(solution_, labels_, system_.penalties());
      if (next == support || solution_.kkt_violation <= options_.kkt_tolerance) {
        solution_.stop = SolverStop::optimal;
        break;
      }
      // Where the objective is as good as flat, conditions of optimality are still violated by the root of its
      // rounding. Newton points are taken whole there, of systems that are factorised anew: the optimum is one of them.
      if (!advance(point)) {
        ++flat_steps_;
        point = newton();
        lowest_ = objective(point);
      }
      if (flat_steps_ > kFlatSteps || solution_.iterations >= options_.iterations) {
        take_better(point);
        break;
      }
      support = inside_margin(labels_, point.decision());
    }
    solution_.squared_margin = labels_.dot(solution_.coefficients);
    return std::move(solution_);
  }

  // The Newton point of the samples in `support`: [K~_SS 1; 1' 0] [g; bias] = [y_S; 0]. With u = K~_SS^-1 y_S and
  // v = K~_SS^-1 1 the second line gives bias = sum u / sum v, and the first one g = u - bias v. Samples of one class
  // alone have g = 0 and their label as the bias; without any sample the bias is free, and stays as it is.
  bool solve_on(const Indices& support, double bias) {
    solution_.support = support;
    solution_.coefficients = Vector::Zero(labels_.size());
    if (!has_both_classes(labels_(support))) {
      solution_.bias = support.empty() ? bias : labels_(support.front());
      solution_.decision = Vector::Constant(labels_.size(), solution_.bias);
      return true;
    }
    Matrix solved(static_cast<Index>(support.size()), 2);
    solved.col(0) = labels_(support);
    solved.col(1).setOnes();
    const bool anew = flat_steps_ > 0 && system_.can_factorise(support);
    if ((anew && !system_.factorise(support)) || !system_.solve(support, solved)) {
      return false;
    }
    solution_.bias = solved.col(0).sum() / solved.col(1).sum();
    const Vector g = solved.col(0) - solution_.bias * solved.col(1);
    solution_.coefficients(support) = g;
    solution_.decision = system_.kernel().product(support, g).array() + solution_.bias;
    return true;
  }

  [[nodiscard]] MarginPoint newton() const {
    return {solution_.coefficients, solution_.decision.array() - solution_.bias, solution_.bias};
  }

  // J = 1/2 g'K g + 1/2 sum_i C_i max(0, 1 - y_i f_i)^2.
  [[nodiscard]] double objective(const MarginPoint& at) const {
    const Eigen::ArrayXd slack = (1 - labels_.array() * (at.h.array() + at.bias)).max(0.0);
    return 0.5 * at.g.dot(at.h) + 0.5 * (system_.penalties().array() * slack.square()).sum();
  }

  // Moves `point` towards the Newton point as far as the objective falls; false where it does not fall by more than
  // rounding. The first Newton point is taken whole: there is nothing to compare it with.
  bool advance(MarginPoint& point) {
    if (point.g.size() == 0) {
      point = newton();
      lowest_ = objective(point);
      return true;
    }
    const MarginPoint to = newton();
    const MarginPoint step{to.g - point.g, to.h - point.h, to.bias - point.bias};
    const Vector decision = point.decision();
    const Vector change = step.decision();
    const double t =
        line_search({decision, change, point.g.dot(step.h), step.g.dot(step.h)}, labels_, system_.penalties());
    point.g += t * step.g;
    point.h += t * step.h;
    point.bias += t * step.bias;
    const double before = std::exchange(lowest_, objective(point));
    return before - lowest_ > kLeastFall * before;
  }

  // Of the last Newton point and the lowest point that was found, the one of the smaller violation.
  void take_better(const MarginPoint& point) {
    MarginSolution at = solution_;
    at.coefficients = point.g;
    at.bias = point.bias;
    at.decision = point.decision();
    at.support = indices_where(point.g.size(), [&](Index i) { return point.g(i) != 0; });
    at.kkt_violation = kkt_violation(at, labels_, system_.penalties());
    if (at.kkt_violation < solution_.kkt_violation) {
      solution_ = std::move(at);
    }
  }

  ActiveSystem& system_;
  const Vector& labels_;
  SolverOptions options_;
  MarginSolution solution_;
  double lowest_ = 0;   // objective of the point
  int flat_steps_ = 0;  // that have not lowered it
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

DistinctSamples distinct_samples(const Matrix& samples, const std::vector<int>& classes) {
  const Index n = samples.rows();
  // Sorted, equal samples stand side by side, the first of them in front.
  const auto compare = [&](Index a, Index b) -> std::partial_ordering {
    for (Index band = 0; band < samples.cols(); ++band) {
      if (const auto order = samples(a, band) <=> samples(b, band); order != 0) {
        return order;
      }
    }
    return classes[static_cast<std::size_t>(a)] <=> classes[static_cast<std::size_t>(b)];
  };
  Indices sorted = consecutive(n);
  std::ranges::sort(sorted, [&](Index a, Index b) {
    const auto order = compare(a, b);
    return order < 0 || (order == 0 && a < b);
  });
  DistinctSamples result{{}, Indices(static_cast<std::size_t>(n))};
  std::vector<Index> first_of(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const bool known = k > 0 && compare(sorted[k - 1], sorted[k]) == 0;
    first_of[static_cast<std::size_t>(sorted[k])] =
        known ? first_of[static_cast<std::size_t>(sorted[k - 1])] : sorted[k];
  }
  for (std::size_t i = 0; i < first_of.size(); ++i) {
    const auto first = static_cast<std::size_t>(first_of[i]);
    if (first == i) {
      result.place[i] = static_cast<Index>(result.rows.size());
      result.rows.push_back(static_cast<Index>(i));
    } else {
      result.place[i] = result.place[first];
    }
  }
  return result;
}

Vector DistinctSamples::sum(const Vector& of_samples) const {
  Vector sums = Vector::Zero(static_cast<Index>(rows.size()));
  for (std::size_t i = 0; i < place.size(); ++i) {
    sums(place[i]) += of_samples(static_cast<Index>(i));
  }
  return sums;
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

namespace {

// Block exchanges that may fail to lower the number of infeasibilities before single exchanges take over.
constexpr int kPatience = 3;

// Problems up to this size start with every sample.
constexpr Index kCoarsestSphere = 200;

// Block principal pivoting for min 1/2 z'K~z - sum z_i over z >= 0. Every sample is either active, with z_i free and
// the gradient zero, or inactive, with z_i = 0 and the gradient free. At the optimum free z_i are >= 0 and free
// gradients are >= 0; samples that break this are infeasible and change sides.
class SphereSolver {
 public:
  SphereSolver(ActiveSystem& system, const SolverOptions& options)
      : system_(system),
        kernel_(system.kernel()),
        C_(system.penalties()(0)),
        options_(options),
        active_(static_cast<std::size_t>(kernel_.size()), false) {}

  SphereSolution solve(const Indices* start) {
    activate(start);
    Index fewest = kernel_.size() + 1;
    int patience = kPatience;
    while (solution_.iterations < options_.iterations) {
      ++solution_.iterations;
      if (!solve_on_active()) {
        solution_.stop = SolverStop::not_positive;
        break;
      }
      const Indices infeasible = find_infeasible();
      if (infeasible.empty()) {
        solution_.stop = SolverStop::optimal;
        break;
      }
      // Exchanging all infeasible samples at once is fast but may cycle. As long as their number reaches new lows this
      // cannot go on for ever; when it has not for a while, only the last one is exchanged, which is Murty's rule and
      // ends for certain.
      const auto count = static_cast<Index>(infeasible.size());
      if (count < fewest) {
        fewest = count;
        patience = kPatience;
      } else {
        --patience;
      }
      exchange(infeasible, patience >= 0);
    }
    finish();
    return std::move(solution_);
  }

 private:
  void activate(const Indices* start) {
    if (start == nullptr || start->empty()) {
      std::fill(active_.begin(), active_.end(), true);
      return;
    }
    for (const Index i : *start) {
      active_[static_cast<std::size_t>(i)] = true;
    }
  }

  // z on the active samples from K~_SS z = 1, and the gradient K~ z - 1 of all samples.
  bool solve_on_active() {
    support_ = indices_where(active_.size(), [this](std::size_t i) { return active_[i]; });
    Matrix solved = Matrix::Ones(static_cast<Index>(support_.size()), 1);
    if (!system_.solve(support_, solved)) {
      return false;
    }
    z_ = solved;
    gradient_ = kernel_.product(support_, z_).array() - 1;
    gradient_(support_) += z_ / C_;
    return true;
  }

  [[nodiscard]] Indices find_infeasible() const {
    Indices infeasible;
    for (std::size_t k = 0; k < support_.size(); ++k) {
      if (z_(static_cast<Index>(k)) < 0) {
        infeasible.push_back(support_[k]);
      }
    }
    for (Index i = 0; i < gradient_.size(); ++i) {
      if (!active_[static_cast<std::size_t>(i)] && gradient_(i) < -options_.kkt_tolerance) {
        infeasible.push_back(i);
      }
    }
    return infeasible;
  }

  void exchange(const Indices& infeasible, bool all) {
    const Index last = *std::ranges::max_element(infeasible);
    for (const Index i : infeasible) {
      if (all || i == last) {
        active_[static_cast<std::size_t>(i)] = !active_[static_cast<std::size_t>(i)];
      }
    }
    // Without any active sample there is no sphere; one must stay.
    if (std::ranges::none_of(active_, [](bool a) { return a; })) {
      active_[static_cast<std::size_t>(last)] = true;
    }
  }

  // From z to the weights on the simplex, b = z / sum z, and R^2 = 1 + 1/C - b'K~ b. Where no z was found the samples
  // weigh the same, which is feasible.
  void finish() {
    const Index n = kernel_.size();
    const Vector z = z_.size() > 0 ? Vector(z_.cwiseMax(0.0)) : Vector();
    solution_.coefficients = Vector::Zero(n);
    if (z.sum() <= 0) {
      solution_.coefficients.setConstant(1.0 / static_cast<double>(n));
      support_ = consecutive(n);
    } else {
      solution_.coefficients(support_) = z / z.sum();
    }
    solution_.support = support_;
    const Vector b = solution_.coefficients(support_);
    Vector image = kernel_.product(support_, b);
    image(support_) += b / C_;
    // At the optimum K~b equals b'K~b on the support and is at least as large elsewhere: the violation is the largest
    // deviation from this.
    const double least = solution_.coefficients.dot(image);
    solution_.squared_radius = 1 + 1 / C_ - least;
    solution_.kkt_violation = std::max(0.0, least - image.minCoeff());
    for (const Index i : support_) {
      solution_.kkt_violation = std::max(solution_.kkt_violation, std::abs(image(i) - least));
    }
  }

  ActiveSystem& system_;
  const QuadraticForm& kernel_;
  double C_;
  SolverOptions options_;
  std::vector<bool> active_;
  Indices support_;
  Vector z_;         // on the support
  Vector gradient_;  // K~ z - 1, n
  SphereSolution solution_;
};

// A support to start from: that of the sphere around every second sample, itself started in the same way, and the
// samples outside it.
Indices start_from_half(const QuadraticForm& kernel, double C, const SolverOptions& options) {
  const Indices half = indices_where(kernel.size(), [](Index i) { return i % 2 == 0; });
  const Matrix part = kernel.block(half, half);
  const SphereSolution sphere = solve_sphere(DenseQuadraticForm(part, options.threads), C, nullptr, options);
  const Vector image = kernel.product(half, sphere.coefficients);
  // With least = b'K~b, R^2 = 1 + 1/C - least. The centre of the sphere is the sum of b_j phi(x_j), and a sample of the
  // other half has the squared distance 1 + 1/C - 2 image_i + least from it, so that it is enclosed if image_i >=
  // least. A sample of the half is enclosed if it does not support the sphere.
  const double least = 1 + 1 / C - sphere.squared_radius;
  Indices start;
  for (Index i = 0; i < kernel.size(); ++i) {
    const bool enclosed = i % 2 == 0 ? sphere.coefficients(i / 2) == 0 : image(i) >= least;
    if (!enclosed) {
      start.push_back(i);
    }
  }
  return start;
}

}  // namespace

SphereSolution solve_sphere(ActiveSystem& system, const Indices* start, const SolverOptions& options) {
  if (start == nullptr && system.kernel().size() > kCoarsestSphere) {
    const Indices coarse = start_from_half(system.kernel(), system.penalties()(0), options);
    return SphereSolver(system, options).solve(&coarse);
  }
  return SphereSolver(system, options).solve(start);
}

SphereSolution solve_sphere(const QuadraticForm& kernel, double C, const Indices* start, const SolverOptions& options) {
  ActiveSystem system(kernel, C, options);
  return solve_sphere(system, start, options);
}

}  // namespace parsimap
