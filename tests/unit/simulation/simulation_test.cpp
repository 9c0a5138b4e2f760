#include "parsimap/simulation/simulation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "parsimap/core/error.hpp"
#include "parsimap/simulation/simulated_layout.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

namespace parsimap::test {

namespace {

SimulationSpec small_spec() {
  SimulationSpec spec;
  spec.width = 50;
  spec.height = 40;
  spec.bands = 20;
  spec.layout.sites = 9;
  spec.classes.resize(3);
  spec.classes[0].name = "soil";
  spec.classes[1].name = "water";
  spec.classes[2].name = "forest";
  spec.classes[2].colour = Colour{0, 100, 0};
  return spec;
}

Spectra spectra_of(const SimulationSpec& spec, const Window& window) {
  Spectra values;
  Simulation(spec).spectra(window, values);
  return values;
}

const Window kWholeScene = {0, 0, 50, 40};

}  // namespace

TEST_CASE("a simulated scene has the grid, bands and classes of its specification") {
  SimulationSpec spec = small_spec();
  spec.origin = {100, 200};
  spec.pixel_size = 0.5;
  const Simulation simulation(spec, "WKT");
  CHECK(simulation.grid().width == 50);
  CHECK(simulation.grid().height == 40);
  CHECK(*simulation.grid().geotransform == std::array<double, 6>{100, 0.5, 0, 200, 0, -0.5});
  CHECK(simulation.grid().crs == "WKT");
  CHECK(simulation.bands().size() == 20);
  CHECK(*simulation.bands().front().wavelength == 400);
  CHECK(*simulation.bands().back().wavelength == 2500);
  CHECK(simulation.bands().front().name == "400.0 nm");
  CHECK(simulation.class_table() == ClassTable{{1, "soil", {}}, {2, "water", {}}, {3, "forest", Colour{0, 100, 0}}});
}

TEST_CASE("a pixel's values do not depend on the window") {
  SimulationSpec spec = small_spec();
  spec.snr = 100;
  for (const Index reach : {Index{0}, Index{2}}) {
    spec.mixing = {0.5, 1, reach};
    const Spectra all = spectra_of(spec, kWholeScene);
    for (const Window& window : {Window{7, 3, 20, 30}, Window{49, 39, 1, 1}, Window{0, 10, 50, 1}}) {
      const Spectra part = spectra_of(spec, window);
      for (Index i = 0; i < window.pixels(); ++i) {
        REQUIRE(part.row(i) == all.row((window.row + i / window.width) * 50 + window.column + i % window.width));
      }
    }
    CHECK((all.row(0) - all.row(1)).norm() > 0);
  }
}

TEST_CASE("the same seed gives the same scene, another one another") {
  SimulationSpec spec = small_spec();
  const Spectra first = spectra_of(spec, kWholeScene);
  CHECK(spectra_of(spec, kWholeScene) == first);
  spec.seed = 2;
  CHECK(spectra_of(spec, kWholeScene) != first);
}

TEST_CASE("values are whole numbers in the range of 16 bits") {
  SimulationSpec spec = small_spec();
  spec.scale = 150000;
  const Spectra values = spectra_of(spec, kWholeScene);
  CHECK(values.minCoeff() >= 0);
  CHECK(values.maxCoeff() == 65535);
  CHECK(values.unaryExpr([](float value) { return std::floor(value); }).eval() == values);
}

TEST_CASE("stored values are the reflectance, rounded and clamped") {
  SimulationSpec spec = small_spec();
  spec.snr = 1;
  const Window window{7, 3, 20, 30};
  const Matrix reflectance = Simulation(spec).reflectance(window);
  CHECK(reflectance.minCoeff() < 0);
  const Matrix stored = (10000 * reflectance.array()).unaryExpr([](double value) { return std::round(value); }).max(0);
  CHECK(spectra_of(spec, window).cast<double>() == stored);
}

TEST_CASE("pure pixels are spread around the mean of their class, with the variance of model and noise") {
  SimulationSpec spec = small_spec();
  spec.epsilon = 0.02;
  const Simulation simulation(spec);
  const Spectra values = spectra_of(spec, kWholeScene);
  std::vector<std::uint16_t> codes;
  simulation.reference(kWholeScene, codes);
  for (std::size_t c = 0; c < 3; ++c) {
    const SimulatedClass& model = simulation.classes()[c];
    double squares = 0;
    Vector sum = Vector::Zero(20);
    double count = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (codes[i] == c + 1) {
        const Vector offset = values.row(static_cast<Index>(i)).transpose().cast<double>() / 10000 - model.mean;
        sum += offset;
        squares += offset.squaredNorm();
        count += 1;
      }
    }
    REQUIRE(count > 100);
    const double variance = model.variances.sum() + 15 * model.noise_variance + 20 * 0.02 * 0.02;
    CHECK(squares / count == doctest::Approx(variance).epsilon(5 * std::sqrt(2 / count)));
    CHECK((sum / count).squaredNorm() < 5 * variance / count);
  }
}

TEST_CASE("the signal to noise ratio sets the noise") {
  SimulationSpec spec = small_spec();
  spec.snr = 25;
  spec.classes[0].weight = 2;
  const Simulation simulation(spec);
  const double power = (2 * simulation.classes()[0].mean.squaredNorm() + simulation.classes()[1].mean.squaredNorm() +
                        simulation.classes()[2].mean.squaredNorm()) /
                       4 / 20;
  CHECK(simulation.epsilon() == doctest::Approx(std::sqrt(power / 25)));
  spec.snr.reset();
  CHECK(Simulation(spec).epsilon() == 0);
}

TEST_CASE("mixing within reach changes pixels near to other classes only") {
  SimulationSpec spec = small_spec();
  spec.layout.kind = "map";
  for (Index pixel = 0; pixel < 50 * 40; ++pixel) {
    spec.layout.map.push_back(pixel % 50 < 25 ? 1 : 2);
  }
  for (SimulatedClassSpec& entry : spec.classes) {
    entry.largest_variance = 1e-10;
    entry.noise_variance = 0;
  }
  spec.mixing = {1, 1, 3};
  const Simulation simulation(spec);
  const Spectra values = spectra_of(spec, kWholeScene);
  const Vector first = simulation.classes()[0].mean * 10000;
  const Vector second = simulation.classes()[1].mean * 10000;
  for (Index pixel = 0; pixel < 50 * 40; ++pixel) {
    const Index column = pixel % 50;
    const Vector own = column < 25 ? first : second;
    const Vector other = column < 25 ? second : first;
    const Vector spectrum = values.row(pixel).transpose().cast<double>();
    const double share = (spectrum - own).dot(other - own) / (other - own).squaredNorm();
    CHECK((spectrum - own - share * (other - own)).cwiseAbs().maxCoeff() < 2);
    CHECK(share < 0.51);
    if (column < 22 || column >= 28) {
      CHECK(std::abs(share) < 0.01);
    }
  }
}

TEST_CASE("pixels without class are mixtures and have no reference") {
  SimulationSpec spec = small_spec();
  spec.layout.kind = "map";
  spec.layout.map.assign(50 * 40, 0);
  const Simulation simulation(spec);
  std::vector<std::uint16_t> codes;
  simulation.reference(kWholeScene, codes);
  CHECK(codes == std::vector<std::uint16_t>(2000, 0));
  const Vector mean = spectra_of(spec, kWholeScene).cast<double>().colwise().mean().transpose() / 10000;
  const Vector expected =
      (simulation.classes()[0].mean + simulation.classes()[1].mean + simulation.classes()[2].mean) / 3;
  CHECK((mean - expected).cwiseAbs().maxCoeff() < 0.01);
}

TEST_CASE("polygons of the simulation are those of its layout and grid") {
  const SimulationSpec spec = small_spec();
  const Simulation simulation(spec);
  const std::vector<SimulatedPolygon> polygons = simulation.polygons();
  const std::vector<SimulatedPolygon> expected = place_polygons(spec, SimulatedLayout(spec), simulation.grid());
  REQUIRE(polygons.size() == expected.size());
  CHECK(polygons.front().ring == expected.front().ring);
}

TEST_CASE("the simulation is a scene source") {
  const SimulationSpec spec = small_spec();
  const Simulation simulation(spec);
  SimulatedScene scene(simulation);
  Spectra values;
  scene.read({10, 5, 4, 3}, {7, 2}, values);
  const Spectra all = spectra_of(spec, {10, 5, 4, 3});
  CHECK(values.col(0) == all.col(7));
  CHECK(values.col(1) == all.col(2));
  CHECK(scene.name() == "simulated scene");
  CHECK(scene.block_width() == 50);
  CHECK_FALSE(scene.known_empty(kWholeScene));
}

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

namespace {

SimulationSpec valid_spec() {
  SimulationSpec spec;
  spec.width = 20;
  spec.height = 10;
  spec.bands = 30;
  spec.classes.resize(2);
  spec.classes[0].name = "wheat";
  spec.classes[1].name = "maize";
  return spec;
}

// The sentence that a change to a valid specification is refused with.
std::string refusal(const std::function<void(SimulationSpec&)>& change) {
  SimulationSpec spec = valid_spec();
  change(spec);
  try {
    check_simulation(spec);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a specification of required fields alone is valid") {
  CHECK_NOTHROW(check_simulation(valid_spec()));
  CHECK(refusal([](SimulationSpec&) {}) == "accepted");
}

TEST_CASE("a refusal names the field by its JSON pointer, the value and the rule") {
  CHECK(refusal([](SimulationSpec& spec) { spec.classes[1].dimension = 40; }) ==
        "/classes/1/dimension is 40; it must be smaller than bands (30)");
  CHECK(refusal([](SimulationSpec& spec) { spec.classes[1].name = "wheat"; }) ==
        "/classes/1/name is \"wheat\"; it must be different from the other classes' names");
}

TEST_CASE("rules between fields") {
  using Change = std::function<void(SimulationSpec&)>;
  const std::vector<std::pair<std::string, Change>> changes = {
      {"/last_wavelength", [](SimulationSpec& spec) { spec.last_wavelength = 400; }},
      {"/classes/0/largest_variance", [](SimulationSpec& spec) { spec.classes[0].largest_variance = 1e-6; }},
      {"/classes/0/variances",
       [](SimulationSpec& spec) {
         spec.classes[0].variances = {1, 2};
       }},
      {"/classes/0/variances/4",
       [](SimulationSpec& spec) {
         spec.classes[0].variances = {1, 1, 1, 1, 0};
       }},
      {"/classes/1/mean", [](SimulationSpec& spec) { spec.classes[1].mean = {0.5}; }},
      {"/layout", [](SimulationSpec& spec) { spec.layout.sites = 1; }},
      {"/layout/map", [](SimulationSpec& spec) { spec.layout.kind = "map"; }},
      {"/polygons/largest_radius", [](SimulationSpec& spec) { spec.polygons.largest_radius = 1; }},
  };
  for (const auto& wrong : changes) {
    CAPTURE(wrong.first);
    CHECK(refusal(wrong.second).rfind(wrong.first + " is ", 0) == 0);
  }
  CHECK(refusal([](SimulationSpec& spec) {
          spec.snr = 10;
          spec.epsilon = 0.1;
        }).rfind("/epsilon", 0) == 0);
  CHECK(refusal([](SimulationSpec& spec) {
          spec.layout.kind = "stripes";
          spec.layout.stripe_width = 20;
        }) == "/layout is of 1 regions; it must be of at least as many as classes (2)");
  CHECK(refusal([](SimulationSpec& spec) {
          spec.layout.kind = "map";
          spec.layout.map.assign(200, 2);
          spec.layout.map[7] = 3;
        }) == "/layout/map/7 is 3; it must be at most the number of classes (2)");
}

}  // namespace parsimap::test
