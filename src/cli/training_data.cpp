#include "parsimap/cli/training_data.hpp"

#include "parsimap/cli/colour_options.hpp"
#include "parsimap/cli/input_files.hpp"
#include "parsimap/cli/label_options.hpp"
#include "parsimap/cli/sampling.hpp"
#include "parsimap/scene/connected_regions.hpp"

namespace parsimap {
namespace {

void warn_of_losses(const LabelledPixels& labelled, const Extraction& extraction, Console& console) {
  if (labelled.outside > 0) {
    console.warning("features without a pixel on the scene: " + std::to_string(labelled.outside));
  }
  if (labelled.conflicting > 0) {
    console.warning("pixels dropped because two classes claim them: " + std::to_string(labelled.conflicting));
  }
  if (!extraction.empty_bands.empty()) {
    console.warning("bands dropped because they have no value in any labelled pixel: " +
                    band_list(extraction.empty_bands));
  }
  if (!extraction.constant_bands.empty()) {
    console.warning("bands dropped because they are constant over the labelled pixels: " +
                    band_list(extraction.constant_bands));
  }
  if (extraction.invalid_pixels > 0) {
    console.warning("labelled pixels dropped because a band has no value there: " +
                    std::to_string(extraction.invalid_pixels));
  }
}

}  // namespace

std::vector<OptionSyntax> training_data_option_syntax() {
  std::vector<OptionSyntax> options = label_option_syntax();
  options.push_back(more_labels_option());
  options.push_back(group_field_option());
  const std::vector<OptionSyntax> sampling = sampling_option_syntax();
  options.insert(options.end(), sampling.begin(), sampling.end());
  options.push_back(colour_option());
  return options;
}

TrainingDataRequest training_data_request(const OptionValues& values, std::uint64_t seed) {
  TrainingDataRequest request;
  request.labels = values.list("labels");
  request.labels.insert(request.labels.begin(), values.argument("LABELS"));
  request.label_options = label_options(values);
  request.label_options.separate_parts = true;
  request.label_options.group_field = values.text("group-field");
  request.label_variable = values.text("label-variable");
  request.colours = colour_rules(values);
  request.sampling = sampling_rule(values);
  request.seed = seed;
  return request;
}

TrainingData read_training_data(const TrainingDataRequest& request, SceneSource& scene, const Indices& bands,
                                std::int64_t ram_bytes, Console& console) {
  TrainingData data;
  data.labelled =
      read_label_files(request.labels, request.label_options, request.label_variable, scene.grid(), scene.name());
  apply_colours(request.colours, data.labelled.classes, console);
  if (!data.labelled.has_regions) {
    find_regions(data.labelled, scene.grid().width);
  }
  SampleDraw draw(request.sampling, request.seed);
  draw.choose_candidates(data.labelled);
  data.extraction =
      extract_samples(scene, data.labelled, bands, ram_bytes, console.progress("reading labelled pixels"));
  warn_of_losses(data.labelled, data.extraction, console);
  draw.draw(data.extraction.samples);
  return data;
}

}  // namespace parsimap
