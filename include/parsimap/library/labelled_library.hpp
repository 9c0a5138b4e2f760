// Spectral libraries as training data: spectra with classes, regions and units, alone or beside a scene.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/sample_place.hpp"
#include "parsimap/samples/spectral_library.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/text/text_tables.hpp"

namespace parsimap {

struct LibraryInput {
  std::vector<std::string> files;  // libraries, or folders of single spectra
  // The attribute that holds the class. Unset: libraries that a training has kept know theirs, others have the
  // attribute `class`.
  std::optional<std::string> class_field = {};
  std::optional<std::string> group_field = {};  // attribute: spectra of equal value form a group
  // Table of names and classes, instead of `class_field`; spectra that it does not name are left out.
  std::optional<std::string> classes = {};
  std::optional<ClassRules> rules = {};  // classes that are merged, renamed or left out
  bool beside_scene = false;             // the rules are also those of the labels of a scene
};

// The spectra of all libraries, in the bands of the first one, and the labels of those that have a class: `pixel` is
// the row of the spectrum. A spectrum is a region of its own, but for those that a training has kept: they have theirs.
struct LabelledLibrary {
  SpectralLibrary library;
  LabelledPixels labelled;
  // Of every spectrum the unit that it was in when a training kept it; empty for other libraries. A region may have
  // several.
  std::vector<SampleUnit> kept = {};
};

// What the libraries are read as goes to `say`. ConfigError: a library without the attribute of the classes or of the
// groups (those that it has are listed). DataError: a file that cannot be read, no spectrum with a class, as
// rename_classes(), and libraries whose bands do not suit the first one.
LabelledLibrary read_labelled_libraries(const LibraryInput& input, const Warn& say);

// The library as a scene of one column with a row for each spectrum. Where a training has kept it, the bands are those
// of its scene, and those that it dropped have no value.
std::unique_ptr<SceneSource> library_scene(const SpectralLibrary& library);

// The bands of that scene to train on, as choose_bands(); where a training has kept the spectra, those it has used.
ChosenBands choose_library_bands(const SpectralLibrary& library, const SceneSource& scene, const BandChoice& choice);

// Adds the spectra with classes to the samples of a scene, in the bands that these use. Classes are the same by name,
// or where those of the scene have codes of their own, by code; further ones keep their code where it is free. Where
// the classes of both are `named_by_text`, codes follow the names. Spectra without a value in a band used are left out,
// which goes to `say`. DataError: bands that do not suit, no spectrum that can be used, values of another size (the
// medians of both differ by more than a factor of 20).
void join_library(const LabelledLibrary& library, const SceneSource& scene, bool named_by_text, Extraction& data,
                  const Warn& say);

}  // namespace parsimap
