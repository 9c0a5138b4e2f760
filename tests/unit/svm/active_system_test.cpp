#include <Eigen/LU>
#include <doctest/doctest.h>

#include "parsimap/svm/linear_systems.hpp"

#include "support/toy_problems.hpp"

namespace parsimap::test {
namespace {

constexpr Index kSamples = 120;
constexpr double kC = 20;

// Counts the kernel values that are asked for.
class CountedForm final : public QuadraticForm {
 public:
  explicit CountedForm(const Matrix& matrix) : form_(matrix) {}
  [[nodiscard]] Index size() const override { return form_.size(); }
  [[nodiscard]] Matrix block(const Indices& rows, const Indices& columns) const override {
    values += static_cast<Index>(rows.size() * columns.size());
    return form_.block(rows, columns);
  }
  [[nodiscard]] Vector product(const Indices& columns, const Vector& coefficients) const override {
    return form_.product(columns, coefficients);
  }
  mutable Index values = 0;

 private:
  DenseQuadraticForm form_;
};

Matrix kernel() { return toy::gaussian_kernel(Random(3).normal_matrix(kSamples, 3), 0.4); }

Indices all_but(const Indices& left_out) {
  Indices rest = toy::all_rows(kSamples);
  for (const Index i : left_out) {
    std::erase(rest, i);
  }
  return rest;
}

// A_SS^-1 right, with no memory of other sets.
Matrix direct(const Matrix& k, const Indices& set, const Matrix& right) {
  Matrix system = k(set, set);
  system.diagonal().array() += 1 / kC;
  return system.partialPivLu().solve(right);
}

}  // namespace

TEST_CASE("active system: sets near the factorised one, samples removed, added and both") {
  const Matrix k = kernel();
  const DenseQuadraticForm form(k);
  const Indices base = all_but({5, 6, 50, 119});
  for (const Indices& set : {all_but({5, 6, 50, 119}), all_but({0, 5, 6, 50, 70, 119}), all_but({6, 119}),
                             all_but({1, 2, 50, 118}), all_but({})}) {
    ActiveSystem system(form, kC);
    REQUIRE(system.factorise(base));
    const Matrix right = Random(8).normal_matrix(static_cast<Index>(set.size()), 2);
    Matrix solved = right;
    REQUIRE(system.solve(set, solved));
    CHECK((solved - direct(k, set, right)).norm() < 1e-10 * right.norm());
    CHECK(system.factorised() == base);
  }
}

TEST_CASE("active system: every sample has its own penalty, factorised, added or removed") {
  const Matrix k = kernel();
  const DenseQuadraticForm form(k);
  const Vector penalties = Vector::LinSpaced(kSamples, 0.5, 50);
  Matrix ridged = k;
  ridged.diagonal() += penalties.cwiseInverse();
  ridged.diagonal().array() -= 1 / kC;
  ActiveSystem system(form, penalties);
  REQUIRE(system.factorise(all_but({0, 5, 50, 119})));
  for (const Indices& set : {all_but({0, 5, 50, 119}), all_but({3, 50}), all_but({7, 8, 119})}) {
    const Matrix right = Random(8).normal_matrix(static_cast<Index>(set.size()), 2);
    Matrix solved = right;
    REQUIRE(system.solve(set, solved));
    CHECK((solved - direct(ridged, set, right)).norm() < 1e-10 * right.norm());
  }
}

TEST_CASE("active system: a set far from the factorised one takes its place") {
  const Matrix k = kernel();
  const DenseQuadraticForm form(k);
  ActiveSystem system(form, kC);
  REQUIRE(system.factorise({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  const Indices set = {3, 20, 40, 60};
  const Matrix right = Matrix::Ones(4, 1);
  Matrix solved = right;
  REQUIRE(system.solve(set, solved));
  CHECK((solved - direct(k, set, right)).norm() < 1e-12);
  CHECK(system.factorised() == set);
}

TEST_CASE("active system: an exchange asks for few kernel values") {
  const Matrix k = kernel();
  const CountedForm form(k);
  ActiveSystem system(form, kC);
  REQUIRE(system.factorise(all_but({5})));
  form.values = 0;
  Matrix right = Matrix::Ones(kSamples - 2, 1);
  REQUIRE(system.solve(all_but({7, 8}), right));
  CHECK(form.values == (kSamples - 1) + 1);
}

TEST_CASE("active system: what is not positive definite is told") {
  const Matrix k = -kernel();
  const DenseQuadraticForm form(k);
  ActiveSystem system(form, kC);
  Matrix right = Matrix::Ones(2, 1);
  CHECK_FALSE(system.solve({0, 1}, right));
  CHECK(system.factorised().empty());
}

TEST_CASE("solver stop: every reason has its own words") {
  CHECK(to_string(SolverStop::optimal) == "optimal");
  CHECK(to_string(SolverStop::iteration_limit) == "iteration limit");
  CHECK(to_string(SolverStop::not_positive) == "kernel matrix not positive definite");
}

}  // namespace parsimap::test
