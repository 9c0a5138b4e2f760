#include "inspected_samples.hpp"

#include <algorithm>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

#include "job_frame.hpp"

namespace parsimap {
namespace {

// The model's class of every class of the labels, -1 for none.
std::vector<int> match_labels(const ClassTable& labels, bool named_by_text, const ClassTable& model) {
  const auto found = [&](const ClassEntry& entry, bool by_name) {
    const auto same = [&](const ClassEntry& of_model) {
      return by_name ? of_model.name == entry.name : of_model.code == entry.code;
    };
    const auto place = std::find_if(model.begin(), model.end(), same);
    return place == model.end() ? -1 : static_cast<int>(place - model.begin());
  };
  const bool by_name = named_by_text || std::any_of(labels.begin(), labels.end(),
                                                    [&](const ClassEntry& entry) { return found(entry, true) >= 0; });
  std::vector<int> match;
  for (const ClassEntry& entry : labels) {
    match.push_back(found(entry, by_name));
  }
  return match;
}

std::string names_of(const ClassTable& classes) {
  std::string list;
  for (const ClassEntry& entry : classes) {
    list += (list.empty() ? "'" : ", '") + entry.name + "'";
  }
  return list;
}

// Gives the labels the classes of the model.
void take_classes(LabelledPixels& labels, const InspectOptions& options, const Model& model, Listener& listener) {
  const std::vector<int> match = match_labels(labels.classes, labels.named_by_text, model.classes);
  const std::set<int> matched(match.begin(), match.end());
  if (matched.size() - matched.count(-1) < 2) {
    throw DataError(options.labels.files.front() + " has labels of " + names_of(labels.classes) + " and the model " +
                    options.model + " the classes " + names_of(model.classes) +
                    "; labels can be inspected where two of them are the same at least");
  }
  ClassTable unknown;
  for (std::size_t c = 0; c < match.size(); ++c) {
    if (match[c] < 0) {
      unknown.push_back(labels.classes[c]);
    }
  }
  if (!unknown.empty()) {
    listener.warning("labels of classes that the model does not have are left out: " + names_of(unknown));
  }
  std::erase_if(labels.pixels,
                [&](const LabelledPixel& pixel) { return match[static_cast<std::size_t>(pixel.label)] < 0; });
  for (LabelledPixel& pixel : labels.pixels) {
    pixel.label = match[static_cast<std::size_t>(pixel.label)];
  }
  labels.classes = model.classes;
}

void warn_of_losses(const LabelledPixels& labels, std::int64_t invalid, Listener& listener) {
  for (const std::string& note : labels.notes) {
    listener.warning(note);
  }
  if (labels.outside > 0) {
    listener.warning("features without a pixel on the scene: " + std::to_string(labels.outside));
  }
  if (labels.conflicting > 0) {
    listener.warning("pixels left out because two classes claim them: " + std::to_string(labels.conflicting));
  }
  if (invalid > 0) {
    listener.warning("labelled pixels left out because a band has no value there: " + std::to_string(invalid));
  }
}

}  // namespace

InspectedSamples read_inspected_samples(const InspectOptions& options, const Model& model, SceneSource& scene,
                                        Listener& listener) {
  const Indices bands = match_bands(scene, model);
  LabelInput input = options.labels;
  input.options.separate_parts = true;
  LabelledPixels labels = read_label_input(input, scene);
  InspectedSamples result;
  if (input.files.size() == 1) {
    // Ids of features say nothing where they may be of several files.
    result.features = labels.region_features;
  }
  take_classes(labels, options, model, listener);
  if (!labels.has_regions) {
    find_regions(labels, scene.grid().width);
  }
  Extraction extraction =
      extract_samples_of_bands(scene, labels, bands, work_bytes(options), listener.progress("reading labelled pixels"));
  tell_reading(labels, listener);
  warn_of_losses(labels, extraction.invalid_pixels, listener);
  result.samples = std::move(extraction.samples);
  const std::vector<Index> counts = class_counts(result.samples);
  if (std::count_if(counts.begin(), counts.end(), [](Index count) { return count > 0; }) < 2) {
    throw DataError(scene.name() +
                    ": fewer than two classes of the model have labelled pixels with a value in every band");
  }
  return result;
}

}  // namespace parsimap
