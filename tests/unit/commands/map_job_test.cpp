#include "commands/map_job.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {

TEST_CASE("a file that is no model is said to be what it is") {
  const SmallScene& small = SmallScene::instance();
  CHECK(load_or_explain(small.model()).classes.size() == 2);
  CHECK_THROWS_AS(load_or_explain(small.scene()), DataError);
}

TEST_CASE("every layer is listed, and the files of a map are those that it is made from and written to") {
  const std::vector<LayerFile> layers = layer_files({{MapLayer::decision_values, "d.tif"}});
  REQUIRE(layers.size() == map_layers().size());
  CHECK(layers[3].name == "decision values");
  CHECK(layers[3].file == "d.tif");
  CHECK_FALSE(layers[0].file);
}

TEST_CASE("what a source keeps comes off the memory, but never most of it") {
  MapOptions options;
  options.ram_bytes = 100;  // a quarter of it is for GDAL's cache
  InputScene scene;
  scene.description.kept_bytes = 30;
  CHECK(mapping_of(options, scene, Model{}).ram_bytes == 45);
  scene.description.kept_bytes = 90;
  CHECK(mapping_of(options, scene, Model{}).ram_bytes == 18);
}

TEST_CASE("a map is regularised as its model says, unless the options say otherwise or there are segments") {
  Model model;
  MapOptions options;
  RecordingListener listener;
  const auto method = [&] { return regularisation_of(options, model).method; };
  tell_of_neighbours(options, model, listener);
  CHECK(method() == RegularisationMethod::none);
  CHECK(listener.messages.empty());
  model.spatial = SpatialRecord{"neighbours", {false, true}};
  model.spatial->strongest = 2;
  tell_of_neighbours(options, model, listener);
  CHECK(method() == RegularisationMethod::automatic);
  CHECK(mapping_of(options, InputScene(), model).strongest == 2);
  CHECK(listener.said("--regularise none leaves them out"));
  options.segments = "segments.tif";
  CHECK(method() == RegularisationMethod::none);
  options.segments = {};
  options.regularise = Regularisation();
  CHECK(method() == RegularisationMethod::none);
}

TEST_CASE("an empty map is warned of") {
  MappingRecord record;
  record.scene = "scene";
  RecordingListener listener;
  warn_of_empty_map(record, listener);
  CHECK(listener.warned("no pixel of scene has a value in every band used"));
  record.classified = 1;
  RecordingListener quiet;
  warn_of_empty_map(record, quiet);
  CHECK(quiet.warnings.empty());
}

}  // namespace parsimap::test
