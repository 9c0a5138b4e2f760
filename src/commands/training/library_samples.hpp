// The spectra of libraries as a training takes them: with classes, regions and groups, alone or beside a scene.
#pragma once

#include "parsimap/commands/job.hpp"
#include "parsimap/commands/training/train.hpp"
#include "parsimap/samples/spectral_library.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/raster.hpp"

#include "training_samples.hpp"

namespace parsimap {

// The spectra of all libraries, in the bands of the first one, and the labels of those that have a class: `pixel` is
// the row of the spectrum. A spectrum is a region of its own, but for those that a training has kept: they have theirs.
struct LabelledLibrary {
  SpectralLibrary library;
  LabelledPixels labelled;
  // Of every spectrum the unit that it was in when a training kept it; empty for other libraries. A region may have
  // several.
  std::vector<SampleUnit> kept = {};
};

// What the libraries are read as is said to the listener. ConfigError: a library without the attribute of the classes
// or of the groups (those that it has are listed). DataError: a file that cannot be read, no spectrum with a class,
// as rename_classes(), and libraries whose bands do not suit the first one.
LabelledLibrary read_labelled_libraries(const LibraryInput& input, Listener& listener);

// The library as a scene of one column with a row for each spectrum. Where a training has kept it, the bands are those
// of its scene, and those that it dropped have no value.
InputScene library_scene(const SpectralLibrary& library);

// The bands of that scene to train on, as choose_bands(); where a training has kept the spectra, those it has used.
ChosenBands choose_library_bands(const SpectralLibrary& library, const InputScene& scene, const BandChoice& choice);

// The spectra of libraries beside the labelled pixels of a scene.

// Adds the spectra with classes to the samples of a scene, in the bands that these use. Classes are the same by name,
// or where those of the scene have codes of their own, by code; further ones keep their code where it is free. Where
// the classes of both are named by text, codes follow the names. Spectra without a value in a band used are left out,
// which is said to the listener.
// DataError: bands that do not suit, no spectrum that can be used, values of another size (the medians of both differ
// by more than a factor of 20).
void join_library(const LabelledLibrary& library, const SceneSource& scene, TrainingSamples& data, Listener& listener);

}  // namespace parsimap
