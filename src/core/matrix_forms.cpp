#include "parsimap/core/matrix_forms.hpp"

#include <algorithm>

#include "parsimap/core/parallel_for.hpp"

namespace parsimap {

// Columns and rows of a matrix in memory that a thread processes at a time: few enough for the cache of the processor,
// and enough that handing out the next part takes no noticeable time. The parts, and with them the order of all sums,
// do not depend on the number of threads.
constexpr Index kColumns = 64;
constexpr Index kRows = 1024;

// The two functions of the interface that need not be overridden, expressed by block() and product(). Forms that hold
// or compute rows in one piece replace them by faster ones.
Matrix QuadraticForm::panel(Index first, Index count) const {
  return block(consecutive(count, first), consecutive(size()));
}

std::unique_ptr<const QuadraticForm> QuadraticForm::restricted(Indices rows) const {
  return std::make_unique<RestrictedForm>(*this, std::move(rows));
}

Matrix DenseQuadraticForm::block(const Indices& rows, const Indices& columns) const {
  const auto count = static_cast<Index>(columns.size());
  Matrix values(rows.size(), columns.size());
  parallel_for(part_count(count, kColumns), threads_, [&](Index part) {
    const Index first = part * kColumns;
    const Indices some(columns.begin() + first, columns.begin() + std::min(first + kColumns, count));
    values.middleCols(first, static_cast<Index>(some.size())) = matrix_(rows, some);
  });
  return values;
}

// The product is a sum of whole columns of K, which are contiguous in memory, and not of inner products with its rows.
// Each thread takes a range of rows of the result, and adds up the columns in their order.
Vector DenseQuadraticForm::product(const Indices& columns, const Vector& coefficients) const {
  Vector result = Vector::Zero(size());
  parallel_for(part_count(size(), kRows), threads_, [&](Index part) {
    const Index first = part * kRows;
    const Index count = std::min(kRows, size() - first);
    auto sums = result.segment(first, count);
    const auto column = [&](std::size_t k) { return matrix_.col(columns[k]).segment(first, count); };
    // Four columns at a time, so that the sums are read and written once for all of them.
    std::size_t k = 0;
    for (; k + 4 <= columns.size(); k += 4) {
      const double* c = coefficients.data() + k;
      sums += c[0] * column(k) + c[1] * column(k + 1) + c[2] * column(k + 2) + c[3] * column(k + 3);
    }
    for (; k < columns.size(); ++k) {
      sums += coefficients(static_cast<Index>(k)) * column(k);
    }
  });
  return result;
}

Matrix RestrictedForm::block(const Indices& rows, const Indices& columns) const {
  // Indices of a restricted form count its own rows; rows_ holds their places in the whole form.
  return whole_.block(values_at(rows_, rows), values_at(rows_, columns));
}

Vector RestrictedForm::product(const Indices& columns, const Vector& coefficients) const {
  // A few rows at a time: the block of all would take more memory than the whole form does.
  constexpr Index kPanel = 256;
  const Indices mapped = values_at(rows_, columns);
  Vector result(size());
  for (Index first = 0; first < size(); first += kPanel) {
    const Index count = std::min(kPanel, size() - first);
    const Indices some(rows_.begin() + first, rows_.begin() + first + count);
    result.segment(first, count) = whole_.block(some, mapped) * coefficients;
  }
  return result;
}

}  // namespace parsimap
