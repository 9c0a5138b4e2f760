#include "parsimap/simulation/simulation.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"

using namespace parsimap;

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
  spec.classes.clear();
  CHECK_THROWS_AS(Simulation{spec}, ConfigError);
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
