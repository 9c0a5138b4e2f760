// Which wavelengths matter to the classes of a model, by its labelled pixels.
#pragma once

#include "parsimap/classifier/model.hpp"
#include "parsimap/commands/inspect.hpp"
#include "parsimap/inspection/left_out_classifiers.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

// `spectra` are those of the samples, scaled. At most some 1500 samples are judged, drawn in proportion to their
// classes: each is judged in more than thirty variants. Rows of `untrusted` are not among them.
WavelengthRecord inspect_wavelengths(const InspectOptions& options, const Model& model, const ClassifierDesign& design,
                                     const SampleSet& samples, const Matrix& spectra, const Indices& untrusted,
                                     Listener& listener);

}  // namespace parsimap
