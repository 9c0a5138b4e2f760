// Spectra in an array of a caller, as rows that a model predicts.
#pragma once

#include <variant>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The spectra of an array that somebody else keeps, read a few rows at a time: nothing of it is copied as a whole.
class PixelRows {
 public:
  // `values` is rows x columns, row-major, and kept by the caller. `used` are the columns that are read, in this order.
  PixelRows(std::variant<const float*, const double*> values, Index rows, Index columns, Indices used);

  [[nodiscard]] Index rows() const { return rows_; }

  // Rows first .. first + count - 1 of the columns used, rounded to single precision as spectra of scenes are. It may
  // refer to `buffer`. DataError with the row and the column, both from 0, of a value that is not finite.
  [[nodiscard]] Eigen::Ref<const Spectra> read(Index first, Index count, Spectra& buffer) const;

 private:
  template <typename Scalar>
  void copy(const Scalar* values, Index first, Index count, Spectra& buffer) const;
  [[noreturn]] void refuse(const Eigen::Ref<const Spectra>& read, Index first) const;

  std::variant<const float*, const double*> values_;
  Index rows_;
  Index columns_;
  Indices used_;
  bool all_;  // every column is used, in its place
};

}  // namespace parsimap
