// Comparing a class map with reference labels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/assessment.hpp"
#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"

namespace parsimap {

struct AssessOptions : JobOptions {
  std::string map;                                // class raster
  LabelInput reference;                           // one file, on the map's grid where it is a raster
  std::optional<std::string> sample = {};         // file of `parsimap sample`, in place of the reference
  std::optional<std::string> model = {};          // that made the map; unset: the one that the map names
  std::optional<SamplingDesign> design = {};      // with it areas are estimated
  std::optional<std::string> strata = {};         // class raster of a stratified design; unset: the map's classes
  std::optional<std::string> earlier = {};        // an earlier map: what is assessed is the change since
  std::optional<std::string> compared_map = {};   // a second map to compare with the same reference
  std::optional<std::string> probabilities = {};  // raster of the map's class probabilities: they go to the
                                                  // predictions, and are evaluated for the report or without them
  std::optional<std::string> predictions = {};    // table (.csv) or vector file to write: every reference pixel with
                                                  // what the map says of it
  std::optional<std::string> output_folder = {};  // made when its parent exists; gets confusion.csv, accuracy.txt and
                                                  // accuracy.json, and areas.csv and comparison.csv where there are any
  std::optional<std::string> report = {};         // page of HTML to write
};

struct AssessResult {
  Assessment assessment;
  std::vector<std::string> files;  // written
  double seconds = 0;
};

// Compares the map with the reference, and writes what is asked for: all files, or none. What is lost on the way, such
// as pixels that the map leaves unclassified, is said to the listener.
// ConfigError: a sample beside a reference or a design, strata without a stratified design, outputs that cannot be
// written or would replace an input, options that do not suit the reference or an earlier map. DataError: inputs that
// cannot be read, lie on different grids or do not fit together, no reference pixel that the map classifies, and as
// assess_areas(), assess_sample(), read_sample(), compare_maps() and assess_probabilities(). no class of the reference
// that the map has, where the reference names its classes by text. IoError: an output fails while it is written.
AssessResult assess_map(const AssessOptions& options, Listener& listener);

}  // namespace parsimap
