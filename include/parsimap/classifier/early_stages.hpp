// Maps in stages: approximations of the decision values decide most pixels, and all support spectra the others
// (docs/method.md, "Stages of a map").
//
// A map takes a kernel value for every support vector of every pixel, although most pixels are far from the boundary
// between their class and the next one. There an approximation of the decision values suffices, and how far is far
// enough can be measured on pixels of the scene without labels, because the values that are approximated are known.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

enum class SupportRule {
  reduced,  // early stages where they make maps at least twice as fast
  all       // none
};

// "reduced", "all" and back; another text is a ConfigError that lists them.
SupportRule parse_support_rule(const std::string& text);
std::string to_string(SupportRule rule);

// Fewer pixels do not show how far from the boundary an approximation can be trusted.
inline constexpr Index kFewestStagePixels = 4000;

// The early stages of a model, from pixels of its scene (n x (d + q), as Predictor takes them) and their decision
// values (n x K, those of Predictor): coefficients are fitted to them, and compared on each half of them where they are
// fitted to the other half. Nothing where maps would not be twice as fast, and for fewer than kFewestStagePixels
// pixels.
std::optional<EarlyStages> early_stages(const Model& model, const Spectra& pixels, const Spectra& decisions,
                                        int threads);

// About how many operations (core/progress.hpp) the decision values of a pixel take, on average; with `early` those of
// a label, as far as the model has early stages.
double pixel_operations(const Model& model, bool early);

// Coordinates of scaled spectra and their profiles (n x (d + q)), n x r: their differences from the mean of the support
// spectra along the directions of the stages.
Matrix stage_coordinates(const Model& model, const EarlyStages& stages, const Matrix& columns);

// The first largest of some values, and how much larger it is than the next one.
struct Leader {
  Index label = 0;
  double lead = 0;
};

template <typename Row>
Leader leader(const Row& values) {
  // In one pass: a value below the largest one competes for the second place, and a new largest value pushes the
  // former one there.
  Leader found;
  double first = -std::numeric_limits<double>::infinity();
  double second = first;
  for (Index c = 0; c < values.size(); ++c) {
    const double value = values(c);
    second = std::max(second, std::min(first, value));
    if (value > first) {
      first = value;
      found.label = c;
    }
  }
  found.lead = first - second;
  return found;
}

}  // namespace parsimap
