#include "parsimap/scene/scene_with_lookup.hpp"

#include <utility>

#include "parsimap/scene/scene_decorator.hpp"

namespace parsimap {
namespace {

class SceneWithLookup final : public SceneDecorator {
 public:
  SceneWithLookup(std::unique_ptr<SceneSource> scene, std::unique_ptr<GeometryLookup> lookup)
      : SceneDecorator(std::move(scene)), lookup_(std::move(lookup)) {}

  [[nodiscard]] GeometryLookup* lookup() override { return lookup_.get(); }
  void check_unchanged() const override {
    SceneDecorator::check_unchanged();
    lookup_->check_unchanged();
  }

 private:
  std::unique_ptr<GeometryLookup> lookup_;
};

}  // namespace

std::unique_ptr<SceneSource> scene_with_lookup(std::unique_ptr<SceneSource> scene,
                                               std::unique_ptr<GeometryLookup> lookup) {
  return std::make_unique<SceneWithLookup>(std::move(scene), std::move(lookup));
}

}  // namespace parsimap
