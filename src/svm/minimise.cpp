#include "parsimap/svm/minimise.hpp"

#include <LBFGSB.h>

#include <cmath>
#include <exception>
#include <limits>
#include <new>

#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

// At a kink of the objective no step along the line may satisfy the conditions of the line search: further attempts
// than these would be wasted.
constexpr int kLineSearchSteps = 12;

// Thrown through LBFGSpp, which has no other way to be stopped from inside the function.
struct Stopped {
  DescentStop reason;
};

// Remembers the best point and the trace, whatever way the descent ends.
class Recorder {
 public:
  Recorder(const Objective& objective, const Vector& lower, const Vector& upper, const DescentOptions& options,
           Descent& descent)
      : objective_(objective), lower_(lower), upper_(upper), options_(options), descent_(descent) {}

  double operator()(const Vector& point, Vector& gradient) {
    // LBFGSpp limits iterations, which may take any number of evaluations; what costs time is an evaluation.
    if (descent_.evaluations >= options_.evaluations) {
      throw Stopped{DescentStop::evaluation_limit};
    }
    ++descent_.evaluations;
    gradient.resize(point.size());
    const double value = evaluate(point, gradient);
    descent_.trace.push_back(value);
    if (!std::isfinite(value) || !gradient.allFinite()) {
      throw Stopped{DescentStop::not_finite};
    }
    if (value < descent_.value) {
      descent_.value = value;
      descent_.point = point;
    }
    // The step against the gradient as far as the box lets it: zero at an optimum, on the border of the box too.
    const Vector projected = (point - gradient).cwiseMax(lower_).cwiseMin(upper_) - point;
    gradient_norm_ = projected.cwiseAbs().maxCoeff();
    return value;
  }

  // What the objective threw: among the exceptions of LBFGSpp's line search it would be lost.
  [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }

  // Of the last evaluation, projected on the box: LBFGSpp does not say which of its two tests ended the descent.
  [[nodiscard]] double gradient_norm() const { return gradient_norm_; }

 private:
  double evaluate(const Vector& point, Vector& gradient) {
    try {
      return objective_(point, gradient);
    } catch (...) {
      failure_ = std::current_exception();
      throw Stopped{DescentStop::not_finite};
    }
  }

  const Objective& objective_;
  const Vector& lower_;
  const Vector& upper_;
  const DescentOptions& options_;
  Descent& descent_;
  double gradient_norm_ = 0;
  std::exception_ptr failure_;
};

DescentStop descend(LBFGSpp::LBFGSBSolver<double>& solver, Recorder& recorder, Vector point, const Vector& lower,
                    const Vector& upper, const DescentOptions& options) {
  double value = 0;
  try {
    solver.minimize(recorder, point, value, lower, upper);
    return recorder.gradient_norm() <= options.gradient_tolerance ? DescentStop::gradient : DescentStop::decrease;
  } catch (const Stopped& stopped) {
    return stopped.reason;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    // LBFGSpp's line search throws logic_error or runtime_error when it finds no step.
    return DescentStop::line_search;
  }
}

}  // namespace

std::string to_string(DescentStop stop) {
  static const Names<DescentStop> names = {{DescentStop::gradient, "gradient below tolerance"},
                                           {DescentStop::decrease, "decrease below tolerance"},
                                           {DescentStop::evaluation_limit, "evaluation limit"},
                                           {DescentStop::line_search, "no lower value along the search direction"},
                                           {DescentStop::not_finite, "criterion not finite"}};
  return name_among(stop, names);
}

Descent minimise(const Objective& objective, const Vector& start, const Vector& lower, const Vector& upper,
                 const DescentOptions& options) {
  LBFGSpp::LBFGSBParam<double> parameters;
  parameters.epsilon = options.gradient_tolerance;
  parameters.epsilon_rel = 0;
  parameters.past = 1;
  parameters.delta = options.decrease_tolerance;
  parameters.max_linesearch = kLineSearchSteps;
  parameters.max_iterations = 0;  // the recorder counts evaluations instead
  LBFGSpp::LBFGSBSolver<double> solver(parameters);

  // The result is the lowest point that was evaluated, not the last one: a descent may stop within a line search.
  Descent descent;
  descent.point = start.cwiseMax(lower).cwiseMin(upper);
  descent.value = std::numeric_limits<double>::infinity();
  Recorder recorder(objective, lower, upper, options, descent);
  descent.stop = descend(solver, recorder, descent.point, lower, upper, options);
  if (recorder.failure()) {
    std::rethrow_exception(recorder.failure());
  }
  return descent;
}

}  // namespace parsimap
