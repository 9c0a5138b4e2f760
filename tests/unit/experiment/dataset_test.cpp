#include "parsimap/experiment/dataset.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/simulation/simulation.hpp"

#include "unit/core/temporary_folder.hpp"
#include "unit/experiment/toy_experiment.hpp"

using namespace parsimap;

TEST_CASE("dataset: a simulation is split into training and test samples, each pixel once") {
  const SimulatedData data = toy::small_simulation();
  const Dataset draw = draw_simulation(data, 7);
  REQUIRE(draw.tests.size() == 1);
  CHECK(draw.tests[0].name == "test");
  CHECK(draw.train.size() == 90);
  CHECK(draw.tests[0].samples.size() == 510);
  CHECK(draw.wavelengths.size() == 8);
  CHECK(draw.wavelengths.back() == 2500);
  std::vector<std::int64_t> pixels = draw.train.pixels;
  CHECK(std::is_sorted(pixels.begin(), pixels.end()));
  pixels.insert(pixels.end(), draw.tests[0].samples.pixels.begin(), draw.tests[0].samples.pixels.end());
  std::sort(pixels.begin(), pixels.end());
  std::vector<std::int64_t> all(600);
  std::iota(all.begin(), all.end(), 0);
  CHECK(pixels == all);
}

TEST_CASE("dataset: samples of a simulation are the reflectances and labels of its pixels") {
  SimulatedData data = toy::small_simulation();
  const Dataset draw = draw_simulation(data, 7);
  data.scene.seed = 7;
  const Simulation simulation(data.scene);
  const Matrix reflectance = simulation.reflectance({0, 0, 30, 20});
  std::vector<std::uint16_t> codes;
  simulation.reference({0, 0, 30, 20}, codes);
  CHECK(draw.train.classes == simulation.class_table());
  for (Index i = 0; i < draw.train.size(); ++i) {
    const std::int64_t pixel = draw.train.pixels[static_cast<std::size_t>(i)];
    REQUIRE(draw.train.spectra.row(i) == reflectance.row(pixel));
    REQUIRE(draw.train.labels[static_cast<std::size_t>(i)] == codes[static_cast<std::size_t>(pixel)] - 1);
  }
  // Noise as strong as the signal is not cut off at 0.
  CHECK(draw.train.spectra.minCoeff() < -0.1);
}

TEST_CASE("dataset: the seed decides on scene and split, whatever the seed of the specification") {
  SimulatedData data = toy::small_simulation();
  const Dataset first = draw_simulation(data, 7);
  data.scene.seed = 99;
  CHECK(draw_simulation(data, 7).train.spectra == first.train.spectra);
  const Dataset other = draw_simulation(data, 8);
  CHECK(other.train.pixels != first.train.pixels);
  CHECK(other.train.spectra != first.train.spectra);
}

TEST_CASE("dataset: a split keeps so many of every class and tests on the others") {
  const Dataset dataset = toy::three_class_dataset();
  const Dataset split = split_training(dataset, 6, 3);
  CHECK(class_counts(split.train) == std::vector<Index>{6, 6, 6});
  REQUIRE(split.tests.size() == 3);
  CHECK(split.tests[0].name == "rest");
  CHECK(split.tests[1].name == "near");
  CHECK(split.tests[2].samples.spectra == dataset.tests[1].samples.spectra);
  CHECK(class_counts(split.tests[0].samples) == std::vector<Index>{14, 14, 14});
  std::set<std::int64_t> pixels(split.train.pixels.begin(), split.train.pixels.end());
  pixels.insert(split.tests[0].samples.pixels.begin(), split.tests[0].samples.pixels.end());
  CHECK(pixels.size() == 60);
  CHECK(split_training(dataset, 6, 3).train.pixels == split.train.pixels);
  CHECK(split_training(dataset, 6, 4).train.pixels != split.train.pixels);
}

TEST_CASE("dataset: a split needs samples of every class to test on") {
  const Dataset dataset = toy::three_class_dataset();
  CHECK(class_counts(split_training(dataset, 19, 3).tests[0].samples) == std::vector<Index>{1, 1, 1});
  CHECK(message_of([&] { split_training(dataset, 20, 3); }) ==
        "class 'a' has 20 training samples; more than train_per_class (20) are needed, since the others are the test "
        "set 'rest'");
}
