// Looking for wrong labels with a model of the same classes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/report/inspection_report.hpp"

namespace parsimap {

struct InspectOptions : JobOptions {
  std::string model;
  SceneInput scene;
  LabelInput labels;         // mostly those that the model was trained on
  bool resample = false;     // compute bands that the scene lacks from those that it has
  Index repeats = 4;         // of sharing the regions out to folds, >= 1
  bool wavelengths = false;  // also which wavelengths matter, and how far classes lie apart
  std::uint64_t seed = 0;
  Index top = 20;                            // of the most suspicious regions, how many the text lists
  std::optional<std::string> suspects = {};  // GeoPackage of the regions and their pixels
  std::optional<std::string> report = {};    // page of HTML
};

// Predicts every labelled pixel with classifiers of the model's design that are trained without its region
// (inspection/), and ranks regions and pixels by how much speaks against their labels. With `wavelengths` the
// importance of intervals of bands is estimated by what is lost without them. Writes what is asked for: all files, or
// none. The listener is informed of losses, such as classes that the model does not have. ConfigError: options that do
// not suit the files, outputs that cannot be written or would replace an input. DataError: inputs that cannot be read
// or do not fit together, fewer than two classes of the model among the labels, no second region to learn from.
// IoError: an output fails while it is written.
InspectionRecord inspect_scene(const InspectOptions& options, Listener& listener);

}  // namespace parsimap
