#include "parsimap/spatial/spatial_judgement.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "parsimap/classifier/train.hpp"
#include "parsimap/core/random.hpp"

#include "support/memory_scene.hpp"

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
    samples.places.push_back({i, k, {k}});
  }
  return samples;
}

const Indices kAllBands = {0, 1, 2, 3, 4, 5, 6, 7};
const Regularisation kRule = {RegularisationMethod::neighbours, 1, 2};

SpatialJudgement judgement_of(Index field, Index count, int threads = 1) {
  const Spectra values = noisy_fields(field);
  MemoryScene scene = square_scene(values);
  const SampleSet samples = drawn_pixels(values, field, count);
  const Model model = train_one_vs_all(samples, {}, {});
  SpatialJudgementOptions options;
  options.threads = threads;
  return judge_spatial_steps(scene, kAllBands, samples, {model}, {kRule}, options);
}

SpatialRecord judged(Index field, Index count, int threads = 1) { return judgement_of(field, count, threads).record; }

}  // namespace

TEST_CASE("neighbours are kept where fields are large") {
  const SpatialRecord record = judged(24, 200);
  CHECK(record.steps == SpatialSteps{false, true});
  CHECK(record.samples == 200);
  CHECK(record.units == 200);
  REQUIRE(record.scores.size() == 2);
  CHECK(record.scores[1].gain > 0.05);
  CHECK(record.rule == to_string(kRule));
  CHECK(record.exponent > 0);
}

TEST_CASE("the accuracy of neighbours that are kept is that of the left-out samples with them") {
  const SpatialJudgement judgement = judgement_of(24, 200);
  REQUIRE(judgement.left_out);
  const LeftOutScores& left_out = *judgement.left_out;
  CHECK(left_out.neighbours);
  CHECK(left_out.samples == 200);
  CHECK(left_out.units == 200);
  REQUIRE(left_out.confusion);
  CHECK(left_out.confusion->sum() == 200);
  CHECK(left_out.records.size() == 200);
  // All samples were drawn, so that each counts once.
  CHECK(left_out.accuracy == doctest::Approx(judgement.record.scores[1].accuracy));
  CHECK(left_out.accuracy == doctest::Approx(static_cast<double>(left_out.confusion->trace()) / 200));
}

TEST_CASE("neighbours are left out where they tell nothing") {
  CHECK_FALSE(judgement_of(1, 200).left_out);
  const SpatialRecord record = judged(1, 200);
  CHECK(record.steps == SpatialSteps{});
  REQUIRE(record.scores.size() == 2);
  CHECK(record.scores[1].gain < 0);
}

TEST_CASE("the judgement does not depend on threads") {
  const SpatialRecord one = judged(12, 120, 1);
  const SpatialRecord three = judged(12, 120, 3);
  REQUIRE(one.scores.size() == three.scores.size());
  for (std::size_t k = 0; k < one.scores.size(); ++k) {
    CHECK(one.scores[k].accuracy == three.scores[k].accuracy);
    CHECK(one.scores[k].gain_error == three.scores[k].gain_error);
  }
}

TEST_CASE("where nothing can be judged the simplest steps stay, and the record has the reason") {
  const SpatialRecord record = judged(24, 9);
  CHECK(record.steps == SpatialSteps{});
  CHECK(record.scores.empty());
  CHECK(record.reason == "the training pixels can be left out in 9 parts, and fewer than 10 show too little");
}

TEST_CASE("a fold that leaves a single class to train on is not tested") {
  const Spectra values = noisy_fields(24);
  MemoryScene scene = square_scene(values);
  SampleSet samples = drawn_pixels(values, 24, 120);
  const Model model = train_one_vs_all(samples, {}, {});
  // The second class is one unit: without it only the first is left.
  for (std::size_t i = 0; i < samples.places.size(); ++i) {
    SampleUnit& unit = samples.places[i].unit;
    unit.number = samples.labels[i] == 1 ? 1000 : unit.number;
  }
  const SpatialRecord record = judge_spatial_steps(scene, kAllBands, samples, {model}, {kRule}, {}).record;
  CHECK(record.samples > 0);
  CHECK(record.samples <= std::count(samples.labels.begin(), samples.labels.end(), 0));
  CHECK(std::isfinite(record.scores.back().risk_gain));
}

namespace {

const std::vector<SpatialSteps> kAll = {{false, false}, {true, false}, {false, true}, {true, true}};

// 100 samples in 20 units, of which each column has so many right, in every unit the same.
SpatialTrials even_trials(const std::vector<Index>& right_of_five) {
  SpatialTrials trials{kAll, Matrix::Zero(100, 4), {}, {}};
  for (Index i = 0; i < 100; ++i) {
    trials.units.push_back({i / 5});
    for (Index k = 0; k < 4; ++k) {
      trials.right(i, k) = i % 5 < right_of_five[static_cast<std::size_t>(k)] ? 1 : 0;
    }
  }
  trials.risks = 1 - trials.right.array();
  return trials;
}

}  // namespace

TEST_CASE("steps that gain most are kept, two at once as well") {
  const SpatialRecord record = choose_spatial_steps(even_trials({2, 4, 3, 5}));
  CHECK(record.steps == SpatialSteps{true, true});
  CHECK(record.samples == 100);
  CHECK(record.units == 20);
  REQUIRE(record.scores.size() == 4);
  CHECK(record.scores[0].accuracy == doctest::Approx(0.4));
  CHECK(record.scores[1].gain == doctest::Approx(0.4));
  CHECK(record.scores[3].over == SpatialSteps{false, false});
  CHECK(record.scores[3].gain == doctest::Approx(0.6));
}

TEST_CASE("a step on top that gains nothing is left out") {
  CHECK(choose_spatial_steps(even_trials({2, 3, 4, 4})).steps == SpatialSteps{false, true});
}

TEST_CASE("steps that lose are left out, unless they gain together") {
  CHECK(choose_spatial_steps(even_trials({4, 3, 2, 4})).steps == SpatialSteps{false, false});
  CHECK(choose_spatial_steps(even_trials({4, 3, 2, 5})).steps == SpatialSteps{true, true});
}

TEST_CASE("a gain in a single unit is no gain") {
  SpatialTrials trials = even_trials({3, 3, 3, 3});
  trials.right.col(2).head(5).setOnes();
  trials.risks = 1 - trials.right.array();
  const SpatialRecord record = choose_spatial_steps(trials);
  CHECK(record.scores[2].gain == doctest::Approx(0.02));
  CHECK(record.scores[2].gain_error >= record.scores[2].gain * 0.999);
  CHECK(record.steps == SpatialSteps{false, false});
}

TEST_CASE("where all samples are right, surer probabilities still are a gain") {
  SpatialTrials trials = even_trials({5, 5, 5, 5});
  trials.risks.col(2).setConstant(-0.1);
  const SpatialRecord record = choose_spatial_steps(trials);
  CHECK(record.steps == SpatialSteps{false, true});
  CHECK(record.scores[2].gain == 0);
  CHECK(record.scores[2].risk_gain == doctest::Approx(0.1));
}

TEST_CASE("profiles that are used in any case are what neighbours are compared with") {
  SpatialTrials trials = even_trials({2, 3, 4, 5});
  trials.steps = {{true, false}, {true, true}};
  trials.right = trials.right(Eigen::all, std::vector<Index>{1, 3}).eval();
  trials.risks = 1 - trials.right.array();
  const SpatialRecord record = choose_spatial_steps(trials);
  CHECK(record.steps == SpatialSteps{true, true});
  CHECK(record.scores.size() == 2);
}

}  // namespace parsimap::test
