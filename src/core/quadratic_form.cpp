#include "parsimap/core/quadratic_form.hpp"

namespace parsimap {

Vector DenseQuadraticForm::product(const Indices& columns, const Vector& coefficients) const {
  // Scatter first: one dense product over contiguous memory beats gathering columns.
  Vector scattered = Vector::Zero(size());
  scattered(columns) = coefficients;
  return matrix_ * scattered;
}

}  // namespace parsimap
