#include "core/eigen_products.hpp"

#include <doctest/doctest.h>

namespace parsimap::test {

namespace {

using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd naive_product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd product = Eigen::MatrixXd::Zero(a.rows(), b.cols());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      for (Eigen::Index k = 0; k < a.cols(); ++k) {
        product(i, j) += a(i, k) * b(k, j);
      }
    }
  }
  return product;
}

}  // namespace

TEST_CASE("products that are compiled once are those of the loops, for every order of storage") {
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(67, 43);
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(43, 59);
  const ByRows a_rows = a;
  const ByRows b_rows = b;
  const Eigen::MatrixXd expected = naive_product(a, b);
  CHECK((Eigen::MatrixXd(a * b) - expected).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((Eigen::MatrixXd(a * b_rows) - expected).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((Eigen::MatrixXd(a_rows * b) - expected).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((Eigen::MatrixXd(a_rows * b_rows) - expected).cwiseAbs().maxCoeff() < 1e-12);
  const Eigen::VectorXd column = b.col(7);
  CHECK((a * column - expected.col(7)).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((a_rows * column - expected.col(7)).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((a_rows * b_rows.col(7) - expected.col(7)).cwiseAbs().maxCoeff() < 1e-12);
}

}  // namespace parsimap::test
