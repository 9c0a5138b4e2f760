#include "commands/training/expected_map_accuracy.hpp"

#include <doctest/doctest.h>

#include <string>

#include "parsimap/json/model_file.hpp"

#include "support/small_scene.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("a model records the accuracy that is expected of its map, by distance to the labels") {
  const TemporaryFolder folder;
  const Model model = train(SmallScene::instance().training(folder.file("model"))).model;
  REQUIRE(model.provenance.expected);
  const ExpectedAccuracy& expected = *model.provenance.expected;
  REQUIRE(expected.overall);
  REQUIRE(expected.overall_interval);
  CHECK(*expected.overall >= 0);
  CHECK(*expected.overall <= 1);
  CHECK(expected.overall_interval->low <= *expected.overall);
  CHECK(*expected.overall <= expected.overall_interval->high);
  CHECK(expected.classes.size() == 2);
  CHECK(expected.support.units > 1);

  // Labels and the map lie in one scene, so that the distances are known.
  REQUIRE_FALSE(expected.by_distance.empty());
  REQUIRE(expected.not_measured);
  double shares = *expected.not_measured;
  double farthest = 0;
  double accuracy = 1;
  for (const DistanceAccuracy& bin : expected.by_distance) {
    CHECK(bin.nearest >= farthest);
    CHECK(bin.farthest > bin.nearest);
    farthest = bin.farthest;
    REQUIRE(bin.map_share);
    shares += *bin.map_share;
    if (bin.accuracy) {
      CHECK(*bin.accuracy <= accuracy);
      accuracy = *bin.accuracy;
    }
  }
  CHECK(shares == doctest::Approx(1).epsilon(1e-6));

  REQUIRE(expected.inside);
  CHECK(expected.inside->map_share > 0.5);
  CHECK(expected.inside->map_share <= 1);
  REQUIRE(expected.inside->accuracy);
  CHECK(expected.inside->support.pixels > 0);
  CHECK(expected.inside->support.pixels <= expected.support.pixels);
}

TEST_CASE("the expected accuracy does not depend on the number of threads, and the model file keeps it") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const auto with_threads = [&](int threads) {
    TrainOptions options = small.training(folder.file("model-" + std::to_string(threads)));
    options.threads = threads;
    return train(options).model;
  };
  const Model one = with_threads(1);
  const Model two = with_threads(2);
  const Model read = load_model(folder.file("model-1"));
  REQUIRE(one.provenance.expected);
  const ExpectedAccuracy& expected = *one.provenance.expected;
  for (const Model* other : {&two, &read}) {
    REQUIRE(other->provenance.expected);
    const ExpectedAccuracy& same = *other->provenance.expected;
    CHECK(same.overall == expected.overall);
    CHECK(same.average == expected.average);
    CHECK(same.support == expected.support);
    CHECK(same.not_measured == expected.not_measured);
    REQUIRE(same.inside);
    CHECK(same.inside->accuracy == expected.inside->accuracy);
    CHECK(same.inside->map_share == expected.inside->map_share);
    CHECK(same.inside->support == expected.inside->support);
    REQUIRE(same.by_distance.size() == expected.by_distance.size());
    for (std::size_t b = 0; b < same.by_distance.size(); ++b) {
      CHECK(same.by_distance[b].farthest == expected.by_distance[b].farthest);
      CHECK(same.by_distance[b].accuracy == expected.by_distance[b].accuracy);
      CHECK(same.by_distance[b].map_share == expected.by_distance[b].map_share);
    }
    CHECK(other->provenance.left_out.map_shares == one.provenance.left_out.map_shares);
  }
}

}  // namespace parsimap::test
