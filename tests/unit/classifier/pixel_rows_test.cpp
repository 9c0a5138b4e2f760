#include "parsimap/classifier/pixel_rows.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

using namespace parsimap;

namespace {

template <typename Scalar>
using Rows = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

TEST_CASE("pixel rows: the rows and columns asked for, in single precision") {
  const Rows<double> doubles = Random(3).normal_matrix(20, 5);
  const Rows<float> floats = doubles.cast<float>();
  for (const Indices& used : {Indices{0, 1, 2, 3, 4}, Indices{1, 4}, Indices{3, 0}}) {
    const Rows<float> expected = floats(Eigen::seqN(7, 6), used);
    Spectra buffer;
    CHECK(PixelRows(floats.data(), 20, 5, used).read(7, 6, buffer) == expected);
    CHECK(PixelRows(doubles.data(), 20, 5, used).read(7, 6, buffer) == expected);
  }
}

TEST_CASE("pixel rows: all columns of floats are not copied") {
  const Rows<float> floats = Random(3).normal_matrix(20, 3).cast<float>();
  Spectra buffer;
  CHECK(PixelRows(floats.data(), 20, 3, {0, 1, 2}).read(7, 6, buffer).data() == floats.row(7).data());
  CHECK(buffer.size() == 0);
}

TEST_CASE("pixel rows: a value that is not finite is named, where it is used") {
  Rows<double> doubles = Rows<double>::Constant(20, 3, 1e38);
  Spectra buffer;
  // Their sum is not finite, but they are.
  CHECK(PixelRows(doubles.data(), 20, 3, {0, 1, 2}).read(0, 20, buffer)(3, 1) == 1e38F);
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(), 1e39}) {
    doubles(12, 1) = value;
    const PixelRows rows(doubles.data(), 20, 3, {0, 1, 2});
    CHECK_THROWS_WITH_AS(static_cast<void>(rows.read(10, 5, buffer)),
                         "row 12, column 1 of the array is not finite in single precision; spectra must not contain "
                         "NaN or infinity",
                         DataError);
    CHECK_NOTHROW(static_cast<void>(rows.read(0, 12, buffer)));
    CHECK_NOTHROW(static_cast<void>(PixelRows(doubles.data(), 20, 3, {0, 2}).read(10, 5, buffer)));
  }
}
