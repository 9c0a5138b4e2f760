// Whether the places of `suggest` are worth more labels than places taken at random: the experiment of
// docs/suggestion.md.
//
//   label_places SCENE DRAWS [SCENE DRAWS ...]      with PARSIMAP_DATA set; simulated scenes need no data
//
// Of each draw half of the regions are a pool, the others are tested on. A label is that of a place: it goes to the
// pixels of its region that are at most one pixel away, as a visit in the field labels them. Training begins with five
// places at random, in regions of at least two classes. In each of five rounds five more are labelled, a model is
// trained with default options, and its overall accuracy is measured on the regions tested on. No region is suggested
// or drawn again once a place in it is labelled.
//
// Printed: overall accuracy in percent by number of labels, and average accuracy of the classes in brackets, means of
// the draws, for places taken at random, places of the largest margin uncertainty (at least as far apart as those
// suggested), and suggested ones.
#include "parsimap/mapping/label_places.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/memory_scene.hpp"
#include "parsimap/simulation/simulation.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

#include "labelled_scene.hpp"

namespace {

using namespace parsimap;

constexpr int kFirst = 5;   // places at the beginning
constexpr int kBatch = 5;   // places of a round
constexpr int kRounds = 5;  // after the beginning

// The pool is what these labels label.
void fix_pool(LabelledScene& scene, const LabelledPixels& pool) {
  std::set<std::int64_t> pixels;
  for (const LabelledPixel& pixel : pool.pixels) {
    pixels.insert(pixel.pixel);
  }
  for (std::size_t i = 0; i < scene.regions.size(); ++i) {
    if (pixels.contains(scene.samples.places[i].pixel)) {
      scene.fixed_pool.insert(scene.regions[i]);
    }
  }
}

LabelledScene salinas_halves(const std::string& data) {
  LabelledScene result = salinas(data, 8);
  fix_pool(result, read_labels(data + "/salinasA/salinasA_train_block8.tif", {}, result.grid, "scene"));
  return result;
}

LabelledScene osbs_halves(const std::string& data) {
  LabelledScene result = osbs(data);
  fix_pool(result,
           read_labels(data + "/idtrees_osbs/crowns_OSBS.gpkg",
                       {.class_field = "class", .where = "class > 0 AND split = 'train'"}, result.grid, "scene"));
  return result;
}

// Nine classes that differ in what is drawn alone, as in the benchmark of accuracy.
LabelledScene simulated(Index dimension, double variance, double decay, std::uint64_t seed) {
  SimulationSpec spec;
  spec.width = 120;
  spec.height = 120;
  spec.bands = 80;
  spec.layout.kind = "voronoi";
  spec.layout.sites = 60;
  for (int c = 1; c <= 9; ++c) {
    SimulatedClassSpec one;
    one.name = "class " + std::to_string(c);
    one.dimension = dimension;
    one.largest_variance = variance;
    one.decay = decay;
    one.noise_variance = 0.0005;
    spec.classes.push_back(one);
  }
  spec.separation = 0.06;
  spec.subspace = "random";
  spec.epsilon = 0;
  spec.scale = 10000;
  spec.seed = seed;
  const Simulation simulation(spec);
  SimulatedScene source(simulation);
  std::vector<std::uint16_t> codes;
  simulation.reference({0, 0, spec.width, spec.height}, codes);
  LabelledPixels labels;
  labels.classes = simulation.class_table();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    labels.pixels.push_back({static_cast<std::int64_t>(i), codes[i] - 1, 0});
  }
  return labelled_scene(source, labels, 8);
}

LabelledScene load(const std::string& name, std::uint64_t draw) {
  const char* folder = std::getenv("PARSIMAP_DATA");
  const std::string data = folder != nullptr ? folder : ".";
  if (name == "simulated-strong") {
    return simulated(5, 0.004, 0.9, draw);
  }
  if (name == "simulated-weak") {
    return simulated(1, 0.00055, 1, draw);
  }
  static std::map<std::string, LabelledScene> loaded;
  const auto found = loaded.find(name);
  if (found != loaded.end()) {
    return found->second;
  }
  return loaded[name] = name == "salinas" ? salinas_halves(data) : name == "osbs" ? osbs_halves(data) : berlin(data, 5);
}

// The pixels of the pool whose region is not labelled yet, as a scene: all others are without values.
class PoolScene final : public SceneSource {
 public:
  PoolScene(const LabelledScene& scene, const Indices& rows)
      : scene_(scene), bands_(static_cast<std::size_t>(scene.samples.spectra.cols())) {
    for (const Index row : rows) {
      rows_[scene.samples.places[static_cast<std::size_t>(row)].pixel] = row;
    }
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return scene_.grid; }
  [[nodiscard]] const BandTable& bands() const override { return bands_; }
  [[nodiscard]] Index block_width() const override { return 64; }
  [[nodiscard]] Index block_height() const override { return 64; }
  [[nodiscard]] bool known_empty(const Window& window) const override {
    for (Index row = window.row; row < window.row + window.height; ++row) {
      const std::int64_t first = row * scene_.grid.width + window.column;
      const auto found = rows_.lower_bound(first);
      if (found != rows_.end() && found->first < first + window.width) {
        return false;
      }
    }
    return true;
  }
  void read(const Window& window, const Indices& bands, Spectra& values) override {
    values.setConstant(window.pixels(), static_cast<Index>(bands.size()), std::numeric_limits<float>::quiet_NaN());
    for (Index row = 0; row < window.height; ++row) {
      const std::int64_t first = (window.row + row) * scene_.grid.width + window.column;
      for (auto found = rows_.lower_bound(first); found != rows_.end() && found->first < first + window.width;
           ++found) {
        values.row(row * window.width + found->first - first) =
            scene_.samples.spectra(found->second, bands).cast<float>();
      }
    }
  }

  [[nodiscard]] Index row_of(std::int64_t pixel) const { return rows_.at(pixel); }

 private:
  const LabelledScene& scene_;
  BandTable bands_;
  std::map<std::int64_t, Index> rows_;  // of the samples, by pixel
  std::string name_ = "pool";
};

struct Accuracy {
  double overall = 0;
  double average = 0;  // of the classes
};

// One draw: what is labelled so far.
class Campaign {
 public:
  Campaign(const LabelledScene& scene, std::uint64_t draw) : scene_(scene), random_(draw, 7) {
    draw_pool(draw);
    do {
      places_ = 0;
      rows_.clear();
      place_of_.clear();
      labelled_.clear();
      for (const Index row : random(kFirst)) {
        label(row);
      }
    } while (training().classes.size() < 2);
  }

  // The rows of the samples in regions of the pool without a label.
  [[nodiscard]] Indices open() const {
    Indices rows;
    for (Index i = 0; i < scene_.samples.size(); ++i) {
      if (pool_.contains(region(i)) && !labelled_.contains(region(i))) {
        rows.push_back(i);
      }
    }
    return rows;
  }

  // Pixels at random, in different regions.
  [[nodiscard]] Indices random(int count) {
    const Indices rows = open();
    std::set<int> used;
    Indices chosen;
    for (const Index i : random_.permutation(static_cast<Index>(rows.size()))) {
      const Index row = rows[static_cast<std::size_t>(i)];
      if (static_cast<int>(chosen.size()) < count && used.insert(region(row)).second) {
        chosen.push_back(row);
      }
    }
    return chosen;
  }

  // Labels the pixels of a region that are at most one pixel away.
  void label(Index row) {
    ++places_;
    labelled_.insert(region(row));
    for (Index i = 0; i < scene_.samples.size(); ++i) {
      if (region(i) == region(row) && near(i, row) && std::find(rows_.begin(), rows_.end(), i) == rows_.end()) {
        rows_.push_back(i);
        place_of_.push_back(places_);
      }
    }
  }

  [[nodiscard]] SampleSet training() const {
    SampleSet samples = subset(scene_.samples, rows_);
    samples.places.clear();
    for (const std::int64_t place : place_of_) {
      samples.places.push_back({std::ssize(samples.places), place, {place}});
    }
    std::map<int, int> used;
    for (const int label : samples.labels) {
      used.emplace(label, 0);
    }
    ClassTable classes;
    for (auto& [label, position] : used) {
      position = static_cast<int>(classes.size());
      classes.push_back(samples.classes[static_cast<std::size_t>(label)]);
    }
    for (int& label : samples.labels) {
      label = used.at(label);
    }
    samples.classes = classes;
    return samples;
  }

  // In percent, on the regions outside of the pool.
  [[nodiscard]] Accuracy accuracy(const Model& model) const {
    Indices rows;
    for (Index i = 0; i < scene_.samples.size(); ++i) {
      if (!pool_.contains(region(i))) {
        rows.push_back(i);
      }
    }
    Spectra values;
    Predictor(model).decision_values(scene_.samples.spectra(rows, Eigen::all).cast<float>(), 1, values);
    std::map<int, std::pair<double, double>> by_class;  // right, and all
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Index label = 0;
      values.row(static_cast<Index>(i)).maxCoeff(&label);
      const int truth = scene_.samples.labels[static_cast<std::size_t>(rows[i])];
      auto& [right, all] = by_class[truth];
      right += model.classes[static_cast<std::size_t>(label)].code ==
                       scene_.samples.classes[static_cast<std::size_t>(truth)].code
                   ? 1
                   : 0;
      ++all;
    }
    Accuracy accuracy;
    for (const auto& [truth, counts] : by_class) {
      accuracy.overall += 100 * counts.first / static_cast<double>(rows.size());
      accuracy.average += 100 * counts.first / counts.second / static_cast<double>(by_class.size());
    }
    return accuracy;
  }

  [[nodiscard]] std::size_t pool_regions() const { return pool_.size(); }

 private:
  [[nodiscard]] int region(Index row) const { return scene_.regions[static_cast<std::size_t>(row)]; }
  [[nodiscard]] bool near(Index a, Index b) const {
    const std::int64_t p = scene_.samples.places[static_cast<std::size_t>(a)].pixel;
    const std::int64_t q = scene_.samples.places[static_cast<std::size_t>(b)].pixel;
    return std::abs(p % scene_.grid.width - q % scene_.grid.width) <= 1 &&
           std::abs(p / scene_.grid.width - q / scene_.grid.width) <= 1;
  }

  void draw_pool(std::uint64_t draw) {
    pool_ = scene_.fixed_pool;
    if (!pool_.empty()) {
      return;
    }
    std::map<int, std::set<int>> by_class;
    for (Index i = 0; i < scene_.samples.size(); ++i) {
      by_class[scene_.samples.labels[static_cast<std::size_t>(i)]].insert(region(i));
    }
    Random random(draw, 99);
    for (const auto& [label, set] : by_class) {
      const std::vector<int> regions(set.begin(), set.end());
      const Indices order = random.permutation(static_cast<Index>(regions.size()));
      for (std::size_t i = 0; 2 * i < regions.size(); ++i) {
        pool_.insert(regions[static_cast<std::size_t>(order[i])]);
      }
    }
  }

  const LabelledScene& scene_;
  Random random_;
  std::set<int> pool_;      // regions
  std::set<int> labelled_;  // regions
  int places_ = 0;
  Indices rows_;  // labelled samples, and the place of each
  std::vector<std::int64_t> place_of_;
};

using Strategy = std::function<Indices(const LabelledScene&, Campaign&, const Model&)>;

Indices at_random(const LabelledScene&, Campaign& campaign, const Model&) { return campaign.random(kBatch); }

Indices suggested(const LabelledScene& scene, Campaign& campaign, const Model& model) {
  PoolScene pool(scene, campaign.open());
  Indices rows;
  for (const LabelPlace& place :
       choose_label_places(pool, model, nullptr, {.count = kBatch, .threads = 1}, {}).places) {
    rows.push_back(pool.row_of(place.pixel));
  }
  return rows;
}

Indices most_uncertain(const LabelledScene& scene, Campaign& campaign, const Model& model) {
  const Indices open = campaign.open();
  Spectra values;
  Predictor(model).probabilities(scene.samples.spectra(open, Eigen::all).cast<float>(), 1, values);
  std::vector<std::pair<float, Index>> order;
  for (std::size_t i = 0; i < open.size(); ++i) {
    order.emplace_back(-uncertainty_of(values.row(static_cast<Index>(i)).data(), values.cols()).margin, open[i]);
  }
  std::sort(order.begin(), order.end());
  const double distance = 0.5 * std::sqrt(static_cast<double>(open.size()) / kBatch);
  Indices rows;
  for (const auto& [margin, row] : order) {
    const auto far = [&](Index other) {
      const std::int64_t p = scene.samples.places[static_cast<std::size_t>(row)].pixel;
      const std::int64_t q = scene.samples.places[static_cast<std::size_t>(other)].pixel;
      return std::hypot(p % scene.grid.width - q % scene.grid.width, p / scene.grid.width - q / scene.grid.width) >=
             distance;
    };
    if (rows.size() < kBatch && std::all_of(rows.begin(), rows.end(), far)) {
      rows.push_back(row);
    }
  }
  return rows;
}

// Accuracies by round, from the beginning on.
std::vector<Accuracy> curve(const LabelledScene& scene, std::uint64_t draw, const Strategy& strategy) {
  Campaign campaign(scene, draw);
  std::vector<Accuracy> accuracies;
  for (int round = 0;; ++round) {
    const Model model = train_one_vs_all(campaign.training(), {}, {});
    accuracies.push_back(campaign.accuracy(model));
    if (round == kRounds) {
      return accuracies;
    }
    for (const Index row : strategy(scene, campaign, model)) {
      campaign.label(row);
    }
  }
}

void measure(const std::string& name, int draws) {
  const LabelledScene first = load(name, 0);
  std::cout << name << ": " << first.samples.size() << " labelled pixels, " << first.samples.classes.size()
            << " classes, " << first.region_count << " regions, " << Campaign(first, 0).pool_regions()
            << " of them in the pool, " << draws << " draws\n";
  const std::vector<std::pair<std::string, Strategy>> strategies = {
      {"random", at_random}, {"most uncertain", most_uncertain}, {"suggested", suggested}};
  for (const auto& [title, strategy] : strategies) {
    std::vector<Accuracy> mean(kRounds + 1);
    for (int draw = 0; draw < draws; ++draw) {
      const LabelledScene scene = load(name, static_cast<std::uint64_t>(draw));
      const std::vector<Accuracy> one = curve(scene, static_cast<std::uint64_t>(draw), strategy);
      for (std::size_t i = 0; i < mean.size(); ++i) {
        mean[i].overall += one[i].overall / draws;
        mean[i].average += one[i].average / draws;
      }
    }
    std::cout << "  " << title << std::fixed << std::setprecision(1);
    for (const Accuracy& accuracy : mean) {
      std::cout << '\t' << accuracy.overall << " (" << accuracy.average << ")";
    }
    std::cout << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) { return measure_scenes(argc, argv, measure); }
