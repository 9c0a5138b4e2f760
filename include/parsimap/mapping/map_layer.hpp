// The optional layers of a map.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// The optional layers of a map: what can be written of every pixel beside the code of its class. All that the program
// knows of a layer stands in one entry of map_layers(): a new layer is a new MapLayer and a new entry.
enum class MapLayer { probabilities, confidence, uncertainty, decision_values, novelty, deciding, sets, applicability };

// What the spectra of n pixels say, each by itself. K is the number of classes.
struct OwnDecisions {
  Spectra decision_values;  // n x K: f_c(x), without a unit
  Spectra probabilities;    // n x K: softmax of the decision values; each row sums up to 1
  Spectra novelty;          // n x 1, in [0, 1]; empty where neither a layer nor a limit asks for it
  // n x (2 + K), in [0, 1]: how unlike its class a pixel is, that of the largest decision value; the share of the
  // samples of this class that are near to it, where the layer asks for it; and how unlike each class it is. Empty as
  // novelty.
  Spectra applicability = {};
  Spectra limited = {};   // n x L: what limits of the options apply to, each with one
  Spectra deciding = {};  // n x 3, as Predictor::deciding() makes them; empty where no layer asks for it
  Spectra sets = {};  // n x (1 + K): how many classes are in the set of a pixel, and for each 1 in it or 0; or empty
};

// What is written in the map about n pixels, after their neighbours have been asked where the map is regularised.
struct FinalDecisions {
  Spectra probabilities;  // n x K; each row sums up to 1
  Spectra confidence;     // n x 1: the largest probability of each pixel
  Spectra limited;        // n x L: those of the pixel's own spectrum, or the means of its segment
};

// Writes the values of a layer for pixel i of the decisions: as many numbers as the layer has bands.
template <typename Decisions>
using LayerValues = void (*)(const Decisions& decisions, Index i, float* values);

struct MapLayerDescription {
  MapLayer layer;
  std::string option;                         // of the command line, without the dashes
  std::string help;                           // what the option's help says
  std::vector<std::string> fixed_bands = {};  // the names of its first bands
  bool each_class = false;                    // whether a band for every class follows, named after it
  // The type of the argument says which decisions the layer shows: those of the spectrum alone or those of the map.
  std::variant<LayerValues<OwnDecisions>, LayerValues<FinalDecisions>> values;

  // The names of the layer's bands, in their order.
  [[nodiscard]] std::vector<std::string> bands(const ClassTable& classes) const;
};

// How undecided class probabilities are, in two numbers from 0 (one class is certain) to 1 (undecided). For the K
// probabilities p of a row, of which p_1 and p_2 are the largest and the second largest:
//   margin uncertainty   1 - (p_1 - p_2), which is 1 when two classes are equally likely, whatever the others are;
//   entropy              -sum_c p_c log p_c / log K, which is 1 only when all classes are equally likely.
struct Uncertainty {
  float margin = 0;
  float entropy = 0;
};
Uncertainty uncertainty_of(const float* probabilities, Index classes);

// All layers, in the order in which users see them and files are written.
const std::vector<MapLayerDescription>& map_layers();

// The entry of one layer.
const MapLayerDescription& map_layer(MapLayer layer);

}  // namespace parsimap
