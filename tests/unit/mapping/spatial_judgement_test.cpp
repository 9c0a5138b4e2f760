#include "parsimap/mapping/spatial_judgement.hpp"

#include <doctest/doctest.h>

#include "parsimap/classifier/train.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/scene/memory_scene.hpp"

namespace parsimap::test {
namespace {

constexpr Index kSquareSide = 96;
constexpr Index kSquareBands = 8;

// Two classes whose spectra overlap, in fields of `field` x `field` pixels.
Spectra noisy_fields(Index field) {
  Spectra values = Random(4).normal_matrix(kSquareSide * kSquareSide, kSquareBands).cast<float>();
  for (Index i = 0; i < values.rows(); ++i) {
    const bool second = (i / kSquareSide / field + i % kSquareSide / field) % 2 == 1;
    values.row(i).head(4).array() += second ? 1.0F : 0.0F;
  }
  return values;
}

MemoryScene square_scene(const Spectra& values) {
  return {"memory", {kSquareSide, kSquareSide, std::nullopt, ""}, BandTable(kSquareBands), values};
}

// Some pixels of the scene, drawn at random, each a region of its own.
SampleSet drawn_pixels(const Spectra& values, Index field, Index count) {
  SampleSet samples;
  samples.classes = {{1, "first", {}}, {2, "second", {}}};
  samples.spectra.resize(count, kSquareBands);
  Indices order = Random(5).permutation(values.rows());
  order.resize(static_cast<std::size_t>(count));
  std::sort(order.begin(), order.end());
  for (Index k = 0; k < count; ++k) {
    const Index i = order[static_cast<std::size_t>(k)];
    samples.spectra.row(k) = values.row(i).cast<double>();
    samples.labels.push_back((i / kSquareSide / field + i % kSquareSide / field) % 2 == 1 ? 1 : 0);
    samples.pixels.push_back(i);
    samples.regions.push_back(k);
    samples.groups.push_back(k);
  }
  return samples;
}

const Indices kAllBands = {0, 1, 2, 3, 4, 5, 6, 7};
const Regularisation kRule = {RegularisationMethod::neighbours, 1, 2};

SpatialRecord judged(Index field, Index count, double buffer, int threads = 1) {
  const Spectra values = noisy_fields(field);
  MemoryScene scene = square_scene(values);
  const SampleSet samples = drawn_pixels(values, field, count);
  const Model model = train_one_vs_all(samples, {}, {});
  SpatialJudgementOptions options;
  options.least_distance = buffer;
  options.threads = threads;
  return judge_spatial_steps(scene, kAllBands, samples, {{&model, {kRule}}}, options);
}

}  // namespace

TEST_CASE("neighbours are kept where fields are large") {
  const SpatialRecord record = judged(24, 200, 4);
  CHECK(record.steps == SpatialSteps{false, true});
  CHECK(record.samples > 130);
  CHECK(record.units == 10);
  CHECK(record.buffer == 4);
  REQUIRE(record.scores.size() == 2);
  CHECK(record.scores[1].gain > 0.05);
}

TEST_CASE("neighbours are left out where they tell nothing") {
  const SpatialRecord record = judged(1, 200, 4);
  CHECK(record.steps == SpatialSteps{});
  REQUIRE(record.scores.size() == 2);
  CHECK(record.scores[1].gain < 0);
}

TEST_CASE("the judgement does not depend on threads") {
  const SpatialRecord one = judged(12, 120, 4, 1);
  const SpatialRecord three = judged(12, 120, 4, 3);
  REQUIRE(one.scores.size() == three.scores.size());
  for (std::size_t k = 0; k < one.scores.size(); ++k) {
    CHECK(one.scores[k].accuracy == three.scores[k].accuracy);
    CHECK(one.scores[k].gain_error == three.scores[k].gain_error);
  }
}

TEST_CASE("where nothing can be judged the simplest steps stay, and the reason is told") {
  const SpatialRecord record = judged(24, 200, 90);
  CHECK(record.steps == SpatialSteps{});
  CHECK(record.scores.empty());
  CHECK(record.reason == "too few training pixels lie far enough from each other");
}

}  // namespace parsimap::test
