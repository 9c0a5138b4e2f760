#include "parsimap/svm/reduced_problem.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "parsimap/core/parallel_for.hpp"

#include "normal_equations.hpp"

namespace parsimap {
namespace {

// Samples whose kernel values a task holds at the same time, and tasks whose sums are added up together.
constexpr Index kPanel = 288;
constexpr Index kPanels = 64;

// Problems of so many samples at least, and of so many for each centre, start from the solution on a part of them. A
// solution of the part need not be exact.
constexpr Index kFewest = 4000;
constexpr Index kPerCentre = 8;
constexpr Index kPart = 4;
constexpr double kPartTolerance = 1e-3;

// Samples with y_i f_i below kNear are looked at in every step. Where these are most of all, the others are as well.
// The problem of the near samples is solved a little better than that of all.
constexpr double kNear = 1.5;
constexpr double kMostNear = 0.6;
constexpr double kNearTolerance = 0.5;

// Of the mean of the diagonal, times the number of centres: pivots below it are what rounding leaves of none.
constexpr double kRounding = 1e-15;

// Newton points that only mend what rounding did.
constexpr int kRefinements = 2;

// The centres' kernel matrix, and the coordinates beta in which it is the identity.
class Whitening {
 public:
  // Empty when K_mm with this ridge is not positive definite to working precision.
  static std::optional<Whitening> with(const Matrix& kernel, double ridge) {
    Whitening whitening;
    Matrix ridged = kernel;
    ridged.diagonal().array() += ridge;
    whitening.factor_ = Cholesky(std::move(ridged));
    whitening.ridge_ = ridge;
    const double least = kRounding * static_cast<double>(kernel.rows()) * kernel.diagonal().mean();
    const bool positive =
        whitening.factor_.positive() && whitening.factor_.lower().diagonal().cwiseAbs2().minCoeff() > least;
    return positive ? std::optional(std::move(whitening)) : std::nullopt;
  }

  // With the ridge asked for, or the least power of ten above rounding that is enough.
  static std::optional<Whitening> of(const Matrix& kernel, double relative_ridge) {
    constexpr double kLargest = 1e-3;
    const double mean = kernel.diagonal().mean();
    std::optional<Whitening> whitening = with(kernel, relative_ridge * mean);
    double more = std::max(relative_ridge, kRounding * static_cast<double>(kernel.rows()));
    while (!whitening && more < kLargest) {
      more *= 10;
      whitening = with(kernel, more * mean);
    }
    return whitening;
  }

  [[nodiscard]] double ridge() const { return ridge_; }
  // L^-1 of the first entries of `values`, as many as there are centres; the last one, of the bias, stays.
  [[nodiscard]] Vector whitened_pull(Vector values) const {
    auto of_centres = values.head(factor_.rows());
    factor_.lower().triangularView<Eigen::Lower>().solveInPlace(of_centres);
    return values;
  }
  // Replaces rows k' of kernel values by (L^-1 k)'.
  void whiten_rows(const Eigen::Ref<Matrix>& rows) const {
    factor_.lower().transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(rows);
  }
  // L^-T beta: the coefficients g of the centres.
  [[nodiscard]] Vector coefficients(const Vector& beta) const {
    return factor_.lower().transpose().triangularView<Eigen::Upper>().solve(beta);
  }
  // beta = L'g.
  [[nodiscard]] Vector whitened(const Vector& coefficients) const {
    return factor_.lower().transpose().triangularView<Eigen::Upper>() * coefficients;
  }

 private:
  Cholesky factor_;
  double ridge_ = 0;
};

// A form in whose coordinates the kernel matrix of the centres is the identity. Sums over samples are made of it: made
// of kernel values and transformed afterwards, their rounding would be as much larger as K_mm is close to singular.
class WhitenedForm final : public BasisForm {
 public:
  WhitenedForm(const BasisForm& form, const Whitening& whitening) : form_(form), whitening_(whitening) {}

  [[nodiscard]] Index size() const override { return form_.size(); }
  [[nodiscard]] Index centres() const override { return form_.centres(); }
  [[nodiscard]] Matrix centre_matrix() const override { return Matrix::Identity(centres(), centres()); }
  void rows(const Indices& rows, Eigen::Ref<Matrix> values) const override {
    form_.rows(rows, values);
    whitening_.whiten_rows(values);
  }

 private:
  const BasisForm& form_;
  const Whitening& whitening_;
};

// A function, f at all samples, and the gradient of J in (beta, bias).
struct ReducedPoint {
  Vector beta;
  double bias = 0;
  Vector decision;
  Vector gradient;
};

// f at all samples for coefficients `g` and `bias`, and sum_i C_i y_i max(0, 1 - y_i f_i) p_i, p_i as in
// NormalEquations: minus the gradient of the loss in (g, bias).
struct Pass {
  Vector decision;
  Vector pull;
};

class ReducedSolver {
 public:
  ReducedSolver(const BasisForm& form, const Whitening& whitening, const Vector& labels, const Vector& penalties,
                const ReducedOptions& options)
      : form_(form), whitening_(whitening), labels_(labels), penalties_(penalties), options_(options) {}

  ReducedSolution solve() {
    if (labels_.size() >= kFewest && labels_.size() >= kPerCentre * form_.centres()) {
      return solve_by_rounds(start_from_part());
    }
    return solve_from(std::nullopt);
  }

  // The norm of the gradient of J in (beta, bias).
  [[nodiscard]] double gradient(const Vector& g, double bias) const {
    return point(whitening_.whitened(g), bias, pass(g, bias)).gradient.norm();
  }

 private:
  ReducedSolution solve_from(std::optional<ReducedPoint> from) {
    ReducedSolution solution;
    solution.ridge = whitening_.ridge();
    solution.coefficients = Vector::Zero(form_.centres());
    solution.decision = Vector::Zero(labels_.size());
    const WhitenedForm whitened(form_, whitening_);
    NormalEquations equations(whitened, labels_, penalties_, options_.threads, options_.work);
    // Newton steps until the set S of samples inside the margin stays the same or the gradient is small. A step solves
    // the system of S, and an exact line search moves the point towards the solution, which makes the number of steps
    // finite (docs/method.md, "Training on many samples"). Violations are relative to the gradient at f = 0, which is
    // minus the right side of the first system, because all samples are inside the margin there.
    Indices set = with_both_classes(from ? inside_margin(labels_, from->decision) : Indices(), labels_);
    std::optional<ReducedPoint> newton = from;
    while (solution.iterations < options_.iterations) {
      ++solution.iterations;
      equations.move_to(set);
      if (scale_ == 0) {
        scale_ = equations.right().norm();
      }
      std::optional<Cholesky> system = factorise(equations);
      if (!system) {
        equations.sum_anew();
        system = factorise(equations);
      }
      if (!system) {
        solution.stop = SolverStop::not_positive;
        break;
      }
      newton = newton_point(*system, equations);
      Indices inside = inside_margin(labels_, newton->decision);
      for (int i = 0; i < kRefinements && inside == set && newton->gradient.norm() > options_.tolerance * scale_; ++i) {
        newton = refined(*system, *newton);
        inside = inside_margin(labels_, newton->decision);
      }
      if (inside == set || newton->gradient.norm() <= options_.tolerance * scale_) {
        solution.stop = SolverStop::optimal;
        break;
      }
      set = with_both_classes(from ? advance(*from, *newton) : std::move(inside), labels_);
      if (!from) {
        from = newton;
      }
    }
    if (newton) {
      fill(solution, std::move(*newton));
    }
    return solution;
  }

  // Solves the problem of the samples that are inside the margin or near it, and looks at all of them only then.
  ReducedSolution solve_by_rounds(ReducedPoint from) {
    ReducedSolution solution;
    solution.ridge = whitening_.ridge();
    while (solution.iterations < options_.iterations) {
      // A round: the problem of the samples near the margin of the current function is solved, and all samples are then
      // evaluated at the solution. If the gradient of all of them is small, the problem is solved. Otherwise samples
      // that were not near have come inside the margin, and the next round begins from the lowest point along the line
      // through both functions.
      const Indices near = near_margin(from.decision);
      if (static_cast<double>(near.size()) > kMostNear * static_cast<double>(labels_.size())) {
        ReducedSolution all = solve_from(std::move(from));
        all.iterations += solution.iterations;
        return all;
      }
      const ReducedSolution of_near = solve_near(near, from);
      solution.iterations += of_near.iterations;
      ReducedPoint next =
          point(whitening_.whitened(of_near.coefficients), of_near.bias, pass(of_near.coefficients, of_near.bias));
      solution.stop = of_near.stop;
      const bool done = next.gradient.norm() <= options_.tolerance * scale_;
      if (done || of_near.stop != SolverStop::optimal) {
        from = std::move(next);
        break;
      }
      solution.stop = SolverStop::iteration_limit;
      advance(from, next);
    }
    fill(solution, std::move(from));
    return solution;
  }

  [[nodiscard]] Indices near_margin(const Vector& decision) const {
    return indices_where(labels_.size(), [&](Index i) { return labels_(i) * decision(i) < kNear; });
  }

  [[nodiscard]] ReducedSolution solve_near(const Indices& near, const ReducedPoint& from) const {
    const RestrictedBasisForm form(form_, near);
    const Vector labels = labels_(near);
    const Vector penalties = penalties_(near);
    ReducedOptions options = options_;
    options.tolerance *= kNearTolerance;
    ReducedSolver solver(form, whitening_, labels, penalties, options);
    solver.scale_ = scale_;
    return solver.solve_from(ReducedPoint{from.beta, from.bias, from.decision(near), {}});
  }

  void fill(ReducedSolution& solution, ReducedPoint at) const {
    solution.violation = at.gradient.norm() / scale_;
    solution.scale = scale_;
    const auto slack = (1 - labels_.array() * at.decision.array()).max(0.0);
    solution.objective = 0.5 * at.beta.squaredNorm() + 0.5 * (penalties_.array() * slack.square()).sum();
    solution.bias = at.bias;
    solution.decision = std::move(at.decision);
    solution.coefficients = whitening_.coefficients(at.beta);
  }

  // The factor of the second derivatives in (beta, bias) with S held fixed: that of the penalty is the identity.
  [[nodiscard]] std::optional<Cholesky> factorise(const NormalEquations& equations) const {
    Matrix system = equations.matrix();
    system.diagonal().head(form_.centres()).array() += 1;
    Cholesky factor(std::move(system), options_.work);
    return factor.positive() ? std::optional(std::move(factor)) : std::nullopt;
  }

  [[nodiscard]] ReducedPoint newton_point(const Cholesky& system, const NormalEquations& equations) const {
    return at(system.solve(equations.right()));
  }

  // The same point again, less what its gradient says that rounding has left.
  [[nodiscard]] ReducedPoint refined(const Cholesky& system, const ReducedPoint& newton) const {
    Vector moved(newton.beta.size() + 1);
    moved << newton.beta, newton.bias;
    return at(moved - Vector(system.solve(newton.gradient)));
  }

  // The point of these beta and, last, the bias.
  [[nodiscard]] ReducedPoint at(const Vector& unknowns) const {
    const Index m = form_.centres();
    const Vector beta = unknowns.head(m);
    return point(beta, unknowns(m), pass(whitening_.coefficients(beta), unknowns(m)));
  }

  [[nodiscard]] ReducedPoint point(Vector beta, double bias, Pass pass) const {
    ReducedPoint result{std::move(beta), bias, std::move(pass.decision),
                        -whitening_.whitened_pull(std::move(pass.pull))};
    result.gradient.head(form_.centres()) += result.beta;
    return result;
  }

  [[nodiscard]] Pass pass(const Vector& g, double bias) const {
    // Panels are computed in any order and added up in theirs.
    const Index n = labels_.size();
    const Index m = form_.centres();
    const Index panels = (n + kPanel - 1) / kPanel;
    Pass result{Vector(n), Vector::Zero(m + 1)};
    for (Index group = 0; group < panels; group += kPanels) {
      const Index count = std::min(kPanels, panels - group);
      Matrix pulls(m + 1, count);
      parallel_for(count, options_.threads, [&](Index k) {
        const Index first = (group + k) * kPanel;
        const Index size = std::min(kPanel, n - first);
        Matrix values(size, m);
        form_.rows(consecutive(size, first), values);
        const Vector f = (values * g).array() + bias;
        const Vector y = labels_.segment(first, size);
        const Vector r = penalties_.segment(first, size).array() * y.array() * (1 - y.array() * f.array()).max(0.0);
        result.decision.segment(first, size) = f;
        pulls.col(k).head(m).noalias() = values.transpose() * r;
        pulls(m, k) = r.sum();
      });
      for (Index k = 0; k < count; ++k) {
        result.pull += pulls.col(k);
      }
    }
    return result;
  }

  // Moves `from` towards the Newton point as far as J falls; returns the samples inside the margin there.
  Indices advance(ReducedPoint& from, const ReducedPoint& newton) const {
    const Vector change = newton.decision - from.decision;
    const Vector step = newton.beta - from.beta;
    // Along the step the penalty 1/2 |beta|^2 has the slope beta'step at its beginning and the second derivative
    // |step|^2.
    const double t = line_search({from.decision, change, from.beta.dot(step), step.squaredNorm()}, labels_, penalties_);
    from.beta += t * step;
    from.bias += t * (newton.bias - from.bias);
    from.decision += t * change;
    return inside_margin(labels_, from.decision);
  }

  // The solution on every fourth sample of each class, whose penalties stand for those of all.
  [[nodiscard]] ReducedPoint start_from_part() {
    // All classes keep their shares in the part. Its penalties are multiplied so that their sum, and with it the
    // balance of penalty and losses in J, is that of all samples.
    Indices part;
    Index positive = 0;
    Index negative = 0;
    for (Index i = 0; i < labels_.size(); ++i) {
      Index& seen = labels_(i) > 0 ? positive : negative;
      if (seen++ % kPart == 0) {
        part.push_back(i);
      }
    }
    ReducedOptions rough = options_;
    rough.tolerance = std::max(options_.tolerance, kPartTolerance);
    const RestrictedBasisForm form(form_, part);
    const Vector labels = labels_(part);
    const Vector of_part = penalties_(part);
    const Vector penalties = (penalties_.sum() / of_part.sum()) * of_part;
    const ReducedSolution solution = ReducedSolver(form, whitening_, labels, penalties, rough).solve();
    scale_ = solution.scale;
    return point(whitening_.whitened(solution.coefficients), solution.bias, pass(solution.coefficients, solution.bias));
  }

  const BasisForm& form_;
  const Whitening& whitening_;
  const Vector& labels_;
  const Vector& penalties_;
  ReducedOptions options_;
  double scale_ = 0;  // norm of the gradient at f = 0, of the samples that the method begins with
};

}  // namespace

ReducedSolution solve_reduced(const BasisForm& form, const Vector& labels, const Vector& penalties,
                              const ReducedOptions& options) {
  const std::optional<Whitening> whitening = Whitening::of(form.centre_matrix(), options.ridge);
  if (!whitening) {
    ReducedSolution solution;
    solution.coefficients = Vector::Zero(form.centres());
    solution.decision = Vector::Zero(form.size());
    solution.stop = SolverStop::not_positive;
    return solution;
  }
  return ReducedSolver(form, *whitening, labels, penalties, options).solve();
}

double reduced_violation(const BasisForm& form, const Vector& labels, const Vector& penalties,
                         const ReducedSolution& solution, int threads) {
  Matrix kernel = form.centre_matrix();
  kernel.diagonal().array() += solution.ridge;
  const std::optional<Whitening> whitening = Whitening::with(kernel, 0);
  if (!whitening) {
    return std::numeric_limits<double>::infinity();
  }
  ReducedOptions options;
  options.threads = threads;
  return ReducedSolver(form, *whitening, labels, penalties, options).gradient(solution.coefficients, solution.bias) /
         solution.scale;
}

}  // namespace parsimap
