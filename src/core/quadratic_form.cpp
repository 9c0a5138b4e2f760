#include "parsimap/core/quadratic_form.hpp"

#include <algorithm>

namespace parsimap {

Vector DenseQuadraticForm::product(const Indices& columns, const Vector& coefficients) const {
  // Four columns at a time, so that the sums are read and written once for all of them.
  Vector result = Vector::Zero(size());
  std::size_t k = 0;
  for (; k + 4 <= columns.size(); k += 4) {
    const double* c = coefficients.data() + k;
    result += c[0] * matrix_.col(columns[k]) + c[1] * matrix_.col(columns[k + 1]) + c[2] * matrix_.col(columns[k + 2]) +
              c[3] * matrix_.col(columns[k + 3]);
  }
  for (; k < columns.size(); ++k) {
    result += coefficients(static_cast<Index>(k)) * matrix_.col(columns[k]);
  }
  return result;
}

Indices RestrictedForm::in_whole(const Indices& indices) const {
  Indices mapped;
  mapped.reserve(indices.size());
  for (const Index i : indices) {
    mapped.push_back(rows_[static_cast<std::size_t>(i)]);
  }
  return mapped;
}

Matrix RestrictedForm::block(const Indices& rows, const Indices& columns) const {
  return whole_.block(in_whole(rows), in_whole(columns));
}

Vector RestrictedForm::product(const Indices& columns, const Vector& coefficients) const {
  // A few rows at a time: the block of all would take more memory than the whole form does.
  constexpr Index kPanel = 256;
  const Indices mapped = in_whole(columns);
  Vector result(size());
  for (Index first = 0; first < size(); first += kPanel) {
    const Index count = std::min(kPanel, size() - first);
    const Indices some(rows_.begin() + first, rows_.begin() + first + count);
    result.segment(first, count) = whole_.block(some, mapped) * coefficients;
  }
  return result;
}

}  // namespace parsimap
