#include "training_samples.hpp"

#include <algorithm>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

#include "job_frame.hpp"
#include "sample_draw.hpp"
#include "training_options.hpp"

namespace parsimap {
namespace {

void tell_of_losses(const LabelledPixels& labelled, const Extraction& extraction, Listener& listener) {
  for (const std::string& note : labelled.notes) {
    listener.message(note);
  }
  if (labelled.outside > 0) {
    listener.message("features without a pixel on the scene: " + std::to_string(labelled.outside));
  }
  if (labelled.conflicting > 0) {
    listener.message("pixels dropped because two classes claim them: " + std::to_string(labelled.conflicting));
  }
  if (!extraction.empty_bands.empty()) {
    listener.message("bands dropped because they have no value in any labelled pixel: " +
                     band_list(extraction.empty_bands));
  }
  if (!extraction.constant_bands.empty()) {
    listener.message("bands dropped because they are constant over the labelled pixels: " +
                     band_list(extraction.constant_bands));
  }
  if (extraction.invalid_pixels > 0) {
    listener.message("labelled pixels dropped because a band has no value there: " +
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
void extract(const TrainOptions& options, SceneSource& scene, const Indices& bands, SampleDraw& draw,
             TrainingSamples& data, Listener& listener) {
  const std::string stage = "reading labelled pixels";
  if (!options.min_samples) {
    draw.choose_candidates(data.labelled);
    data.extraction = extract_samples(scene, data.labelled, bands, work_bytes(options), listener.progress(stage));
    return;
  }
  const Index least = *options.min_samples;
  LabelledPixels all = std::move(data.labelled);
  std::vector<SmallClass> dropped;
  std::vector<Index> sizes = class_sizes(all);
  do {
    dropped = drop_classes(all, sizes, least, std::move(dropped), scene.name());
    data.labelled = all;
    draw.choose_candidates(data.labelled, least);
    data.extraction = extract_samples(scene, data.labelled, bands, work_bytes(options), listener.progress(stage), 0);
    sizes = draw.sizes(data.extraction.samples);
  } while (*std::min_element(sizes.begin(), sizes.end()) < least);
  if (!dropped.empty()) {
    listener.message("classes dropped because they have fewer than " + std::to_string(least) +
                     " training pixels: " + list_of(dropped));
  }
}

}  // namespace

TrainingSamples read_training_samples(const TrainOptions& options, SceneSource& scene, const Indices& bands,
                                      Listener& listener) {
  LabelInput labels = options.labels;
  labels.options.separate_parts = true;
  return read_training_samples(options, read_label_input(labels, scene), scene, bands, listener);
}

TrainingSamples read_training_samples(const TrainOptions& options, LabelledPixels labelled, SceneSource& scene,
                                      const Indices& bands, Listener& listener) {
  TrainingSamples data;
  data.labelled = std::move(labelled);
  tell_reading(data.labelled, listener);
  apply_colours(options.colour_rules, data.labelled.classes, listener);
  if (!data.labelled.has_regions) {
    find_regions(data.labelled, scene.grid().width);
  }
  SampleDraw draw(sampling_rule(options), data.labelled.classes, options.training.seed,
                  [&](const std::string& text) { listener.message(text); });
  extract(options, scene, bands, draw, data, listener);
  tell_of_losses(data.labelled, data.extraction, listener);
  draw.draw(data.extraction.samples);
  return data;
}

}  // namespace parsimap
