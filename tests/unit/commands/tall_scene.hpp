// A simulated scene of several rows of tiles with a model, made once per test program, and maps of it in parts.
#pragma once

#include <filesystem>
#include <string>

#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/commands/maps/map_shard.hpp"
#include "parsimap/commands/maps/merge.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {

// 20 x 1100 pixels, five rows of tiles.
class TallScene {
 public:
  static const TallScene& instance() {
    static const TallScene scene;
    return scene;
  }

  [[nodiscard]] std::string scene() const { return folder_.file("scene/scene.tif"); }
  [[nodiscard]] std::string model() const { return folder_.file("model"); }
  // Options of a map of most of the outputs, in a folder.
  [[nodiscard]] MapOptions mapping(const TemporaryFolder& folder, const std::string& extension = "tif") const {
    MapOptions options;
    options.scene.path = scene();
    options.model = model();
    options.map = folder.file("map." + extension);
    options.layers = {{MapLayer::probabilities, folder.file("probabilities." + extension)},
                      {MapLayer::novelty, folder.file("novelty." + extension)}};
    options.reject = 0.9;
    options.reject_novelty = 0.97;
    return options;
  }

 private:
  TallScene() {
    Listener silent;
    write_file(folder_.file("spec.json"), R"({
      "width": 20, "height": 1100, "bands": 8, "seed": 5, "layout": {"kind": "blocks", "block_size": 7},
      "classes": [{"name": "water", "dimension": 2}, {"name": "forest", "dimension": 2}],
      "polygons": {"per_class": 3, "smallest_radius": 2, "largest_radius": 3}})");
    simulate_scene({{}, folder_.file("spec.json"), folder_.file("scene")}, silent);
    TrainOptions options;
    options.scene.path = scene();
    options.labels = {{folder_.file("scene/training.gpkg")}, {"class", {}}};
    options.model = model();
    train(options);
  }

  TemporaryFolder folder_;
};

inline MappingRecord make_part(const MapOptions& options, Index number, Index count) {
  Listener silent;
  return map_shard(options, {number, count}, silent);
}

// All parts, the last one first.
inline void make_parts(const MapOptions& options, Index count) {
  for (Index number = count; number >= 1; --number) {
    make_part(options, number, count);
  }
}

inline MappingRecord merge(const MergeOptions& options) {
  Listener silent;
  return merge_map(options, silent);
}

}  // namespace parsimap::test
