// The spectra of libraries beside the labelled pixels of a scene.
#pragma once

#include "parsimap/commands/job.hpp"
#include "parsimap/scene/raster.hpp"

#include "library_samples.hpp"
#include "training_samples.hpp"

namespace parsimap {

// Adds the spectra with classes to the samples of a scene, in the bands that these use. Classes are the same by name,
// or where those of the scene have codes of their own, by code; further ones keep their code where it is free. Where
// the classes of both are named by text, codes follow the names. Spectra without a value in a band used are left out,
// which is said to the listener.
// DataError: bands that do not suit, no spectrum that can be used, values of another size (the medians of both differ
// by more than a factor of 20).
void join_library(const LabelledLibrary& library, const SceneSource& scene, TrainingSamples& data, Listener& listener);

}  // namespace parsimap
