#include "parsimap/validation/unit_design.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "parsimap/core/random.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/validation/folds.hpp"

#include "support/places.hpp"

namespace parsimap::test {
namespace {

constexpr Index kSide = 80;  // of a square scene

std::vector<SampleUnit> matched(const std::vector<std::int64_t>& numbers) {
  std::vector<SampleUnit> result = units(numbers);
  for (SampleUnit& unit : result) {
    unit.reason = SampleUnit::Reason::matched;
  }
  return result;
}

struct Labels {
  std::vector<int> labels;
  std::vector<std::int64_t> groups;
  Matrix positions;
  std::vector<std::string> classes = {"a", "b"};

  void add(Index column, Index row, int label, std::int64_t group) {
    labels.push_back(label);
    groups.push_back(group);
    positions.conservativeResize(static_cast<Index>(labels.size()), 2);
    positions.row(positions.rows() - 1) << static_cast<double>(column), static_cast<double>(row);
  }

  std::vector<SampleUnit> units(UnitDesign& design, double pixel = 1) const {
    Matrix map(kSide * kSide, 2);
    for (Index i = 0; i < kSide * kSide; ++i) {
      map.row(i) << pixel * static_cast<double>(i % kSide), pixel * static_cast<double>(i / kSide);
    }
    const Matrix samples = pixel * positions;
    MatchedUnits matched =
        match_units(labels, classes, {{"region", test::units(groups)}}, {samples, map, pixel, pixel != 1}, 7);
    design = std::move(matched.design);
    return std::move(matched.units);
  }
};

// A share of the pixels at random, each a group of its own; the halves of the scene are the classes.
Labels scattered(double share) {
  Labels labels;
  Random random(1);
  for (Index i = 0; i < kSide * kSide; ++i) {
    if (random.uniform() < share) {
      labels.add(i % kSide, i / kSide, i % kSide < kSide / 2 ? 0 : 1, static_cast<std::int64_t>(labels.labels.size()));
    }
  }
  return labels;
}

// Squares of so many pixels at the crossings of a grid, by turns of the two classes.
Labels squares(Index size, Index spacing) {
  Labels labels;
  std::int64_t group = 0;
  for (Index row = spacing / 2; row + size <= kSide; row += spacing) {
    for (Index column = spacing / 2; column + size <= kSide; column += spacing, ++group) {
      for (Index k = 0; k < size * size; ++k) {
        labels.add(column + k % size, row + k / size, static_cast<int>(group % 2), 100 - group);
      }
    }
  }
  return labels;
}

// Plots of 3 x 3 pixels at random places, by turns of the two classes.
Labels plots(std::int64_t count) {
  Labels labels;
  Random random(5);
  for (std::int64_t plot = 0; plot < count; ++plot) {
    const Index column = random.index(kSide - 3);
    const Index row = random.index(kSide - 3);
    for (Index k = 0; k < 9; ++k) {
      labels.add(column + k % 3, row + k / 3, static_cast<int>(plot % 2), 100 - plot);
    }
  }
  return labels;
}

double nearest(const Labels& labels, Index i, const std::vector<Index>& fold_of) {
  double best = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < labels.positions.rows(); ++j) {
    if (fold_of[static_cast<std::size_t>(i)] != fold_of[static_cast<std::size_t>(j)]) {
      best = std::min(best, (labels.positions.row(i) - labels.positions.row(j)).norm());
    }
  }
  return best;
}

}  // namespace

TEST_CASE("units: distances are those of a loop over all pairs") {
  const Labels labels = squares(4, 12);
  UnitDesign design;
  const std::vector<SampleUnit> units = labels.units(design);
  const std::vector<Index> fold_of = assign_folds(labels.labels, 2, units, 5, 7, 0);
  std::vector<double> distances;
  for (Index i = 0; i < labels.positions.rows(); ++i) {
    distances.push_back(nearest(labels, i, fold_of));
  }
  std::sort(distances.begin(), distances.end());
  REQUIRE(design.fold_distances.size() == 11);
  CHECK(design.fold_distances.front() == doctest::Approx(distances.front()));
  CHECK(design.fold_distances.back() == doctest::Approx(distances.back()));
  CHECK(design.label_distances == std::vector<double>(11, 1));
  CHECK(design.map_distances.front() == 0);
  CHECK(design.count == static_cast<Index>(std::set<SampleUnit>(units.begin(), units.end()).size()));
}

TEST_CASE("units: single pixels all over the scene are left out one by one or with their next neighbours") {
  UnitDesign design;
  scattered(0.02).units(design);
  CAPTURE(design.unit);
  CHECK(design.count > 60);
  CHECK(design.matches());
  CHECK(design.difference < 0.2);
}

TEST_CASE("units: plots far apart are left out as wholes") {
  UnitDesign design;
  const Labels labels = plots(20);
  const std::vector<SampleUnit> units = labels.units(design);
  CHECK(design.unit == "region");
  CHECK(design.count == 20);
  for (std::size_t i = 1; i < units.size(); ++i) {
    CHECK((units[i] == units[i - 1]) == (labels.groups[i] == labels.groups[i - 1]));
  }
}

TEST_CASE("units: of fields that cover half of the scene blocks are left out, in metres as in pixels") {
  Labels labels;
  for (Index i = 0; i < kSide * kSide; ++i) {
    if (i % kSide / 10 % 2 == 0) {
      labels.add(i % kSide, i / kSide, static_cast<int>(i % kSide / 20 % 2), i % kSide / 10);
    }
  }
  UnitDesign pixels;
  UnitDesign metres;
  const std::vector<SampleUnit> units = labels.units(pixels);
  CHECK(pixels.unit.starts_with("block of "));
  CHECK(pixels.count >= 10);
  CHECK(!pixels.metres);
  labels.units(metres, 30);
  CHECK(metres.metres);
  CHECK(metres.map_distances[10] == doctest::Approx(30 * pixels.map_distances[10]));
  // Units are numbered in the order of their positions.
  CHECK(units.front() == SampleUnit{0, SampleUnit::Reason::matched});
}

TEST_CASE("units: neither the order of samples nor the numbers of groups matter") {
  const Labels labels = squares(4, 12);
  const Indices order = Random(3).permutation(labels.positions.rows());
  Labels other;
  for (const Index i : order) {
    const auto at = static_cast<std::size_t>(i);
    other.add(static_cast<Index>(labels.positions(i, 0)), static_cast<Index>(labels.positions(i, 1)), labels.labels[at],
              labels.groups[at] * labels.groups[at]);
  }
  UnitDesign design;
  UnitDesign same;
  const std::vector<SampleUnit> units = labels.units(design);
  CHECK(other.units(same) == values_at(units, order));
  CHECK(same.unit == design.unit);
  CHECK(same.difference == doctest::Approx(design.difference));
}

TEST_CASE("units: a class that lies in one unit is cut into parts, and named") {
  Labels labels = plots(20);
  labels.classes = {"a", "b", "rare"};
  for (Index k = 0; k < 9; ++k) {
    labels.add(1 + k % 3, 1 + k / 3, 2, 1000);
  }
  UnitDesign design;
  const std::vector<SampleUnit> units = labels.units(design);
  CHECK(design.cut == std::vector<std::string>{"rare"});
  CHECK(std::set<SampleUnit>(units.end() - 9, units.end()).size() >= 2);
}

TEST_CASE("units: fewer places than folds are left out one by one") {
  Labels labels;
  for (Index k = 0; k < 4; ++k) {
    labels.add(10 * k, 0, static_cast<int>(k % 2), 0);
  }
  UnitDesign design;
  CHECK(labels.units(design) == matched({0, 1, 2, 3}));
  CHECK(design.unit == "pixel");
  CHECK(!design.matches());
}

TEST_CASE("units: no design in which a class lies in fewer units than every structure of the labels gives it") {
  // Fields of two classes over the left half, and a third class in eight fields near each other.
  Labels labels = squares(4, 12);
  labels.classes = {"a", "b", "c"};
  for (std::int64_t field = 0; field < 8; ++field) {
    for (Index k = 0; k < 4; ++k) {
      labels.add(60 + 3 * (field % 4) + k % 2, 60 + 3 * (field / 4) + k / 2, 2, 1000 + field);
    }
  }
  UnitDesign design;
  const std::vector<SampleUnit> units = labels.units(design);
  std::set<SampleUnit> of_class;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (labels.labels[i] == 2) {
      of_class.insert(units[i]);
    }
  }
  CAPTURE(design.unit);
  CHECK(of_class.size() >= 5);
}

TEST_CASE("units: plots of a sparse scene are left out as wholes where others have no label") {
  // Thirty plots of 20 x 20 pixels in 3000 x 3000, of which the map has all, and labels two thirds of them.
  Random random(9);
  Labels labels;
  Matrix map(30 * 400, 2);
  for (Index plot = 0; plot < 30; ++plot) {
    const Index column = 500 * (plot % 6) + random.index(300);
    const Index row = 500 * (plot / 6) + random.index(300);
    for (Index k = 0; k < 400; ++k) {
      map.row(400 * plot + k) << static_cast<double>(column + k % 20), static_cast<double>(row + k / 20);
    }
    for (std::int64_t crown = 0; plot % 3 < 2 && crown < 6; ++crown) {
      for (Index k = 0; k < 4; ++k) {
        labels.add(column + 3 * crown + k % 2, row + (7 * crown) % 18 + k / 2, static_cast<int>(crown % 2),
                   10 * plot + crown);
      }
    }
  }
  const MatchedUnits matched = match_units(labels.labels, labels.classes, {{"region", units(labels.groups)}},
                                           {labels.positions, map, 1, false}, 7);
  CHECK(matched.design.unit == "cluster");
  CHECK(matched.design.plots);
  CHECK(matched.design.matches());
  CHECK(matched.design.count == 20);
  for (std::size_t i = 1; i < matched.units.size(); ++i) {
    CHECK((matched.units[i] == matched.units[i - 1]) == (labels.groups[i] / 10 == labels.groups[i - 1] / 10));
  }
  // Other candidates leave out less, from near to far.
  CHECK(!matched.others.empty());
  for (const NamedUnits& other : matched.others) {
    CHECK(other.name != "cluster");
    CHECK(other.units.size() == labels.labels.size());
  }
}

TEST_CASE("units: parts are numbered by their first positions, by row and then by column") {
  Matrix positions(4, 2);
  positions << 5, 1, 2, 1, 9, 0, 1, 1;
  CHECK(numbered_by_position(units({70, 30, 10, 30}), positions) == matched({2, 1, 0, 1}));
}

}  // namespace parsimap::test
