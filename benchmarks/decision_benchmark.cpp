// decision_benchmark MODEL SCENE PIXELS REPEATS: how near the decision function comes to the limit of the processor.
//
// The limit of one thread is the time of its matrix products at the rate of a large sgemm plus that of its exponentials
// at the rate of expf on data in cache, both Eigen's. Everything is timed in turn, REPEATS times, and written as JSON.
#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <iostream>
#include <string>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/json/model_file.hpp"

namespace {

using namespace parsimap;

template <typename Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Of the first rows of a scene, as many pixels as asked for or as there are.
Spectra read_pixels(SceneSource& scene, const Indices& bands, Index pixels) {
  const RasterGrid& grid = scene.grid();
  const Index rows = std::min(grid.height, (pixels + grid.width - 1) / grid.width);
  Spectra spectra;
  scene.read({0, 0, grid.width, rows}, bands, spectra);
  spectra.conservativeResize(std::min(pixels, spectra.rows()), Eigen::NoChange);
  return spectra;
}

// What the decision function cannot do without, for one pixel.
struct Work {
  double multiply_adds = 0;
  double evaluations = 0;  // of kernels, each with one exponential
};

Work work_of(const Model& model) {
  const auto bands = static_cast<double>(model.bands.size());
  Work work;
  bool shared = false;  // whether a metric counts more than its directions
  for (const BinaryClassifier& classifier : model.classifiers) {
    const auto directions = static_cast<double>(classifier.metric.directions.cols());
    const auto support = static_cast<double>(classifier.support.size());
    work.multiply_adds += directions * (bands + support);
    work.evaluations += support;
    shared = shared || classifier.metric.rest_weight != 0;
  }
  work.multiply_adds += shared ? bands * static_cast<double>(model.support_spectra.rows()) : 0;
  return work;
}

class ProductRate {
 public:
  double measure() {
    const double seconds = seconds_of([this] { c_.noalias() = a_ * b_; });
    checksum += c_(0, 0);
    return static_cast<double>(kSize * kSize * kSize) / seconds;
  }
  float checksum = 0;

 private:
  static constexpr Index kSize = 1536;
  MatrixF a_ = MatrixF::Random(kSize, kSize);
  MatrixF b_ = MatrixF::Random(kSize, kSize);
  MatrixF c_ = MatrixF::Zero(kSize, kSize);
};

class ExponentialRate {
 public:
  double measure() {
    constexpr int kTimes = 20000;
    const double seconds = seconds_of([this] {
      for (int i = 0; i < kTimes; ++i) {
        output_ = input_.exp();
        // Otherwise the loop would be the same work again and could be left out.
        input_(i % kSize) = -output_(0);
      }
    });
    checksum += output_.sum();
    return static_cast<double>(kTimes) * static_cast<double>(kSize) / seconds;
  }
  float checksum = 0;

 private:
  static constexpr Index kSize = 4096;
  Eigen::ArrayXf input_ = -Eigen::ArrayXf::Random(kSize).abs();
  Eigen::ArrayXf output_ = Eigen::ArrayXf::Zero(kSize);
};

// An interrupted measurement would make the limit look low, and the fraction reached high.
template <typename Rate>
double best_rate(Rate& rate) {
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    best = std::max(best, rate.measure());
  }
  return best;
}

nlohmann::ordered_json measure(const Model& model, const Spectra& spectra, int repeats) {
  const Predictor predictor(model);
  const Work work = work_of(model);
  const auto pixels = static_cast<double>(spectra.rows());
  ProductRate products;
  ExponentialRate exponentials;
  Spectra values;
  predictor.decision_values(spectra, 1, values);
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (int run = 0; run < repeats; ++run) {
    // Before and after, since other work on the computer comes and goes.
    const double product_before = best_rate(products);
    const double exponential_before = best_rate(exponentials);
    const double seconds = seconds_of([&] { predictor.decision_values(spectra, 1, values); });
    const double product_rate = std::max(product_before, best_rate(products));
    const double exponential_rate = std::max(exponential_before, best_rate(exponentials));
    const double product_seconds = pixels * work.multiply_adds / product_rate;
    const double exponential_seconds = pixels * work.evaluations / exponential_rate;
    runs.push_back({{"seconds", seconds},
                    {"evaluations_per_second", pixels * work.evaluations / seconds},
                    {"multiply_adds_per_second", product_rate},
                    {"exponentials_per_second", exponential_rate},
                    {"product_seconds", product_seconds},
                    {"exponential_seconds", exponential_seconds},
                    {"fraction_of_limit", (product_seconds + exponential_seconds) / seconds}});
  }
  return {{"pixels", spectra.rows()},
          {"support_spectra", model.support_spectra.rows()},
          {"evaluations_per_pixel", work.evaluations},
          {"multiply_adds_per_pixel", work.multiply_adds},
          // Printed so that no compiler leaves the loops out.
          {"checksum", static_cast<double>(values.sum() + products.checksum + exponentials.checksum)},
          {"runs", runs}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: decision_benchmark MODEL SCENE PIXELS REPEATS\n";
    return 2;
  }
  try {
    initialise_gdal();
    const Model model = load_model(argv[1]);
    const auto scene = open_scene(argv[2]).source;
    const Spectra spectra = read_pixels(*scene, model.bands, std::stol(argv[3]));
    std::cout << measure(model, spectra, std::stoi(argv[4])).dump(2) << '\n';
  } catch (const std::exception& error) {
    std::cerr << "decision_benchmark: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
