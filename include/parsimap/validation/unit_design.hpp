// What is left out together, so that left-out samples lie as far from those that are trained on as pixels of the map
// do from labels: accuracies, and all that is chosen by them, are then those of the map. In the spirit of the nearest
// neighbour distance matching of Linnenbrink and others (2024).
//
// Candidates are single pixels, blocks of 2, 3, 4, 6, 8, 11, ... pixels and the groups of the samples (regions, or
// those of a field). For each, units are shared out to folds, and the distances from left-out samples to the nearest
// sample of another fold are compared with those from pixels of the map to the nearest sample: by the mean absolute
// difference of 201 quantiles of log(1 + distance in pixels). The candidate of the smallest difference is taken, the
// larger unit in a tie, and groups also where their difference is larger by up to 0.1; none of fewer than ten units
// where there is another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct UnitDesign {
  std::string unit;  // "pixel", "block of 8 x 8 pixels", or the name of the groups; "scene" where whole scenes were
                     // asked for, without distances
  double difference = 0;                     // of the quantiles
  Index count = 0;                           // different units
  std::vector<std::string> cut = {};         // classes of fewer than two units, which are cut into smaller blocks
  bool metres = false;                       // distances; otherwise pixels
  std::vector<double> map_distances = {};    // 11 quantiles, 0 .. 100 %, from pixels of the map to the nearest sample
  std::vector<double> label_distances = {};  // from samples to the nearest other one
  std::vector<double> fold_distances = {};   // from left-out samples to the nearest one that stays

  // Whether typical distances agree by a factor of two.
  [[nodiscard]] bool matches() const { return difference < 0.69; }
};

// Where samples (n) and pixels of the map (m, at least one, of which up to 10 000 are used) lie, n x 2 and m x 2, on
// one plane.
struct SamplePositions {
  const Matrix& samples;
  const Matrix& map;
  double pixel = 1;  // how wide a pixel is
  bool metres = false;
};

struct MatchedUnits {
  UnitDesign design;
  std::vector<std::int64_t> units;  // n, numbered from 0 in the order of their positions
};

// The units of samples that have labels (n, indices of `classes`, the names) and groups (n). They depend on nothing but
// these, the positions, which samples share a group, and the seed. `group_name` is what a group is called, as in
// "region".
MatchedUnits match_units(const std::vector<int>& labels, const std::vector<std::string>& classes,
                         const std::vector<std::int64_t>& groups, const std::string& group_name,
                         const SamplePositions& positions, std::uint64_t seed);

}  // namespace parsimap
