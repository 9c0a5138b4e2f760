// A scene that is another scene but for something: the pixels that count, the bands, or the place on the map. What a
// class derived from this does not say otherwise is that of the scene behind it.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

class SceneDecorator : public SceneSource {
 public:
  // The scene behind it, which must not be null.
  explicit SceneDecorator(std::unique_ptr<SceneSource> scene) : scene_(std::move(scene)) {}

  [[nodiscard]] const std::string& name() const override { return scene_->name(); }
  [[nodiscard]] const RasterGrid& grid() const override { return scene_->grid(); }
  [[nodiscard]] const BandTable& bands() const override { return scene_->bands(); }
  [[nodiscard]] Index block_width() const override { return scene_->block_width(); }
  [[nodiscard]] Index block_height() const override { return scene_->block_height(); }
  [[nodiscard]] bool known_empty(const Window& window) const override { return scene_->known_empty(window); }
  void read(const Window& window, const Indices& bands, Spectra& values) override {
    scene_->read(window, bands, values);
  }
  [[nodiscard]] GeometryLookup* lookup() override { return scene_->lookup(); }
  void check_unchanged() const override { scene_->check_unchanged(); }

 protected:
  [[nodiscard]] SceneSource& behind() { return *scene_; }
  [[nodiscard]] const SceneSource& behind() const { return *scene_; }

 private:
  std::unique_ptr<SceneSource> scene_;
};

}  // namespace parsimap
