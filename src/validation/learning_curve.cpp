#include "parsimap/validation/learning_curve.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace parsimap {

// Few units give a covariance of low rank, which would call some differences of the points certain. So it is drawn to
// the covariance of equal correlations (Ledoit and Wolf 2003), by as much as there are more points than degrees of
// freedom.
static Matrix regular_covariance(const MeasuredCurve& measured) {
  const Index points = measured.sizes.size();
  const Vector deviations = measured.covariance.diagonal().cwiseSqrt();
  const Matrix products = deviations * deviations.transpose();
  const double squares = deviations.squaredNorm();
  const double apart = products.sum() - squares;
  const double correlation = apart > 0 ? (measured.covariance.sum() - squares) / apart : 0;
  Matrix target = correlation * products;
  target.diagonal() = measured.covariance.diagonal();
  const double share = static_cast<double>(points) / (static_cast<double>(points) + measured.degrees_of_freedom);
  Matrix result = (1 - share) * measured.covariance + share * target;
  // Rounding.
  result.diagonal().array() += 1e-6 * squares / static_cast<double>(points) + 1e-12;
  return result;
}

static double relative_error(double limit, double exponent, double size) {
  return limit + (1 - limit) * std::pow(size, -exponent);
}

LearningCurve::LearningCurve(const MeasuredCurve& measured, bool may_rise) {
  // Exponents, and limits other than 0, are equally likely before. Errors that fall to a limit are as likely as those
  // that fall to 0: within the range of a campaign power laws without a limit often fit (Viering and Loog 2022). Those
  // of classifiers trained on few labels may fall faster than a power: a negative limit.
  constexpr int kSteps = 20;
  constexpr int kLeastStep = -kSteps / 2;
  constexpr double kExponentStep = 0.25;
  constexpr double kLargestExponent = 2;
  const int largest_step = may_rise ? 2 * kSteps : kSteps;
  const Eigen::LLT<Matrix> covariance(regular_covariance(measured));
  const double fitted = covariance.matrixL().solve(measured.errors).squaredNorm();
  const double power = (measured.degrees_of_freedom + static_cast<double>(measured.sizes.size()) - 1) / 2;
  double sum = 0;
  for (double exponent = kExponentStep; exponent <= kLargestExponent; exponent += kExponentStep) {
    for (int step = kLeastStep; step <= largest_step; ++step) {
      const double limit = static_cast<double>(step) / kSteps;
      // With the error at size 1 integrated out, of which nothing is known before. The covariance is an estimate, so
      // that the likelihood is that of Student's distribution.
      const Vector shape = measured.sizes.unaryExpr([&](double size) { return relative_error(limit, exponent, size); });
      const Vector solved = covariance.solve(shape);
      const double precision = shape.dot(solved);
      const double error = std::max(0.0, measured.errors.dot(solved) / precision);
      const double misfit = std::max(0.0, fitted - precision * error * error);
      const double before = step == 0 && !may_rise ? kSteps : 1;
      const double probability =
          before * std::pow(1 + misfit / measured.degrees_of_freedom, -power) / std::sqrt(precision);
      shapes_.push_back({limit, exponent, probability, error, 1 / precision});
      sum += probability;
    }
  }
  for (Shape& shape : shapes_) {
    shape.probability /= sum;
  }
}

LearningCurve::Error LearningCurve::at(double size) const {
  double mean = 0;
  double square = 0;
  for (const Shape& shape : shapes_) {
    const double relative = relative_error(shape.limit, shape.exponent, size);
    const double error = std::clamp(shape.error * relative, 0.0, 1.0);
    mean += shape.probability * error;
    square += shape.probability * (error * error + shape.variance * relative * relative);
  }
  return {mean, square - mean * mean};
}

}  // namespace parsimap
