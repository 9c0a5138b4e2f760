#include "parsimap/inspection/band_intervals.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/random.hpp"

#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

// Bands in blocks of `width`, those of a block alike.
Matrix blocks(Index count, Index width, std::uint64_t seed) {
  Random random(seed);
  Matrix spectra(200, count * width);
  for (Index block = 0; block < count; ++block) {
    const Matrix common = random.normal_matrix(200, 1);
    for (Index band = 0; band < width; ++band) {
      spectra.col(block * width + band) = common + 0.3 * random.normal_matrix(200, 1);
    }
  }
  return spectra;
}

// The cost of one interval by the definition: squares of standardised bands about their mean, divided by n.
double cost(const Matrix& spectra, Index first, Index last) {
  Matrix z = spectra.middleCols(first, last - first);
  z.rowwise() -= z.colwise().mean().eval();
  z.array().rowwise() /= z.array().square().colwise().sum().sqrt().eval();
  return (z.colwise() - z.rowwise().mean().eval()).squaredNorm();
}

}  // namespace

TEST_CASE("intervals are cut where neighbouring bands decorrelate") {
  const Matrix spectra = blocks(5, 8, 1);
  const std::vector<Indices> intervals = band_intervals(spectra, toy::all_rows(40), {5});
  REQUIRE(intervals.size() == 5);
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(intervals[k].front() == static_cast<Index>(8 * k));
    CHECK(intervals[k].size() == 8);
  }
}

TEST_CASE("no other cuts are better") {
  const Matrix spectra = Random(4).normal_matrix(30, 9) * Random(5).normal_matrix(9, 9);
  const std::vector<Indices> intervals = band_intervals(spectra, toy::all_rows(9), {3});
  const auto end = [&](std::size_t k) { return intervals[k].back() + 1; };
  const double found = cost(spectra, 0, end(0)) + cost(spectra, end(0), end(1)) + cost(spectra, end(1), 9);
  double lowest = found;
  for (Index a = 1; a < 8; ++a) {
    for (Index b = a + 1; b < 9; ++b) {
      lowest = std::min(lowest, cost(spectra, 0, a) + cost(spectra, a, b) + cost(spectra, b, 9));
    }
  }
  CHECK(found == doctest::Approx(lowest));
}

TEST_CASE("intervals follow the order of the wavelengths, and are not narrow") {
  const Matrix spectra = blocks(3, 4, 2);
  const Indices order = {8, 9, 10, 11, 3, 2, 1, 0, 4, 5, 6, 7};
  const std::vector<Indices> intervals = band_intervals(spectra, order, {3});
  CHECK(intervals == std::vector<Indices>{{8, 9, 10, 11}, {3, 2, 1, 0}, {4, 5, 6, 7}});
  // Bands of noise are as unlike their neighbours as can be.
  const Matrix noise = Random(3).normal_matrix(50, 160);
  for (const Indices& interval : band_intervals(noise, toy::all_rows(160), {10})) {
    CHECK(interval.size() >= 4);
  }
}

TEST_CASE("fewer bands than intervals are intervals themselves; constant bands do no harm") {
  Matrix spectra = blocks(3, 1, 2);
  spectra.col(1).setConstant(7);
  CHECK(band_intervals(spectra, toy::all_rows(3)) == std::vector<Indices>{{0}, {1}, {2}});
}
