#include "parsimap/classifier/pixel_rows.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {

PixelRows::PixelRows(std::variant<const float*, const double*> values, Index rows, Index columns, Indices used)
    : values_(values), rows_(rows), columns_(columns), used_(std::move(used)), all_(used_ == consecutive(columns)) {}

template <typename Scalar>
void PixelRows::copy(const Scalar* values, Index first, Index count, Spectra& buffer) const {
  using Rows = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> rows(values + first * columns_, count, columns_);
  buffer = rows(Eigen::all, used_).template cast<float>();
}

Eigen::Ref<const Spectra> PixelRows::read(Index first, Index count, Spectra& buffer) const {
  const auto checked = [&](const Eigen::Ref<const Spectra>& read) {
    // A sum is finite only if all values are, and quick; where it is not, it may only have become too large.
    if (!std::isfinite(read.sum()) && !read.allFinite()) {
      refuse(read, first);
    }
    return read;
  };
  // Rows in single precision with exactly the columns of the model are used where they are; all others are copied to
  // the buffer, rounded to single precision.
  if (const auto* const values = std::get_if<const float*>(&values_); values != nullptr && all_) {
    return checked(Eigen::Map<const Spectra>(*values + first * columns_, count, columns_));
  }
  std::visit([&](const auto* values) { copy(values, first, count, buffer); }, values_);
  return checked(buffer);
}

void PixelRows::refuse(const Eigen::Ref<const Spectra>& read, Index first) const {
  for (Index i = 0; i < read.rows(); ++i) {
    for (Index k = 0; k < read.cols(); ++k) {
      if (!std::isfinite(read(i, k))) {
        throw DataError("row " + std::to_string(first + i) + ", column " +
                        std::to_string(used_[static_cast<std::size_t>(k)]) +
                        " of the array is not finite in single precision; spectra must not contain NaN or infinity");
      }
    }
  }
  // A value was not finite a moment ago, and all are now: another thread of the caller writes to the array.
  throw DataError("the array changed while it was read");
}

}  // namespace parsimap
