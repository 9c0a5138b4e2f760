// Every reference pixel with what the map says of it, as a table or as points.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/io/gdal/vector_output.hpp"

#include "command_line.hpp"
#include "reference_comparison.hpp"

namespace parsimap {

struct PredictionOptions {
  std::string file;                          // .csv, or a vector format
  std::optional<std::string> probabilities;  // raster of `classify --probabilities`
};

// --predictions and --probabilities.
std::vector<OptionSyntax> prediction_option_syntax();
// Nothing without --predictions.
std::optional<PredictionOptions> prediction_options(const OptionValues& values);

// The written file, to be committed with the other outputs. Fields: id (from 1), feature (where the reference has
// them), row and column (from 0), reference and label (class names; no label where the map is unclassified), and
// p_<class> for every band of the probabilities.
// DataError: probabilities that are no raster on the map's grid. ConfigError and IoError as create_points().
void write_predictions(const PredictionOptions& options, const StagedOutput& output, const ClassMapSource& map,
                       const LabelledPixels& reference, const ClassMatch& match, const Comparison& comparison,
                       const Progress& progress);

}  // namespace parsimap
