// Whether the accuracy after N more labelled features lies within the interval of `suggest --expect N`: the experiment
// of docs/suggestion.md.
//
//   label_forecast SCENE[@FIRST] DRAWS [...]      with PARSIMAP_DATA set; `simulated` needs no data
//
// simulated: every draw is a setting of its own, in which the numbers of classes (2 to 6), bands, units and pixels, the
// distance of the classes, how alike pixels of a unit are and N are drawn anew. Spectra are those of the classes of
// `simulate`. A unit has a displacement of its own. The truth is measured on 400 further units.
//
// salinas, berlin, osbs, jasper: half of the coarse blocks of the scene, drawn anew, are tested on. Units of the others
// that lie more than two pixels from all of these are the pool: 1/4, 1/3 or 1/2 of it, drawn, are labelled, and as many
// or half as many more are added. Units are features, of osbs plots. Overall accuracies are weighted by the shares of
// the classes in all labels of the scene.
//
// A model is trained with default options on the units that are labelled, and another one on these and those that are
// added. The truth is the accuracy of the second one on the units tested, of the classes of five units or more. Each
// draw is printed, and for overall accuracy, average and classes: number of intervals, share of these that contain the
// truth, that lie below it and above it, their mean width, the mean difference of forecast and truth and its root mean
// square; that of the accuracy that is expected now, for comparison; in percent and points.
#include "parsimap/validation/label_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/simulation/simulation.hpp"

#include "labelled_scene.hpp"

namespace {

using namespace parsimap;

struct Tally {
  int intervals = 0;
  int below = 0;  // intervals below the truth
  int above = 0;
  double width = 0, difference = 0, square = 0, now_square = 0;

  void add(const ForecastValue& value, double truth) {
    ++intervals;
    below += value.interval.high < truth ? 1 : 0;
    above += value.interval.low > truth ? 1 : 0;
    width += value.interval.high - value.interval.low;
    difference += value.then - truth;
    square += std::pow(value.then - truth, 2);
    now_square += std::pow(value.now - truth, 2);
  }
  void print(const std::string& name) const {
    const double n = std::max(1, intervals);
    std::cout << std::setw(10) << name << std::setw(7) << intervals << std::setw(8)
              << 100 * (intervals - below - above) / n << std::setw(8) << 100 * below / n << std::setw(8)
              << 100 * above / n << std::setw(8) << 100 * width / n << std::setw(8) << 100 * difference / n
              << std::setw(8) << 100 * std::sqrt(square / n) << std::setw(8) << 100 * std::sqrt(now_square / n)
              << std::endl;
  }
};

struct Tallies {
  Tally overall, average, classes;
  void print(const std::string& title) const {
    std::cout << title << std::fixed << std::setprecision(1)
              << "\n          number  within   below   above   width    diff    rmse rmse(now)\n";
    overall.print("overall");
    average.print("average");
    classes.print("classes");
  }
};

// What a draw labels, adds and tests.
struct Draw {
  SampleSet samples;                // features are their regions
  std::vector<std::int64_t> units;  // of the samples
  Indices labelled, added, tested;  // rows
  Index more = 0;                   // features added
  Vector shares = {};               // of the classes, by which forecasts are weighted; empty: those of the samples
  Vector true_shares;               // by which the truth is
};

SampleSet with_units(const SampleSet& samples, const std::vector<std::int64_t>& units, const Indices& rows) {
  SampleSet result = subset(samples, rows);
  result.places.clear();
  for (const Index row : rows) {
    const std::int64_t unit = units[static_cast<std::size_t>(row)];
    const std::int64_t feature = samples.places[static_cast<std::size_t>(row)].region;
    result.places.push_back({std::ssize(result.places), feature, {unit}});
  }
  return result;
}

// Producer's accuracies; NaN without a pixel. Of n pixels accuracies are known up to half of one.
Vector class_accuracies(const Model& model, const SampleSet& tested) {
  Spectra values;
  Predictor(model).decision_values(tested.spectra.cast<float>(), 1, values);
  const auto classes = static_cast<Index>(tested.classes.size());
  Vector right = Vector::Zero(classes);
  Vector all = Vector::Zero(classes);
  for (Index i = 0; i < values.rows(); ++i) {
    Index label = 0;
    values.row(i).maxCoeff(&label);
    const int truth = tested.labels[static_cast<std::size_t>(i)];
    right(truth) += label == truth ? 1 : 0;
    all(truth) += 1;
  }
  return (right.array() / all.array()).min(1 - 0.5 / all.array()).max(0.5 / all.array());
}

void compare(const Draw& draw, std::uint64_t seed, Tallies& tallies) {
  const SampleSet labelled = with_units(draw.samples, draw.units, draw.labelled);
  Indices rows = draw.labelled;
  rows.insert(rows.end(), draw.added.begin(), draw.added.end());
  TrainingOptions training;
  training.seed = seed;
  const Model model = train_one_vs_all(labelled, training, {});
  const Matrix spectra = scaled_columns(model, labelled);
  LeftOutOptions options;
  options.seed = seed + 1;
  const LabelForecast forecast =
      forecast_accuracy({spectra, labelled.labels, labelled.places, labelled.classes.size(), profile_features(model)},
                        {}, design_of(model, training.dimension), draw.more, draw.shares, options);
  if (!forecast.overall) {
    return;
  }
  const Vector truth = class_accuracies(train_one_vs_all(with_units(draw.samples, draw.units, rows), training, {}),
                                        subset(draw.samples, draw.tested));
  double overall = 0, average = 0, weights = 0, judged = 0;
  for (Index c = 0; c < truth.size(); ++c) {
    const auto& value = forecast.classes[static_cast<std::size_t>(c)];
    if (value && std::isnan(truth(c))) {
      return;  // nothing of the class is tested
    }
    if (value) {
      tallies.classes.add(*value, truth(c));
      overall += draw.true_shares(c) * truth(c);
      weights += draw.true_shares(c);
      average += truth(c);
      ++judged;
    }
  }
  tallies.overall.add(*forecast.overall, overall / weights);
  tallies.average.add(*forecast.average, average / judged);
  const auto line = [](const char* name, const ForecastValue& value, double found) {
    std::cout << "; " << name << " now " << 100 * value.now << ", then " << 100 * value.then << " ("
              << 100 * value.interval.low << " to " << 100 * value.interval.high << "), true " << 100 * found;
  };
  std::cout << "  " << forecast.features << " + " << forecast.more << " features, " << judged << " classes"
            << std::fixed << std::setprecision(2);
  line("overall", *forecast.overall, overall / weights);
  line("average", *forecast.average, average / judged);
  std::cout << "; enough " << (forecast.enough ? std::to_string(*forecast.enough) : "never") << std::endl;
}

// ---- simulated ----

double between(Random& random, double low, double high) { return low + (high - low) * random.uniform(); }

Draw simulated(std::uint64_t seed) {
  Random random(seed, 11);
  SimulationSpec spec;
  spec.width = spec.height = 1;
  spec.bands = 6 + random.index(25);
  spec.subspace = random.uniform() < 0.5 ? "smooth" : "random";
  const Index classes = 2 + random.index(5);
  spec.separation = std::exp(between(random, std::log(0.02), std::log(0.3)));
  for (Index c = 0; c < classes; ++c) {
    SimulatedClassSpec one;
    one.name = "class " + std::to_string(c);
    one.dimension = 1 + random.index(4);
    one.largest_variance = 0.002;
    one.noise_variance = 0.0001;
    one.weight = between(random, 0.3, 1);
    spec.classes.push_back(one);
  }
  spec.seed = seed;
  const std::vector<SimulatedClass> models = simulated_classes(spec);
  const Index least = random.uniform() < 0.25 ? 2 : 5;  // units of each class
  const double alike = between(random, 0, 0.8);         // share of the variance that is between units
  const Index pixels = 1 + random.index(4);             // of a unit, on average
  Draw draw;
  draw.true_shares.resize(classes);
  for (Index c = 0; c < classes; ++c) {
    draw.true_shares(c) = spec.classes[static_cast<std::size_t>(c)].weight;
    draw.samples.classes.push_back({static_cast<int>(c) + 1, spec.classes[static_cast<std::size_t>(c)].name, {}});
  }
  draw.true_shares /= draw.true_shares.sum();
  const Index labelled = classes * (6 + random.index(9));
  draw.more = std::max<Index>(1, std::llround(static_cast<double>(labelled) * std::exp(between(random, -1, 1))));
  constexpr Index kTested = 400;
  std::vector<Vector> spectra;
  for (Index u = 0; u < labelled + draw.more + kTested; ++u) {
    Index c = u % classes;
    if (u >= least * classes) {
      double rest = random.uniform();
      for (c = 0; c + 1 < classes && rest >= draw.true_shares(c); ++c) {
        rest -= draw.true_shares(c);
      }
    }
    const SimulatedClass& model = models[static_cast<std::size_t>(c)];
    const Vector shift = std::sqrt(alike) * (model.draw(random) - model.mean);
    const Index count = 1 + random.index(2 * pixels - 1);
    Indices& rows = u < labelled ? draw.labelled : u < labelled + draw.more ? draw.added : draw.tested;
    for (Index i = 0; i < count; ++i) {
      rows.push_back(std::ssize(spectra));
      spectra.push_back(model.mean + shift + std::sqrt(1 - alike) * (model.draw(random) - model.mean));
      draw.samples.labels.push_back(static_cast<int>(c));
      draw.units.push_back(u);
      draw.samples.places.push_back({std::ssize(spectra), u, {u}});
    }
  }
  draw.samples.spectra.resize(std::ssize(spectra), spec.bands);
  for (std::size_t i = 0; i < spectra.size(); ++i) {
    draw.samples.spectra.row(static_cast<Index>(i)) = 10000 * spectra[i].transpose();
  }
  return draw;
}

// ---- real ----

struct RealScene {
  LabelledScene scene;
  Index coarse;         // pixels of the side of the blocks that are tested on
  bool blocks = false;  // which are units; else features are
};

RealScene load(const std::string& name) {
  const char* folder = std::getenv("PARSIMAP_DATA");
  const std::string data = folder != nullptr ? folder : ".";
  if (name == "salinas") {
    return {salinas(data, 4), 16};
  }
  if (name == "osbs") {
    return {osbs(data), 40, true};
  }
  if (name == "jasper") {
    const OpenScene scene = open_scene(data + "/jasper_ridge/jasper_ridge.bil");
    return {labelled_scene(*scene.source,
                           read_labels(data + "/jasper_ridge/labels.img", {}, scene.source->grid(), "scene"), 5),
            20};
  }
  return {berlin(data, 4), 16};
}

using Block = std::pair<Index, Index>;

// The rows within two pixels of others.
std::set<Index> near_rows(const Indices& rows, const std::vector<Block>& places) {
  std::set<Block> near;
  for (const Index row : rows) {
    const auto [y, x] = places[static_cast<std::size_t>(row)];
    for (Index dy = -2; dy <= 2; ++dy) {
      for (Index dx = -2; dx <= 2; ++dx) {
        near.emplace(y + dy, x + dx);
      }
    }
  }
  std::set<Index> result;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (near.contains(places[i])) {
      result.insert(static_cast<Index>(i));
    }
  }
  return result;
}

Draw real(const RealScene& of, std::uint64_t seed) {
  constexpr Index kMostPixels = 12;  // labelled of a feature
  const LabelledScene& scene = of.scene;
  Random random(seed, 13);
  Draw draw;
  draw.samples = scene.samples;
  draw.true_shares = Vector::Zero(std::ssize(scene.samples.classes));
  std::vector<Block> places;
  std::map<Block, std::int64_t> block_numbers;
  std::map<std::int64_t, std::map<int, Indices>> units;  // their features, and rows of these
  for (Index i = 0; i < scene.samples.size(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const std::int64_t pixel = scene.samples.places[row].pixel;
    places.emplace_back(pixel / scene.grid.width, pixel % scene.grid.width);
    const Block block(places.back().first / of.coarse, places.back().second / of.coarse);
    const std::int64_t number = block_numbers.emplace(block, std::ssize(block_numbers)).first->second;
    draw.samples.places[row].region = scene.regions[row];
    draw.units.push_back(of.blocks ? number : scene.regions[row]);
    draw.true_shares(scene.samples.labels[row]) += 1.0 / static_cast<double>(scene.samples.size());
    units[draw.units.back()][scene.regions[row]].push_back(i);
  }
  draw.shares = draw.true_shares;
  std::map<Block, bool> is_tested;
  for (const auto& [block, number] : block_numbers) {
    is_tested[block] = random.uniform() < 0.5;
  }
  std::vector<std::int64_t> pool;
  for (const auto& [unit, features] : units) {
    const auto& [y, x] = places[static_cast<std::size_t>(features.begin()->second.front())];
    if (!is_tested[{y / of.coarse, x / of.coarse}]) {
      pool.push_back(unit);
      continue;
    }
    for (const auto& [feature, rows] : features) {
      draw.tested.insert(draw.tested.end(), rows.begin(), rows.end());
    }
  }
  const std::set<Index> near = near_rows(draw.tested, places);
  std::erase_if(pool, [&](std::int64_t unit) {
    return std::ranges::any_of(units[unit], [&](const auto& feature) {
      return std::ranges::any_of(feature.second, [&](Index row) { return near.contains(row); });
    });
  });
  const auto all = std::ssize(pool);
  const std::array<Index, 3> parts = {all / 4, all / 3, all / 2};
  const Index labelled = parts[static_cast<std::size_t>(random.index(3))];
  const Index added = random.uniform() < 0.5 ? labelled : labelled / 2;
  const Indices order = random.permutation(all);
  for (Index u = 0; u < labelled + added; ++u) {
    for (const auto& [feature, rows] : units[pool[static_cast<std::size_t>(order[static_cast<std::size_t>(u)])]]) {
      draw.more += u < labelled ? 0 : 1;
      const Indices pixels = random.permutation(std::ssize(rows));
      for (Index i = 0; i < std::min(kMostPixels, std::ssize(rows)); ++i) {
        (u < labelled ? draw.labelled : draw.added)
            .push_back(rows[static_cast<std::size_t>(pixels[static_cast<std::size_t>(i)])]);
      }
    }
  }
  std::ranges::sort(draw.labelled);
  std::ranges::sort(draw.added);
  return draw;
}

// "NAME@FIRST" begins with the draw of this number.
void measure(const std::string& argument, int draws) {
  Tallies tallies;
  const auto at = argument.find('@');
  const std::string name = argument.substr(0, at);
  const int first = at == std::string::npos ? 0 : std::stoi(argument.substr(at + 1));
  const bool is_simulated = name == "simulated";
  const std::optional<RealScene> scene = is_simulated ? std::nullopt : std::optional(load(name));
  for (int i = first; i < first + draws; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    compare(is_simulated ? simulated(seed) : real(*scene, seed), seed, tallies);
  }
  tallies.print(name + ", " + std::to_string(draws) + " draws");
}

}  // namespace

int main(int argc, char** argv) { return measure_scenes(argc, argv, measure); }
