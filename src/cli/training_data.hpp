// What a training is fed with: labels from files, and the samples drawn from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/io/gdal/labels.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/extract_samples.hpp"

#include "command_line.hpp"
#include "console.hpp"

namespace parsimap {

struct TrainingDataRequest {
  std::vector<std::string> labels;  // LABELS and all of --labels
  LabelOptions label_options;
  std::optional<std::string> label_variable;
  std::vector<ColourRule> colours;
  SamplingRule sampling;
  std::optional<Index> min_samples;  // classes of fewer usable pixels are dropped; unset: one without any is an error
  std::uint64_t seed = 0;
};

// The options that the request is made of, for a command with the argument LABELS; but for the seed.
std::vector<OptionSyntax> training_data_option_syntax();
TrainingDataRequest training_data_request(const OptionValues& values, std::uint64_t seed);

struct TrainingData {
  LabelledPixels labelled;  // the pixels whose spectra were read
  Extraction extraction;    // the samples are those drawn
};

// Reads the labels with their regions (the parts of vector features, or the connected areas of a raster), their spectra
// in `bands`, and draws; says on the console what was lost. Everything is as if
// classes dropped for their size had not been labelled. DataError: fewer than two classes are left; and as
// read_label_file(), read_labels(), SampleDraw and extract_samples().
TrainingData read_training_data(const TrainingDataRequest& request, SceneSource& scene, const Indices& bands,
                                std::int64_t ram_bytes, Console& console);

}  // namespace parsimap
