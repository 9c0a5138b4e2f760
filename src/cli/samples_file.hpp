// `train --samples-out`: the pixels that were trained on, as points.
#pragma once

#include <string>

#include "parsimap/classifier/model.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/raster_grid.hpp"

#include "command_line.hpp"

namespace parsimap {

// --samples-out.
OptionSyntax samples_file_option();

// Writes the model and, with the fields class (its name), code, region, row and column (from 0), a point for every
// sample. The model comes last: where it is, the samples are too. When it cannot be written the samples are taken away
// again, unless they have replaced others. Errors as save_model() and create_points().
void save_model_and_samples(const Model& model, const std::string& model_path, const SampleSet& samples,
                            const RasterGrid& grid, const std::string& samples_path, bool overwrite);

}  // namespace parsimap
