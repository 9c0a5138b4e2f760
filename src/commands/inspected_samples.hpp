// The labelled pixels that `inspect` examines, the wavelengths that matter to their classes, and the layers in which a
// GIS shows suspicious labels.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/commands/inspect.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/report/inspection_report.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"

namespace parsimap {

struct InspectedSamples {
  SampleSet samples;                              // raw spectra of the model's bands, classes of the model
  std::map<std::int64_t, std::int64_t> features;  // the feature of a vector file that a region is a part of
};

// Reads the labels with their regions, and their spectra. Classes are those of the model of the same name, or code
// where no name is the same. Says to the listener what was lost. DataError as inspect_scene().
InspectedSamples read_inspected_samples(const InspectOptions& options, const Model& model, SceneSource& scene,
                                        Listener& listener);

// Bad values, which no classifier should be trained on.
Indices outliers_of(const SampleSet& samples, Listener& listener);

// The design of the classifiers of a model, with the class weights that it was trained with.
ClassifierDesign design_with_weights(const Model& model, std::optional<DimensionRule> dimension);

// Column and row of the centre of a region of samples that lie at `places` of a scene of `width` columns.
std::array<double, 2> centre_of(const RegionEvidence& region, const std::vector<SamplePlace>& places, Index width);

// Which wavelengths matter to the classes of a model, by its labelled pixels.

// `spectra` are those of the samples, scaled. At most about 1500 samples are evaluated, drawn in proportion to
// their classes: each is classified in more than thirty variants. Rows of `untrusted` are not among them.
WavelengthRecord inspect_wavelengths(const InspectOptions& options, const Model& model, const ClassifierDesign& design,
                                     const SampleSet& samples, const Matrix& spectra, const Indices& untrusted,
                                     Listener& listener);

// The layers in which QGIS shows suspicious labels.

// A part of the list, as layers and pictures colour it.
struct SuspicionStep {
  double low = 0;  // shares of the list, the first excluded; 2 stands for what looks like its label
  double high = 0;
  std::string label;
  Colour colour{};
};

// From the first part of the list to what looks like its label, which is the last step.
const std::vector<SuspicionStep>& suspicion_steps();
// The step of evidence among `count` pieces of it.
std::size_t suspicion_step(const LabelEvidence& evidence, std::size_t count);

// The regions as outlines and their pixels as points, each by rank. `samples` are those that the record is about.
std::vector<PixelLayer> suspect_layers(const InspectionRecord& record, const SampleSet& samples, Index scene_width);

}  // namespace parsimap
