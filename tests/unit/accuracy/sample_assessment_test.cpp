#include "parsimap/accuracy/sample_assessment.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "parsimap/accuracy/sample_draw.hpp"
#include "parsimap/core/error.hpp"

#include "unit/accuracy/memory_map.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

// 40 x 25 pixels. The map has two classes; the truth differs in every eleventh pixel.
std::uint16_t map_code(std::int64_t pixel) { return pixel / 40 < 18 ? 1 : 2; }
std::uint16_t true_code(std::int64_t pixel) {
  const std::uint16_t code = map_code(pixel);
  return pixel % 11 == 0 ? static_cast<std::uint16_t>(3 - code) : code;
}

MemoryMap known_map(std::int64_t unclassified = 0) {
  std::vector<std::uint16_t> codes;
  for (std::int64_t pixel = 0; pixel < 1000; ++pixel) {
    codes.push_back(pixel < unclassified ? 0 : map_code(pixel));
  }
  return {40, codes, kForestAndWater, true};
}

DrawnSample drawn(MemoryMap& map, SamplingDesign design, std::int64_t size, std::uint64_t seed = 1) {
  const std::vector<std::string> names = class_names(map.classes());
  const SamplePlan plan = plan_sample(count_population(map, nullptr).pixels, names, names,
                                      {.design = design, .size = size, .least = 10, .cluster_points = 4});
  DrawnSample sample{
      .file = "plan.gpkg", .design = design, .aims = {parse_aim("overall:0.01")}, .strata = {}, .points = {}};
  for (const PlannedStratum& stratum : plan.strata) {
    sample.strata.push_back(stratum.name);
  }
  for (const DrawnPoint& point : draw_sample(map, nullptr, plan, {5, 4, seed})) {
    sample.points.push_back({point.pixel, point.stratum, point.cluster, point.probability});
  }
  sample.labelled = static_cast<std::int64_t>(sample.points.size());
  return sample;
}

AreaAssessment assessed(MemoryMap& map, const DrawnSample& sample) {
  std::map<std::int64_t, LabelledPixel> pixels;
  for (std::int64_t i = 0; i < sample.labelled; ++i) {
    const std::int64_t pixel = sample.points[static_cast<std::size_t>(i)].pixel;
    pixels[pixel] = {pixel, true_code(pixel) - 1, 0};
  }
  LabelledPixels labels = reference(kForestAndWater, {}, true);
  for (const auto& [pixel, label] : pixels) {
    labels.pixels.push_back(label);
  }
  return assess_sample(map, labels, compare(map, labels, "plan.gpkg"), sample, 100.0);
}

bool is_right(const SampledPoint& point) { return map_code(point.pixel) == true_code(point.pixel); }

}  // namespace

TEST_CASE("a stratified sample is estimated by its weights") {
  MemoryMap map = known_map();
  const DrawnSample sample = drawn(map, SamplingDesign::stratified, 100);
  const AreaAssessment areas = assessed(map, sample);
  // Horvitz and Thompson: each point stands for 1 / pi pixels.
  double right = 0;
  double forest = 0;
  for (const SampledPoint& point : sample.points) {
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
  for (const SampledPoint& point : sample.points) {
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
  for (const SampledPoint& point : sample.points) {
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
  for (const SampledPoint& point : sample.points) {
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
    for (const SampledPoint& point : sample.points) {
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

TEST_CASE("too few labels, and a map with further pixels, are refused") {
  MemoryMap map = known_map();
  DrawnSample sample = drawn(map, SamplingDesign::stratified, 50);
  sample.labelled = 3;
  CHECK(message_of([&] { assessed(map, sample); }).starts_with("plan.gpkg has 1 labelled points in stratum"));
  DrawnSample clusters = drawn(map, SamplingDesign::clusters, 50);
  clusters.labelled = 5;
  CHECK(message_of([&] { assessed(map, clusters); }) ==
        "plan.gpkg has 1 completely labelled clusters; two are the least that show a variance");
  MemoryMap smaller = known_map(300);
  const DrawnSample other = drawn(smaller, SamplingDesign::simple, 50);
  CHECK(message_of([&] { assessed(map, other); }) ==
        "the strata of plan.gpkg have 700 pixels by its inclusion probabilities, and the map classifies 1000; a sample "
        "says nothing of pixels that it was not drawn from");
}

}  // namespace parsimap::test
