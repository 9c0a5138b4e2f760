#include "training_data.hpp"

#include <algorithm>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

#include "colour_options.hpp"
#include "input_files.hpp"
#include "label_options.hpp"
#include "sampling.hpp"

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

std::string list_of(const std::vector<SmallClass>& classes) {
  std::string list;
  for (const SmallClass& entry : classes) {
    list += (list.empty() ? "" : ", ") + entry.name + " (" + std::to_string(entry.pixels) + ")";
  }
  return list;
}

// Leaves out the classes of `all` that have fewer than `least` pixels, and returns them with those of `dropped`.
std::vector<SmallClass> drop_classes(LabelledPixels& all, const std::vector<Index>& sizes, Index least,
                                     std::vector<SmallClass> dropped, const std::string& scene) {
  const std::vector<SmallClass> small = drop_small_classes(all, sizes, least);
  dropped.insert(dropped.end(), small.begin(), small.end());
  if (all.classes.size() < 2 && !dropped.empty()) {
    throw DataError(scene + ": fewer than two classes have " + std::to_string(least) +
                    " training pixels or more, as --min-samples asks; the others are " + list_of(dropped));
  }
  return dropped;
}

// Fills `data`, whose labels are read. The classes left say which bands and pixels can be used, so that all is read
// again without a class that turns out to be too small.
void extract(const TrainingDataRequest& request, SceneSource& scene, const Indices& bands, std::int64_t ram_bytes,
             SampleDraw& draw, TrainingData& data, Console& console) {
  const std::string stage = "reading labelled pixels";
  if (!request.min_samples) {
    draw.choose_candidates(data.labelled);
    data.extraction = extract_samples(scene, data.labelled, bands, ram_bytes, console.progress(stage));
    return;
  }
  const Index least = *request.min_samples;
  LabelledPixels all = std::move(data.labelled);
  std::vector<SmallClass> dropped;
  std::vector<Index> sizes = class_sizes(all);
  do {
    dropped = drop_classes(all, sizes, least, std::move(dropped), scene.name());
    data.labelled = all;
    draw.choose_candidates(data.labelled, least);
    data.extraction = extract_samples(scene, data.labelled, bands, ram_bytes, console.progress(stage), 0);
    sizes = draw.sizes(data.extraction.samples);
  } while (*std::min_element(sizes.begin(), sizes.end()) < least);
  if (!dropped.empty()) {
    console.warning("classes dropped because they have fewer than " + std::to_string(least) +
                    " training pixels: " + list_of(dropped));
  }
}

OptionSyntax min_samples_option() {
  return {.name = "min-samples",
          .kind = OptionKind::integer,
          .value_name = "N",
          .help =
              "Drop classes of fewer labelled pixels that can be used, with a warning; unset: a class without any is "
              "an error",
          .least = 1};
}

}  // namespace

std::vector<OptionSyntax> training_data_option_syntax() {
  std::vector<OptionSyntax> options = label_option_syntax();
  options.push_back(more_labels_option());
  options.push_back(group_field_option());
  const std::vector<OptionSyntax> sampling = sampling_option_syntax();
  options.insert(options.end(), sampling.begin(), sampling.end());
  options.push_back(min_samples_option());
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
  request.min_samples = values.integer("min-samples");
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
  SampleDraw draw(request.sampling, data.labelled.classes, request.seed);
  extract(request, scene, bands, ram_bytes, draw, data, console);
  warn_of_losses(data.labelled, data.extraction, console);
  draw.draw(data.extraction.samples);
  return data;
}

}  // namespace parsimap
