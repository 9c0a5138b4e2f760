#include "parsimap/validation/combination.hpp"

// Decision values combined by multinomial logistic regression (docs/method.md, "Combined decision values").
#include <algorithm>
#include <cmath>
#include <limits>

#include "parsimap/svm/minimise.hpp"

namespace parsimap {
namespace {

// A full matrix of more classes would have more entries than there are samples left out.
constexpr Index kMostFullClasses = 50;

struct Regression {
  Matrix values;            // n x K, finite, of median size 1
  std::vector<int> labels;  // n
  Vector weights;           // n, of mean 1
  Matrix free;              // K x K: 1 for the entries of M that are learnt, else 0; K x 1 of a diagonal M
  double identity;          // the multiple of the identity that the ridge draws M to
  double ridge;

  [[nodiscard]] bool diagonal() const { return free.cols() == 1; }
  // The mean loss at M, given column by column or by its diagonal, with its gradient.
  [[nodiscard]] double evaluate(const Vector& point, Vector& gradient) const;
};

double Regression::evaluate(const Vector& point, Vector& gradient) const {
  const Index classes = values.cols();
  const auto n = static_cast<double>(values.rows());
  const Matrix matrix = point.reshaped(classes, free.cols());
  // softmax(M f) relative to the largest value, so that no exponential overflows. The gradient of the loss in M f is
  // softmax(M f) - t, with t = 1 for the label and 0 for the other classes.
  Matrix errors = diagonal() ? Matrix(values * point.asDiagonal()) : Matrix(values * matrix.transpose());
  double loss = 0;
  for (Index i = 0; i < errors.rows(); ++i) {
    auto row = errors.row(i).array();
    const int label = labels[static_cast<std::size_t>(i)];
    row -= row.maxCoeff();
    const double own = row(label);
    row = row.exp();
    const double sum = row.sum();
    loss += weights(i) * (std::log(sum) - own);
    row *= weights(i) / sum;
    row(label) -= weights(i);
  }
  const Matrix away =
      matrix - identity * (diagonal() ? Matrix(Matrix::Ones(classes, 1)) : Matrix(Matrix::Identity(classes, classes)));
  const Matrix slopes = diagonal() ? Matrix(errors.cwiseProduct(values).colwise().sum().transpose())
                                   : Matrix(errors.transpose() * values);
  gradient = ((slopes + ridge * away).cwiseProduct(free) / n).reshaped();
  return (loss + ridge / 2 * away.squaredNorm()) / n;
}

double median_size(const Matrix& values) {
  Vector sizes = values.reshaped().cwiseAbs();
  std::nth_element(sizes.begin(), sizes.begin() + sizes.size() / 2, sizes.end());
  return std::max(sizes(sizes.size() / 2), std::numeric_limits<double>::min());
}

}  // namespace

Matrix combined(const Matrix& combination, const Matrix& values) {
  if (combination.size() == 0) {
    return values;
  }
  // That of many classes is diagonal: each sum has one term, where K^2 products would take longer than the classifiers.
  const bool diagonal = (combination.array() != 0).count() == (combination.diagonal().array() != 0).count();
  // Sums are made in order, so that the values of a pixel do not depend on its place among others.
  Matrix result = values;
  for (Index i = 0; i < values.rows(); ++i) {
    const Vector own = values.row(i).array().isFinite().select(values.row(i), 0.0);
    for (Index c = 0; c < values.cols(); ++c) {
      double sum = 0;
      const Index last = diagonal ? c : values.cols() - 1;
      for (Index other = diagonal ? c : 0; other <= last; ++other) {
        sum += combination(c, other) * own(other);
      }
      result(i, c) = std::isfinite(values(i, c)) ? sum : values(i, c);
    }
  }
  return result;
}

Matrix fit_combination(const Matrix& values, const std::vector<int>& labels, const Vector& weights, double slope,
                       double ridge) {
  const Index classes = values.cols();
  const Indices rows = indices_where(values.rows(), [&](Index i) { return values.row(i).allFinite(); });
  Vector known = Vector::Zero(classes);
  for (const Index i : rows) {
    known(labels[static_cast<std::size_t>(i)]) = 1;
  }
  if (rows.empty()) {
    return Matrix::Identity(classes, classes);
  }
  Regression regression{
      values(rows, Eigen::all), values_at(labels, rows), weights(rows), known * known.transpose(), 1, ridge};
  if (classes > kMostFullClasses) {
    regression.free = known;
  }
  regression.weights /= regression.weights.mean();
  const double size = median_size(regression.values);
  regression.values /= size;
  regression.identity = slope * size;
  const Vector start =
      regression.identity *
      (regression.diagonal() ? Vector(Vector::Ones(classes)) : Vector(Matrix::Identity(classes, classes).reshaped()));
  const Vector bound = Vector::Constant(start.size(), 1e6);
  const Vector found =
      minimise([&](const Vector& point, Vector& gradient) { return regression.evaluate(point, gradient); }, start,
               -bound, bound, {500, 1e-7, 1e-10})
          .point;
  // Combined values are of the size of the decision values; the slope of their probabilities stays apart.
  return (regression.diagonal() ? Matrix(found.asDiagonal()) : Matrix(found.reshaped(classes, classes))) /
         regression.identity;
}

}  // namespace parsimap
