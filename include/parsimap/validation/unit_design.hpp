// What is left out together, so that left-out samples lie as far from those that are trained on as pixels of the map
// do from labels: accuracies, and all that is chosen by them, are then those of the map. In the spirit of the nearest
// neighbour distance matching of Linnenbrink and others (2024).
//
// Candidates are single pixels, blocks of 2, 3, 4, 6, 8, 11, ... pixels, clusters of samples with a gap around them (as
// plots have), and the structures of the labels: their features or regions. A candidate is eligible where every class
// lies in at least five units, or in as many as the coarsest structure gives it, but in two wherever the finest one
// does: a design that leaves a class out whole cannot judge. Units are shared out to folds, and the distances from
// left-out samples to the nearest sample of another fold are compared with those from pixels of the map to the nearest
// sample: by the mean absolute difference of 201 quantiles of log(1 + distance in pixels). Of the eligible candidates
// the one of the smallest difference is taken, and clusters or structures of the labels also where their difference is
// larger by up to 0.1; none of too few units (kFewestUnits) where there is another. Where clusters are the plots of a
// sparse scene, with a tenth of the map in plots without labels and hardly any of it between plots, they are taken
// whatever the difference is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_place.hpp"

namespace parsimap {

// Of fewer units an accuracy or a gain is mostly chance.
inline constexpr Index kFewestUnits = 10;

struct UnitDesign {
  std::string unit;  // "pixel", "block of 8 x 8 pixels", "cluster", or the name of a structure; "scene" where whole
                     // scenes were asked for, without distances
  double difference = 0;                     // of the quantiles
  Index count = 0;                           // different units
  std::vector<std::string> cut = {};         // classes of fewer than two units, which are cut into smaller blocks
  bool metres = false;                       // distances; otherwise pixels
  std::vector<double> map_distances = {};    // 11 quantiles, 0 .. 100 %, from pixels of the map to the nearest sample
  std::vector<double> label_distances = {};  // from samples to the nearest other one
  std::vector<double> fold_distances = {};   // from left-out samples to the nearest one that stays

  bool plots = false;  // the clusters are plots of a sparse scene, of which the map has others without labels

  // Whether typical distances agree by a factor of two, or left-out plots stand for other plots.
  [[nodiscard]] bool matches() const { return plots || difference < 0.69; }
};

// Where samples (n) and pixels of the map (m, at least one, of which up to 10 000 are used) lie, n x 2 and m x 2, on
// one plane.
struct SamplePositions {
  const Matrix& samples;
  const Matrix& map;
  double pixel = 1;  // how wide a pixel is
  bool metres = false;
};

// What may be left out together, such as parts of the labels.
struct NamedUnits {
  std::string name;               // of one of them, as in "region"
  std::vector<SampleUnit> units;  // n
};

// What is left out together: units are numbered from 0 in the order of their positions.
struct MatchedUnits {
  UnitDesign design;
  std::vector<SampleUnit> units;  // n
  // Other eligible candidates, from near to far, whose left-out samples lie at other distances.
  std::vector<NamedUnits> others = {};
};

// The units of samples that have labels (n, indices of `classes`, the names). They depend on nothing but these, the
// positions, which samples share a part of a structure, and the seed.
MatchedUnits match_units(const std::vector<int>& labels, const std::vector<std::string>& classes,
                         const std::vector<NamedUnits>& structures, const SamplePositions& positions,
                         std::uint64_t seed);

// Numbers the parts from 0 in the order of their first positions (n x 2), by row and then by column, so that folds
// depend on the parts alone.
std::vector<SampleUnit> numbered_by_position(const std::vector<SampleUnit>& part_of, const Matrix& positions);

// From every place (m x 2) to the nearest of the points (n x 2), m; infinite without points.
std::vector<double> nearest_distances(const Matrix& places, const Matrix& points);
// From every point to the nearest one of another fold, n; `fold_of` is in [0, kFolds). Infinite without one.
std::vector<double> distances_to_other_folds(const Matrix& points, const std::vector<Index>& fold_of);

}  // namespace parsimap
