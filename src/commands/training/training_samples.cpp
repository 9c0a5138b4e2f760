#include "training_samples.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/scene/window_reader.hpp"

#include "../job_frame.hpp"
#include "spatial_training.hpp"
#include "train_options.hpp"

namespace parsimap {

// Enough for classes of which most pixels have no spectrum.
constexpr Index kCandidatesPerSample = 20;

constexpr const char* kReadingStage = "reading labelled pixels";

std::vector<Index> class_table_counts(const SamplingRule& rule, const ClassTable& classes, const Warn& warn) {
  if (rule.strategy != SamplingStrategy::by_class) {
    return {};
  }
  // -1 marks classes that the table has not named yet; each class of the labels needs a line, by name or by code.
  std::vector<Index> counts(classes.size(), -1);
  for (const auto& [name, count] : read_class_counts(rule.file, warn)) {
    const int found = find_class(classes, name);
    if (found < 0) {
      throw DataError(rule.file + ": there is no class '" + name + "' in the labels");
    }
    if (count < kLeastSamples) {
      throw DataError(rule.file + ": class '" + name + "' is to have " + std::to_string(count) +
                      " pixels; training takes " + std::to_string(kLeastSamples) + " or more");
    }
    counts[static_cast<std::size_t>(found)] = count;
  }
  const auto missing = std::ranges::find(counts, -1);
  if (missing != counts.end()) {
    throw DataError(rule.file + ": class '" + classes[static_cast<std::size_t>(missing - counts.begin())].name +
                    "' of the labels is missing");
  }
  return counts;
}

SampleDraw::SampleDraw(const SamplingRule& rule, const ClassTable& classes, std::uint64_t seed, const Warn& warn)
    : rule_(rule), seed_(seed) {
  const std::vector<Index> counts = class_table_counts(rule, classes, warn);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    table_[classes[c].code] = counts[c];
  }
}

std::vector<Index> SampleDraw::table_of(const ClassTable& classes) const {
  const bool used = rule_.strategy == SamplingStrategy::by_class;
  return mapped<Index>(used ? classes : ClassTable(), [&](const ClassEntry& entry) { return table_.at(entry.code); });
}

void SampleDraw::choose_candidates(LabelledPixels& labelled, Index least) {
  if (rule_.strategy == SamplingStrategy::all) {
    return;
  }
  const std::vector<int> labels = class_labels(labelled);
  labelled_ = class_sizes(labelled);
  std::vector<Index> wanted = sample_counts(rule_, labelled_, table_of(labelled.classes));
  for (Index& count : wanted) {
    // Twenty times as many pixels as wanted are read, drawn at random for each class, instead of all labelled pixels:
    // for dense reference maps this is the difference between some storage blocks and the complete scene. The final
    // draw takes its samples from the candidates that turn out to have a value in every band.
    count = kCandidatesPerSample * std::max(count, least);
  }
  labelled.pixels = values_at(labelled.pixels, draw_counts(labels, wanted, seed_));
  candidates_ = class_sizes(labelled);
}

void SampleDraw::choose_drawn(LabelledPixels& labelled) const {
  const std::vector<Index> counts = sample_counts(rule_, class_sizes(labelled), table_of(labelled.classes));
  labelled.pixels = values_at(labelled.pixels, draw_counts(class_labels(labelled), counts, seed_));
}

std::vector<Index> SampleDraw::sizes(const SampleSet& samples) const {
  std::vector<Index> sizes = class_counts(samples);
  if (rule_.strategy == SamplingStrategy::all) {
    return sizes;
  }
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    // The number of usable pixels of a class is extrapolated: labelled pixels / candidates x usable candidates. The
    // draw by share or by number then follows the sizes of the classes as if all pixels had been read.
    const double per_candidate =
        static_cast<double>(labelled_[c]) / static_cast<double>(std::max<Index>(1, candidates_[c]));
    sizes[c] = static_cast<Index>(std::lround(per_candidate * static_cast<double>(sizes[c])));
  }
  return sizes;
}

void SampleDraw::draw(SampleSet& samples) const {
  if (rule_.strategy != SamplingStrategy::all) {
    const std::vector<Index> counts = sample_counts(rule_, sizes(samples), table_of(samples.classes));
    samples = subset(samples, draw_counts(samples.labels, counts, seed_));
  }
}

static void warn_of_losses(const LabelledPixels& labelled, const Extraction& extraction, bool masked,
                           Listener& listener) {
  for (const std::string& note : labelled.notes) {
    listener.note("names-read-otherwise", note);
  }
  if (labelled.outside > 0) {
    listener.note("features-outside", "features without a pixel on the scene: " + outside_text(labelled));
  }
  if (labelled.conflicting > 0) {
    listener.note("conflicting-labels",
                  "pixels dropped because two classes claim them: " + std::to_string(labelled.conflicting));
  }
  if (!extraction.empty_bands.empty()) {
    listener.note("bands-left-out", "bands dropped because they have no value in any labelled pixel: " +
                                        band_list(extraction.empty_bands));
  }
  if (!extraction.constant_bands.empty()) {
    listener.note("bands-left-out", "bands dropped because they are constant over the labelled pixels: " +
                                        band_list(extraction.constant_bands));
  }
  if (extraction.invalid_pixels > 0) {
    listener.note("pixels-without-value",
                  std::string("labelled pixels dropped because a band has no value there") +
                      (masked ? " or they lie outside of the mask or region: " : ": ") +
                      std::to_string(extraction.invalid_pixels) +
                      (extraction.partial.count > 0 ? "; " + missing_bands_text(extraction.partial) : ""));
  }
}

static std::string list_of(const std::vector<SmallClass>& classes) {
  return separated(classes, ", ",
                   [](const SmallClass& entry) { return entry.name + " (" + std::to_string(entry.pixels) + ")"; });
}

// Leaves out the classes of `all` that have fewer than `least` pixels, and returns them with those of `dropped`.
static std::vector<SmallClass> drop_classes(LabelledPixels& all, const std::vector<Index>& sizes, Index least,
                                            std::vector<SmallClass> dropped, const std::string& scene) {
  std::ranges::move(drop_small_classes(all, sizes, least), std::back_inserter(dropped));
  if (all.classes.size() < 2 && !dropped.empty()) {
    throw DataError(scene + ": fewer than two classes have " + std::to_string(least) +
                    " training pixels or more, as --min-samples asks; the others are " + list_of(dropped));
  }
  return dropped;
}

// What follows: the reading of the labelled pixels of a scene, and the training on them.
static std::vector<PlannedPhase> stages_of(const TrainOptions& options, const LabelledPixels& labelled,
                                           const RasterGrid& grid, Index bands) {
  const double values = static_cast<double>(grid.pixels()) * static_cast<double>(bands);
  std::vector<PlannedPhase> stages = {{kReadingStage, kSecondsPerReadValue * values, false}};
  const Matrix columns(0, bands);
  const std::vector<int> labels = class_labels(labelled);
  const std::vector<SamplePlace> places = places_of(labelled);
  add_all(stages, training_stages(options, {columns, labels, places, labelled.classes.size()}));
  return stages;
}

// The spectra of libraries of each class of the labels.
static std::vector<Index> sizes_elsewhere(const ClassTable& classes, const LabelledPixels* library) {
  std::vector<Index> sizes(classes.size(), 0);
  for (std::size_t c = 0; library != nullptr && c < library->classes.size(); ++c) {
    const int found = find_class(classes, library->classes[c].name);
    if (found >= 0) {
      sizes[static_cast<std::size_t>(found)] += class_sizes(*library)[c];
    }
  }
  return sizes;
}

static std::vector<Index> sum_of(std::vector<Index> sizes, const std::vector<Index>& others) {
  std::ranges::transform(sizes, others, sizes.begin(), std::plus<>());
  return sizes;
}

// A class may lose all its pixels where spectra of a library stand for it.
static void check_samples_of_all(const SceneSource& scene, const TrainingSamples& data, const LabelledPixels* library) {
  const auto sizes = sum_of(class_counts(data.extraction.samples), sizes_elsewhere(data.labelled.classes, library));
  for (std::size_t c = 0; library != nullptr && c < sizes.size(); ++c) {
    if (sizes[c] < kLeastSamples) {
      throw DataError("class " + data.labelled.classes[c].name + " has no usable pixel in " + scene.name() +
                      " and no spectrum in the libraries");
    }
  }
}

// Fills `data`, whose labels are read. The classes left say which bands and pixels can be used, so that all is read
// again without a class that turns out to be too small.
static void extract(const TrainOptions& options, SceneSource& scene, const Indices& bands,
                    const LabelledPixels* library, SampleDraw& draw, TrainingSamples& data, Listener& listener) {
  const auto extract_once = [&](Index least, Index needed) {
    draw.choose_candidates(data.labelled, least);
    listener.plan(stages_of(options, data.labelled, scene.grid(), static_cast<Index>(bands.size())));
    data.extraction =
        extract_samples(scene, data.labelled, bands, work_bytes(options), listener.progress(kReadingStage), needed);
  };
  if (!options.min_samples) {
    extract_once(1, library != nullptr ? 0 : kLeastSamples);
    check_samples_of_all(scene, data, library);
    return;
  }
  const Index least = *options.min_samples;
  LabelledPixels all = std::move(data.labelled);
  std::vector<SmallClass> dropped;
  std::vector<Index> sizes = sum_of(class_sizes(all), sizes_elsewhere(all.classes, library));
  // Dropping a class changes which bands are constant or empty over the labelled pixels, and with them which pixels are
  // usable, so that another class may fall below the limit. Every further pass drops one class at least; the loop ends
  // with a set of classes that all have enough usable pixels, or with the error of drop_classes().
  do {
    dropped = drop_classes(all, sizes, least, std::move(dropped), scene.name());
    data.labelled = all;
    extract_once(least, 0);
    sizes = sum_of(draw.sizes(data.extraction.samples), sizes_elsewhere(all.classes, library));
  } while (*std::ranges::min_element(sizes) < least);
  if (!dropped.empty()) {
    listener.note("classes-dropped", "classes dropped because they have fewer than " + std::to_string(least) +
                                         " training pixels: " + list_of(dropped));
  }
}

// A class may lose all of its features where they lie outside. Leaving it out silently would change the map; spectra of
// a library stand for it.
static void check_classes_outside(const TrainOptions& options, const LabelledPixels& labelled, const std::string& scene,
                                  const LabelledPixels* library, Listener& listener) {
  std::vector<std::string> names = classes_outside(labelled);
  std::erase_if(names,
                [&](const std::string& name) { return library != nullptr && find_class(library->classes, name) >= 0; });
  if (names.empty()) {
    return;
  }
  const std::string text = "no feature of " + quoted_names({names.begin(), names.end()}) + " has a pixel of " + scene +
                           "; features without a pixel: " + outside_text(labelled);
  if (!options.min_samples) {
    throw DataError(options.labels.files.front() + ": " + text +
                    "; --min-samples 1 trains without classes that have no pixel");
  }
  listener.message(text);
}

LabelledPixels read_training_labels(const TrainOptions& options, SceneSource& scene) {
  LabelInput labels = options.labels;
  labels.options.separate_parts = true;
  return read_label_input(labels, scene);
}

// Checks and completes the labels, of which the result draws.
static SampleDraw prepare_labels(const TrainOptions& options, LabelledPixels& labelled, const SceneSource& scene,
                                 Listener& listener, const LabelledPixels* library) {
  tell_reading(labelled, listener);
  check_case(labelled.classes,
             options.further_scenes.empty() ? separated(options.labels.files, ", ") : "the labels of all scenes");
  check_classes_outside(options, labelled, scene.name(), library, listener);
  if (library == nullptr) {
    check_two_classes(labelled, scene.name());
  }
  apply_colours(options.colour_rules, labelled.classes, listener);
  if (!labelled.has_regions) {
    find_regions(labelled, scene.grid().width);
  }
  return {sampling_rule(options), labelled.classes, options.training.seed,
          [&](const std::string& text) { listener.message(text); }};
}

PlannedTraining plan_training(const TrainOptions& options, LabelledPixels labelled, const SceneSource& scene,
                              Index bands, Listener& listener, const LabelledPixels* library) {
  const SampleDraw draw = prepare_labels(options, labelled, scene, listener, library);
  std::vector<Index> elsewhere = sizes_elsewhere(labelled.classes, library);
  if (options.min_samples) {
    const std::vector<Index> sizes = sum_of(class_sizes(labelled), elsewhere);
    drop_classes(labelled, sizes, *options.min_samples, {}, scene.name());
    elsewhere = sizes_elsewhere(labelled.classes, library);
  }
  draw.choose_drawn(labelled);
  PlannedTraining plan{without_pixels(labelled.classes), stages_of(options, labelled, scene.grid(), bands)};
  const std::vector<Index> sizes = sum_of(class_sizes(labelled), elsewhere);
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    plan.classes[c].pixels = sizes[c];
  }
  return plan;
}

TrainingSamples read_training_samples(const TrainOptions& options, LabelledPixels labelled, SceneSource& scene,
                                      const Indices& bands, Listener& listener, const LabelledPixels* library) {
  TrainingSamples data;
  data.labelled = std::move(labelled);
  SampleDraw draw = prepare_labels(options, data.labelled, scene, listener, library);
  extract(options, scene, bands, library, draw, data, listener);
  warn_of_losses(data.labelled, data.extraction, scene.masked() != nullptr, listener);
  draw.draw(data.extraction.samples);
  return data;
}

static void warn_of_outliers(const SampleSet& samples, const std::vector<Outlier>& outliers,
                             const TrainingScenes& scenes, Listener& listener) {
  constexpr std::size_t kMostNamed = 3;
  const std::size_t named = std::min(outliers.size(), kMostNamed);
  for (std::size_t k = 0; k < named; ++k) {
    // The outliers are sorted by their ratio, so that the worst ones are described with their place. The ratio may have
    // any magnitude and is written with an exponent.
    const auto i = static_cast<std::size_t>(outliers[k].sample);
    std::ostringstream text;
    text.precision(1);
    if (!samples.places[i].in_scene()) {
      text << "a spectrum of the libraries (class '";
    } else {
      const PixelPlace place = scenes.where().place_of(samples.places[i].pixel);
      text << "the training pixel at column " << place.column << ", row " << place.row
           << (scenes.several() ? " of " + place.scene : "") << " (class '";
    }
    text << samples.classes[static_cast<std::size_t>(samples.labels[i])].name << "') lies " << std::scientific
         << outliers[k].ratio << " times as far from the others as usual, as a bad value does, and is left out";
    listener.note("outliers-left-out", text.str());
  }
  if (outliers.size() > named) {
    listener.note("outliers-left-out",
                  "training pixels left out because they lie more than 1000 times as far from the others as usual, "
                  "beside those: " +
                      std::to_string(outliers.size() - named));
  }
}

void leave_out_outliers(SampleSet& samples, const TrainingScenes& scenes, Listener& listener) {
  const std::vector<Outlier> outliers = outlying_samples(samples);
  if (!outliers.empty()) {
    warn_of_outliers(samples, outliers, scenes, listener);
    samples = without_outliers(samples, outliers);
  }
}

ValueRange training_range(const SampleSet& samples, const InputScene& scene, const Indices& bands, Listener& listener) {
  const ValueRange range = range_of_values(samples.spectra, values_at(scene.source->bands(), bands));
  if (range.alike_samples > 0 && !scene.input.nodata) {
    listener.note("undeclared-nodata", "training pixels with one value in all bands, as fill has it: " +
                                           std::to_string(range.alike_samples) +
                                           "; maps take such pixels for data (--nodata VALUE leaves them out)");
  }
  return range;
}

}  // namespace parsimap
