// A small simulated scene with a model and a map, made once per test program by the functions of `commands`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/commands/simulate.hpp"
#include "parsimap/commands/training/train.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

// 30 x 24 pixels, 12 bands, two classes, all pixels labelled.
inline const char* const kSmallSpec = R"({
  "width": 30, "height": 24, "bands": 12, "seed": 3, "layout": {"kind": "blocks", "block_size": 12},
  "classes": [{"name": "water", "dimension": 2}, {"name": "forest", "dimension": 2}],
  "polygons": {"per_class": 2, "smallest_radius": 2, "largest_radius": 3}
})";

// Keeps all that it receives.
class RecordingListener final : public Listener {
 public:
  Progress progress(const std::string& stage) override {
    stages.push_back(stage);
    return {};
  }
  void message(const std::string& text) override { messages.push_back(text); }
  void warning(const std::string& text) override { warnings.push_back(text); }

  // True when one of the warnings has `part` in it.
  [[nodiscard]] bool has_warning(const std::string& part) const { return holds(warnings, part); }
  [[nodiscard]] bool said(const std::string& part) const { return holds(messages, part); }

  std::vector<std::string> stages;
  std::vector<std::string> messages;
  std::vector<std::string> warnings;
  // With their codes.
  [[nodiscard]] const std::vector<Warning>& coded() const { return Listener::warnings(); }

 private:
  static bool holds(const std::vector<std::string>& texts, const std::string& part) {
    for (const std::string& text : texts) {
      if (text.find(part) != std::string::npos) {
        return true;
      }
    }
    return false;
  }
};

// Silent; for what is said use RecordingListener.
inline TrainResult train(const TrainOptions& options) {
  Listener listener;
  return train_scene(options, listener);
}
inline MappingRecord map(const MapOptions& options) {
  Listener listener;
  return map_scene(options, listener);
}

class SmallScene {
 public:
  static const SmallScene& instance() {
    static const SmallScene scene;
    return scene;
  }

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] std::string scene() const { return file("scene/scene.tif"); }
  [[nodiscard]] std::string polygons() const { return file("scene/training.gpkg"); }
  [[nodiscard]] std::string reference() const { return file("scene/reference.tif"); }
  [[nodiscard]] std::string model() const { return file("model"); }
  [[nodiscard]] std::string map() const { return file("map.tif"); }

  // Options of a training on the polygons, which writes `model`.
  [[nodiscard]] TrainOptions training(const std::string& model) const {
    TrainOptions options;
    options.scene.path = scene();
    options.labels = {{polygons()}, {"class", {}}};
    options.model = model;
    options.spatial.asked = SpatialRule::none;  // which takes the least time
    return options;
  }
  // The same on all pixels of the reference raster, with the kernel that is chosen soonest: they are many.
  [[nodiscard]] TrainOptions raster_training(const std::string& model) const {
    TrainOptions options = training(model);
    options.training.family = KernelFamily::gaussian;
    options.labels = {{reference()}, {}};
    return options;
  }
  // Options of a map with the small model.
  [[nodiscard]] MapOptions mapping(const std::string& map) const {
    MapOptions options;
    options.scene.path = scene();
    options.model = model();
    options.map = map;
    return options;
  }

 private:
  SmallScene() {
    Listener listener;
    write_file(file("spec.json"), kSmallSpec);
    simulate_scene({{}, file("spec.json"), file("scene")}, listener);
    train(training(model()));
    test::map(mapping(map()));
  }

  TemporaryFolder folder_;
};

}  // namespace parsimap::test
