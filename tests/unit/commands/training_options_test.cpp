#include "commands/training_options.hpp"

#include <doctest/doctest.h>

#include "parsimap/commands/descriptions.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/options/command_line.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {
namespace {

TrainOptions parsed(const std::vector<std::string>& words) {
  TrainOptions options;
  parse_command_line(describe(options), words);
  return options;
}

}  // namespace

TEST_CASE("scenes of the list come behind that of the argument, with their own labels or the common ones") {
  RecordingListener listener;
  const TrainOptions options = resolved(parsed({"a.tif", "a.gpkg", "m", "--class-field", "kind", "--scene",
                                                "b.tif,b.gpkg,mask.tif", "--scene", "c.mat", "--variable", "cube"}),
                                        listener);
  CHECK(options.scene.path == "a.tif");
  CHECK(options.labels.files == std::vector<std::string>{"a.gpkg"});
  REQUIRE(options.further_scenes.size() == 2);
  CHECK(options.further_scenes[0].scene.path == "b.tif");
  CHECK(options.further_scenes[0].scene.mask == "mask.tif");
  CHECK_FALSE(options.further_scenes[0].scene.variable);
  CHECK(options.further_scenes[0].labels.files == std::vector<std::string>{"b.gpkg"});
  CHECK(options.further_scenes[1].scene.variable == "cube");
  CHECK(options.further_scenes[1].labels.files == std::vector<std::string>{"a.gpkg"});
  CHECK(options.further_scenes[1].labels.options.class_field == "kind");
}

TEST_CASE("the first scene of the list stands in for the argument") {
  RecordingListener listener;
  const TrainOptions options =
      resolved(parsed({"m", "--scene", "b.tif", "--labels", "l.gpkg", "--labels", "k.gpkg"}), listener);
  CHECK(options.scene.path == "b.tif");
  CHECK(options.labels.files == std::vector<std::string>{"l.gpkg", "k.gpkg"});
  CHECK(options.further_scenes.empty());
  CHECK_THROWS_AS(resolved(parsed({"m", "--scene", "b.tif"}), listener), ConfigError);
  CHECK_THROWS_AS(resolved(parsed({"m", "--scene", "b.tif,l", "--mask", "k"}), listener), ConfigError);
}

TEST_CASE("rules of sampling are read as they are written") {
  for (const std::string text : {"all", "constant:5", "smallest", "percent:12.5", "total:300", "byclass:rates.csv"}) {
    CHECK(to_string(parse_sampling_rule(text)) == text);
  }
  TrainOptions options;
  options.samples_per_class = 7;
  CHECK(to_string(sampling_rule(options)) == "constant:7");
}

TEST_CASE("a model says what it was trained with, and other words in it are passed over") {
  Model model;
  model.provenance.options = {
      {"class-weights", "balanced"}, {"kernel", "pca"}, {"centres", "many"}, {"no-option", "x"}};
  const TrainOptions options = trained_with(model);
  CHECK(options.training.class_weights == ClassWeights::balanced);
  CHECK(options.training.family == KernelFamily::pca);
  CHECK_FALSE(options.training.centres);
  CHECK(trained_with(Model()).training.class_weights == ClassWeights::none);
}

}  // namespace parsimap::test
