#include "parsimap/selection/select.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/selection/leave_one_out.hpp"
#include "parsimap/selection/radius_margin.hpp"

#include "support/data_folder.hpp"
#include "support/text_tables.hpp"
#include "support/toy_problems.hpp"

using namespace parsimap;

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

// The data of method.md section 4.
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

}  // namespace

TEST_CASE("select: what is returned is the criterion at the parameters returned, for both criteria") {
  const BinaryProblem problem = hidden_direction();
  const TrainingGeometry geometry(problem.projections, problem.distances);
  const Selection margin = select_hyperparameters(problem, KernelFamily::hdda, CriterionKind::radius_margin);
  CHECK(RadiusMargin(geometry, problem.labels).evaluate(margin.parameters, false).value ==
        doctest::Approx(margin.value).epsilon(1e-8));
  const Selection left_out = select_hyperparameters(problem, KernelFamily::hdda, CriterionKind::leave_one_out);
  CHECK(LeaveOneOut(geometry, problem.labels).evaluate(left_out.parameters, false).value ==
        doctest::Approx(left_out.value).epsilon(1e-8));
  CHECK(left_out.evaluations > static_cast<Index>(left_out.trace.size()));
  CHECK_FALSE(margin.trivial);
}

TEST_CASE("select: the bound of the HDDA kernel is never above those of its limits") {
  const BinaryProblem problem = hidden_direction();
  const double hdda = select_hyperparameters(problem, KernelFamily::hdda, CriterionKind::radius_margin).value;
  const double pca = select_hyperparameters(problem, KernelFamily::pca, CriterionKind::radius_margin).value;
  const double gaussian = select_hyperparameters(problem, KernelFamily::gaussian, CriterionKind::radius_margin).value;
  CHECK(hdda <= std::min(pca, gaussian) * (1 + 1e-9));
}

TEST_CASE("select: labels without any structure end on the plateau, and it says so") {
  const Matrix x = Random(2).normal_matrix(40, 3);
  Vector labels(40);
  for (Index i = 0; i < 40; ++i) {
    labels(i) = Random(3, static_cast<std::uint64_t>(i)).uniform() < 0.5 ? 1 : -1;
  }
  const BinaryProblem problem = binary_problem(x, labels, {DimensionMethod::fixed, 1});
  const Selection selection = select_hyperparameters(problem, KernelFamily::gaussian, CriterionKind::radius_margin);
  CHECK(selection.value > 0.95 * 39);
  CHECK(selection.trivial == (selection.value > 0.999 * 39));
}

TEST_CASE("select: a class without variance gets the Gaussian kernel") {
  toy::TwoClasses toy = toy::two_classes(30, 3, 0.0, 5);
  for (Index i = 0; i < 30; i += 2) {
    toy.spectra.row(i).setConstant(4.0);
  }
  const BinaryProblem problem = binary_problem(toy.spectra, toy.labels, {});
  REQUIRE(problem.projections.cols() == 0);
  const Selection selection = select_hyperparameters(problem, KernelFamily::hdda, CriterionKind::leave_one_out);
  CHECK(selection.parameters.weights.directional.size() == 0);
  CHECK(selection.parameters.weights.isotropic > 0);
}

TEST_CASE("select: with folds, weights keep off directions that are noise of few samples") {
  // Two classes of round noise that differ in their means: no direction of the class means anything.
  toy::TwoClasses toy = toy::two_classes(80, 60, 0.5, 21);
  BinaryProblem problem = binary_problem(toy.spectra, toy.labels, {DimensionMethod::fixed, 10});
  const auto largest_ratio = [](const BinaryProblem& of) {
    const KernelWeights weights =
        select_hyperparameters(of, KernelFamily::hdda, CriterionKind::leave_one_out).parameters.weights;
    return weights.directional.maxCoeff() / weights.isotropic;
  };
  const double deceived = largest_ratio(problem);
  problem.folds = projection_folds(toy.spectra, toy.labels, toy::all_rows(80), 10);
  const double honest = largest_ratio(problem);
  INFO("without folds ", deceived, ", with folds ", honest);
  CHECK(deceived > 3);
  CHECK(honest < 1);
}

TEST_CASE("select: the radius-margin bounds of the paper's data") {
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
#ifndef __SANITIZE_ADDRESS__
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
    found[static_cast<std::size_t>(i)] =
        select_hyperparameters(problem, row.family, CriterionKind::radius_margin).value;
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO(rows[i].name, " ", to_string(rows[i].family), " ", rows[i].sign, " s=", rows[i].threshold);
    CHECK(found[i] <= rows[i].bound * 1.005);
    CHECK(found[i] > rows[i].bound * 0.97);
  }
}
