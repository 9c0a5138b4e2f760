#include "commands/argument_kinds.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {

TEST_CASE("a scene in the place of a model and a model in that of a scene are called what they are") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions options = small.mapping(folder.file("map.tif"));
  std::swap(options.model, options.scene.path);
  CHECK_THROWS_AS(map(options), DataError);
  CHECK(message_of([&] { map(options); }) ==
        small.model() + " is a model of parsimap: SCENE, the first argument, is the image with the spectra");
  options.scene.path = small.scene();
  CHECK(message_of([&] { map(options); }) ==
        small.scene() + " is a raster: MODEL, the second argument, is the file that 'parsimap train' has written; " +
            "MAP comes after it");
}

TEST_CASE("labels in the place of the scene, and a model in that of labels") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions options = small.training(folder.file("model"));
  options.scene.path = small.polygons();
  CHECK_THROWS_AS(train(options), DataError);
  CHECK(message_of([&] { train(options); }) ==
        small.polygons() + " is a vector file: SCENE, the first argument, is the image with the spectra");
  options = small.training(folder.file("model"));
  options.labels.files = {small.model()};
  CHECK(message_of([&] { train(options); }) ==
        small.model() + " is a model of parsimap: labels are a class raster or a vector file");
  options.labels.files = {folder.file("absent.gpkg")};
  CHECK(contains(message_of([&] { train(options); }), "absent.gpkg cannot be opened"));
}

TEST_CASE("a raster or a vector file is not replaced by a model") {
  const SmallScene& small = SmallScene::instance();
  TrainOptions options = small.raster_training(small.polygons());
  options.overwrite = true;
  CHECK_THROWS_AS(train(options), ConfigError);
  CHECK(message_of([&] { train(options); }) ==
        small.polygons() + " is a vector file: MODEL, the third argument, is the model file to write; SCENE and " +
            "LABELS come before it");
}

}  // namespace parsimap::test
