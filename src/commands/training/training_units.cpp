#include "training_units.hpp"

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

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/classifier/validation.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/options/option.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/sensor_geometry.hpp"
#include "parsimap/scene/window_reader.hpp"
#include "parsimap/text/text_tables.hpp"
#include "parsimap/validation/folds.hpp"
#include "parsimap/validation/unit_design.hpp"

#include "../job_frame.hpp"
#include "spatial_training.hpp"
#include "train_options.hpp"
#include "training_scenes.hpp"

namespace parsimap {
namespace {

// The unit of every labelled pixel.
std::vector<SampleUnit> test_units(const std::string& by, const LabelledPixels& labelled, const Matrix& points,
                                   bool several) {
  const double size = test_block_size(by);
  std::map<std::pair<double, double>, std::int64_t> blocks;
  std::vector<SampleUnit> units;
  for (const LabelledPixel& pixel : labelled.pixels) {
    const auto i = static_cast<Index>(units.size());
    if (size > 0) {
      const std::pair<double, double> block(std::floor(points(i, 0) / size), std::floor(points(i, 1) / size));
      units.push_back({blocks.emplace(block, std::ssize(blocks)).first->second, SampleUnit::Reason::matched});
    } else if (by == "field" || several) {
      units.push_back(labelled.unit_of(pixel.region));
    } else {
      units.push_back({labelled.feature_of(pixel.region), SampleUnit::Reason::feature});
    }
  }
  return units;
}

// Whether each unit is for testing; `untested` gets the classes of a single unit, which is trained on. The classes of
// the fewest units come first, and each decides only on units that no class before has decided on, so that units of
// several classes do not leave a rare one without.
std::map<SampleUnit, bool> drawn_units(const LabelledPixels& labelled, const std::vector<SampleUnit>& units,
                                       double share, std::uint64_t seed, std::vector<std::string>& untested) {
  std::vector<std::set<SampleUnit>> of_class(labelled.classes.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    of_class[static_cast<std::size_t>(labelled.pixels[i].label)].insert(units[i]);
  }
  std::vector<std::size_t> order(of_class.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return of_class[a].size() < of_class[b].size(); });
  std::map<SampleUnit, bool> for_test;
  for (const std::size_t c : order) {
    const std::vector<SampleUnit> own(of_class[c].begin(), of_class[c].end());
    const auto n = static_cast<Index>(own.size());
    if (n == 1) {
      untested.push_back(labelled.classes[c].name);
    }
    const auto rounded = static_cast<Index>(std::lround(share * static_cast<double>(n)));
    Index left = n < 2 ? 0 : std::clamp<Index>(rounded, 1, n - 1);
    left -= std::ranges::count_if(own,
                                  [&](const SampleUnit& unit) { return for_test.contains(unit) && for_test.at(unit); });
    for (const Index k : Random(seed, c).permutation(n)) {
      if (for_test.emplace(own[static_cast<std::size_t>(k)], left > 0).second) {
        --left;
      }
    }
  }
  return for_test;
}

// Names the classes that are not tested, and the blocks that would test them: about eight in the smallest of these
// classes.
void warn_of_untested(const std::vector<std::string>& untested, const std::string& by, const LabelledPixels& labelled,
                      double pixel, Listener& listener) {
  constexpr double kBlocksOfClass = 8;
  if (untested.empty()) {
    return;
  }
  std::string advice;
  if (test_block_size(by) == 0) {
    const std::vector<Index> sizes = class_sizes(labelled);
    Index smallest = std::ssize(labelled.pixels);
    for (const std::string& name : untested) {
      smallest = std::min(smallest, sizes[static_cast<std::size_t>(find_class(labelled.classes, name))]);
    }
    const double side = std::max(2.0, std::floor(std::sqrt(static_cast<double>(smallest) / kBlocksOfClass)));
    advice = "; --test-by block:" + number_text(side * pixel) + " divides it into blocks, of which some are tested";
  }
  listener.warn("class-not-tested",
                std::to_string(untested.size()) + " of " + std::to_string(labelled.classes.size()) +
                    " classes are not tested: " + quoted_names({untested.begin(), untested.end()}) +
                    (untested.size() == 1 ? " lies in one unit (" + by + "), which is trained on"
                                          : " lie in one unit (" + by + ") each, which is trained on") +
                    advice);
}

using Point = std::array<double, 2>;

// The distance of a point from the nearest of `points`, which ascend, or `best` if that is less.
double nearest_distance(const std::vector<Point>& points, const Point& point, double best) {
  const auto look = [&](const Point& other) {
    best = std::min(best, std::hypot(other[0] - point[0], other[1] - point[1]));
    return std::abs(other[0] - point[0]) < best;
  };
  // In both directions, until the first coordinate alone is farther away than the best point.
  const auto middle = std::ranges::lower_bound(points, point);
  std::find_if_not(middle, points.end(), look);
  std::find_if_not(std::make_reverse_iterator(middle), points.rend(), look);
  return best;
}

}  // namespace

TestPart take_test_pixels(const TestOptions& options, std::uint64_t seed, const PixelPositions& positions,
                          LabelledPixels& labelled, Listener& listener, double pixel, bool several) {
  const std::string by = options.by.value_or("polygon");
  const std::vector<SampleUnit> units = test_units(by, labelled, positions.points, several);
  std::vector<std::string> untested;
  const std::map<SampleUnit, bool> for_test = drawn_units(labelled, units, *options.share, seed, untested);
  warn_of_untested(untested, by, labelled, pixel, listener);
  TestPart part;
  LabelledPixels& test = part.labelled;
  test = labelled;
  test.pixels.clear();
  std::vector<LabelledPixel> kept;
  std::vector<Point> points;
  const auto point_of = [&](std::size_t i) {
    const auto row = static_cast<Index>(i);
    return Point{positions.points(row, 0), positions.points(row, 1)};
  };
  for (std::size_t i = 0; i < units.size(); ++i) {
    (for_test.at(units[i]) ? test.pixels : kept).push_back(labelled.pixels[i]);
    if (for_test.at(units[i])) {
      part.units.push_back(units[i]);
    } else {
      points.push_back(point_of(i));
    }
  }
  if (test.pixels.empty()) {
    throw DataError("--test-share " + number_text(*options.share) + " by " + by +
                    " leaves no pixel for testing: every class lies in one unit");
  }
  std::ranges::sort(points);
  // Of every test pixel, as the map knows pixels: the pixel at the edge of a field says little about those inside.
  std::vector<double> distances;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (for_test.at(units[i])) {
      distances.push_back(nearest_distance(points, point_of(i), std::numeric_limits<double>::infinity()));
    }
  }
  std::ranges::sort(distances);
  const std::int64_t tested = std::ranges::count_if(for_test, [](const auto& unit) { return unit.second; });
  part.record = {*options.out,
                 *options.share,
                 by,
                 tested,
                 std::ssize(test.pixels),
                 std::ssize(for_test) - tested,
                 std::ssize(kept),
                 distances.front(),
                 distances[distances.size() / 2],
                 positions.metres ? "m" : "pixels",
                 std::move(untested)};
  labelled.pixels = std::move(kept);
  return part;
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
  for (std::size_t i = 0; i < samples.places.size(); ++i) {
    if (samples.places[i].in_scene()) {
      rows.push_back(static_cast<Index>(i));
    }
  }
  return rows;
}

// Spectra of libraries keep their units, under numbers behind the others.
void take_units(const std::vector<SampleUnit>& units, const Indices& rows, SampleSet& samples) {
  const std::int64_t count = 1 + std::ranges::max_element(units)->number;
  std::map<SampleUnit, std::int64_t> others;
  for (SamplePlace& place : samples.places) {
    if (!place.in_scene()) {
      place.unit = {others.emplace(place.unit, count + std::ssize(others)).first->second, SampleUnit::Reason::library};
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    samples.places[static_cast<std::size_t>(rows[k])].unit = units[k];
  }
}

// The units then say all that the ground did.
void forget_grounds(SampleSet& samples) {
  for (SamplePlace& place : samples.places) {
    place.ground.reset();
  }
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

// Makes scenes the units. Classes of one scene are named.
static UnitDesign leave_out_scenes(const TrainingScenes& scenes, SampleSet& samples) {
  const Indices rows = placed_rows(samples);
  take_units(scenes.scene_units(values_at(samples.places, rows)), rows, samples);
  forget_grounds(samples);
  UnitDesign design{.unit = "scene"};
  design.count = unit_count(units_of(samples.places));
  std::vector<std::set<SampleUnit>> of_class(samples.classes.size());
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    of_class[static_cast<std::size_t>(samples.labels[i])].insert(samples.places[i].unit);
  }
  for (std::size_t c = 0; c < of_class.size(); ++c) {
    if (of_class[c].size() < 2) {
      design.cut.push_back(samples.classes[c].name);
    }
  }
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
  std::optional<PixelPositions> places = plane_positions(scenes, pixels_of(placed));
  if (rows.empty() || !places) {
    return std::nullopt;
  }
  if (options.labels.options.group_field) {
    // Folds of the groups of a field then are those of the same groups under other numbers.
    take_units(numbered_by_position(units_of(placed), places->points), rows, samples);
    return std::nullopt;
  }
  const std::vector<std::int64_t> pixels = map_pixels(scenes.source(), bands.front());
  if (pixels.empty()) {
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
      match_units(values_at(samples.labels, rows), class_names(samples.classes), {{"region", units_of(placed)}},
                  {places->points, map.points, pixel, places->metres}, options.training.seed);
  take_units(matched.units, rows, samples);
  forget_grounds(samples);
  name_cut_classes(matched.design, listener);
  if (std::ssize(rows) < samples.size()) {
    matched.others.clear();  // spectra of libraries have no place in them
  }
  return matched;
}

namespace {

bool single_pixels(const FoldDesign& design) { return design.grouping.unit == Grouping::Unit::pixels; }

// Neighbouring pixels of a polygon are similar: one of them is easily classified if the others were trained on.
void warn_of_leaks(const SampleSet& samples, Listener& listener) {
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
    const auto untrained = std::ranges::count_if(plan.folds, [&](const Fold& fold) {
      return std::ranges::find(fold.untrained, static_cast<int>(c)) != fold.untrained.end();
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

Validation validate_training(FoldDesign design, const SampleSet& samples, const std::vector<SamplePlace>& places,
                             const PixelPositions& positions, const TrainingOptions& training, int threads,
                             std::int64_t allowed_bytes, Listener& listener) {
  design.buffer_unit = positions.metres ? "m" : "pixels";
  const FoldPlan plan =
      plan_folds(samples.labels, samples.classes.size(),
                 single_pixels(design) ? single_units(places) : units_of(places), positions.points, design);
  if (single_pixels(design)) {
    warn_of_leaks(samples, listener);
  }
  warn_of_few_groups(plan, samples.classes, single_pixels(design), listener);
  warn_of_untrained(plan, samples.classes, listener);
  return validate(samples, plan, training, folds_at_once(plan, samples, training, threads, allowed_bytes),
                  listener.progress("validating"));
}

}  // namespace parsimap
