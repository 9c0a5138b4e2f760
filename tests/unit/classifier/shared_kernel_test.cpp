#include "classifier/shared_kernel.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/random.hpp"

namespace parsimap::test {

TEST_CASE_TEMPLATE("shared kernel: the sums of a loop, wide or not, over several tiles of support spectra", Scalar,
                   float, double) {
  Random random(3);
  const Matrix support = random.normal_matrix(kTileSupport + 9, 5);
  const Matrix coefficients = random.normal_matrix(support.rows(), 2);
  const Eigen::MatrixX<Scalar> pixels = random.normal_matrix(kTilePixels<Scalar>, 5).template cast<Scalar>();
  for (const bool wide : {false, true}) {
    const SharedKernel<Scalar> kernel(support, coefficients, wide);
    auto work = kernel.workspace();
    Matrix sums = Matrix::Ones(pixels.rows(), 2);
    kernel.add(pixels, work, sums);
    for (const Index i : {Index{0}, pixels.rows() - 1}) {
      Eigen::RowVector2d expected(1, 1);
      for (Index j = 0; j < support.rows(); ++j) {
        const double distance = (pixels.row(i).template cast<double>() - support.row(j)).squaredNorm();
        expected += std::exp2(-0.5 * distance) * coefficients.row(j);
      }
      CHECK((sums.row(i) - expected).cwiseAbs().maxCoeff() < 1e-4);
    }
  }
}

}  // namespace parsimap::test
