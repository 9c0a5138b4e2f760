// What the labelled features of a model are called: file, number and part.
#pragma once

#include "parsimap/classifier/support_origins.hpp"
#include "parsimap/commands/training/train.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

namespace parsimap {

// Names the features that support spectra come from, whose numbers are those of regions before, in ascending order.
// What several scenes show of one feature becomes one.
void name_features(const TrainOptions& options, const LabelledPixels& labelled, const SampleSet& samples,
                   const Listener& listener, SupportOrigins& origins);

}  // namespace parsimap
