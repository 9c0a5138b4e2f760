#include "training_samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/classifier/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/options/option.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/window_reader.hpp"
#include "parsimap/text/text_tables.hpp"

#include "../job_frame.hpp"
#include "spatial_training.hpp"
#include "train_options.hpp"
#include "training_scenes.hpp"

namespace parsimap {

namespace {

// Enough for classes of which most pixels have no spectrum.
constexpr Index kCandidatesPerSample = 20;

constexpr const char* kReadingStage = "reading labelled pixels";

std::vector<int> labels_of(const LabelledPixels& labelled) {
  std::vector<int> labels;
  labels.reserve(labelled.pixels.size());
  for (const LabelledPixel& pixel : labelled.pixels) {
    labels.push_back(pixel.label);
  }
  return labels;
}

}  // namespace

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
  const auto missing = std::find(counts.begin(), counts.end(), -1);
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
  std::vector<Index> table;
  if (rule_.strategy == SamplingStrategy::by_class) {
    for (const ClassEntry& entry : classes) {
      table.push_back(table_.at(entry.code));
    }
  }
  return table;
}

void SampleDraw::choose_candidates(LabelledPixels& labelled, Index least) {
  if (rule_.strategy == SamplingStrategy::all) {
    return;
  }
  const std::vector<int> labels = labels_of(labelled);
  labelled_ = class_sizes(labelled);
  std::vector<Index> wanted = sample_counts(rule_, labelled_, table_of(labelled.classes));
  for (Index& count : wanted) {
    // Twenty times as many pixels as wanted are read, drawn at random for each class, instead of all labelled pixels:
    // for dense reference maps this is the difference between some storage blocks and the complete scene. The final
    // draw takes its samples from the candidates that turn out to have a value in every band.
    count = kCandidatesPerSample * std::max(count, least);
  }
  std::vector<LabelledPixel> kept;
  for (const Index i : draw_counts(labels, wanted, seed_)) {
    kept.push_back(labelled.pixels[static_cast<std::size_t>(i)]);
  }
  labelled.pixels = std::move(kept);
  candidates_ = class_sizes(labelled);
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

namespace {

void warn_of_losses(const LabelledPixels& labelled, const Extraction& extraction, Listener& listener) {
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
    listener.note("pixels-without-value", "labelled pixels dropped because a band has no value there: " +
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

// What follows: the reading of the labelled pixels of a scene, and the training on them.
void plan_training(const TrainOptions& options, const LabelledPixels& labelled, const RasterGrid& grid, Index bands,
                   Listener& listener) {
  constexpr double kReadingSeconds = 1.5e-8;  // of a value of the scene
  const double values = static_cast<double>(grid.pixels()) * static_cast<double>(bands);
  std::vector<PlannedPhase> stages = {{kReadingStage, kReadingSeconds * values, false}};
  const Matrix columns(0, bands);
  std::vector<int> labels;
  std::vector<std::int64_t> regions;
  for (const LabelledPixel& pixel : labelled.pixels) {
    labels.push_back(pixel.label);
    regions.push_back(pixel.region);
  }
  const auto training = training_stages(options, {columns, labels, regions, labelled.classes.size()});
  stages.insert(stages.end(), training.begin(), training.end());
  listener.plan(stages);
}

// Fills `data`, whose labels are read. The classes left say which bands and pixels can be used, so that all is read
// again without a class that turns out to be too small.
void extract(const TrainOptions& options, SceneSource& scene, const Indices& bands, SampleDraw& draw,
             TrainingSamples& data, Listener& listener) {
  const auto count = static_cast<Index>(bands.size());
  if (!options.min_samples) {
    draw.choose_candidates(data.labelled);
    plan_training(options, data.labelled, scene.grid(), count, listener);
    data.extraction =
        extract_samples(scene, data.labelled, bands, work_bytes(options), listener.progress(kReadingStage));
    return;
  }
  const Index least = *options.min_samples;
  LabelledPixels all = std::move(data.labelled);
  std::vector<SmallClass> dropped;
  std::vector<Index> sizes = class_sizes(all);
  // Dropping a class changes which bands are constant or empty over the labelled pixels, and with them which pixels are
  // usable, so that another class may fall below the limit. Every further pass drops one class at least; the loop ends
  // with a set of classes that all have enough usable pixels, or with the error of drop_classes().
  do {
    dropped = drop_classes(all, sizes, least, std::move(dropped), scene.name());
    data.labelled = all;
    draw.choose_candidates(data.labelled, least);
    plan_training(options, data.labelled, scene.grid(), count, listener);
    data.extraction =
        extract_samples(scene, data.labelled, bands, work_bytes(options), listener.progress(kReadingStage), 0);
    sizes = draw.sizes(data.extraction.samples);
  } while (*std::min_element(sizes.begin(), sizes.end()) < least);
  if (!dropped.empty()) {
    listener.note("classes-dropped", "classes dropped because they have fewer than " + std::to_string(least) +
                                         " training pixels: " + list_of(dropped));
  }
}

// A class may lose all of its features where they lie outside. Leaving it out silently would change the map.
void check_classes_outside(const TrainOptions& options, const LabelledPixels& labelled, const std::string& scene,
                           Listener& listener) {
  const std::vector<std::string> names = classes_outside(labelled);
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

}  // namespace

LabelledPixels read_training_labels(const TrainOptions& options, SceneSource& scene) {
  LabelInput labels = options.labels;
  labels.options.separate_parts = true;
  return read_label_input(labels, scene);
}

TrainingSamples read_training_samples(const TrainOptions& options, LabelledPixels labelled, SceneSource& scene,
                                      const Indices& bands, Listener& listener) {
  TrainingSamples data;
  data.labelled = std::move(labelled);
  tell_reading(data.labelled, listener);
  check_case(data.labelled.classes, scene.name());
  check_classes_outside(options, data.labelled, scene.name(), listener);
  apply_colours(options.colour_rules, data.labelled.classes, listener);
  if (!data.labelled.has_regions) {
    find_regions(data.labelled, scene.grid().width);
  }
  SampleDraw draw(sampling_rule(options), data.labelled.classes, options.training.seed,
                  [&](const std::string& text) { listener.message(text); });
  extract(options, scene, bands, draw, data, listener);
  warn_of_losses(data.labelled, data.extraction, listener);
  draw.draw(data.extraction.samples);
  return data;
}

namespace {

// The unit of every labelled pixel.
std::vector<std::int64_t> test_units(const std::string& by, const LabelledPixels& labelled, const Matrix& points) {
  const double size = test_block_size(by);
  std::map<std::pair<double, double>, std::int64_t> blocks;
  std::vector<std::int64_t> units;
  for (const LabelledPixel& pixel : labelled.pixels) {
    const auto i = static_cast<Index>(units.size());
    if (size > 0) {
      const std::pair<double, double> block(std::floor(points(i, 0) / size), std::floor(points(i, 1) / size));
      units.push_back(blocks.emplace(block, static_cast<std::int64_t>(blocks.size())).first->second);
    } else {
      units.push_back(by == "field" ? labelled.group_of(pixel.region) : labelled.feature_of(pixel.region));
    }
  }
  return units;
}

// Whether each unit is for testing. The classes of the fewest units come first, and each decides only on units that no
// class before has decided on, so that units of several classes do not leave a rare one without.
std::map<std::int64_t, bool> drawn_units(const LabelledPixels& labelled, const std::vector<std::int64_t>& units,
                                         double share, std::uint64_t seed, Listener& listener) {
  std::vector<std::set<std::int64_t>> of_class(labelled.classes.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    of_class[static_cast<std::size_t>(labelled.pixels[i].label)].insert(units[i]);
  }
  std::vector<std::size_t> order(of_class.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return of_class[a].size() < of_class[b].size(); });
  std::map<std::int64_t, bool> for_test;
  for (const std::size_t c : order) {
    const std::vector<std::int64_t> own(of_class[c].begin(), of_class[c].end());
    const auto n = static_cast<Index>(own.size());
    if (n == 1) {
      listener.warn("class-not-tested",
                    "class '" + labelled.classes[c].name +
                        "' lies in one unit, which is trained on; no pixel of it is kept for testing");
    }
    const auto rounded = static_cast<Index>(std::lround(share * static_cast<double>(n)));
    Index left = n < 2 ? 0 : std::clamp<Index>(rounded, 1, n - 1);
    left -= std::count_if(own.begin(), own.end(),
                          [&](std::int64_t unit) { return for_test.contains(unit) && for_test.at(unit); });
    for (const Index k : Random(seed, c).permutation(n)) {
      if (for_test.emplace(own[static_cast<std::size_t>(k)], left > 0).second) {
        --left;
      }
    }
  }
  return for_test;
}

using Point = std::array<double, 2>;

// The distance of a point from the nearest of `points`, which ascend, or `best` if that is less.
double nearest_distance(const std::vector<Point>& points, const Point& point, double best) {
  const auto look = [&](const Point& other) {
    best = std::min(best, std::hypot(other[0] - point[0], other[1] - point[1]));
    return std::abs(other[0] - point[0]) < best;
  };
  // In both directions, until the first coordinate alone is farther away than the best point.
  const auto middle = std::lower_bound(points.begin(), points.end(), point);
  std::find_if_not(middle, points.end(), look);
  std::find_if_not(std::make_reverse_iterator(middle), points.rend(), look);
  return best;
}

}  // namespace

LabelledPixels take_test_pixels(const TestOptions& options, std::uint64_t seed, const PixelPositions& positions,
                                LabelledPixels& labelled, TestRecord& record, Listener& listener) {
  const std::string by = options.by.value_or("polygon");
  const std::vector<std::int64_t> units = test_units(by, labelled, positions.points);
  const std::map<std::int64_t, bool> for_test = drawn_units(labelled, units, *options.share, seed, listener);
  LabelledPixels test = labelled;
  test.pixels.clear();
  std::vector<LabelledPixel> kept;
  std::vector<Point> points;
  const auto point_of = [&](std::size_t i) {
    const auto row = static_cast<Index>(i);
    return Point{positions.points(row, 0), positions.points(row, 1)};
  };
  for (std::size_t i = 0; i < units.size(); ++i) {
    (for_test.at(units[i]) ? test.pixels : kept).push_back(labelled.pixels[i]);
    if (!for_test.at(units[i])) {
      points.push_back(point_of(i));
    }
  }
  if (test.pixels.empty()) {
    throw DataError("--test-share " + number_text(*options.share) + " by " + by +
                    " leaves no pixel for testing: every class lies in one unit");
  }
  std::sort(points.begin(), points.end());
  std::map<std::int64_t, double> distances;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (for_test.at(units[i])) {
      double& distance = distances.emplace(units[i], std::numeric_limits<double>::infinity()).first->second;
      distance = nearest_distance(points, point_of(i), distance);
    }
  }
  std::vector<double> sorted;
  std::transform(distances.begin(), distances.end(), std::back_inserter(sorted),
                 [](auto& unit) { return unit.second; });
  std::sort(sorted.begin(), sorted.end());
  const auto count = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  record = {*options.out,
            *options.share,
            by,
            count(sorted.size()),
            count(test.pixels.size()),
            count(for_test.size() - sorted.size()),
            count(kept.size()),
            sorted.front(),
            sorted[sorted.size() / 2],
            positions.metres ? "m" : "pixels"};
  labelled.pixels = std::move(kept);
  return test;
}

namespace {

// Pixels with a value in one band, of windows drawn from the scenes.
std::vector<std::int64_t> map_pixels(SceneSource& source, Index band) {
  constexpr Index kInWindows = Index{100} * 64 * 64;
  const Index width = source.grid().width;
  std::vector<std::int64_t> pixels;
  const auto add = [&](ValidSpectra&& input) {
    for (Index i = 0; i < input.spectra.rows(); ++i) {
      const Index at = input.position(i);
      pixels.push_back((input.window.row + at / input.window.width) * width + input.window.column +
                       at % input.window.width);
    }
  };
  for_sampled_windows(source, {band}, add, kInWindows);
  return pixels;
}

// The rows of samples that have a place.
Indices placed_rows(const SampleSet& samples) {
  Indices rows;
  for (std::size_t i = 0; i < samples.pixels.size(); ++i) {
    if (samples.pixels[i] >= 0) {
      rows.push_back(static_cast<Index>(i));
    }
  }
  return rows;
}

// Spectra of libraries keep their groups, with numbers behind those of the units.
void take_units(const std::vector<std::int64_t>& units, const Indices& rows, Index count, SampleSet& samples) {
  std::map<std::int64_t, std::int64_t> others;
  for (std::size_t i = 0; i < samples.groups.size(); ++i) {
    if (samples.pixels[i] < 0) {
      samples.groups[i] = others.emplace(samples.groups[i], count + static_cast<Index>(others.size())).first->second;
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    samples.groups[static_cast<std::size_t>(rows[k])] = units[k];
  }
  samples.places.clear();
}

}  // namespace

// None where the reference system has no distances in metres, as an engineering one of a local grid.
static std::optional<PixelPositions> plane_positions(const TrainingScenes& scenes,
                                                     const std::vector<std::int64_t>& pixels) {
  try {
    return scenes.positions(pixels, 0);
  } catch (const DataError&) {
    return std::nullopt;
  }
}

std::optional<UnitDesign> match_training_units(const TrainOptions& options, const TrainingScenes& scenes,
                                               const Indices& bands, SampleSet& samples, Listener& listener) {
  const Indices rows = placed_rows(samples);
  if (options.labels.options.group_field || rows.empty()) {
    return std::nullopt;
  }
  const std::vector<std::int64_t> pixels = map_pixels(scenes.source(), bands.front());
  std::optional<PixelPositions> places = plane_positions(scenes, values_at(samples.pixels, rows));
  if (pixels.empty() || !places) {
    return std::nullopt;
  }
  PixelPositions map = scenes.positions(pixels, 0);
  const double pixel = places->metres ? pixel_metres(scenes.first_grid()).value_or(1) : 1;
  if (places->metres) {
    // Metres count upwards and rows downwards: without a reference system the same units are found.
    places->points.col(1) *= -1;
    map.points.col(1) *= -1;
  }
  MatchedUnits matched =
      match_units(values_at(samples.labels, rows), class_names(samples.classes), values_at(samples.groups, rows),
                  "region", {places->points, map.points, pixel, places->metres}, options.training.seed);
  take_units(matched.units, rows, matched.design.count, samples);
  for (const std::string& name : matched.design.cut) {
    listener.message("class '" + name + "' lies in one " + matched.design.unit +
                     "; parts of it are left out in turn, and what they say of the class is optimistic");
  }
  return std::move(matched.design);
}

namespace {

bool single_pixels(const FoldDesign& design) { return design.grouping.unit == Grouping::Unit::pixels; }

std::vector<std::int64_t> groups_of(const FoldDesign& design, const LabelGroups& labels) {
  std::vector<std::int64_t> groups = labels.groups;
  if (single_pixels(design)) {
    // Each pixel becomes a group of its own, with those of other scenes that show the same place.
    if (!labels.places.empty()) {
      return labels.places;
    }
    std::iota(groups.begin(), groups.end(), std::int64_t{0});
  }
  return groups;
}

// Neighbouring pixels of a polygon are similar: one of them is easily classified if the others were trained on.
void warn_of_leaks(const SampleSet& samples, Listener& listener) {
  std::map<std::int64_t, Index> sizes;
  for (const std::int64_t region : samples.regions) {
    ++sizes[region];
  }
  const auto shared = std::count_if(sizes.begin(), sizes.end(), [](const auto& entry) { return entry.second > 1; });
  if (shared > 0) {
    listener.warn("optimistic-accuracy",
                  "--groups pixels tests on pixels of regions that it also trains on (" + std::to_string(shared) +
                      " of " + std::to_string(sizes.size()) +
                      " regions have several pixels): the accuracy is optimistic; --groups regions is not");
  }
}

void warn_of_few_groups(const FoldPlan& plan, const ClassTable& classes, bool single_pixels, Listener& listener) {
  const std::string unit = single_pixels ? "pixel" : "group";
  for (std::size_t c = 0; c < classes.size(); ++c) {
    // A class in one group is either trained or tested in every fold, never both; one in g groups can be tested in g
    // folds at most.
    const Index groups = plan.class_groups[c];
    if (groups == 1) {
      listener.warn("class-in-one-group",
                    "class '" + classes[c].name + "' lies in one " + unit +
                        ", which cannot be both trained and tested on; its accuracy is not estimated" +
                        (single_pixels ? "" : ", but would be, optimistically, with --groups pixels"));
    } else if (groups < plan.design.folds) {
      listener.message("class '" + classes[c].name + "' lies in " + std::to_string(groups) + " " + unit +
                       "s, fewer than the " + std::to_string(plan.design.folds) +
                       " folds; it is tested in so many of them at most");
    }
  }
}

void warn_of_untrained(const FoldPlan& plan, const ClassTable& classes, Listener& listener) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto untrained = std::count_if(plan.folds.begin(), plan.folds.end(), [&](const Fold& fold) {
      return std::find(fold.untrained.begin(), fold.untrained.end(), static_cast<int>(c)) != fold.untrained.end();
    });
    if (untrained > 0 && plan.class_groups[c] > 1) {
      listener.message("class '" + classes[c].name + "' has no training pixel in " + std::to_string(untrained) +
                       " of " + std::to_string(plan.folds.size()) + " folds; it is neither trained nor tested there");
    }
  }
}

int folds_at_once(const FoldPlan& plan, const SampleSet& samples, const TrainingOptions& training, int threads,
                  std::int64_t allowed_bytes) {
  int folds = std::min(threads, static_cast<int>(plan.folds.size()));
  // Folds are trained side by side only as far as memory allows; the result does not depend on it.
  while (folds > 1 && validation_bytes(samples, plan, training, folds) > allowed_bytes) {
    --folds;
  }
  return folds;
}

}  // namespace

Validation validate_training(FoldDesign design, const SampleSet& samples, const LabelGroups& labels,
                             const PixelPositions& positions, const TrainingOptions& training, int threads,
                             std::int64_t allowed_bytes, Listener& listener) {
  design.buffer_unit = positions.metres ? "m" : "pixels";
  const FoldPlan plan =
      plan_folds(samples.labels, samples.classes.size(), groups_of(design, labels), positions.points, design);
  if (single_pixels(design)) {
    warn_of_leaks(samples, listener);
  }
  warn_of_few_groups(plan, samples.classes, single_pixels(design), listener);
  warn_of_untrained(plan, samples.classes, listener);
  return validate(samples, plan, training, folds_at_once(plan, samples, training, threads, allowed_bytes),
                  listener.progress("validating"));
}

}  // namespace parsimap
