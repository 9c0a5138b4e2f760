// Descent on a smooth function of a few variables inside a box.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

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

}  // namespace parsimap
