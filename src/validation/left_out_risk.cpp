#include "parsimap/validation/left_out_risk.hpp"

#include <cmath>

#include "parsimap/svm/minimise.hpp"
#include "parsimap/validation/folds.hpp"

namespace parsimap {
// The slope a is sought between exp(-5) and exp(5). If all left-out samples are classified correctly the loss keeps
// decreasing as a grows; the bound keeps probabilities from being rounded to 0 and 1.
constexpr double kLargestLogSlope = 5;

std::optional<int> taken_for(const Matrix& scores, int label, Index i) {
  Index largest = 0;
  scores.row(i).maxCoeff(&largest);
  return std::isfinite(scores(i, label)) ? std::optional(static_cast<int>(largest)) : std::nullopt;
}

// The logarithmic losses -sum_c t_c log softmax(a f)_c of all samples at the slope a, their weighted mean and its
// derivative in theta = log(a): for one sample a (sum_c p_c f_c - sum_c t_c f_c) with p = softmax(a f). The target t_c
// is 1 - `smoothing` for the label, and the other trained classes share the rest.
static double losses_at(const Matrix& scores, const std::vector<int>& labels, const Vector& weights, double slope,
                        double smoothing, double& derivative, Vector& losses) {
  double sum = 0;
  double derivative_sum = 0;
  double weight = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    losses(i) = 0;
    if (!std::isfinite(scores(i, labels[static_cast<std::size_t>(i)]))) {
      continue;
    }
    // Decision values relative to the largest: the exponentials cannot overflow, and the softmax is the same.
    const Eigen::ArrayXd f = scores.row(i).transpose().array();
    const double largest = f.maxCoeff();
    double own = f(labels[static_cast<std::size_t>(i)]);
    if (const auto trained = f.isFinite().count(); smoothing > 0 && trained > 1) {
      const double others = f.isFinite().select(f, 0.0).sum() - own;
      own = (1 - smoothing) * own + smoothing * others / static_cast<double>(trained - 1);
    }
    // A class that was not trained has the score -infinity and the exponential 0. Its term in the mean is 0 and not the
    // product of 0 and infinity.
    const Eigen::ArrayXd e = (slope * (f - largest)).exp();
    const double mean = (e > 0).select(e * f, 0.0).sum() / e.sum();
    losses(i) = std::log(e.sum()) - slope * (own - largest);
    sum += weights(i) * losses(i);
    derivative_sum += weights(i) * slope * (mean - own);
    weight += weights(i);
  }
  derivative = weight > 0 ? derivative_sum / weight : 0;
  return weight > 0 ? sum / weight : 0;
}

LeftOutRisk left_out_risk(const Matrix& scores, const std::vector<int>& labels, const Vector& weights, Index units) {
  LeftOutRisk result;
  result.risks.resize(scores.rows());
  // First the slope with the lowest mean loss, which is a smooth problem in one variable. Then the wrong labels, which
  // do not depend on the slope, are added to the losses: the risk has both.
  const auto best_slope = [&](double smoothing, const DescentOptions& descent) {
    const Objective objective = [&](const Vector& point, Vector& gradient) {
      return losses_at(scores, labels, weights, std::exp(point(0)), smoothing, gradient(0), result.risks);
    };
    return std::exp(minimise(objective, Vector::Ones(1), Vector::Constant(1, -kLargestLogSlope),
                             Vector::Constant(1, kLargestLogSlope), descent)
                        .point(0));
  };
  double derivative = 0;
  // Without a wrong sample the loss has no smallest value, and probabilities would be 0 and 1. U units without an error
  // are no proof that there is none: with the targets of Platt (1999) the slope for probabilities is finite. It is
  // sought precisely, so that probabilities do not depend on the order of the samples.
  DescentOptions precise;
  precise.gradient_tolerance = 1e-12;
  precise.decrease_tolerance = 1e-15;
  result.slope = best_slope(units > 0 ? 1 / static_cast<double>(units + 2) : 0, precise);
  result.mean = losses_at(scores, labels, weights, best_slope(0, {}), 0, derivative, result.risks);
  result.losses = result.risks;
  for (Index i = 0; i < scores.rows(); ++i) {
    const int label = labels[static_cast<std::size_t>(i)];
    result.risks(i) += taken_for(scores, label, i).value_or(label) != label ? 1 : 0;
  }
  result.errors = left_out_errors(scores, labels, weights);
  result.mean += result.errors;
  return result;
}

std::vector<LeftOutRecord> left_out_records(const Matrix& scores, const std::vector<int>& labels, const Indices& rows,
                                            const std::vector<SampleUnit>& units, const std::vector<Index>& folds) {
  std::vector<LeftOutRecord> records;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (const auto taken = taken_for(scores, labels[i], static_cast<Index>(i))) {
      records.push_back({labels[i], *taken, units[i], rows[i]});
      records.back().fold = folds[i];
    }
  }
  return records;
}

Vector left_out_correct(const Matrix& scores, const std::vector<int>& labels) {
  Vector correct(scores.rows());
  for (Index i = 0; i < scores.rows(); ++i) {
    const int label = labels[static_cast<std::size_t>(i)];
    correct(i) = taken_for(scores, label, i) == label ? 1 : 0;
  }
  return correct;
}

double left_out_errors(const Matrix& scores, const std::vector<int>& labels, const Vector& weights) {
  double wrong = 0;
  double all = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    const int label = labels[static_cast<std::size_t>(i)];
    if (const auto taken = taken_for(scores, label, i)) {
      all += weights(i);
      wrong += *taken != label ? weights(i) : 0;
    }
  }
  return all > 0 ? wrong / all : 0;
}

Vector left_out_losses(const Matrix& scores, const std::vector<int>& labels, double slope) {
  double derivative = 0;
  Vector losses(scores.rows());
  losses_at(scores, labels, Vector::Ones(scores.rows()), slope, 0, derivative, losses);
  return losses;
}

CountMatrix left_out_confusion(const Matrix& scores, const std::vector<int>& labels) {
  CountMatrix counts = CountMatrix::Zero(scores.cols(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) {
    const int label = labels[static_cast<std::size_t>(i)];
    if (const auto taken = taken_for(scores, label, i)) {
      ++counts(label, *taken);
    }
  }
  return counts;
}

double standard_error(const Vector& difference, const Vector& weights, const std::vector<SampleUnit>& units) {
  const double mean = difference.sum() / weights.sum();
  const auto [unit_of, number] = ranks(units);
  Vector deviations = Vector::Zero(number);
  for (Index i = 0; i < difference.size(); ++i) {
    deviations(unit_of[static_cast<std::size_t>(i)]) += difference(i) - mean * weights(i);
  }
  const auto count = static_cast<double>(number);
  return count > 1 ? deviations.norm() * std::sqrt(count / (count - 1)) / weights.sum() : 0.0;
}

}  // namespace parsimap
