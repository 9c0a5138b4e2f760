// How well the accuracy expected from left-out pixels (validation/expected_accuracy.hpp) agrees with the true one.
//
//   expected_accuracy [DRAWS] [shares | distance]
//
// Intervals are those of 399 replicates.
//
// shares: K classes are normal distributions on a circle, whose neighbours lie `apart` standard deviations from each
// other. Labels have other shares than the map. Labelled pixels lie in units: single pixels, fields of one class, or
// blocks of several classes, of lognormal sizes and with a displacement of their own (30 % of the variance). They are
// classified by Bayes' rule for the shares of the labels, and so are 5000 pixels of the map. Printed for each case: the
// condition number of the true C, the true accuracy, the mean signed difference of the estimate and that of
// sum_c s_c C_cc, the share of the draws whose interval contains the true value and the mean width of the interval, and
// the share for the average accuracy.
//
// distance: scenes of 128 x 128 pixels in which spectra vary smoothly from place to place, so that nearest neighbours
// are less often right far from labels. Labels are left out as pixels and as blocks. The estimate for test pixels near
// to labels, far from them, and all over the scene is compared with the accuracy measured there, where there are 300 of
// them. `diff` is of the estimate for the test pixels, `curve` of the curve for all of the scene at their distances.
// Units are left out one by one, or in five folds, which leaves fewer labels than the map has.
#include "parsimap/validation/expected_accuracy.hpp"

#include <Eigen/SVD>

#include <array>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "parsimap/core/random.hpp"

namespace {

using namespace parsimap;

struct Pool {
  int draws = 0;
  int intervals = 0;
  int covered = 0;
  int average_covered = 0;
  double difference = 0;
  double shares_of_map = 0;
  double width = 0;

  void add(const Pool& other) {
    draws += other.draws;
    intervals += other.intervals;
    covered += other.covered;
    average_covered += other.average_covered;
    difference += other.difference;
    shares_of_map += other.shares_of_map;
    width += other.width;
  }
  void print(bool with_average = true) const {
    std::cout << std::setw(8) << 100 * difference / draws << std::setw(8) << 100 * shares_of_map / draws << std::setw(8)
              << 100.0 * covered / intervals << std::setw(8) << 100 * width / intervals;
    if (with_average) {
      std::cout << std::setw(8) << 100.0 * average_covered / intervals;
    }
    std::cout << std::endl;
  }
};

struct Case {
  int classes;
  double apart;
  std::string units;  // "pixels", "fields" or "blocks"
  int count;          // of units
  std::string shares;
};

class Simulation {
 public:
  explicit Simulation(const Case& design) : design_(design) {
    const double angle = 2 * std::acos(-1.0) / design.classes;
    const double radius = design.apart / 2 / std::sin(angle / 2);
    for (int c = 0; c < design.classes; ++c) {
      means_.push_back({radius * std::cos(angle * c), radius * std::sin(angle * c)});
      // Shares of labels are equal or fall by halves, those of the map fall or rise.
      const double falling = std::pow(0.5, c);
      const double rising = std::pow(0.5, design.classes - 1 - c);
      labels_.push_back(design.shares == "equal-falling" ? 1 : falling);
      truth_.push_back(design.shares == "equal-falling" ? falling : rising);
    }
    normalise(labels_);
    normalise(truth_);
  }

  void find_truth(Random& random, double& condition) {
    constexpr int kPixels = 100000;
    Matrix confusion = Matrix::Zero(design_.classes, design_.classes);
    for (int c = 0; c < design_.classes; ++c) {
      for (int i = 0; i < kPixels; ++i) {
        confusion(c, label(c, {random.normal(), random.normal()}, {0, 0})) += 1.0 / kPixels;
      }
    }
    // C'C of two columns or more; its eigenvalues by powers would do as well.
    const Eigen::VectorXd values = Eigen::JacobiSVD<Matrix>(confusion).singularValues();
    condition = values.maxCoeff() / std::max(values.minCoeff(), 1e-4);
    overall = average = 0;
    for (int c = 0; c < design_.classes; ++c) {
      overall += truth_[static_cast<std::size_t>(c)] * confusion(c, c);
      average += confusion(c, c) / design_.classes;
    }
  }

  Pool draw(Random& random, int number) {
    LeftOutResults results;
    results.classes = design_.classes;
    // Every class has two units or more.
    for (int u = 0; u < design_.count; ++u) {
      add_unit(results, u, u < 2 * design_.classes ? u % design_.classes : pick(labels_, random), random);
    }
    results.label_shares.assign(static_cast<std::size_t>(design_.classes), 0);
    for (const LeftOutRecord& record : results.records) {
      results.label_shares[static_cast<std::size_t>(record.label)] += 1.0 / static_cast<double>(results.records.size());
    }
    MapDraw map;
    for (int i = 0; i < 5000; ++i) {
      map.predicted.push_back(label(pick(truth_, random), {random.normal(), random.normal()}, {0, 0}));
    }
    const ExpectedAccuracy expected = expected_accuracy(results, map, {static_cast<std::uint64_t>(number), 1, 399});
    Pool pool;
    pool.draws = 1;
    pool.intervals = expected.overall_interval ? 1 : 0;
    const Interval interval = expected.overall_interval.value_or(Interval{2, 2});
    const Interval of_average = expected.average_interval.value_or(Interval{2, 2});
    pool.difference = expected.overall.value_or(0) - overall;
    for (const int c : map.predicted) {
      pool.shares_of_map += expected.classes[static_cast<std::size_t>(c)].found.value_or(0) / 5000;
    }
    pool.shares_of_map -= overall;
    pool.covered = interval.low <= overall && overall <= interval.high ? 1 : 0;
    pool.average_covered = of_average.low <= average && average <= of_average.high ? 1 : 0;
    pool.width = interval.high - interval.low;
    return pool;
  }

  double overall = 0;
  double average = 0;

 private:
  using Point = std::array<double, 2>;

  static void normalise(std::vector<double>& shares) {
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) {
      share /= sum;
    }
  }
  static int pick(const std::vector<double>& shares, Random& random) {
    double left = random.uniform();
    int c = 0;
    for (; c + 1 < static_cast<int>(shares.size()) && left >= shares[static_cast<std::size_t>(c)]; ++c) {
      left -= shares[static_cast<std::size_t>(c)];
    }
    return c;
  }

  [[nodiscard]] int label(int c, Point noise, Point shift) const {
    const Point& mean = means_[static_cast<std::size_t>(c)];
    const Point x = {mean[0] + noise[0] + shift[0], mean[1] + noise[1] + shift[1]};
    int best = 0;
    double largest = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < design_.classes; ++k) {
      const Point& m = means_[static_cast<std::size_t>(k)];
      const double value =
          m[0] * x[0] + m[1] * x[1] - (m[0] * m[0] + m[1] * m[1]) / 2 + std::log(labels_[static_cast<std::size_t>(k)]);
      if (value > largest) {
        largest = value;
        best = k;
      }
    }
    return best;
  }

  void add_unit(LeftOutResults& results, int unit, int of_unit, Random& random) {
    const bool single = design_.units == "pixels";
    const auto size = single ? 1 : static_cast<int>(std::max(1.0, std::exp(2.7 + 0.8 * random.normal())));
    const double within = single ? 1 : std::sqrt(0.7);
    const double between = single ? 0 : std::sqrt(0.3);
    std::vector<Point> shifts;
    for (int c = 0; c < design_.classes; ++c) {
      shifts.push_back({between * random.normal(), between * random.normal()});
    }
    for (int i = 0; i < size; ++i) {
      const int c = design_.units == "blocks" && random.uniform() < 0.4 ? pick(labels_, random) : of_unit;
      const int predicted =
          label(c, {within * random.normal(), within * random.normal()}, shifts[static_cast<std::size_t>(c)]);
      results.records.push_back({c, predicted, {unit}, std::ssize(results.records)});
    }
  }

  Case design_;
  std::vector<Point> means_;
  std::vector<double> labels_;
  std::vector<double> truth_;
};

void simulate_shares(int draws) {
  std::cout << "classes apart   units count          shares    cond   truth    diff sum(sC) covered   width average\n";
  Pool good;
  Pool poor;
  for (const int classes : {2, 3, 6}) {
    for (const double apart : {0.0, 0.5, 1.0, 2.0, 4.0}) {
      for (const auto& [units, count] :
           std::vector<std::pair<std::string, int>>{{"fields", 20}, {"blocks", 20}, {"fields", 60}, {"pixels", 300}}) {
        for (const std::string shares : {"equal-falling", "falling-rising"}) {
          Simulation simulation({classes, apart, units, count, shares});
          Random random(7, static_cast<std::uint64_t>(classes * 1000 + count + static_cast<int>(10 * apart)));
          double condition = 0;
          simulation.find_truth(random, condition);
          Pool pool;
          for (int draw = 0; draw < draws; ++draw) {
            pool.add(simulation.draw(random, draw));
          }
          (condition <= kLargestCondition ? good : poor).add(pool);
          std::cout << std::setw(7) << classes << std::setw(6) << apart << std::setw(8) << units << std::setw(6)
                    << count << std::setw(16) << shares << std::setw(8) << std::min(condition, 9999.0) << std::setw(8)
                    << 100 * simulation.overall;
          pool.print();
        }
      }
    }
  }
  std::cout << "condition number at most 10:                              ";
  good.print();
  std::cout << "others:                                                   ";
  poor.print();
}

// A smooth random field of unit variance: white noise averaged over windows of 2 r + 1 pixels, three times each way.
Matrix smooth_field(Index size, Index radius, Random& random) {
  Matrix field = random.normal_matrix(size, size);
  for (int pass = 0; pass < 6; ++pass) {
    Matrix blurred(size, size);
    for (Index j = 0; j < size; ++j) {
      Vector sum = Vector::Zero(size);
      for (Index k = -radius; k <= radius; ++k) {
        sum += field.col((j + k + size) % size);
      }
      blurred.col(j) = sum;
    }
    field = blurred.transpose();
  }
  field.array() -= field.mean();
  return field / std::sqrt(field.squaredNorm() / static_cast<double>(field.size()));
}

struct Scene {
  std::string name;
  int patches;      // of labels
  Index patch;      // width
  Index variation;  // radius of the smoothing of spectra
  double strength;  // of the variation, in distances between classes
  bool folds;       // units are left out in five folds, not one by one
};

constexpr Index kSize = 128;
constexpr int kSceneClasses = 3;

// Labels at some places, and which class each pixel has and gets.
class SceneDraw {
 public:
  SceneDraw(const Scene& scene, Random& random) : scene_(scene) {
    std::vector<Matrix> fields;
    for (int c = 0; c < kSceneClasses; ++c) {
      fields.push_back(smooth_field(kSize, 8, random));
    }
    truth_.resize(kSize, kSize);
    spectra_.assign(static_cast<std::size_t>(kSceneClasses), Matrix::Zero(kSize, kSize));
    for (Index i = 0; i < kSize * kSize; ++i) {
      int best = 0;
      for (int c = 1; c < kSceneClasses; ++c) {
        best = fields[static_cast<std::size_t>(c)](i) > fields[static_cast<std::size_t>(best)](i) ? c : best;
      }
      truth_(i) = best;
      spectra_[static_cast<std::size_t>(best)](i) = 1;
    }
    for (Matrix& band : spectra_) {
      band += scene.strength * smooth_field(kSize, scene.variation, random) + 0.3 * random.normal_matrix(kSize, kSize);
    }
    for (int p = 0; p < scene.patches; ++p) {
      const Index row = random.index(kSize - scene.patch + 1);
      const Index column = random.index(kSize - scene.patch + 1);
      for (Index i = 0; i < scene.patch * scene.patch; ++i) {
        labelled_.push_back((column + i / scene.patch) * kSize + row + i % scene.patch);
        patch_of_.push_back(p);
      }
    }
  }

  // The class of the nearest labelled spectrum, and the distance to the nearest label, among those with keep(k).
  template <typename Keep>
  std::pair<int, double> classify(Index pixel, const Keep& keep) const {
    double nearest = std::numeric_limits<double>::infinity();
    double distance = nearest;
    int label = 0;
    for (std::size_t k = 0; k < labelled_.size(); ++k) {
      if (!keep(k)) {
        continue;
      }
      double squares = 0;
      for (const Matrix& band : spectra_) {
        squares += std::pow(band(pixel) - band(labelled_[k]), 2);
      }
      if (squares < nearest) {
        nearest = squares;
        label = truth_(labelled_[k]);
      }
      distance = std::min(distance, std::hypot(static_cast<double>(pixel % kSize - labelled_[k] % kSize),
                                               static_cast<double>(pixel / kSize - labelled_[k] / kSize)));
    }
    return {label, distance};
  }

  LeftOutResults left_out(Random& random) const {
    LeftOutResults results;
    results.classes = kSceneClasses;
    results.label_shares.assign(kSceneClasses, 0);
    results.main_design = 2;
    const std::vector<Index> sizes = {1, 3, 8, 16, 32};
    for (int design = 0; design < static_cast<int>(sizes.size()); ++design) {
      const Index size = sizes[static_cast<std::size_t>(design)];
      std::vector<std::int64_t> unit;
      std::vector<Index> fold_of(static_cast<std::size_t>((kSize / size + 2) * (kSize / size + 2)));
      for (std::size_t u = 0; u < fold_of.size(); ++u) {
        fold_of[u] = scene_.folds ? random.index(5) : static_cast<Index>(u);
      }
      for (const Index pixel : labelled_) {
        unit.push_back((pixel / kSize) / size * (kSize / size + 1) + (pixel % kSize) / size);
      }
      for (std::size_t i = 0; i < labelled_.size(); ++i) {
        const Index fold = fold_of[static_cast<std::size_t>(unit[i])];
        const auto [label, distance] =
            classify(labelled_[i], [&](std::size_t k) { return fold_of[static_cast<std::size_t>(unit[k])] != fold; });
        results.records.push_back(
            {truth_(labelled_[i]), label, {unit[i]}, static_cast<std::int64_t>(i), design, distance});
        if (design == 0) {
          results.label_shares[static_cast<std::size_t>(truth_(labelled_[i]))] +=
              1.0 / static_cast<double>(labelled_.size());
        }
      }
    }
    return results;
  }

  [[nodiscard]] int truth(Index pixel) const { return truth_(pixel); }

 private:
  Scene scene_;
  Eigen::MatrixXi truth_;
  std::vector<Matrix> spectra_;
  Indices labelled_;
  std::vector<int> patch_of_;
};

void simulate_distances(int draws) {
  std::cout << "         scene  left  test  measured    diff   curve covered   width\n";
  std::vector<Scene> scenes;
  for (const bool folds : {true, false}) {
    scenes.insert(scenes.end(), {{"random pixels", 300, 1, 4, 0.5, folds},
                                 {"patches of 5", 24, 5, 4, 0.5, folds},
                                 {"patches of 5", 24, 5, 10, 0.8, folds},
                                 {"patches of 10", 12, 10, 6, 0.6, folds},
                                 {"patches of 3", 60, 3, 3, 0.7, folds}});
  }
  const std::vector<std::pair<std::string, std::pair<double, double>>> tests = {
      {"near", {0, 4}}, {"far", {6, 1e9}}, {"all", {0, 1e9}}};
  for (const Scene& scene : scenes) {
    std::vector<Pool> pools(tests.size());
    std::vector<double> truths(tests.size(), 0.0);
    for (int draw = 0; draw < draws; ++draw) {
      Random random(11, static_cast<std::uint64_t>(draw));
      const SceneDraw drawn(scene, random);
      const LeftOutResults results = drawn.left_out(random);
      std::vector<MapDraw> maps(tests.size());
      std::vector<double> right(tests.size(), 0.0);
      for (Index pixel = 0; pixel < kSize * kSize; pixel += 3) {
        const auto [label, distance] = drawn.classify(pixel, [](std::size_t) { return true; });
        for (std::size_t t = 0; t < tests.size(); ++t) {
          if (distance > tests[t].second.first && distance <= tests[t].second.second) {
            maps[t].predicted.push_back(label);
            maps[t].distances.push_back(distance);
            right[t] += label == drawn.truth(pixel) ? 1 : 0;
          }
        }
      }
      const ExpectedAccuracy of_map = expected_accuracy(results, maps.back(), {0, 1, 399});
      for (std::size_t t = 0; t < tests.size(); ++t) {
        const ExpectedAccuracy expected = expected_accuracy(results, maps[t], {0, 1, 399});
        if (maps[t].predicted.size() < 300 || !expected.overall_interval) {
          continue;
        }
        const double measured = right[t] / static_cast<double>(maps[t].predicted.size());
        double curve = 0;
        for (const double distance : maps[t].distances) {
          std::size_t b = 0;
          while (b + 1 < of_map.by_distance.size() && distance > of_map.by_distance[b].farthest) {
            ++b;
          }
          curve += *of_map.by_distance[b].accuracy / static_cast<double>(maps[t].distances.size());
        }
        Pool& pool = pools[t];
        ++pool.draws;
        ++pool.intervals;
        pool.difference += *expected.overall - measured;
        pool.shares_of_map += curve - measured;
        pool.covered +=
            expected.overall_interval->low <= measured && measured <= expected.overall_interval->high ? 1 : 0;
        pool.width += expected.overall_interval->high - expected.overall_interval->low;
        truths[t] += measured;
      }
    }
    for (std::size_t t = 0; t < tests.size(); ++t) {
      std::cout << std::setw(14) << scene.name << std::setw(7) << (scene.folds ? "folds" : "units") << std::setw(6)
                << tests[t].first << std::setw(10) << 100 * truths[t] / pools[t].draws;
      pools[t].print(false);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int draws = argc > 1 ? std::atoi(argv[1]) : 200;
  const std::string part = argc > 2 ? argv[2] : "";
  std::cout << std::fixed << std::setprecision(1);
  if (part != "distance") {
    simulate_shares(draws);
  }
  if (part != "shares") {
    simulate_distances(draws);
  }
}
