#include "parsimap/scene/masked_scene.hpp"

#include <limits>
#include <string>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/scene_decorator.hpp"

namespace parsimap {
namespace {

class MaskedScene final : public SceneDecorator {
 public:
  MaskedScene(std::unique_ptr<SceneSource> scene, std::unique_ptr<SceneSource> mask)
      : SceneDecorator(std::move(scene)), mask_(std::move(mask)) {}

  [[nodiscard]] bool known_empty(const Window& window) const override {
    return SceneDecorator::known_empty(window) || mask_->known_empty(window);
  }

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    behind().read(window, bands, values);
    mask_->read(window, {0}, shown_);
    for (Index pixel = 0; pixel < values.rows(); ++pixel) {
      // Not a number is as little a reason to show a pixel as 0.
      if (!(shown_(pixel, 0) < 0 || shown_(pixel, 0) > 0)) {
        values.row(pixel).setConstant(std::numeric_limits<float>::quiet_NaN());
      }
    }
  }
  void check_unchanged() const override {
    SceneDecorator::check_unchanged();
    mask_->check_unchanged();
  }

 private:
  std::unique_ptr<SceneSource> mask_;
  Spectra shown_;
};

}  // namespace

std::unique_ptr<SceneSource> mask_scene(std::unique_ptr<SceneSource> scene, std::unique_ptr<SceneSource> mask) {
  if (mask->bands().size() != 1) {
    throw DataError("the mask " + mask->name() + " has " + std::to_string(mask->bands().size()) +
                    " bands; it must have one");
  }
  return std::make_unique<MaskedScene>(std::move(scene), std::move(mask));
}

}  // namespace parsimap
