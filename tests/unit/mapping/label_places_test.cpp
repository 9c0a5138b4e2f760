#include "parsimap/mapping/label_places.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/mapping/map_layer.hpp"

#include "support/memory_scene.hpp"
#include "support/memory_segments.hpp"

using namespace parsimap;

namespace {

constexpr Index kSurfacesWidth = 40;
constexpr Index kSurfacesHeight = 30;
constexpr Index kSurfacesBands = 6;

// Three surfaces side by side; the last one, from column 26, is in no training. Rows 25 and below have no values.
Spectra scene_values() {
  Random random(3);
  Spectra values = (0.1 * random.normal_matrix(kSurfacesWidth * kSurfacesHeight, kSurfacesBands)).cast<float>();
  for (Index pixel = 0; pixel < values.rows(); ++pixel) {
    const Index column = pixel % kSurfacesWidth;
    values(pixel, column < 13 ? 0 : column < 26 ? 1 : 2) += 1;
    if (pixel / kSurfacesWidth >= 25) {
      values.row(pixel).setConstant(std::numeric_limits<float>::quiet_NaN());
    }
  }
  return values;
}

test::MemoryScene make_scene() {
  RasterGrid grid;
  grid.width = kSurfacesWidth;
  grid.height = kSurfacesHeight;
  return {"scene", grid, BandTable(kSurfacesBands), scene_values()};
}

Model trained_model() {
  SampleSet samples;
  samples.classes = {{1, "a", {}}, {2, "b", {}}};
  const Spectra values = scene_values();
  samples.spectra.resize(40, kSurfacesBands);
  for (Index i = 0; i < 40; ++i) {
    const Index pixel = (i % 20) * kSurfacesWidth + (i < 20 ? 4 : 17);
    samples.spectra.row(i) = values.row(pixel).cast<double>();
    samples.labels.push_back(i < 20 ? 0 : 1);
    samples.places.push_back({pixel});
  }
  return train_one_vs_all(samples, {}, {});
}

std::vector<std::int64_t> pixels_of(const LabelPlaces& places) {
  std::vector<std::int64_t> pixels;
  for (const LabelPlace& place : places.places) {
    pixels.push_back(place.pixel);
  }
  return pixels;
}

}  // namespace

TEST_CASE("the first place lies in the surface that nobody labelled, and places keep their distance") {
  test::MemoryScene scene = make_scene();
  const LabelPlaces places = choose_label_places(scene, trained_model(), nullptr, {.count = 5}, {});
  CHECK(places.pixels == kSurfacesWidth * 25);
  CHECK(places.least_distance == doctest::Approx(0.5 * std::sqrt(kSurfacesWidth * 25 / 5.0)));
  REQUIRE(places.places.size() == 5);
  CHECK(places.places[0].pixel % kSurfacesWidth >= 26);
  CHECK(places.places[0].novelty > 0.95F);
  for (const LabelPlace& a : places.places) {
    for (const LabelPlace& b : places.places) {
      const double distance = std::hypot(a.pixel % kSurfacesWidth - b.pixel % kSurfacesWidth,
                                         a.pixel / kSurfacesWidth - b.pixel / kSurfacesWidth);
      CHECK((a.pixel == b.pixel || distance >= places.least_distance));
    }
  }
}

TEST_CASE("a place tells what the model says of its pixel") {
  test::MemoryScene scene = make_scene();
  const Model model = trained_model();
  const LabelPlaces places = choose_label_places(scene, model, nullptr, {.count = 8, .least_distance = 0}, {});
  const Spectra values = scene_values();
  for (const LabelPlace& place : places.places) {
    const Spectra spectrum = values.row(place.pixel);
    Spectra probabilities;
    Spectra novelty;
    Predictor(model).probabilities(spectrum, 1, probabilities);
    Predictor(model).novelty(spectrum, 1, novelty);
    CHECK(place.probability == probabilities(0, place.label));
    CHECK(place.second_probability == probabilities(0, place.second));
    CHECK(place.label != place.second);
    CHECK(place.probability >= place.second_probability);
    CHECK(place.uncertainty == uncertainty_of(probabilities.data(), 2).margin);
    CHECK(place.novelty == novelty(0, 0));
  }
}

TEST_CASE("excluded pixels and pixels without a value are never chosen") {
  test::MemoryScene scene = make_scene();
  const Model model = trained_model();
  std::vector<std::int64_t> numbers(kSurfacesWidth * kSurfacesHeight, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<Index>(i) % kSurfacesWidth >= 20 ? 7 : 0;
  }
  test::MemorySegments excluded(kSurfacesWidth, numbers);
  const LabelPlaces places = choose_label_places(scene, model, &excluded, {.count = 10, .least_distance = 3}, {});
  CHECK(places.pixels == 20 * 25);
  CHECK_FALSE(places.places.empty());
  for (const std::int64_t pixel : pixels_of(places)) {
    CHECK(pixel % kSurfacesWidth < 20);
    CHECK(pixel / kSurfacesWidth < 25);
  }
  std::fill(numbers.begin(), numbers.end(), 1);
  test::MemorySegments all(kSurfacesWidth, numbers);
  CHECK(choose_label_places(scene, model, &all, {}, {}).places.empty());
}

TEST_CASE("places depend neither on storage blocks, nor on memory, nor on threads") {
  const Model model = trained_model();
  test::MemoryScene reference = make_scene();
  const PlaceOptions few{.count = 6, .candidates = 100, .ram_bytes = 1 << 28, .threads = 1};
  const std::vector<std::int64_t> expected = pixels_of(choose_label_places(reference, model, nullptr, few, {}));
  REQUIRE(expected.size() == 6);
  for (const auto& [width, height] : {std::pair<Index, Index>{kSurfacesWidth, 1}, {16, 16}, {7, 5}}) {
    for (const int threads : {1, 3}) {
      test::MemoryScene scene = make_scene();
      scene.set_block_size(width, height);
      PlaceOptions options = few;
      options.ram_bytes = 0;
      options.threads = threads;
      std::vector<double> shares;
      CHECK(pixels_of(choose_label_places(scene, model, nullptr, options,
                                          [&](double share) { shares.push_back(share); })) == expected);
      CHECK(shares.back() == 1);
      CHECK(scene.largest_read() <= 256 * kSurfacesBands);
    }
  }
}
