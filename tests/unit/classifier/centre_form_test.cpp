#include "classifier/centre_form.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

// A metric that counts one direction, along which spectra vary a lot, little.
struct Problem {
  Problem() : spectra(Random(1).normal_matrix(500, 8)) {
    spectra.col(0) *= 100;
    rounded = spectra.cast<float>();
    spectra = rounded.cast<double>();
    centres = spectra.topRows(20);
    metric.directions = Matrix::Identity(8, 1);
    metric.weights = Vector::Constant(1, 1e-4);
    metric.rest_weight = 0.2;
  }

  Matrix spectra;
  Spectra rounded;
  Matrix centres;
  ClassMetric metric;
};

template <typename Scalar>
double error_of(const Problem& problem) {
  double counted = 0;
  const CentreForm<Scalar> form(problem.metric, problem.rounded, problem.centres,
                                [&](double operations) { counted += operations; });
  CHECK(form.size() == 500);
  CHECK(form.centres() == 20);
  Matrix values(500, 20);
  form.rows(toy::all_rows(500), values);
  CHECK(counted > 0);
  const MahalanobisKernel kernel(problem.metric);
  CHECK((form.centre_matrix() - kernel.block(problem.centres, problem.centres)).norm() < 1e-12);
  return (values - kernel.block(problem.spectra, problem.centres)).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("centre form: kernel values of samples and centres, in single and in double precision") {
  const Problem problem;
  CHECK(error_of<float>(problem) < 5e-6);
  CHECK(error_of<double>(problem) < 1e-12);
}

TEST_CASE("centre form: without rest only the directions count") {
  Problem problem;
  problem.metric.rest_weight = 0;
  CHECK(error_of<float>(problem) < 5e-6);
}

TEST_CASE("centre form: a kernel of profiles is added to that of the spectra") {
  Problem problem;
  // The last three columns are features of profiles.
  problem.metric.directions = Matrix::Identity(5, 1);
  problem.metric.profile = {3, 0.6, 0.3};
  CHECK(error_of<float>(problem) < 5e-6);
  CHECK(error_of<double>(problem) < 1e-12);
}

TEST_CASE("centre form: a sample's values do not depend on those it is computed with") {
  const Problem problem;
  const CentreForm<float> form(problem.metric, problem.rounded, problem.centres, {});
  Matrix all(500, 20);
  form.rows(toy::all_rows(500), all);
  Matrix some(3, 20);
  form.rows({499, 7, 150}, some);
  CHECK(some.row(0) == all.row(499));
  CHECK(some.row(1) == all.row(7));
  CHECK(some.row(2) == all.row(150));
}
