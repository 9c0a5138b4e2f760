// A map of a window of a scene: its grid, what it shows of the scene, and outputs that take windows of the whole scene.
#pragma once

#include <memory>
#include <vector>

#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// The grid of the pixels in `window`, at the same place on the ground.
RasterGrid grid_of_window(const RasterGrid& grid, const Window& window);

// The window of a scene as a scene of its own, for pictures of it.
class WindowScene final : public SceneDecorator {
 public:
  // `scene` is kept by the caller.
  WindowScene(SceneSource& scene, const Window& window);

  [[nodiscard]] bool known_empty(const Window& window) const override { return behind().known_empty(placed(window)); }
  void read(const Window& window, const Indices& bands, Spectra& values) override {
    behind().read(placed(window), bands, values);
  }
  [[nodiscard]] GeometryLookup* lookup() override { return nullptr; }

 private:
  [[nodiscard]] Window placed(const Window& window) const;

  Window window_;
};

// Sinks that take windows of the whole scene, and pass what of them lies in `window` to those of its map.
class WindowOutputs {
 public:
  // The sinks of `outputs` are kept by the caller, who closes them.
  WindowOutputs(const MapOutputs& outputs, const Window& window);

  [[nodiscard]] const MapOutputs& outputs() const { return outputs_; }

 private:
  std::unique_ptr<ClassMapSink> map_;
  std::vector<std::unique_ptr<FieldSink>> layers_;
  MapOutputs outputs_;
};

}  // namespace parsimap
