#include "parsimap/selection/descent.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/selection/metric_selection.hpp"

#include "selection/radius_margin.hpp"
#include "support/data_folder.hpp"
#include "support/text_tables.hpp"
#include "support/toy_problems.hpp"

namespace parsimap::test {
TEST_CASE("theta: logarithms of weights and C, with and without the isotropic weight") {
  const Hyperparameters parameters{{(Vector(2) << 0.5, 3.0).finished(), 0.25}, 40};
  const Vector theta = to_theta(parameters, true);
  REQUIRE(theta.size() == 4);
  CHECK(theta(3) == doctest::Approx(std::log(40.0)));
  const Hyperparameters back = from_theta(theta, 2, true);
  CHECK(back.weights.directional.isApprox(parameters.weights.directional));
  CHECK(back.weights.isotropic == doctest::Approx(0.25));
  CHECK(back.C == doctest::Approx(40));
  CHECK(to_theta(parameters, false).size() == 3);
  CHECK(from_theta(to_theta(parameters, false), 2, false).weights.isotropic == 0);
}

namespace {

BinaryProblem binary_problem(const Matrix& x, const Vector& labels, const DimensionRule& rule) {
  Indices rows;
  for (Index i = 0; i < labels.size(); ++i) {
    if (labels(i) > 0) {
      rows.push_back(i);
    }
  }
  const SubspaceModel model = subspace_model(class_statistics(x(rows, Eigen::all)), rule);
  return {model.directions, x * model.directions, std::make_shared<const Matrix>(squared_distances(x)),
          labels,           model.variances,      model.noise_variance};
}

// A class that differs from the rest along one direction of small variance only.
BinaryProblem hidden_direction() {
  toy::TwoClasses toy = toy::two_classes(120, 8, 0.0, 17);
  toy.spectra.col(7) = 0.1 * toy.spectra.col(7) + 0.2 * toy.labels;
  return binary_problem(toy.spectra, toy.labels, {DimensionMethod::fixed, 4});
}

// The data of the tables in docs/method.md.
BinaryProblem paper_problem(const std::string& folder, const std::string& name, Index bands, double sign,
                            double threshold) {
  Matrix x = toy::read_table(folder + "/" + name + "/" + name + "_train.data", bands);
  const Matrix y = toy::read_table(folder + "/" + name + "/" + name + "_train.labels", 1);
  x /= x.maxCoeff();
  return binary_problem(x, sign * y.col(0), {DimensionMethod::scree, threshold});
}

struct PaperRow {
  std::string name;
  Index bands;
  double threshold;
  KernelFamily family;
  double sign;
  double bound;
};

BinaryProblem ten_samples() {
  const toy::TwoClasses toy = toy::two_classes(10, 4, 1.0, 3);
  const Matrix directions = toy::orthonormal(4, 2, 1);
  return {directions, toy.spectra * directions, std::make_shared<const Matrix>(squared_distances(toy.spectra)),
          toy.labels, Vector::Ones(2),          0.5};
}

}  // namespace

TEST_CASE("select: what is returned is the bound at the parameters returned") {
  const BinaryProblem problem = hidden_direction();
  const TrainingGeometry geometry(problem.projections, problem.distances);
  const Selection margin = select_hyperparameters(problem, KernelFamily::hdda);
  CHECK(RadiusMargin(geometry, problem.labels).evaluate(margin.parameters, false).value ==
        doctest::Approx(margin.value).epsilon(1e-8));
  CHECK(margin.evaluations > static_cast<Index>(margin.trace.size()));
  CHECK_FALSE(margin.trivial);
}

TEST_CASE("select: the bound of the HDDA kernel is never above those of its limits") {
  const BinaryProblem problem = hidden_direction();
  const double hdda = select_hyperparameters(problem, KernelFamily::hdda).value;
  const double pca = select_hyperparameters(problem, KernelFamily::pca).value;
  const double gaussian = select_hyperparameters(problem, KernelFamily::gaussian).value;
  CHECK(hdda <= std::min(pca, gaussian) * (1 + 1e-9));
}

TEST_CASE("select: labels without any structure end on the plateau, and it says so") {
  const Matrix x = Random(2).normal_matrix(40, 3);
  Vector labels(40);
  for (Index i = 0; i < 40; ++i) {
    labels(i) = Random(3, static_cast<std::uint64_t>(i)).uniform() < 0.5 ? 1 : -1;
  }
  const BinaryProblem problem = binary_problem(x, labels, {DimensionMethod::fixed, 1});
  const Selection selection = select_hyperparameters(problem, KernelFamily::gaussian);
  CHECK(selection.value > 0.95 * 39);
  CHECK(selection.trivial == is_trivial(selection.value, (labels.array() > 0).count(), 40));
}

TEST_CASE("select: a class without variance gets the Gaussian kernel") {
  toy::TwoClasses toy = toy::two_classes(30, 3, 0.0, 5);
  for (Index i = 0; i < 30; i += 2) {
    toy.spectra.row(i).setConstant(4.0);
  }
  const BinaryProblem problem = binary_problem(toy.spectra, toy.labels, {});
  REQUIRE(problem.projections.cols() == 0);
  const Selection selection = select_hyperparameters(problem, KernelFamily::hdda);
  CHECK(selection.parameters.weights.directional.size() == 0);
  CHECK(selection.parameters.weights.isotropic > 0);
}

TEST_CASE("select: the radius-margin bounds of the paper's data" * doctest::test_suite("paper")) {
  const auto folder = toy::data_folder();
  if (!folder) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  using enum KernelFamily;
  std::vector<PaperRow> rows = {{"arcene", 10000, 0.2, gaussian, 1, 79.41}, {"arcene", 10000, 0.2, gaussian, -1, 79.41},
                                {"arcene", 10000, 0.2, hdda, 1, 79.10},     {"arcene", 10000, 0.2, hdda, -1, 79.41},
                                {"arcene", 10000, 0.001, pca, 1, 59.09},    {"arcene", 10000, 0.001, pca, -1, 49.91},
                                {"arcene", 10000, 0.001, hdda, 1, 59.09},   {"arcene", 10000, 0.001, hdda, -1, 49.91}};
#ifndef PARSIMAP_SANITIZED
  // Madelon's 2000 samples take too long under the sanitizers.
  const std::vector<PaperRow> madelon = {
      {"madelon", 500, 0.2, gaussian, 1, 1789.5}, {"madelon", 500, 0.2, gaussian, -1, 1789.5},
      {"madelon", 500, 0.2, pca, 1, 1411.0},      {"madelon", 500, 0.2, pca, -1, 1356.3},
      {"madelon", 500, 0.2, hdda, 1, 1369.2},     {"madelon", 500, 0.2, hdda, -1, 1318.0}};
  rows.insert(rows.end(), madelon.begin(), madelon.end());
#endif
  std::vector<double> found(rows.size());
  parallel_for(static_cast<Index>(rows.size()), 2, [&](Index i) {
    const PaperRow& row = rows[static_cast<std::size_t>(i)];
    const BinaryProblem problem = paper_problem(*folder, row.name, row.bands, row.sign, row.threshold);
    found[static_cast<std::size_t>(i)] = select_hyperparameters(problem, row.family).value;
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO(rows[i].name, " ", to_string(rows[i].family), " ", rows[i].sign, " s=", rows[i].threshold);
    CHECK(found[i] <= rows[i].bound * 1.005);
    CHECK(found[i] > rows[i].bound * 0.97);
  }
}

TEST_CASE("binary problem: a subset has the kernel matrix of its samples") {
  const BinaryProblem problem = ten_samples();
  const Indices rows = {7, 0, 3};
  const BinaryProblem part = subset(problem, rows);
  const KernelWeights weights{Vector::Constant(2, 0.4), 0.3};
  const Matrix all = family_geometry(problem, KernelFamily::hdda).gram(weights);
  CHECK((family_geometry(part, KernelFamily::hdda).gram(weights) - all(rows, rows)).norm() < 1e-12);
  CHECK(part.labels == problem.labels(rows));
  CHECK(part.noise_variance == 0.5);
}

TEST_CASE("binary problem: each family uses its own part of the samples") {
  const BinaryProblem problem = ten_samples();
  CHECK(family_geometry(problem, KernelFamily::hdda).directions() == 2);
  CHECK(family_geometry(problem, KernelFamily::hdda).has_isotropic());
  CHECK(family_geometry(problem, KernelFamily::gaussian).directions() == 0);
  CHECK_FALSE(family_geometry(problem, KernelFamily::pca).has_isotropic());
}

}  // namespace parsimap::test
