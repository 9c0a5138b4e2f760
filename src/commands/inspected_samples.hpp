// The labelled pixels that an inspection judges.
#pragma once

#include <map>

#include "parsimap/classifier/model.hpp"
#include "parsimap/commands/inspect.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

struct InspectedSamples {
  SampleSet samples;                              // raw spectra of the model's bands, classes of the model
  std::map<std::int64_t, std::int64_t> features;  // the feature of a vector file that a region is a part of
};

// Reads the labels with their regions, and their spectra. Classes are those of the model of the same name, or code
// where no name is the same. Says to the listener what was lost. DataError as inspect_scene().
InspectedSamples read_inspected_samples(const InspectOptions& options, const Model& model, SceneSource& scene,
                                        Listener& listener);

}  // namespace parsimap
