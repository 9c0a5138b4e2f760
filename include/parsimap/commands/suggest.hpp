// Finding the places of a scene that are worth labelling next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

struct SuggestOptions : JobOptions {
  SceneInput scene;
  std::string model;                      // file of a model that was trained on what is labelled so far
  bool resample = false;                  // compute bands that the scene lacks from those that it has
  std::vector<std::string> exclude = {};  // rasters on the scene's grid or vector files of what is labelled
  std::optional<std::string> where = {};  // SQL condition that selects features of those vector files
  Index count = 20;                       // places, >= 1
  std::optional<double> distance = {};    // least one between places, in metres, or in pixels where the scene has no
                                          // CRS; unset: half of that of as many places spread evenly
  std::optional<Index> expect = {};       // further labelled features whose accuracy is forecast
  std::vector<std::string> labels = {};   // what the model was trained on, for `expect`
  std::string places;                     // GeoPackage to write
};

// Chooses places (mapping/label_places.hpp) and writes them as points with an empty field `class`, in which the class
// may be filled in: the file then is one of labels. That there are fewer places than asked for is said to the listener.
// With `expect` the accuracy with more labels is forecast (validation/label_forecast.hpp). ConfigError: outputs that
// cannot be written or would replace an input, `expect` without `labels` or the other way round. DataError: scene,
// model or what is labelled cannot be read or do not fit together. IoError: reading or writing fails on the way.
LabelPlacesRecord suggest_places(const SuggestOptions& options, Listener& listener);

}  // namespace parsimap
