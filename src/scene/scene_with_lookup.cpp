#include "parsimap/scene/scene_with_lookup.hpp"

#include <utility>

namespace parsimap {
namespace {

class SceneWithLookup final : public SceneSource {
 public:
  SceneWithLookup(std::unique_ptr<SceneSource> scene, std::unique_ptr<GeometryLookup> lookup)
      : scene_(std::move(scene)), lookup_(std::move(lookup)) {}

  [[nodiscard]] const std::string& name() const override { return scene_->name(); }
  [[nodiscard]] const RasterGrid& grid() const override { return scene_->grid(); }
  [[nodiscard]] const BandTable& bands() const override { return scene_->bands(); }
  [[nodiscard]] Index block_width() const override { return scene_->block_width(); }
  [[nodiscard]] Index block_height() const override { return scene_->block_height(); }
  [[nodiscard]] bool known_empty(const Window& window) const override { return scene_->known_empty(window); }
  void read(const Window& window, const Indices& bands, Spectra& values) override {
    scene_->read(window, bands, values);
  }
  [[nodiscard]] GeometryLookup* lookup() override { return lookup_.get(); }
  void check_unchanged() const override {
    scene_->check_unchanged();
    lookup_->check_unchanged();
  }

 private:
  std::unique_ptr<SceneSource> scene_;
  std::unique_ptr<GeometryLookup> lookup_;
};

}  // namespace

std::unique_ptr<SceneSource> scene_with_lookup(std::unique_ptr<SceneSource> scene,
                                               std::unique_ptr<GeometryLookup> lookup) {
  return std::make_unique<SceneWithLookup>(std::move(scene), std::move(lookup));
}

}  // namespace parsimap
