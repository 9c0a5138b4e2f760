#include "parsimap/mapping/map_layer.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace parsimap {

template <typename Decisions>
using Member = Spectra Decisions::*;

// A layer that shows a matrix of the decisions as it is: all columns of the pixel's row.
template <typename Decisions, Member<Decisions> kMember>
static void copy_row(const Decisions& decisions, Index i, float* values) {
  const auto row = (decisions.*kMember).row(i);
  std::copy_n(row.data(), row.size(), values);
}

static void fill_uncertainty(const FinalDecisions& decisions, Index i, float* values) {
  const Uncertainty uncertainty = uncertainty_of(decisions.probabilities.row(i).data(), decisions.probabilities.cols());
  values[0] = uncertainty.margin;
  values[1] = uncertainty.entropy;
}

Uncertainty uncertainty_of(const float* probabilities, Index classes) {
  // Margin uncertainty 1 - (p_1 - p_2) of the two largest probabilities, and the entropy -sum p log p divided by its
  // maximum log K. Both are 0 for a certain pixel and 1 for equal probabilities.
  double largest = 0;
  double second = 0;
  double entropy = 0;
  for (Index c = 0; c < classes; ++c) {
    const double p = probabilities[c];
    second = std::max(second, std::min(largest, p));
    largest = std::max(largest, p);
    entropy -= p > 0 ? p * std::log(p) : 0;
  }
  // Probabilities in single precision sum up to 1 only nearly, so the bounds are enforced.
  const double margin = std::clamp(1 - (largest - second), 0.0, 1.0);
  const double share = std::clamp(entropy / std::log(static_cast<double>(classes)), 0.0, 1.0);
  return {static_cast<float>(margin), static_cast<float>(share)};
}

std::vector<std::string> MapLayerDescription::bands(const ClassTable& classes) const {
  std::vector<std::string> names = fixed_bands;
  if (each_class) {
    std::ranges::transform(classes, std::back_inserter(names), &ClassEntry::name);
  }
  return names;
}

const std::vector<MapLayerDescription>& map_layers() {
  // One list describes the layers for the command line, the help and the writing of the files.
  static const std::vector<MapLayerDescription> layers = {
      {.layer = MapLayer::probabilities,
       .option = "probabilities",
       .help = "Also write the probability of every class, one band each",
       .each_class = true,
       .values = copy_row<FinalDecisions, &FinalDecisions::probabilities>},
      {.layer = MapLayer::confidence,
       .option = "confidence",
       .help = "Also write the largest probability",
       .fixed_bands = {"confidence"},
       .values = copy_row<FinalDecisions, &FinalDecisions::confidence>},
      {.layer = MapLayer::uncertainty,
       .option = "uncertainty",
       .help = "Also write how undecided the class of a pixel is, in two bands from 0 (certain) to 1: 'margin "
               "uncertainty' is 1 less the distance between the two largest probabilities, 'entropy' that of all "
               "probabilities",
       .fixed_bands = {"margin uncertainty", "entropy"},
       .values = fill_uncertainty},
      {.layer = MapLayer::decision_values,
       .option = "decision-values",
       .help = "Also write the decision value of every class, one band each",
       .each_class = true,
       .values = copy_row<OwnDecisions, &OwnDecisions::decision_values>},
      {.layer = MapLayer::novelty,
       .option = "novelty",
       .help = "Also write how unlike all classes a pixel is, from 0 to 1; about 5 % of the pixels of known surfaces "
               "are above 0.95",
       .fixed_bands = {"novelty"},
       .values = copy_row<OwnDecisions, &OwnDecisions::novelty>},
      {.layer = MapLayer::applicability,
       .option = "applicability",
       .help =
           "Also write where the model applies, class by class, from 0 to 1: how unlike its class a pixel is, which "
           "share of the training spectra of this class is near to it (local point density), and how unlike each class "
           "it is; about 5 % of the pixels of a class are above 0.95",
       .fixed_bands = {"outside", "density"},
       .each_class = true,
       .values = copy_row<OwnDecisions, &OwnDecisions::applicability>},
      {.layer = MapLayer::deciding,
       .option = "deciding",
       .help = "Also write which labelled features decide, in three bands: the number of the feature that speaks most "
               "for the class of a pixel, that of the one that speaks most against it, and the lead of the class "
               "without the first, below 0 where the class hangs on it; the report and the JSON document list the "
               "features",
       .fixed_bands = {"for", "against", "lead without"},
       .values = copy_row<OwnDecisions, &OwnDecisions::deciding>},
      {.layer = MapLayer::sets,
       .option = "sets-out",
       .help = "Also write the prediction sets of --sets: how many classes a pixel may belong to, and a band for each "
               "class that is 1 where it is one of them, else 0",
       .fixed_bands = {"classes"},
       .each_class = true,
       .values = copy_row<OwnDecisions, &OwnDecisions::sets>},
  };
  return layers;
}

const MapLayerDescription& map_layer(MapLayer layer) {
  return *std::find_if(map_layers().begin(), map_layers().end(),
                       [layer](const MapLayerDescription& one) { return one.layer == layer; });
}

}  // namespace parsimap
