// The units of samples: those that they get in the place of their own, and those that are kept for a test.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_place.hpp"

namespace parsimap {

// The blocks of a grid that points (n x 2) lie in, numbered in the order of the points.
std::vector<SampleUnit> block_units(const Matrix& points, double side);

struct TestUnits {
  std::vector<bool> tested;  // n
  Index test_units = 0;
  Index training_units = 0;
  std::vector<int> untested = {};      // classes of a single unit, which is trained on; those of few units first
  std::vector<double> distances = {};  // of every tested sample to the nearest one that is trained on, ascending
};

// Of every class a share of its units, one at least, drawn at random. The classes of the fewest units come first, and
// each decides only on units that no class before has decided on, so that units of several classes do not leave a rare
// one without. `labels` (n) are class indices in [0, classes), `positions` n x 2.
TestUnits draw_test_units(const std::vector<int>& labels, std::size_t classes, const std::vector<SampleUnit>& units,
                          double share, std::uint64_t seed, const Matrix& positions);

// Gives the samples at `rows`, which lie in scenes, these units. Spectra of libraries keep theirs, under numbers behind
// the others.
void take_units(const std::vector<SampleUnit>& units, const Indices& rows, std::vector<SamplePlace>& places);

}  // namespace parsimap
