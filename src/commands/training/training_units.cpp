#include "training_units.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "parsimap/classifier/validation.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/scene/window_reader.hpp"
#include "parsimap/validation/sample_units.hpp"

#include "train_syntax.hpp"
#include "training_scenes.hpp"

namespace parsimap {
// The unit of every labelled pixel. What several scenes show of one feature or place is one unit.
static std::vector<SampleUnit> test_units(const std::string& by, const LabelledPixels& labelled, const Matrix& points,
                                          bool several) {
  if (const double side = test_block_size(by); side > 0) {
    return block_units(points, side);
  }
  return mapped<SampleUnit>(labelled.pixels, [&](const LabelledPixel& pixel) {
    return by == "field" || several ? labelled.unit_of(pixel.region)
                                    : SampleUnit{labelled.feature_of(pixel.region), SampleUnit::Reason::feature};
  });
}

static std::vector<std::string> names_at(const std::vector<int>& classes, const ClassTable& table) {
  return mapped<std::string>(classes, [&](int c) { return table[static_cast<std::size_t>(c)].name; });
}

// Names the classes that are not tested, and the blocks that would test them: about eight in the smallest of these
// classes.
static void warn_of_untested(const std::vector<int>& untested, const std::string& by, const LabelledPixels& labelled,
                             double pixel, Listener& listener) {
  constexpr double kBlocksOfClass = 8;
  if (untested.empty()) {
    return;
  }
  const std::vector<std::string> names = names_at(untested, labelled.classes);
  std::string advice;
  if (test_block_size(by) == 0) {
    const std::vector<Index> sizes = class_sizes(labelled);
    const Index smallest =
        std::ranges::min(mapped<Index>(untested, [&](int c) { return sizes[static_cast<std::size_t>(c)]; }));
    const double side = std::max(2.0, std::floor(std::sqrt(static_cast<double>(smallest) / kBlocksOfClass)));
    advice = "; --test-by block:" + number_text(side * pixel) + " divides it into blocks, of which some are tested";
  }
  listener.warn("class-not-tested",
                std::to_string(untested.size()) + " of " + std::to_string(labelled.classes.size()) +
                    " classes are not tested: " + quoted_names({names.begin(), names.end()}) +
                    (untested.size() == 1 ? " lies in one unit (" + by + "), which is trained on"
                                          : " lie in one unit (" + by + ") each, which is trained on") +
                    advice);
}

TestPart take_test_pixels(const TestOptions& options, std::uint64_t seed, const PixelPositions& positions,
                          LabelledPixels& labelled, Listener& listener, double pixel, bool several) {
  const std::string by = options.by.value_or("polygon");
  const std::vector<SampleUnit> units = test_units(by, labelled, positions.points, several);
  const TestUnits drawn =
      draw_test_units(class_labels(labelled), labelled.classes.size(), units, *options.share, seed, positions.points);
  warn_of_untested(drawn.untested, by, labelled, pixel, listener);
  if (drawn.test_units == 0) {
    throw DataError("--test-share " + number_text(*options.share) + " by " + by +
                    " leaves no pixel for testing: every class lies in one unit");
  }
  TestPart part{labelled, {}, {}};
  part.labelled.pixels.clear();
  std::vector<LabelledPixel> kept;
  for (std::size_t i = 0; i < units.size(); ++i) {
    (drawn.tested[i] ? part.labelled.pixels : kept).push_back(labelled.pixels[i]);
    if (drawn.tested[i]) {
      part.units.push_back(units[i]);
    }
  }
  part.record = {*options.out,
                 *options.share,
                 by,
                 drawn.test_units,
                 std::ssize(part.units),
                 drawn.training_units,
                 std::ssize(kept),
                 drawn.distances.front(),
                 drawn.distances[drawn.distances.size() / 2],
                 positions.metres ? "m" : "pixels",
                 names_at(drawn.untested, labelled.classes)};
  labelled.pixels = std::move(kept);
  return part;
}

// Pixels with a value in one band, of windows drawn from the scenes.
static std::vector<std::int64_t> map_pixels(SceneSource& source, Index band) {
  constexpr Index kInWindows = Index{100} * 64 * 64;
  std::vector<std::int64_t> pixels;
  const auto add = [&](ValidSpectra&& input) {
    for (Index i = 0; i < input.spectra.rows(); ++i) {
      pixels.push_back(input.pixel(i, source.grid().width));
    }
  };
  for_sampled_windows(source, {band}, add, kInWindows);
  return pixels;
}

// The rows of samples that have a place.
static Indices placed_rows(const SampleSet& samples) {
  return indices_where(samples.places.size(), [&](std::size_t i) { return samples.places[i].in_scene(); });
}

// The units then say all that the ground did.
static void forget_grounds(SampleSet& samples) {
  for (SamplePlace& place : samples.places) {
    place.ground.reset();
  }
}

// Makes scenes the units. Classes of one scene are named.
static UnitDesign leave_out_scenes(const TrainingScenes& scenes, SampleSet& samples) {
  const Indices rows = placed_rows(samples);
  take_units(scenes.where().scene_units(values_at(samples.places, rows)), rows, samples.places);
  forget_grounds(samples);
  UnitDesign design{.unit = "scene"};
  design.count = unit_count(units_of(samples.places));
  const std::vector<Index> counts = units_by_class(samples.labels, samples.classes.size(), units_of(samples.places));
  const Indices cut = indices_where(counts.size(), [&](std::size_t c) { return counts[c] < 2; });
  design.cut = class_names(values_at(samples.classes, cut));
  return design;
}

static void name_cut_classes(const UnitDesign& design, Listener& listener) {
  for (const std::string& name : design.cut) {
    listener.message("class '" + name + "' lies in one " + design.unit +
                     "; parts of it are left out in turn, and what they say of the class is optimistic");
  }
}

std::optional<MatchedUnits> match_training_units(const TrainOptions& options, const TrainingScenes& scenes,
                                                 const Indices& bands, SampleSet& samples, Listener& listener) {
  if (options.other_scenes) {
    UnitDesign design = leave_out_scenes(scenes, samples);
    name_cut_classes(design, listener);
    return MatchedUnits{std::move(design), units_of(samples.places)};
  }
  const Indices rows = placed_rows(samples);
  const std::vector<SamplePlace> placed = values_at(samples.places, rows);
  std::optional<PixelPositions> places = scenes.where().known_positions(pixels_of(placed));
  if (rows.empty() || !places) {
    return std::nullopt;
  }
  if (options.labels.options.group_field) {
    // Folds of the groups of a field then are those of the same groups under other numbers.
    take_units(numbered_by_position(units_of(placed), places->points), rows, samples.places);
    return std::nullopt;
  }
  const std::vector<std::int64_t> pixels = map_pixels(scenes.source(), bands.front());
  if (pixels.empty()) {
    return std::nullopt;
  }
  PixelPositions map = scenes.where().positions(pixels, 0);
  const double pixel = scenes.where().pixel_width(*places);
  if (places->metres) {
    // Metres count upwards and rows downwards: without a reference system the same units are found.
    places->points.col(1) *= -1;
    map.points.col(1) *= -1;
  }
  MatchedUnits matched =
      match_units(values_at(samples.labels, rows), class_names(samples.classes), {{"region", units_of(placed)}},
                  {places->points, map.points, pixel, places->metres}, options.training.seed);
  take_units(matched.units, rows, samples.places);
  forget_grounds(samples);
  name_cut_classes(matched.design, listener);
  if (std::ssize(rows) < samples.size()) {
    matched.others.clear();  // spectra of libraries have no place in them
  }
  return matched;
}

// Neighbouring pixels of a polygon are similar: one of them is easily classified if the others were trained on.
static void warn_of_leaks(const SampleSet& samples, Listener& listener) {
  std::map<std::int64_t, Index> sizes;
  for (const SamplePlace& place : samples.places) {
    ++sizes[place.region];
  }
  const auto shared = std::ranges::count_if(sizes, [](const auto& entry) { return entry.second > 1; });
  if (shared > 0) {
    listener.warn("optimistic-accuracy",
                  "--groups pixels tests on pixels of regions that it also trains on (" + std::to_string(shared) +
                      " of " + std::to_string(sizes.size()) +
                      " regions have several pixels): the accuracy is optimistic; --groups regions is not");
  }
}

static void warn_of_few_groups(const FoldPlan& plan, const ClassTable& classes, bool single_pixels,
                               Listener& listener) {
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

static void warn_of_untrained(const FoldPlan& plan, const ClassTable& classes, Listener& listener) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto untrained = std::ranges::count_if(plan.folds, [&](const Fold& fold) {
      return std::ranges::find(fold.untrained, static_cast<int>(c)) != fold.untrained.end();
    });
    if (untrained > 0 && plan.class_groups[c] > 1) {
      listener.message("class '" + classes[c].name + "' has no training pixel in " + std::to_string(untrained) +
                       " of " + std::to_string(plan.folds.size()) + " folds; it is neither trained nor tested there");
    }
  }
}

Validation validate_training(FoldDesign design, const SampleSet& samples, const std::vector<SamplePlace>& places,
                             const PixelPositions& positions, const TrainingOptions& training, int threads,
                             std::int64_t allowed_bytes, Listener& listener) {
  design.buffer_unit = positions.metres ? "m" : "pixels";
  const FoldPlan plan = plan_folds(samples.labels, samples.classes.size(),
                                   design.single ? single_units(places) : units_of(places), positions.points, design);
  if (design.single) {
    warn_of_leaks(samples, listener);
  }
  warn_of_few_groups(plan, samples.classes, design.single, listener);
  warn_of_untrained(plan, samples.classes, listener);
  return validate(samples, plan, training, folds_at_once(samples, plan, training, threads, allowed_bytes),
                  listener.progress("validating"));
}

}  // namespace parsimap
