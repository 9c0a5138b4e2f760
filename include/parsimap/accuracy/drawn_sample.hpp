// A sample that `parsimap sample` has drawn, and its labelled points as units of estimators.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/accuracy/sample_draw.hpp"
#include "parsimap/accuracy/sample_plan.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

namespace parsimap {

struct DrawnSample {
  std::string file;
  SamplingDesign design = SamplingDesign::simple;
  std::vector<Aim> aims = {};
  std::vector<std::string> strata = {};  // names
  std::vector<DrawnPoint> points = {};   // in the order of the drawing
  std::int64_t labelled = 0;             // the first of them

  // Drawn to compare two maps only (agreement_map.hpp): its points are too few elsewhere to say how accurate one is.
  [[nodiscard]] bool only_compares() const;
};

// A labelled point with its row and column in the confusion matrix; column -1 where the map is unclassified.
struct LabelledUnit {
  Index stratum = 0;
  std::int64_t cluster = 0;
  Index reference = 0;
  Index map = 0;
  std::size_t pixel = 0;  // of the reference
};

// The pixels of a stratum and its points in the whole sample: n_h / pi_h pixels.
struct DrawnStratum {
  double pixels = 0;
  std::int64_t points = 0;
};

// By stratum of the sample; a single one of a sample in two stages.
std::vector<DrawnStratum> drawn_strata(const DrawnSample& sample);

// The labelled points in their order, of a sample in two stages those of complete clusters. `reference` has a pixel for
// each of them, and `comparison` is that of a map with it.
std::vector<LabelledUnit> labelled_units(const DrawnSample& sample, const LabelledPixels& reference,
                                         const Comparison& comparison);

// DataError: fewer than two labelled points in a stratum, or two whole clusters in all, which show no variance.
void check_enough(const DrawnSample& sample, const std::vector<DrawnStratum>& drawn,
                  const std::vector<LabelledUnit>& units);

// DataError: the map classifies `mapped` pixels, more than the sample was drawn from; the others were never drawn.
void check_population(const DrawnSample& sample, const std::vector<DrawnStratum>& drawn, std::int64_t mapped);

// The standard error, or what half of the interval stands for where all units agree and show none.
double shown_error(double standard_error, const Interval& interval);

// How many labelled points reach the standard error `aim`, where `labelled` ones of `pixels` have `error`: the variance
// goes with 1 / n - 1 / N, as the strata are labelled in proportion to their planned points.
std::int64_t points_for(double aim, double error, double labelled, double pixels);

}  // namespace parsimap
