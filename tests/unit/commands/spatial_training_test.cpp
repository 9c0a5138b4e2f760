#include "commands/spatial_training.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/json/model_file.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {
namespace {

TrainOptions asking(const std::string& model, SpatialRule rule, bool profiles_always = false) {
  const SmallScene& small = SmallScene::instance();
  TrainOptions options = small.raster_training(small.file(model));
  options.spatial.asked = rule;
  options.spatial.profiles_always = profiles_always;
  if (options.spatial.wants_profiles()) {
    options.spatial.radii = ProfileRadii{{1, 2}};
  }
  return options;
}

}  // namespace

TEST_CASE("a model with profiles has their design, and is the same when it is read again") {
  const TrainResult result = train(asking("with-profiles", SpatialRule::profiles));
  REQUIRE(result.model.spatial);
  CHECK(result.model.spatial->asked == "profiles");
  CHECK(result.model.spatial->steps == SpatialSteps{result.model.profile.has_value(), false});
  if (result.model.profile) {
    CHECK(result.model.profile->features() == 15);
    CHECK(result.model.profile->radii == std::vector<double>{1, 2});
  }
  const Model read = load_model(SmallScene::instance().file("with-profiles"));
  REQUIRE(read.spatial);
  CHECK(read.spatial->steps == result.model.spatial->steps);
  // With profiles neighbours would count once.
  CHECK(read.spatial->strongest == (read.profile ? 1 : kStrongestNeighbours));
}

TEST_CASE("an automatic choice is told, and stored with its trials") {
  RecordingListener listener;
  const TrainResult result = train_scene(asking("automatic", SpatialRule::automatic), listener);
  REQUIRE(result.model.spatial);
  CHECK(result.model.spatial->asked == "auto");
  CHECK(result.model.profile.has_value() == result.model.spatial->steps.profiles);
  CHECK(result.model.spatial->scores.empty() == !result.model.spatial->reason.empty());
  CHECK(listener.said("Surroundings of pixels: " + to_string(result.model.spatial->steps)));
}

TEST_CASE("neighbours alone are a word in the model and cost nothing") {
  const TrainResult result = train(asking("with-neighbours", SpatialRule::neighbours));
  REQUIRE(result.model.spatial);
  CHECK(result.model.spatial->steps == SpatialSteps{false, true});
  CHECK_FALSE(result.model.profile);
  CHECK_FALSE(result.model.profile_score);
}

TEST_CASE("spatial steps that do not go with the rest are refused") {
  TrainOptions several = asking("refused", SpatialRule::automatic);
  several.further_scenes.push_back({});
  CHECK_THROWS_WITH_AS(
      check_spatial_options(several),
      "--spatial auto looks at what lies around the training pixels in one scene; it does not go with several scenes",
      ConfigError);
  TrainOptions library = asking("refused", SpatialRule::none, true);
  library.library.files = {"library.sli"};
  CHECK_THROWS_WITH_AS(
      check_spatial_options(library),
      "--kernel hdda+emp looks at what lies around the training pixels in one scene; it does not go with --library",
      ConfigError);
  TrainOptions bound = asking("refused", SpatialRule::profiles);
  bound.training.criterion = CriterionKind::radius_margin;
  CHECK_THROWS_AS(check_spatial_options(bound), ConfigError);
  CHECK_NOTHROW(check_spatial_options(asking("fine", SpatialRule::neighbours)));
}

}  // namespace parsimap::test
