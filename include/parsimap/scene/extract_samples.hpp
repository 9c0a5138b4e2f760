// The training samples of a scene: the spectra of its labelled pixels.
#pragma once

#include <cstdint>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

struct Extraction {
  SampleSet samples;                // spectra of the bands used, in the order of the labelled pixels
  Indices bands;                    // used, indices from 0, ascending
  Indices constant_bands;           // dropped: a single value over the labelled pixels
  Indices empty_bands;              // dropped: no value in any labelled pixel
  std::int64_t invalid_pixels = 0;  // dropped: no value in a band used
};

// Reads the bands `candidates` (ascending, one at least), and only where labels are: the storage blocks that hold
// labelled pixels, of each the smallest window around these pixels, at most `ram_bytes` of values at a time (one pixel
// at least). Then bands are dropped that are empty, or constant over the labelled pixels that have a value in every
// band left; then pixels without a value in a band used. The result does not depend on the storage blocks or on
// `ram_bytes`. DataError: fewer than two classes, a class with fewer than `least` usable pixels, no band left.
Extraction extract_samples(SceneSource& scene, const LabelledPixels& labels, const Indices& candidates,
                           std::int64_t ram_bytes, const Progress& progress, Index least = kLeastSamples);

// The same in bands chosen before (of the training samples), for pixels to test on: any number of classes and pixels,
// and no band is dropped.
Extraction extract_samples_of_bands(SceneSource& scene, const LabelledPixels& labels, const Indices& bands,
                                    std::int64_t ram_bytes, const Progress& progress);

}  // namespace parsimap
