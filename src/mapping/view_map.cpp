#include "parsimap/mapping/view_map.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/classifier/early_stages.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/scene/window_reader.hpp"

namespace parsimap {

// Pixels that one thread works on: many tiles of the predictor.
constexpr Index kBlockPixels = 4096;

static bool has_values(const float* spectrum, Index bands) {
  // A product with 0 is NaN of what is not finite, and so is the sum.
  float sum = 0;
  for (Index b = 0; b < bands; ++b) {
    sum += spectrum[b] * 0;
  }
  return sum == 0;
}

void append_pixels(const Model& model, const Predictor& predictor, const Spectra& spectra, int threads, ViewMap& map) {
  const auto before = static_cast<Index>(map.codes.size());
  map.codes.resize(map.codes.size() + static_cast<std::size_t>(spectra.rows()), 0);
  map.confidences.resize(map.codes.size(), 0);
  const auto slope = static_cast<float>(model.softmax_slope);
  parallel_for(part_count(spectra.rows(), kBlockPixels), threads, [&](Index block) {
    const Index first = block * kBlockPixels;
    const Index last = std::min(first + kBlockPixels, spectra.rows());
    const Indices rows = filtered(consecutive(last - first, first),
                                  [&](Index i) { return has_values(spectra.row(i).data(), spectra.cols()); });
    const Spectra valid = spectra(rows, Eigen::all);
    Spectra values;
    predictor.label_values(valid, 1, values);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      auto row = values.row(static_cast<Index>(k));
      const Index label = leader(row).label;
      softmax(slope, row.data(), row.size());
      const auto at = static_cast<std::size_t>(before + rows[k]);
      map.codes[at] = static_cast<std::uint16_t>(model.classes[static_cast<std::size_t>(label)].code);
      map.confidences[at] = static_cast<std::uint8_t>(std::lround(255 * row(label)));
    }
  });
}

void fill_probabilities(const Model& model, const Predictor& predictor, const Window& window, const Spectra& spectra,
                        int threads, PixelBlock& block) {
  const ValidPixels pixels{window, indices_where(spectra.rows(), [&](Index i) { return spectra.row(i).allFinite(); })};
  if (pixels.positions.empty()) {
    return;
  }
  const Spectra valid = spectra(pixels.positions, Eigen::all);
  Spectra values;
  if (model.early_stages && model.early_stages->probabilities) {
    predictor.label_values(valid, threads, values);
  } else {
    predictor.decision_values(valid, threads, values);
  }
  softmax_rows(model.softmax_slope, values);
  block.fill(pixels, values);
}

void append_block(const Model& model, const PixelBlock& block, const Window& window, const MappingOptions& rule,
                  ViewMap& map) {
  ValidPixels pixels;
  Spectra probabilities;
  regularise(block, window, block.values(), rule.regularisation, rule.threads, pixels, probabilities);
  calibrate(probabilities, rule.exponent);
  const std::size_t before = map.codes.size();
  map.codes.resize(before + static_cast<std::size_t>(window.pixels()), 0);
  map.confidences.resize(map.codes.size(), 0);
  for (Index i = 0; i < probabilities.rows(); ++i) {
    const Index position = pixels.position(i);
    const Index row = pixels.window.row - window.row + position / pixels.window.width;
    const Index column = pixels.window.column - window.column + position % pixels.window.width;
    const auto at = before + static_cast<std::size_t>(row * window.width + column);
    Index label = 0;
    map.confidences[at] = static_cast<std::uint8_t>(std::lround(255 * probabilities.row(i).maxCoeff(&label)));
    map.codes[at] = static_cast<std::uint16_t>(model.classes[static_cast<std::size_t>(label)].code);
  }
}

}  // namespace parsimap
