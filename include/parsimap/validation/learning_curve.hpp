// How the error of a classification falls with the number of labels: an inverse power law fitted to the errors of
// classifiers that were trained on parts of the labels (docs/method.md, "Accuracy with more labels").
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The errors, in [0, 1], of classifiers that were trained on parts of the labels.
struct MeasuredCurve {
  Vector sizes;                   // J, > 0, ascending: of the parts, as multiples of the labels that there are
  Vector errors;                  // J
  Matrix covariance;              // J x J, of the errors
  double degrees_of_freedom = 1;  // of the covariance, > 0
};

// All curves s (a + (1 - a) x^-c) that a grid of limits a and exponents c gives, each with the probability that it has
// after what was measured: no single one is chosen, since few points hardly tell a limit from a slow fall.
class LearningCurve {
 public:
  // Errors fall to a limit a in [0, 1], or faster than a power (a from -0.5); that of a class may also rise, as others
  // are found more often (a up to 2).
  LearningCurve(const MeasuredCurve& measured, bool may_rise);

  struct Error {
    double mean = 0;  // in [0, 1]
    double variance = 0;
  };
  // The error with labels `size` > 0 times as many as there are.
  [[nodiscard]] Error at(double size) const;

 private:
  struct Shape {
    double limit;
    double exponent;
    double probability;
    double error;     // s, at size 1
    double variance;  // of s
  };
  std::vector<Shape> shapes_;
};

}  // namespace parsimap
