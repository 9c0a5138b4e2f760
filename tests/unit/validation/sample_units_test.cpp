#include "parsimap/validation/sample_units.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "support/places.hpp"

namespace parsimap::test {
namespace {

// Ten units of class 0, four samples each in a row of 40, and one of class 1 far below.
struct Row {
  std::vector<int> labels;
  std::vector<SampleUnit> units;
  Matrix positions{44, 2};

  Row() {
    for (std::int64_t i = 0; i < 44; ++i) {
      labels.push_back(i < 40 ? 0 : 1);
      units.push_back({1 + i / 4});
      positions.row(static_cast<Index>(i)) << 30.0 * static_cast<double>(i % 40), i < 40 ? 0.0 : 900.0;
    }
  }
  [[nodiscard]] TestUnits draw(double share, std::uint64_t seed = 5) const {
    return draw_test_units(labels, 2, units, share, seed, positions);
  }
};

}  // namespace

TEST_CASE("samples for testing are whole units of every class that has several") {
  const Row row;
  const TestUnits drawn = row.draw(0.3);
  CHECK(std::ranges::count(drawn.tested, true) == 12);
  CHECK(drawn.test_units == 3);
  CHECK(drawn.training_units == 8);
  CHECK(drawn.untested == std::vector<int>{1});
  for (std::size_t i = 1; i < row.units.size(); ++i) {
    CHECK((row.units[i] != row.units[i - 1] || drawn.tested[i] == drawn.tested[i - 1]));
  }
  // The same draw with the same seed, and one unit at least.
  CHECK(row.draw(0.3).tested == drawn.tested);
  CHECK(row.draw(0.3, 6).tested != drawn.tested);
  CHECK(row.draw(0.001).test_units == 1);
  CHECK(row.draw(0.999).test_units == 9);
}

TEST_CASE("distances are those of the double loop from every tested sample") {
  const Row row;
  const TestUnits drawn = row.draw(0.5);
  std::vector<double> distances;
  for (Index i = 0; i < 44; ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < 44; ++k) {
      if (!drawn.tested[static_cast<std::size_t>(k)]) {
        nearest = std::min(nearest, (row.positions.row(i) - row.positions.row(k)).norm());
      }
    }
    if (drawn.tested[static_cast<std::size_t>(i)]) {
      distances.push_back(nearest);
    }
  }
  std::ranges::sort(distances);
  CHECK(drawn.distances == distances);
}

TEST_CASE("units of several classes leave no rare class without a unit to train on") {
  // Class 1 lies in two of the units of class 0.
  const std::vector<int> labels = {0, 0, 0, 0, 0, 1, 1};
  const std::vector<SampleUnit> shared = units({1, 2, 3, 4, 5, 1, 2});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TestUnits drawn = draw_test_units(labels, 2, shared, 0.8, seed, Matrix::Zero(7, 2));
    CHECK(drawn.tested[5] != drawn.tested[6]);
    CHECK(drawn.tested[0] == drawn.tested[5]);
  }
}

TEST_CASE("blocks are the squares of a grid, numbered as they are met") {
  Matrix points(5, 2);
  points << 5, 1, 12, 1, 9.9, 9.9, -0.1, 3, 12, 8;
  const std::vector<SampleUnit> blocks = block_units(points, 10);
  CHECK(blocks[0] == blocks[2]);
  CHECK(blocks[1] == blocks[4]);
  CHECK(std::set(blocks.begin(), blocks.end()).size() == 3);
  CHECK(blocks[3].number == 2);
}

TEST_CASE("samples of scenes take units, and spectra of libraries keep theirs under numbers behind them") {
  std::vector<SamplePlace> pixels = places({4, 4, 9, 9, 8});
  pixels[1].pixel = pixels[3].pixel = pixels[4].pixel = SamplePlace::kNoPixel;
  take_units(units({2, 0}), {0, 2}, pixels);
  CHECK(units_of(pixels) == std::vector<SampleUnit>{{2},
                                                    {3, SampleUnit::Reason::library},
                                                    {0},
                                                    {4, SampleUnit::Reason::library},
                                                    {5, SampleUnit::Reason::library}});
}

}  // namespace parsimap::test
