#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/simulation/simulation.hpp"

using namespace parsimap;

namespace {

SimulationSpec three_classes_in_bands(Index bands) {
  SimulationSpec spec;
  spec.width = 20;
  spec.height = 10;
  spec.bands = bands;
  spec.classes.resize(3);
  for (std::size_t c = 0; c < 3; ++c) {
    spec.classes[c].name = "class " + std::to_string(c);
    spec.classes[c].dimension = 4;
  }
  return spec;
}

}  // namespace

TEST_CASE("draws have the stated mean and covariance") {
  SimulationSpec spec = three_classes_in_bands(24);
  spec.classes[0].variances = {4, 3, 2, 1};
  spec.classes[0].noise_variance = 0.25;
  for (const char* subspace : {"smooth", "random"}) {
    spec.subspace = subspace;
    const SimulatedClass model = simulated_classes(spec)[0];
    constexpr Index kDraws = 40000;
    Random random(3);
    Matrix draws(kDraws, 24);
    for (Index i = 0; i < kDraws; ++i) {
      draws.row(i) = model.draw(random).transpose();
    }
    const Vector mean = draws.colwise().mean().transpose();
    draws.rowwise() -= mean.transpose();
    const Matrix covariance = draws.transpose() * draws / static_cast<double>(kDraws);
    Matrix expected = 0.25 * Matrix::Identity(24, 24);
    for (Index i = 0; i < 4; ++i) {
      const Vector q = model.directions.col(i);
      expected += (spec.classes[0].variances[static_cast<std::size_t>(i)] - 0.25) * q * q.transpose();
      // The variance of n normal values has standard error sqrt(2 / n), relative; 5 of them.
      CHECK(q.dot(covariance * q) ==
            doctest::Approx(4.0 - static_cast<double>(i)).epsilon(5 * std::sqrt(2.0 / kDraws)));
    }
    CHECK((covariance - expected).cwiseAbs().maxCoeff() < 5 * 4 * std::sqrt(2.0 / kDraws));
    const Matrix noise_part = covariance - model.directions * (model.directions.transpose() * covariance);
    CHECK(noise_part.trace() / 20 == doctest::Approx(0.25).epsilon(5 * std::sqrt(2.0 / (20.0 * kDraws))));
    CHECK((mean - model.mean).cwiseAbs().maxCoeff() < 5 * 2 / std::sqrt(static_cast<double>(kDraws)));
  }
}

TEST_CASE("without noise variance a draw lies in the subspace") {
  SimulationSpec spec = three_classes_in_bands(12);
  spec.classes[1].noise_variance = 0;
  const SimulatedClass model = simulated_classes(spec)[1];
  Random random(1);
  const Vector offset = model.draw(random) - model.mean;
  CHECK((offset - model.directions * (model.directions.transpose() * offset)).norm() < 1e-12);
  CHECK(offset.norm() > 1e-3);
}

TEST_CASE("directions are orthonormal, up to p = d - 1") {
  for (const Index dimension : {Index{1}, Index{7}, Index{29}}) {
    SimulationSpec spec = three_classes_in_bands(30);
    spec.classes[0].dimension = dimension;
    for (const char* subspace : {"smooth", "random"}) {
      spec.subspace = subspace;
      const Matrix q = simulated_classes(spec)[0].directions;
      CHECK(q.cols() == dimension);
      CHECK((q.transpose() * q - Matrix::Identity(dimension, dimension)).cwiseAbs().maxCoeff() < 1e-12);
    }
  }
}

TEST_CASE("smooth directions change slowly along the bands, random ones do not") {
  SimulationSpec spec = three_classes_in_bands(200);
  const auto roughness = [&spec](const char* subspace) {
    spec.subspace = subspace;
    const Matrix q = simulated_classes(spec)[0].directions;
    return (q.bottomRows(199) - q.topRows(199)).squaredNorm() / 4;
  };
  CHECK(roughness("smooth") < 0.02);
  CHECK(roughness("random") > 1.5);
}

TEST_CASE("variances decay geometrically unless they are listed") {
  SimulationSpec spec = three_classes_in_bands(30);
  spec.classes[0].largest_variance = 8;
  spec.classes[0].decay = 0.5;
  spec.classes[1].variances = {5, 4, 3, 2};
  const std::vector<SimulatedClass> classes = simulated_classes(spec);
  CHECK(classes[0].variances == Vector{{8, 4, 2, 1}});
  CHECK(classes[1].variances == Vector{{5, 4, 3, 2}});
}

TEST_CASE("mean spectra are drawn from the seed, kept where given, and moved apart by the separation") {
  SimulationSpec spec = three_classes_in_bands(50);
  const std::vector<SimulatedClass> classes = simulated_classes(spec);
  CHECK(classes[0].mean.minCoeff() > 0);
  CHECK(classes[0].mean.maxCoeff() < 0.6);
  CHECK((classes[0].mean.tail(49) - classes[0].mean.head(49)).cwiseAbs().maxCoeff() < 0.1);
  CHECK((classes[0].mean - classes[1].mean).norm() > 0.05);

  spec.separation = 0.25;
  const std::vector<SimulatedClass> near = simulated_classes(spec);
  CHECK((near[0].mean - near[1].mean).isApprox(0.25 * (classes[0].mean - classes[1].mean)));
  spec.separation = 1;
  spec.seed = 2;
  CHECK((simulated_classes(spec)[0].mean - classes[0].mean).norm() > 0.05);

  spec.classes[1].mean.assign(50, 0.3);
  const std::vector<SimulatedClass> given = simulated_classes(spec);
  CHECK(given[1].mean == Vector::Constant(50, 0.3));
  CHECK(given[0].mean.allFinite());
}

TEST_CASE("mixing proportions lie on the simplex and the label has the largest") {
  Random random(9);
  Vector sum = Vector::Zero(5);
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const Vector alpha = mixing_proportions(5, 2, {0, 4}, 1, random);
    Index largest = 0;
    alpha.maxCoeff(&largest);
    REQUIRE(largest == 2);
    REQUIRE(alpha.minCoeff() >= 0);
    REQUIRE(alpha[1] == 0);
    REQUIRE(alpha[3] == 0);
    REQUIRE(alpha.sum() == doctest::Approx(1));
    sum += alpha;
  }
  // The largest of three uniform spacings is (1 + 1/2 + 1/3) / 3 on average; the others share the rest.
  CHECK(sum[2] / kDraws == doctest::Approx(11.0 / 18).epsilon(0.01));
  CHECK(sum[0] / kDraws == doctest::Approx(7.0 / 36).epsilon(0.03));
}

TEST_CASE("the strength of mixing is the largest share of other classes") {
  Random random(9);
  CHECK(mixing_proportions(3, 1, {0, 2}, 0, random) == Vector{{0, 1, 0}});
  CHECK(mixing_proportions(3, 1, {}, 1, random) == Vector{{0, 1, 0}});
  for (int i = 0; i < 100; ++i) {
    CHECK(mixing_proportions(3, 1, {0, 2}, 0.3, random)[1] >= 0.7 + 0.3 / 3 - 1e-12);
  }
}
