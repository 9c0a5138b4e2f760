#include "parsimap/selection/logistic_calibration.hpp"

#include <algorithm>
#include <cmath>

namespace parsimap {
namespace {

constexpr int kNewtonSteps = 100;
constexpr int kHalvings = 40;
constexpr double kGradientTolerance = 1e-12;

// Probabilities are not asked to be surer than this.
constexpr double kSurest = 0.999;

// log(1 + exp(z)) - t z summed over the samples, without overflow: the loss times n.
double loss_sum(const Vector& decisions, const Vector& targets, double slope, double offset) {
  double sum = 0;
  for (Index i = 0; i < decisions.size(); ++i) {
    const double z = slope * decisions(i) + offset;
    sum += std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))) - targets(i) * z;
  }
  return sum;
}

double logistic(double z) { return 1 / (1 + std::exp(-z)); }

struct Step {
  double slope, offset;  // Newton's
  double gradient;       // largest entry, of the mean loss
};

Step newton_step(const Vector& decisions, const Vector& targets, double slope, double offset) {
  const auto n = static_cast<double>(decisions.size());
  // A ridge for the flat far ends of the sigmoid.
  double aa = 1e-12 * n;
  double bb = 1e-12 * n;
  double ab = 0;
  double a = 0;
  double b = 0;
  for (Index i = 0; i < decisions.size(); ++i) {
    const double p = logistic(slope * decisions(i) + offset);
    const double residual = p - targets(i);
    const double curvature = p * (1 - p);
    a += residual * decisions(i);
    b += residual;
    aa += curvature * decisions(i) * decisions(i);
    ab += curvature * decisions(i);
    bb += curvature;
  }
  const double determinant = aa * bb - ab * ab;
  return {(ab * b - bb * a) / determinant, (ab * a - aa * b) / determinant, std::max(std::abs(a), std::abs(b)) / n};
}

}  // namespace

LogisticCalibration calibrate(const Vector& decisions, const Vector& labels) {
  const auto n = static_cast<double>(decisions.size());
  const Vector targets = (0.5 + (kSurest - 0.5) * labels.array()).matrix();
  const double mean = targets.mean();
  LogisticCalibration result{0, std::log(mean / (1 - mean)), 0, Vector()};
  double loss = loss_sum(decisions, targets, result.slope, result.offset);
  const LogisticCalibration constant = result;
  for (int i = 0; i < kNewtonSteps; ++i) {
    const Step step = newton_step(decisions, targets, result.slope, result.offset);
    if (step.gradient < kGradientTolerance) {
      break;
    }
    double length = 1;
    double next = loss_sum(decisions, targets, result.slope + step.slope, result.offset + step.offset);
    for (int half = 0; half < kHalvings && !(next <= loss); ++half) {
      length /= 2;
      next = loss_sum(decisions, targets, result.slope + length * step.slope, result.offset + length * step.offset);
    }
    if (!(next <= loss)) {
      break;
    }
    result.slope += length * step.slope;
    result.offset += length * step.offset;
    loss = next;
  }
  if (result.slope <= 0) {
    result = constant;
    loss = loss_sum(decisions, targets, result.slope, result.offset);
  }
  result.loss = loss / n;
  const auto probabilities = (result.slope * decisions.array() + result.offset).unaryExpr(&logistic);
  result.derivative = result.slope / n * (probabilities - targets.array());
  return result;
}

}  // namespace parsimap
