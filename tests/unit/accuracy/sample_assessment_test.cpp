#include "parsimap/accuracy/sample_assessment.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"

#include "unit/accuracy/drawn_maps.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

AreaAssessment assessed(MemoryMap& map, const DrawnSample& sample) {
  const LabelledPixels labels = labels_of(sample);
  return assess_sample(map, labels, compare(map, labels, "plan.gpkg"), sample, 100.0);
}

bool is_right(const DrawnPoint& point) { return map_code(point.pixel) == true_code(point.pixel); }

}  // namespace

TEST_CASE("a stratified sample is estimated by its weights") {
  MemoryMap map = known_map();
  const DrawnSample sample = drawn(map, SamplingDesign::stratified, 100);
  const AreaAssessment areas = assessed(map, sample);
  // Horvitz and Thompson: each point stands for 1 / pi pixels.
  double right = 0;
  double forest = 0;
  for (const DrawnPoint& point : sample.points) {
    right += is_right(point) ? 1 / point.probability : 0;
    forest += true_code(point.pixel) == 1 ? 1 / point.probability : 0;
  }
  CHECK(areas.estimate.overall_accuracy.value == doctest::Approx(right / 1000));
  CHECK(areas.estimate.classes[0].share.value == doctest::Approx(forest / 1000));
  CHECK(areas.estimate.classes[0].mapped_share == doctest::Approx(0.72));
  CHECK(areas.sample->overall_accuracy->low < areas.estimate.overall_accuracy.value);
  CHECK(areas.sample->classes[1].users_accuracy);
  CHECK(areas.sample->planned == 100);
  CHECK(areas.pixel_area == 100.0);
}

TEST_CASE("a simple sample has exact intervals, and its classes are samples of their own") {
  MemoryMap map = known_map();
  const DrawnSample sample = drawn(map, SamplingDesign::simple, 120);
  const AreaAssessment areas = assessed(map, sample);
  std::int64_t right = 0;
  for (const DrawnPoint& point : sample.points) {
    right += is_right(point) ? 1 : 0;
  }
  CHECK(areas.estimate.overall_accuracy.interval == exact_interval(right, 120, 1000));
  CHECK(areas.estimate.overall_accuracy.value == doctest::Approx(static_cast<double>(right) / 120));
  CHECK(areas.sample->classes[0].users_accuracy);
}

TEST_CASE("the variance of clusters is that of their means") {
  MemoryMap map = known_map();
  const DrawnSample sample = drawn(map, SamplingDesign::clusters, 80);
  const AreaAssessment areas = assessed(map, sample);
  std::vector<double> means(20, 0);
  for (const DrawnPoint& point : sample.points) {
    means[static_cast<std::size_t>(point.cluster) - 1] += is_right(point) ? 0.25 : 0;
  }
  double mean = 0;
  for (const double value : means) {
    mean += value / 20;
  }
  double variance = 0;
  for (const double value : means) {
    variance += (value - mean) * (value - mean) / 19 / 20;
  }
  CHECK(areas.estimate.overall_accuracy.value == doctest::Approx(mean));
  CHECK(areas.estimate.overall_accuracy.standard_error == doctest::Approx(std::sqrt(variance)));
  CHECK(!areas.sample->classes[0].users_accuracy);
  // A cluster that is not complete does not count.
  DrawnSample shorter = sample;
  shorter.labelled = 42;
  CHECK(assessed(map, shorter).sample->labelled == 40);
}

TEST_CASE("estimates are those of the pixels that a changed map classifies") {
  MemoryMap old_map = known_map();
  const DrawnSample sample = drawn(old_map, SamplingDesign::stratified, 200);
  MemoryMap map = known_map(200);
  const AreaAssessment areas = assessed(map, sample);
  double right = 0;
  double all = 0;
  for (const DrawnPoint& point : sample.points) {
    if (point.pixel >= 200) {
      right += is_right(point) ? 1 / point.probability : 0;
      all += 1 / point.probability;
    }
  }
  CHECK(areas.estimate.overall_accuracy.value == doctest::Approx(right / all));
  CHECK(areas.estimate.pixels == 800);
  CHECK(areas.unclassified_pixels == 200);
  CHECK(!areas.sample->overall_accuracy);
}

TEST_CASE("an interval has no width of zero unless all pixels are known") {
  std::vector<std::uint16_t> codes(1000, 1);
  for (std::size_t i = 700; i < codes.size(); ++i) {
    codes[i] = 2;
  }
  for (const SamplingDesign design :
       {SamplingDesign::simple, SamplingDesign::stratified, SamplingDesign::systematic, SamplingDesign::clusters}) {
    MemoryMap map(40, codes, kForestAndWater, true);
    const DrawnSample sample = drawn(map, design, 60);
    LabelledPixels labels = reference(kForestAndWater, {}, true);
    std::map<std::int64_t, LabelledPixel> pixels;
    for (const DrawnPoint& point : sample.points) {
      pixels[point.pixel] = {point.pixel, codes[static_cast<std::size_t>(point.pixel)] - 1, 0};
    }
    for (const auto& [pixel, label] : pixels) {
      labels.pixels.push_back(label);
    }
    const AreaAssessment areas = assess_sample(map, labels, compare(map, labels, "p"), sample, std::nullopt);
    CHECK(areas.estimate.overall_accuracy.value == 1);
    CHECK(areas.estimate.overall_accuracy.interval->high == 1);
    CHECK(areas.estimate.overall_accuracy.interval->low < 0.99);
    CHECK(areas.estimate.classes[1].share.interval->low < areas.estimate.classes[1].share.value);
    CHECK(areas.sample->aims.front().standard_error.value() > 0);
    CHECK(areas.sample->overall_accuracy.has_value() == (design != SamplingDesign::systematic));
  }
}

TEST_CASE("how many points reach the aim follows from the error so far") {
  MemoryMap map = known_map();
  DrawnSample sample = drawn(map, SamplingDesign::simple, 400);
  sample.labelled = 100;
  const AreaAssessment areas = assessed(map, sample);
  const AimProgress& aim = areas.sample->aims.front();
  const double error = areas.estimate.overall_accuracy.standard_error;
  CHECK(*aim.standard_error == error);
  const double inverse = 0.01 * 0.01 / (error * error) * (1.0 / 100 - 1.0 / 1000) + 1.0 / 1000;
  CHECK(*aim.points == static_cast<std::int64_t>(std::ceil(1 / inverse)));
}

TEST_CASE("of clusters that agree, those with a point of a class say how sure its accuracy is") {
  std::vector<std::uint16_t> codes(1000, 1);
  codes[0] = 2;
  MemoryMap map(40, codes, kForestAndWater, true);
  DrawnSample sample{.file = "plan.gpkg", .design = SamplingDesign::clusters, .aims = {}, .strata = {"all"}};
  LabelledPixels labels = reference(kForestAndWater, {}, true);
  for (std::int64_t i = 0; i < 80; ++i) {
    sample.points.push_back({12 * i, 0, i / 4 + 1, 80.0 / 1000});
    labels.pixels.push_back({12 * i, i == 0 ? 1 : 0, 0});
  }
  sample.labelled = 80;
  sample.aims = {parse_aim("users:water:0.05")};
  const AreaAssessment areas = assess_sample(map, labels, compare(map, labels, "p"), sample, std::nullopt);
  CHECK(areas.estimate.classes[1].users_accuracy->interval == wilson_interval(1, 1));
  CHECK(areas.estimate.classes[1].producers_accuracy->interval == wilson_interval(1, 1));
  CHECK(areas.estimate.classes[0].users_accuracy->interval == wilson_interval(1, 20));
  CHECK(*areas.sample->aims.front().points > 80);
}

}  // namespace parsimap::test
