#include "commands/map_facts.hpp"

#include <doctest/doctest.h>

#include "parsimap/json/model_file.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {

TEST_CASE("facts follow what decides about a map, and not how files are called") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions options = small.mapping(folder.file("map.tif"));
  const Model model = load_model(small.model());
  const MapFacts facts = map_facts(options, 3, open_input_scene(options.scene), model);
  CHECK(map_facts(options, 4, open_input_scene(options.scene), model) != facts);
  MapOptions copy = options;
  copy.scene.path = folder.file("copy.tif");
  copy.model = folder.file("copy");
  std::filesystem::copy_file(options.scene.path, copy.scene.path);
  std::filesystem::copy_file(options.model, copy.model);
  copy.threads = 1;
  copy.ram_bytes = 1;
  CHECK(map_facts(copy, 3, open_input_scene(copy.scene), model) == facts);
  const auto differs = [&](const auto& change) {
    MapOptions other = options;
    change(other);
    return map_facts(other, 3, open_input_scene(other.scene), model) != facts;
  };
  CHECK(differs([](MapOptions& other) { other.reject = 0.5; }));
  CHECK(differs([](MapOptions& other) { other.reject_novelty = 0.5; }));
  CHECK(differs([](MapOptions& other) { other.regularise = parse_regularisation("auto"); }));
  CHECK(differs([](MapOptions& other) { other.layers[MapLayer::novelty] = "n.tif"; }));
  CHECK(differs([](MapOptions& other) { other.format.creation_options = {"A=B"}; }));
  CHECK(differs([](MapOptions& other) { other.resample = true; }));
  CHECK(differs([&](MapOptions& other) { other.scene.mask = small.reference(); }));
  CHECK(differs([&](MapOptions& other) { other.scene.path = small.map(); }));
  Model coloured = model;
  coloured.classes[0].colour = Colour{1, 2, 3};
  CHECK(map_facts(options, 3, open_input_scene(options.scene), coloured) != facts);
}

}  // namespace parsimap::test
