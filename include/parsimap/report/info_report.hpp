// What a scene, a model or a spectral library holds, and what `simulate` and `suggest` made, as text for people.
#pragma once

#include <string>

#include "parsimap/classifier/model.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

std::string scene_text(const SceneRecord& record);

// Kernel, bands, scaling, provenance, classes, classes_text(), and where it is verbose classifiers_text(). `path` is
// the model's file.
std::string model_text(const Model& model, const std::string& path, bool verbose = false);

std::string simulation_text(const SimulationRecord& record);

// Format, sizes, wavelengths, the values of each attribute, and names: all of both where `verbose`, else the first
// some.
std::string library_text(const SpectralLibrary& library, bool verbose = false);

// The places that `suggest` found.
std::string label_places_text(const LabelPlacesRecord& record);

// ---- documents of `info --json`, `simulate --json` and `suggest --json`; of a model in report/training_report.hpp
// ----

std::string info_json(const SceneRecord& record);
// Everything but the spectra themselves: bands, the names of all spectra, and of every attribute its different values
// with their numbers of spectra.
std::string info_json(const SpectralLibrary& library);
std::string simulation_json(const SimulationRecord& record);
std::string label_places_json(const LabelPlacesRecord& record);

}  // namespace parsimap
