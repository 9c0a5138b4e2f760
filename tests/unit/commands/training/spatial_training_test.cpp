#include "commands/training/spatial_training.hpp"

#include <doctest/doctest.h>

#include "parsimap/commands/training/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/json/model_file.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {

TEST_CASE("spatial rules are read as they are written") {
  for (const SpatialRule rule :
       {SpatialRule::none, SpatialRule::automatic, SpatialRule::profiles, SpatialRule::neighbours}) {
    CHECK(parse_spatial_rule(to_string(rule)) == rule);
  }
  CHECK_THROWS_WITH_AS(
      parse_spatial_rule("both"),
      "spatial rule 'both' is unknown; it must be auto, none, profiles, neighbours, always or always+neighbours",
      ConfigError);
}

TEST_CASE("profiles are computed where they are used or judged") {
  CHECK(SpatialOptions{}.rule() == SpatialRule::automatic);
  CHECK(SpatialOptions{{}, true}.rule() == SpatialRule::none);
  CHECK_FALSE(SpatialOptions{SpatialRule::none}.wants_profiles());
  CHECK_FALSE(SpatialOptions{SpatialRule::neighbours}.wants_profiles());
  CHECK(SpatialOptions{SpatialRule::neighbours, true}.wants_profiles());
  CHECK(SpatialOptions{SpatialRule::automatic}.wants_profiles());
  CHECK(SpatialOptions{SpatialRule::profiles}.wants_profiles());
}

TEST_CASE("radii are in pixels or in metres") {
  const ProfileRadii pixels = parse_profile_radii("2,4,8");
  CHECK(pixels.values == std::vector<double>{2, 4, 8});
  CHECK_FALSE(pixels.metres);
  const ProfileRadii metres = parse_profile_radii("4.5m,60m");
  CHECK(metres.values == std::vector<double>{4.5, 60});
  CHECK(metres.metres);
}

TEST_CASE("radii that nobody can mean are refused, and it is said why") {
  const auto refuses = [](const std::string& text, const std::string& reason) {
    CAPTURE(text);
    try {
      parse_profile_radii(text);
      FAIL("not refused");
    } catch (const ConfigError& error) {
      CHECK(std::string(error.what()).find(reason) != std::string::npos);
    }
  };
  refuses("", "numbers above 0");
  refuses("2,,4", "numbers above 0");
  refuses("0,4", "numbers above 0");
  refuses("4,2", "that ascend");
  refuses("2,x", "numbers above 0");
  refuses("m", "numbers above 0");
  refuses("1e999m", "numbers above 0");
  refuses("2,30m", "all must be in pixels");
  refuses("30m,60", "all must be in pixels");
  refuses("1.5", "whole numbers of at most 32");
  refuses("2,33", "whole numbers of at most 32");
  refuses("1,2,3,4,5,6,7,8,9", "eight at most");
}

namespace {

TrainOptions asking(const std::string& model, SpatialRule rule, bool profiles_always = false) {
  const SmallScene& small = SmallScene::instance();
  TrainOptions options = small.raster_training(small.file(model));
  options.spatial.asked = rule;
  options.spatial.profiles_always = profiles_always;
  if (profiles_always) {
    options.training.family = KernelFamily::hdda;  // the only one that goes with them
  }
  if (options.spatial.wants_profiles()) {
    options.spatial.radii = ProfileRadii{{1, 2}};
  }
  return options;
}

}  // namespace

TEST_CASE("a model with profiles has their design, and is the same when it is read again") {
  const TrainResult result = train(asking("with-profiles-always", SpatialRule::profiles, true));
  REQUIRE(result.model.spatial);
  REQUIRE(result.model.profile);
  CHECK(result.model.spatial->steps == SpatialSteps{true, false});
  CHECK(result.model.profile->features() == 15);
  CHECK(result.model.profile->radii == std::vector<double>{1, 2});
  const Model read = load_model(SmallScene::instance().file("with-profiles-always"));
  REQUIRE(read.spatial);
  REQUIRE(read.profile);
  CHECK(read.profile->directions == result.model.profile->directions);
  CHECK(read.profile->radii == result.model.profile->radii);
  // With profiles neighbours count once.
  CHECK(read.spatial->strongest == 1);
}

TEST_CASE("profiles that were compared and not kept are in no model, and it is the same when it is read again") {
  const TrainResult result = train(asking("with-profiles", SpatialRule::profiles));
  REQUIRE(result.model.spatial);
  CHECK(result.model.spatial->asked == "profiles");
  // No left-out pixel is wrong by the spectra alone.
  CHECK(result.model.spatial->steps == SpatialSteps{false, false});
  CHECK_FALSE(result.model.profile);
  const Model read = load_model(SmallScene::instance().file("with-profiles"));
  REQUIRE(read.spatial);
  CHECK(read.spatial->steps == result.model.spatial->steps);
  CHECK(read.spatial->strongest == kStrongestNeighbours);
}

TEST_CASE("an automatic choice is reported, and stored with its trials") {
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

TEST_CASE("where surroundings cannot be judged the spectra alone are used, which is said") {
  RecordingListener listener;
  TrainOptions several = SmallScene::instance().raster_training("several");
  several.spatial = {};
  several.further_scenes.push_back({});
  check_spatial_options(several, listener);
  CHECK(several.spatial.rule() == SpatialRule::none);
  CHECK(listener.said(
      "the surroundings of pixels are not used, because --spatial auto looks at what lies around the training pixels "
      "in one scene; it does not go with several scenes"));
  // Libraries have no surroundings that anybody would miss.
  RecordingListener quiet;
  TrainOptions library;
  library.library.files = {"library.sli"};
  check_spatial_options(library, quiet);
  CHECK(library.spatial.rule() == SpatialRule::none);
  CHECK_FALSE(quiet.said("surroundings"));
  // Radii are for profiles, which are not computed here.
  several.spatial = {.radii = ProfileRadii{{1, 2}}};
  CHECK_THROWS_AS(check_spatial_options(several, listener), ConfigError);
}

TEST_CASE("spatial steps that do not go with the rest are refused") {
  RecordingListener listener;
  TrainOptions several = asking("refused", SpatialRule::profiles);
  several.further_scenes.push_back({});
  CHECK_THROWS_WITH_AS(check_spatial_options(several, listener),
                       "--spatial profiles looks at what lies around the training pixels in one scene; it does not go "
                       "with several scenes",
                       ConfigError);
  TrainOptions library = asking("refused", SpatialRule::none, true);
  library.library.files = {"library.sli"};
  CHECK_THROWS_WITH_AS(
      check_spatial_options(library, listener),
      "--spatial always looks at what lies around the training pixels in one scene; it does not go with --library",
      ConfigError);
  TrainOptions bound = asking("refused", SpatialRule::profiles);
  bound.training.criterion = CriterionKind::radius_margin;
  CHECK_THROWS_AS(check_spatial_options(bound, listener), ConfigError);
  TrainOptions fine = asking("fine", SpatialRule::neighbours);
  CHECK_NOTHROW(check_spatial_options(fine, listener));
}

}  // namespace parsimap::test
