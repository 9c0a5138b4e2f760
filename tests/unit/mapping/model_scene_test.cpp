#include "mapping/model_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/mapping/label_places.hpp"

#include "unit/mapping/hand_made_scene.hpp"

namespace parsimap::test {
namespace {

// Bands and features of all pixels, read at once.
Spectra all_values(SceneSource& scene, const Model& model) {
  ModelScene seen(scene, model, {}, std::int64_t{1} << 28U, 1);
  Spectra values;
  seen.source().read({0, 0, kWidth, kHeight}, seen.bands(), values);
  return values;
}

void check_same(const Outcome& a, const Outcome& b) {
  CHECK(a.codes == b.codes);
  CHECK(same(a.probabilities, b.probabilities));
  CHECK(same(a.confidence, b.confidence));
  CHECK(same(a.decision_values, b.decision_values));
  CHECK(same(a.novelty, b.novelty));
}

}  // namespace

TEST_CASE("model scene: without profiles it is the scene in the bands of the model") {
  MemoryScene scene = scene_of(dense_values());
  const Model model = hand_made_model();
  ModelScene seen(scene, model, {}, 1 << 20U, 1);
  CHECK(&seen.source() == &scene);
  CHECK(seen.bands() == model.bands);
  CHECK(seen.bytes() == 0);
  CHECK(values_of_pixel(model) == 6);
}

TEST_CASE(
    "model scene: features follow the bands, and what they take of the memory is at most half of what it can be") {
  MemoryScene scene = scene_of(dense_values());
  const Model model = profiled_model();
  CHECK(values_of_pixel(model) == 6 + 10);
  const std::int64_t working = ProfiledScene::working_bytes(*model.profile, {}, 2);
  for (const std::int64_t ram : {std::int64_t{0}, working + 1000, std::int64_t{1} << 30U}) {
    ModelScene seen(scene, model, {}, ram, 2);
    CHECK(seen.bands().size() == 16);
    CHECK(seen.bytes() <= working + std::max<std::int64_t>(0, ram - working) / 2);
    CHECK(seen.bytes() >= working);
  }
}

TEST_CASE("a map with profiles is that of the spectra and profiles of its pixels") {
  const Model model = profiled_model();
  for (const Spectra& values : {dense_values(), sparse_values()}) {
    MemoryScene scene = scene_of(values);
    const Outcome outcome = map_of(scene, model, {});
    const Spectra all = all_values(scene, model);
    const Outcome plain = map_of(scene, hand_made_model(), {});
    CHECK(same(outcome.novelty, plain.novelty));
    CHECK_FALSE(outcome.codes == plain.codes);
    for (Index i = 0; i < all.rows(); i += 7) {
      REQUIRE(all.row(i).allFinite() == values(i, model.bands).allFinite());
      REQUIRE(all.row(i).allFinite() == (outcome.codes[static_cast<std::size_t>(i)] != 0));
      if (all.row(i).allFinite()) {
        Spectra expected;
        DecisionFunction(model).evaluate(all.row(i), 1, expected);
        REQUIRE(same(outcome.decision_values.row(i), expected));
      }
    }
  }
}

TEST_CASE("a map with profiles depends neither on storage blocks, nor on memory, threads or rows") {
  const Model model = profiled_model();
  for (const char* rule : {"none", "neighbours:0.7:3", "auto"}) {
    const Regularisation regularisation = parse_regularisation(rule);
    for (const Spectra& values : {dense_values(), sparse_values()}) {
      MemoryScene reference = scene_of(values);
      const Outcome expected = map_of(reference, model, {.threads = 1, .regularisation = regularisation});
      for (const auto& [block_width, block_height] : {std::pair<Index, Index>{kWidth, 1}, {16, 16}}) {
        for (const int threads : {2, 5}) {
          MemoryScene scene = scene_of(values);
          scene.set_block_size(block_width, block_height);
          // Enough for what regularising keeps, and for windows of few pixels.
          const std::int64_t ram = little_memory(model, threads) +
                                   2 * ProfiledScene::working_bytes(*model.profile, {}, threads) + (6 << 20U) * threads;
          MappingOptions options{.ram_bytes = threads == 2 ? ram : std::int64_t{1} << 28U,
                                 .threads = threads,
                                 .regularisation = regularisation};
          check_same(map_of(scene, model, options), expected);
          options.rows = ItemRange{13, 14};
          const Outcome part = map_of(scene, model, options);
          CHECK(std::equal(part.codes.begin() + 13 * kWidth, part.codes.begin() + 14 * kWidth,
                           expected.codes.begin() + 13 * kWidth));
          CHECK(same(part.probabilities.middleRows(13 * kWidth, kWidth),
                     expected.probabilities.middleRows(13 * kWidth, kWidth)));
        }
      }
      if (regularisation.method == RegularisationMethod::automatic) {
        CHECK(resolve_regularisation(reference, model, {.ram_bytes = 0, .regularisation = regularisation}) ==
              expected.summary.regularisation);
      }
      if (regularisation.method == RegularisationMethod::none) {
        check_same(map_of(reference, model, {.ram_bytes = 0, .threads = 1}), expected);
      }
    }
  }
}

TEST_CASE("radii in metres want the width of a pixel") {
  Model metres = profiled_model();
  metres.profile->metres = true;
  metres.profile->radii = {30, 60};
  MemoryScene scene = scene_of(dense_values());
  CHECK_THROWS_AS(map_of(scene, metres, {}), DataError);
  check_same(map_of(scene, metres, {.pixel_metres = 30}), map_of(scene, profiled_model(), {}));
}

TEST_CASE("places to label are found with profiles, whatever the memory and the threads") {
  const Model model = profiled_model();
  MemoryScene scene = scene_of(dense_values());
  const LabelPlaces expected = choose_label_places(scene, model, nullptr, {.count = 6, .threads = 1}, {});
  CHECK(expected.pixels == kWidth * kHeight);
  REQUIRE(expected.places.size() == 6);
  const Outcome outcome = map_of(scene, model, {});
  const LabelPlaces again = choose_label_places(scene, model, nullptr, {.count = 6, .ram_bytes = 0, .threads = 3}, {});
  for (std::size_t i = 0; i < expected.places.size(); ++i) {
    const LabelPlace& place = expected.places[i];
    CHECK(again.places[i].pixel == place.pixel);
    CHECK(place.probability == outcome.probabilities(place.pixel, place.label));
  }
}

}  // namespace parsimap::test
