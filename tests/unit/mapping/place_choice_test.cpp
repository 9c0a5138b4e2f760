#include "mapping/place_choice.hpp"

#include <Eigen/Eigenvalues>
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

#include "parsimap/core/random.hpp"

using namespace parsimap;

namespace {

using Sample = WeightedSample<int>;

double weight_of(std::int64_t number) { return static_cast<double>(number % 5); }

// Items first, first + step .. below first + step * count.
std::vector<Sample::Entry> drawn(std::size_t size, std::int64_t first, std::int64_t step, std::int64_t count) {
  Sample sample(size);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t number = first + step * i;
    sample.add(number, weight_of(number), static_cast<int>(number));
  }
  return sample.take();
}

}  // namespace

TEST_CASE("while there is room all items with a weight are kept, with their own weights") {
  const auto entries = drawn(10, 0, 1, 10);
  REQUIRE(entries.size() == 8);
  for (const Sample::Entry& entry : entries) {
    CHECK(entry.weight == weight_of(entry.number));
    CHECK(entry.item == entry.number);
  }
  CHECK(entries.front().number == 1);
  CHECK(entries.back().number == 9);
}

TEST_CASE("the sample does not depend on the order in which items come") {
  const auto forwards = drawn(30, 0, 1, 1000);
  const auto backwards = drawn(30, 999, -1, 1000);
  REQUIRE(forwards.size() == 30);
  REQUIRE(backwards.size() == 30);
  for (std::size_t i = 0; i < 30; ++i) {
    CHECK(forwards[i].number == backwards[i].number);
    CHECK(forwards[i].weight == backwards[i].weight);
  }
}

TEST_CASE("weights of a sample add up to those of all items, without bias") {
  // Disjoint streams of 1000 items each, whose weights add up to 2000.
  double mean = 0;
  double square = 0;
  constexpr int kStreams = 400;
  for (int stream = 0; stream < kStreams; ++stream) {
    double sum = 0;
    for (const Sample::Entry& entry : drawn(50, 1000 * stream, 1, 1000)) {
      sum += entry.weight;
    }
    mean += sum / kStreams;
    square += sum * sum / kStreams;
  }
  const double error = std::sqrt((square - mean * mean) / kStreams);
  CHECK(error < 30);
  CHECK(std::abs(mean - 2000) < 3 * error);
}

TEST_CASE("hashes are evenly spread shares") {
  double mean = 0;
  std::set<double> seen;
  for (std::int64_t number = 0; number < 10000; ++number) {
    const double share = hashed_share(number);
    REQUIRE(share > 0);
    REQUIRE(share <= 1);
    mean += share / 10000;
    seen.insert(share);
  }
  CHECK(std::abs(mean - 0.5) < 0.01);
  CHECK(seen.size() == 10000);
}

namespace {

// Candidates whose coordinates are their spectra, but for a rotation: of two bands without correlation and equal
// variance.
PlaceCandidates square(const std::vector<double>& weights) {
  PlaceCandidates candidates;
  candidates.spectra = Matrix{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
  candidates.weights = Vector::Map(weights.data(), 4);
  candidates.positions = {{0, 0}, {10, 0}, {0, 10}, {10, 10}};
  return candidates;
}

Indices indices_of(const std::vector<ChosenPlace>& places) {
  Indices indices;
  for (const ChosenPlace& place : places) {
    indices.push_back(place.candidate);
  }
  return indices;
}

// Every gain computed anew for every place, with the coordinates of the header's contract.
Indices slow_choice(const PlaceCandidates& candidates, const Matrix& known, Index count, double least_distance) {
  const Eigen::RowVectorXd mean = candidates.spectra.colwise().mean();
  const Matrix centred = candidates.spectra.rowwise() - mean;
  const Index n = centred.rows();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(centred.transpose() * centred / static_cast<double>(n));
  const Index q = std::min<Index>(10, centred.cols());
  const Matrix project =
      solver.eigenvectors().rightCols(q) * solver.eigenvalues().tail(q).array().pow(-0.25).matrix().asDiagonal();
  const Matrix z = centred * project;
  const Matrix k = (known.rowwise() - mean) * project;
  Vector open = Vector::Constant(n, std::numeric_limits<double>::infinity());
  for (Index i = 0; i < k.rows(); ++i) {
    open = open.cwiseMin((z.rowwise() - k.row(i)).rowwise().norm());
  }
  Indices chosen;
  while (static_cast<Index>(chosen.size()) < count) {
    Index best = -1;
    double largest = 0;
    for (Index i = 0; i < n; ++i) {
      bool far = true;
      for (const Index c : chosen) {
        const auto& a = candidates.positions[static_cast<std::size_t>(i)];
        const auto& b = candidates.positions[static_cast<std::size_t>(c)];
        far = far && std::hypot(a[0] - b[0], a[1] - b[1]) >= least_distance;
      }
      double gain = 0;
      for (Index j = 0; j < n; ++j) {
        gain += candidates.weights[j] * std::max(0.0, open[j] - (z.row(j) - z.row(i)).norm());
      }
      if (far && gain > largest) {
        largest = gain;
        best = i;
      }
    }
    if (best < 0) {
      break;
    }
    chosen.push_back(best);
    open = open.cwiseMin((z.rowwise() - z.row(best)).rowwise().norm());
  }
  return chosen;
}

}  // namespace

TEST_CASE("places cover what weighs, the heaviest first, and what is known needs no place") {
  // The first corner is known. Of the others each covers itself.
  const std::vector<ChosenPlace> places = choose_places(square({9, 1, 2, 3}), Matrix{{1, 1}}, 4, 0);
  CHECK(indices_of(places) == Indices{3, 2, 1});
  // The variance is 1, so that coordinates are spectra. The opposite corner is at a distance of sqrt(8); the two
  // between, which are at 2 from it as from what is known, get nothing of it.
  CHECK(places[0].gain == doctest::Approx(3 * std::sqrt(8.0)));
  CHECK(places[1].gain == doctest::Approx(4));
  CHECK(places[2].gain == doctest::Approx(2));
}

TEST_CASE("places keep their distance on the ground, and there may be fewer than asked for") {
  CHECK(indices_of(choose_places(square({9, 1, 2, 3}), Matrix{{1, 1}}, 4, 10)) == Indices{3, 2, 1});
  CHECK(indices_of(choose_places(square({9, 1, 2, 3}), Matrix{{1, 1}}, 4, 10.1)) == Indices{3});
  CHECK(indices_of(choose_places(square({9, 1, 2, 3}), Matrix{{1, 1}}, 1, 0)) == Indices{3});
  CHECK(choose_places(square({9, 0, 0, 0}), Matrix{{1, 1}}, 4, 0).empty());
  CHECK(choose_places(PlaceCandidates{Matrix(0, 2), Vector(0), {}}, Matrix{{1, 1}}, 4, 0).empty());
}

TEST_CASE("of equal gains the first candidate is taken") {
  CHECK(indices_of(choose_places(square({0, 1, 1, 0}), Matrix{{1, 1}}, 4, 0)) == Indices{1, 2});
}

TEST_CASE("random candidates are chosen as by a slow loop over all gains") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Random random(seed);
    PlaceCandidates candidates;
    candidates.spectra = random.normal_matrix(150, 14) * random.normal_matrix(14, 14);
    candidates.weights = random.normal_matrix(150, 1).col(0).cwiseAbs();
    for (Index i = 0; i < 150; ++i) {
      candidates.positions.push_back({static_cast<double>(i % 15), static_cast<double>(i / 15)});
    }
    const Matrix known = random.normal_matrix(4, 14);
    const Indices expected = slow_choice(candidates, known, 20, 2.5);
    CHECK(expected.size() > 10);
    CHECK(indices_of(choose_places(candidates, known, 20, 2.5)) == expected);
  }
}
