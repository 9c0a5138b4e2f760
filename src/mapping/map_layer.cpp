#include "parsimap/mapping/map_layer.hpp"

#include <algorithm>

namespace parsimap {
namespace {

template <typename Decisions>
using Member = Spectra Decisions::*;

// A layer that shows a matrix of the decisions as it is: all columns of the pixel's row.
template <typename Decisions, Member<Decisions> kMember>
void copy_row(const Decisions& decisions, Index i, float* values) {
  const auto row = (decisions.*kMember).row(i);
  std::copy_n(row.data(), row.size(), values);
}

}  // namespace

std::vector<std::string> MapLayerDescription::bands(const ClassTable& classes) const {
  if (!per_class) {
    return {option};
  }
  std::vector<std::string> names;
  for (const ClassEntry& entry : classes) {
    names.push_back(entry.name);
  }
  return names;
}

const std::vector<MapLayerDescription>& map_layers() {
  static const std::vector<MapLayerDescription> layers = {
      {.layer = MapLayer::probabilities,
       .option = "probabilities",
       .help = "Also write the probability of every class, one band each",
       .per_class = true,
       .needs_novelty = false,
       .values = copy_row<FinalDecisions, &FinalDecisions::probabilities>},
      {.layer = MapLayer::confidence,
       .option = "confidence",
       .help = "Also write the largest probability",
       .per_class = false,
       .needs_novelty = false,
       .values = copy_row<FinalDecisions, &FinalDecisions::confidence>},
      {.layer = MapLayer::decision_values,
       .option = "decision-values",
       .help = "Also write the decision value of every class, one band each",
       .per_class = true,
       .needs_novelty = false,
       .values = copy_row<OwnDecisions, &OwnDecisions::decision_values>},
      {.layer = MapLayer::novelty,
       .option = "novelty",
       .help = "Also write how unlike all classes a pixel is, from 0 to 1; about 5 % of the pixels of known surfaces "
               "are above 0.95",
       .per_class = false,
       .needs_novelty = true,
       .values = copy_row<OwnDecisions, &OwnDecisions::novelty>},
  };
  return layers;
}

const MapLayerDescription& map_layer(MapLayer layer) {
  return *std::find_if(map_layers().begin(), map_layers().end(),
                       [layer](const MapLayerDescription& one) { return one.layer == layer; });
}

}  // namespace parsimap
