// The map of a part of a scene in memory, for views that are classified while somebody waits.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/spatial/regularisation.hpp"

namespace parsimap {

struct ViewMap {
  std::vector<std::uint16_t> codes;       // of the classes; 0 where a pixel has no value
  std::vector<std::uint8_t> confidences;  // probability of the label times 255, rounded
};

// Appends pixels to the map, from their spectra as the predictor of the model takes them, NaN where there is no value.
// Labels are those of classify_scene() without neighbours. Where an early stage of the model decides, probabilities are
// those of its approximation.
void append_pixels(const Model& model, const Predictor& predictor, const Spectra& spectra, int threads, ViewMap& map);

// The same of pixels that are labelled together with their neighbours. First, the pixels of a window of the block, row
// by row, get their probabilities.
void fill_probabilities(const Model& model, const Predictor& predictor, const Window& window, const Spectra& spectra,
                        int threads, PixelBlock& block);
// Then those of a window of the block, which holds their neighbours as far as `rule` sees them, are appended. Labels
// are those of classify_scene() with this regularisation, which must be gaussian or neighbours, and this exponent.
void append_block(const Model& model, const PixelBlock& block, const Window& window, const MappingOptions& rule,
                  ViewMap& map);

}  // namespace parsimap
