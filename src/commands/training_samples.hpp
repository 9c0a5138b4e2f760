// What a training is fed with: labels from files, and the samples drawn from them.
#pragma once

#include "parsimap/commands/train.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

namespace parsimap {

struct TrainingSamples {
  LabelledPixels labelled;  // the pixels whose spectra were read
  Extraction extraction;    // the samples are those drawn
};

// Reads the labels with their regions (the parts of vector features, or the connected areas of a raster), their spectra
// in `bands`, and draws; says to the listener what was lost. Everything is as if classes dropped for their size had not
// been labelled. DataError: fewer than two classes are left; and as read_label_input(), SampleDraw and
// extract_samples().
TrainingSamples read_training_samples(const TrainOptions& options, SceneSource& scene, const Indices& bands,
                                      Listener& listener);

// The same where the labels are read already.
TrainingSamples read_training_samples(const TrainOptions& options, LabelledPixels labelled, SceneSource& scene,
                                      const Indices& bands, Listener& listener);

}  // namespace parsimap
