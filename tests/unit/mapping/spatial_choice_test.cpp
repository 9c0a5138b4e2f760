#include "mapping/spatial_choice.hpp"

#include <doctest/doctest.h>

namespace parsimap::test {
namespace {

const std::vector<SpatialSteps> kAll = {{false, false}, {true, false}, {false, true}, {true, true}};

// 100 samples in 20 units, of which each column has so many right, in every unit the same.
SpatialTrials even_trials(const std::vector<Index>& right_of_five) {
  SpatialTrials trials{kAll, Matrix::Zero(100, 4), {}};
  for (Index i = 0; i < 100; ++i) {
    trials.units.push_back(i / 5);
    for (Index k = 0; k < 4; ++k) {
      trials.right(i, k) = i % 5 < right_of_five[static_cast<std::size_t>(k)] ? 1 : 0;
    }
  }
  return trials;
}

}  // namespace

TEST_CASE("steps that gain are kept one after the other") {
  const SpatialRecord record = choose_spatial_steps(even_trials({2, 4, 3, 5}));
  CHECK(record.steps == SpatialSteps{true, true});
  CHECK(record.samples == 100);
  CHECK(record.units == 20);
  REQUIRE(record.scores.size() == 4);
  CHECK(record.scores[0].accuracy == doctest::Approx(0.4));
  CHECK(record.scores[1].gain == doctest::Approx(0.4));
  CHECK(record.scores[3].over == SpatialSteps{true, false});
  CHECK(record.scores[3].gain == doctest::Approx(0.2));
}

TEST_CASE("a step on top that gains nothing is left out") {
  CHECK(choose_spatial_steps(even_trials({2, 3, 4, 4})).steps == SpatialSteps{false, true});
}

TEST_CASE("steps that lose are left out, and what would be on top of them is not compared") {
  const SpatialRecord record = choose_spatial_steps(even_trials({4, 3, 2, 5}));
  CHECK(record.steps == SpatialSteps{false, false});
  CHECK(record.scores.size() == 3);
}

TEST_CASE("a gain in a single unit is no gain") {
  SpatialTrials trials = even_trials({3, 3, 3, 3});
  trials.right.col(2).head(5).setOnes();
  const SpatialRecord record = choose_spatial_steps(trials);
  CHECK(record.scores[2].gain == doctest::Approx(0.02));
  CHECK(record.scores[2].gain_error >= record.scores[2].gain * 0.999);
  CHECK(record.steps == SpatialSteps{false, false});
}

TEST_CASE("profiles that are used in any case are what neighbours are compared with") {
  SpatialTrials trials = even_trials({2, 3, 4, 5});
  trials.steps = {{true, false}, {true, true}};
  trials.right = trials.right(Eigen::all, std::vector<Index>{1, 3}).eval();
  const SpatialRecord record = choose_spatial_steps(trials);
  CHECK(record.steps == SpatialSteps{true, true});
  CHECK(record.scores.size() == 2);
}

}  // namespace parsimap::test
