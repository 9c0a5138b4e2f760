// Whether samples of `parsimap sample` keep what they promise: standard errors, and intervals of a fixed and of a
// growing size, for real maps and references whose every pixel is known.
//
//   sample_coverage MAP REFERENCE [DRAWS [AIM]]
//
// Both are class rasters on one grid with the same codes; pixels without a reference should be 0 in both. The plan
// knows the true user's accuracies, and its aim is the standard error AIM of the overall accuracy. Each draw is
// planned, drawn and labelled from the reference.
//
// Printed for each design and measure: its true value; the standard deviation of the estimates over the promised
// standard error; the share of draws whose interval for the size contains the true value and its mean width; the share
// whose interval of a growing sample does not, at any number of points from the first to the last; and its mean width
// over that of the first. Measures of a class count where it has 30 points or more on average.
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/accuracy/sample_assessment.hpp"
#include "parsimap/accuracy/sample_draw.hpp"
#include "parsimap/gdal/raster/class_map.hpp"

namespace {

using namespace parsimap;

// A class raster in memory, since it is read thousands of times.
class LoadedMap final : public ClassMapSource {
 public:
  explicit LoadedMap(ClassMapSource& file) : name_(file.name()), grid_(file.grid()), classes_(file.classes()) {
    file.read({0, 0, grid_.width, grid_.height}, codes_);
  }
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return grid_; }
  [[nodiscard]] const ClassTable& classes() const override { return classes_; }
  [[nodiscard]] bool has_names() const override { return false; }
  void read(const Window& window, std::vector<std::uint16_t>& codes) override {
    codes.clear();
    for (Index row = window.row; row < window.row + window.height; ++row) {
      const auto begin = codes_.begin() + row * grid_.width + window.column;
      codes.insert(codes.end(), begin, begin + window.width);
    }
  }
  [[nodiscard]] const std::vector<std::uint16_t>& codes() const { return codes_; }

 private:
  std::string name_;
  RasterGrid grid_;
  ClassTable classes_;
  std::vector<std::uint16_t> codes_;
};

struct Tally {
  double truth = 0;
  double promised = 0;
  double draws = 0, sum = 0, squares = 0, points = 0;
  double covered = 0, width = 0;
  double growing = 0, missed = 0, growing_width = 0;

  void add(const Estimate& estimate, const std::optional<Interval>& sequence, double labelled) {
    const auto holds = [&](const Interval& interval) {
      constexpr double kRounding = 1e-9;
      return interval.low <= truth + kRounding && truth <= interval.high + kRounding;
    };
    ++draws;
    points += labelled;
    sum += estimate.value;
    squares += estimate.value * estimate.value;
    covered += holds(*estimate.interval) ? 1 : 0;
    width += estimate.interval->high - estimate.interval->low;
    if (sequence) {
      ++growing;
      missed += holds(*sequence) ? 0 : 1;
      growing_width += sequence->high - sequence->low;
    }
  }
  [[nodiscard]] double deviation() const {
    return std::sqrt(std::max(0.0, squares / draws - std::pow(sum / draws, 2)));
  }
};

class Simulation {
 public:
  Simulation(LoadedMap& map, LoadedMap& reference) : map_(map), reference_(reference) {
    const Indices rows = index_of_codes(map.classes());
    truth_ = CountMatrix::Zero(static_cast<Index>(map.classes().size()), static_cast<Index>(map.classes().size()));
    for (std::size_t i = 0; i < map.codes().size(); ++i) {
      if (map.codes()[i] != 0) {
        ++truth_(rows[reference.codes()[i]], rows[map.codes()[i]]);
      }
    }
  }

  void run(SamplingDesign design, int draws, double aim) {
    const std::vector<std::string> names = class_names(map_.classes());
    PlanOptions options{.design = design, .aims = {{AimKind::overall, {}, aim}}};
    for (Index c = 0; c < truth_.cols(); ++c) {
      options.expected_by[names[static_cast<std::size_t>(c)]] =
          static_cast<double>(truth_(c, c)) / static_cast<double>(truth_.col(c).sum());
    }
    const SamplePlan plan = plan_sample(count_population(map_, nullptr).pixels, names, names, options);
    std::map<std::string, Tally> tallies = expected(plan, names);
    for (int draw = 0; draw < draws; ++draw) {
      add_draw(plan, static_cast<std::uint64_t>(draw) + 1, options, tallies);
    }
    std::cout
        << "\n"
        << to_string(design) << ": " << plan.points() << " points\n"
        << "measure                        truth   points  s.d./promise  covered   width  missed  relative width\n";
    for (const auto& [name, tally] : tallies) {
      print(name, tally);
    }
  }

 private:
  [[nodiscard]] std::map<std::string, Tally> expected(const SamplePlan& plan,
                                                      const std::vector<std::string>& names) const {
    std::map<std::string, Tally> tallies;
    const auto all = static_cast<double>(truth_.sum());
    tallies["overall"].truth = static_cast<double>(truth_.trace()) / all;
    tallies["overall"].promised = plan.promised.front().standard_error;
    for (Index c = 0; c < truth_.cols(); ++c) {
      const std::string& name = names[static_cast<std::size_t>(c)];
      const auto reference = static_cast<double>(truth_.row(c).sum());
      tallies["users " + name].truth = static_cast<double>(truth_(c, c)) / static_cast<double>(truth_.col(c).sum());
      tallies["users " + name].promised = plan.promised[static_cast<std::size_t>(2 * c + 1)].standard_error;
      tallies["area " + name].truth = reference / all;
      tallies["area " + name].promised = plan.promised[static_cast<std::size_t>(2 * c + 2)].standard_error;
      tallies["producers " + name].truth = reference > 0 ? static_cast<double>(truth_(c, c)) / reference : 0;
    }
    return tallies;
  }

  void add_draw(const SamplePlan& plan, std::uint64_t seed, const PlanOptions& options,
                std::map<std::string, Tally>& tallies) {
    DrawnSample sample{"sample", plan.design, options.aims, {}, {}, 0};
    for (const PlannedStratum& stratum : plan.strata) {
      sample.strata.push_back(stratum.name);
    }
    std::map<std::int64_t, LabelledPixel> pixels;
    const Indices rows = index_of_codes(reference_.classes());
    for (const DrawnPoint& point : draw_sample(map_, nullptr, plan, {10, options.cluster_points, seed})) {
      sample.points.push_back({point.pixel, point.stratum, point.cluster, point.probability});
      const auto code = reference_.codes()[static_cast<std::size_t>(point.pixel)];
      pixels[point.pixel] = {point.pixel, static_cast<int>(rows[code]), 0};
    }
    sample.labelled = static_cast<std::int64_t>(sample.points.size());
    LabelledPixels labels;
    labels.classes = reference_.classes();
    for (const auto& [pixel, label] : pixels) {
      labels.pixels.push_back(label);
    }
    const Comparison comparison = compare(map_, labels, "reference");
    const AreaAssessment areas = assess_sample(map_, labels, comparison, sample, std::nullopt);
    const SampleProgress& growing = *areas.sample;
    tallies["overall"].add(areas.estimate.overall_accuracy, growing.overall_accuracy,
                           static_cast<double>(growing.labelled));
    for (Index c = 0; c < truth_.cols(); ++c) {
      const std::string name = comparison.match.names[static_cast<std::size_t>(c)];
      const ClassEstimate& entry = areas.estimate.classes[static_cast<std::size_t>(c)];
      const SequentialClass& sequence = growing.classes[static_cast<std::size_t>(c)];
      const auto in_map = static_cast<double>(comparison.confusion.counts().col(c).sum());
      const auto in_reference = static_cast<double>(comparison.confusion.counts().row(c).sum());
      tallies["area " + name].add(entry.share, sequence.share, in_reference);
      if (entry.users_accuracy) {
        tallies["users " + name].add(*entry.users_accuracy, sequence.users_accuracy, in_map);
      }
      if (entry.producers_accuracy) {
        tallies["producers " + name].add(*entry.producers_accuracy, std::nullopt, in_reference);
      }
    }
  }

  static void print(const std::string& name, const Tally& tally) {
    constexpr double kFewest = 30;
    if (tally.draws == 0 || tally.points / tally.draws < kFewest) {
      return;
    }
    std::cout << std::left << std::setw(28) << name << std::right << std::fixed << std::setprecision(4) << std::setw(8)
              << tally.truth << std::setprecision(1) << std::setw(9) << tally.points / tally.draws
              << std::setprecision(3) << std::setw(14)
              << (tally.promised > 0 ? tally.deviation() / tally.promised : 0.0) << std::setprecision(3) << std::setw(9)
              << tally.covered / tally.draws << std::setprecision(4) << std::setw(8) << tally.width / tally.draws;
    if (tally.growing > 0) {
      std::cout << std::setprecision(3) << std::setw(8) << tally.missed / tally.growing << std::setw(16)
                << tally.growing_width / tally.growing / (tally.width / tally.draws);
    }
    std::cout << "\n";
  }

  LoadedMap& map_;
  LoadedMap& reference_;
  CountMatrix truth_;  // rows are reference
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "sample_coverage MAP REFERENCE [DRAWS [AIM]]\n";
    return 2;
  }
  LoadedMap map(*open_class_map(argv[1]));
  LoadedMap reference(*open_class_map(argv[2]));
  const int draws = argc > 3 ? std::atoi(argv[3]) : 1000;
  const double aim = argc > 4 ? std::atof(argv[4]) : 0.01;
  Simulation simulation(map, reference);
  for (const SamplingDesign design :
       {SamplingDesign::simple, SamplingDesign::stratified, SamplingDesign::systematic, SamplingDesign::clusters}) {
    simulation.run(design, draws, aim);
  }
}
