// The pixels of a map as a population in strata, and random samples of it.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/accuracy/sample_plan.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// The population are the pixels that a map classifies and that have a stratum.
struct Population {
  CountMatrix pixels;  // strata x classes of the map
  PixelBounds bounds;
  std::int64_t unclassified = 0;
  std::int64_t outside_strata = 0;  // classified, but without a stratum
};

// Strata are the classes of the raster `strata`, which lies on the grid of the map; null stands for the map itself.
// Reads all of both, window by window.
Population count_population(ClassMapSource& map, ClassMapSource* strata);

struct DrawnPoint {
  std::int64_t pixel = 0;    // row * width + column
  Index stratum = 0;         // of the sample
  std::int64_t cluster = 0;  // from 1; 0 where there are none
  double probability = 0;    // of inclusion; of two stages the expected number of inclusions, which is below 1
};

struct DrawOptions {
  Index block = 10;        // of two stages: rows and columns of a block
  Index block_points = 5;  // at most, drawn in each
  std::uint64_t seed = 0;
};

// Draws what `plan` says, which must be of this population. Points come in an order in which every beginning is a
// sample of the same kind: in random order; of strata two of each before the others, which are in a random order of all
// strata; of two stages cluster by cluster. Memory goes with the points, and the result depends on the seed alone.
// ConfigError: a sample in two stages of more points than pixels. DataError: a grid with no point on a pixel.
std::vector<DrawnPoint> draw_sample(ClassMapSource& map, ClassMapSource* strata, const SamplePlan& plan,
                                    const DrawOptions& options);

}  // namespace parsimap
