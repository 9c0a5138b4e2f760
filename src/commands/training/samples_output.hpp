// The samples of a training as files: with their spectra, or as points.
#pragma once

#include <string>
#include <vector>

#include "parsimap/classifier/train.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/samples/spectral_library.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

#include "training_scenes.hpp"

namespace parsimap {

// Announces the file by its extension: an ENVI spectral library (.sli) with header and table, a table (.csv), or a
// vector file. `all_placed` says that every sample has a place in a scene. ConfigError as OutputSet::stage(), an
// extension of none of these, FlatGeobuf (.fgb) for samples without a place, which it would leave out.
const StagedOutput& stage_samples(OutputSet& outputs, const std::string& role, const std::string& path,
                                  bool all_placed);

// The samples as a library: spectra in the bands used, with the attributes class, code, region, group, row and column,
// x and y, scene where there are several, and colour where the classes have any.
SpectralLibrary library_of_samples(const SampleSet& samples, const TrainingSource& source, const PixelPlaces& places,
                                   const std::string& path);

// Writes labelled pixels without spectra as points with the fields class, code, region, group, row, column and
// test_unit, the unit of each pixel. IoError.
void write_labelled_points(const StagedOutput& output, const LabelledPixels& labelled,
                           const std::vector<SampleUnit>& units, const PixelPlaces& places);

// Writes them: with the spectra as profiles in a vector file, but for Shapefiles, whose fields are too short. IoError.
void write_samples(const StagedOutput& output, const SampleSet& samples, const TrainingSource& source,
                   const PixelPlaces& places);

}  // namespace parsimap
