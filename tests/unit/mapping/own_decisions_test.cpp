#include "mapping/own_decisions.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>

#include "parsimap/core/random.hpp"

#include "unit/mapping/hand_made_scene.hpp"

namespace parsimap::test {

TEST_CASE("pixels that are not sure enough, or too novel, are left out of the map and counted") {
  const Model model = hand_made_model();
  MemoryScene scene = scene_of(sparse_values());
  const Outcome all = map_of(scene, model, {});
  const auto check = [&](const MappingOptions& options, const auto& rejected) {
    const Outcome outcome = map_of(scene, model, options);
    CHECK(same_values(outcome.probabilities, all.probabilities));
    CHECK(same_values(outcome.novelty, all.novelty));
    std::int64_t count = 0;
    for (Index pixel = 0; pixel < kWidth * kHeight; ++pixel) {
      const auto i = static_cast<std::size_t>(pixel);
      const bool out = all.codes[i] != 0 && rejected(pixel);
      REQUIRE(outcome.codes[i] == (out ? 0 : all.codes[i]));
      count += out ? 1 : 0;
    }
    CHECK(count > 10);
    CHECK(count < all.summary.classified);
    CHECK(outcome.summary.rejected == count);
    CHECK(outcome.summary.classified == all.summary.classified - count);
    const auto& pixels = outcome.summary.class_pixels;
    CHECK(pixels[0] + pixels[1] + pixels[2] == outcome.summary.classified);
  };
  CHECK(all.summary.rejected == 0);
  check({.reject = 0.6}, [&](Index i) { return all.confidence(i, 0) < 0.6F; });
  check({.reject_novelty = 0.5}, [&](Index i) { return all.novelty(i, 0) > 0.5F; });
  check({.reject = 0.6, .reject_novelty = 0.5},
        [&](Index i) { return all.confidence(i, 0) < 0.6F || all.novelty(i, 0) > 0.5F; });
  check({.reject_outside = 0.7}, [&](Index i) { return all.applicability(i, 0) > 0.7F; });
  check({.reject_novelty = 0.5, .reject_outside = 0.7},
        [&](Index i) { return all.novelty(i, 0) > 0.5F || all.applicability(i, 0) > 0.7F; });
}

TEST_CASE("the layer of applicability has the local point density of the class of each pixel") {
  Model model = hand_made_model();
  for (std::uint64_t c = 0; c < kClasses; ++c) {
    model.novelty[c].samples = Random(c).normal_matrix(20, std::ssize(model.bands));
    model.novelty[c].radius = 10;
  }
  const Spectra values = sparse_values();
  MemoryScene scene = scene_of(values);
  const Outcome all = map_of(scene, model, {});
  const Predictor predictor(model);
  std::set<float> found;
  for (Index pixel = 0; pixel < kWidth * kHeight; ++pixel) {
    const std::uint16_t code = all.codes[static_cast<std::size_t>(pixel)];
    if (code == 0) {
      REQUIRE(std::isnan(all.applicability(pixel, 1)));
      continue;
    }
    Spectra unlike;
    Spectra density;
    predictor.unlikeness(values(Eigen::seqN(pixel, 1), model.bands), 1, unlike, &density);
    const Index label = code == 2 ? 0 : code == 5 ? 1 : 2;
    REQUIRE(all.applicability(pixel, 0) == unlike(0, label));
    REQUIRE(all.applicability(pixel, 1) == density(0, label));
    found.insert(density(0, label));
  }
  CHECK(found.size() > 3);
}

TEST_CASE("prediction sets and their sizes are those of the thresholds") {
  Model model = hand_made_model();
  // Ten units of one sample each, all of the same probability: the threshold is that probability.
  for (Index c = 0; c < kClasses; ++c) {
    model.own_probabilities.push_back({Vector::Constant(10, 0.2 + 0.1 * static_cast<double>(c)), consecutive(10)});
  }
  MemoryScene scene = scene_of(sparse_values());
  MemoryClassMapSink map(scene.grid());
  MemoryFieldSink sets(scene.grid(), kClasses + 1);
  const Outcome all = map_of(scene, model, {});
  const MappingSummary summary = classify_scene(scene, model, {&map, {{MapLayer::sets, &sets}}}, {}, {});
  std::vector<std::int64_t> sizes(kClasses + 1, 0);
  for (Index pixel = 0; pixel < kWidth * kHeight; ++pixel) {
    if (all.codes[static_cast<std::size_t>(pixel)] == 0) {
      REQUIRE(std::isnan(sets.values()(pixel, 0)));
      continue;
    }
    Index size = 0;
    for (Index c = 0; c < kClasses; ++c) {
      const bool within = all.probabilities(pixel, c) >= static_cast<float>(0.2 + 0.1 * static_cast<double>(c));
      REQUIRE(sets.values()(pixel, c + 1) == (within ? 1 : 0));
      size += within ? 1 : 0;
    }
    REQUIRE(sets.values()(pixel, 0) == static_cast<float>(size));
    ++sizes[static_cast<std::size_t>(size)];
  }
  CHECK(summary.set_sizes == sizes);
}

}  // namespace parsimap::test
