#include "parsimap/scene/open_scene.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

namespace {

// The layers that lie in one source, which is read once for all of them.
struct SourceLayers {
  std::shared_ptr<SceneSource> source;
  Indices bands;
  std::vector<std::vector<float>> marks;  // by entry of `bands`
};

class ScreenedScene final : public SceneDecorator {
 public:
  ScreenedScene(std::unique_ptr<SceneSource> scene, std::vector<SourceLayers> layers)
      : SceneDecorator(std::move(scene)), layers_(std::move(layers)) {}

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    behind().read(window, bands, values);
    for (const SourceLayers& layers : layers_) {
      layers.source->read(window, layers.bands, quality_);
      for (Index pixel = 0; pixel < values.rows(); ++pixel) {
        if (marked(layers, pixel)) {
          values.row(pixel).setConstant(std::numeric_limits<float>::quiet_NaN());
        }
      }
    }
  }
  void check_unchanged() const override {
    SceneDecorator::check_unchanged();
    for (const SourceLayers& layers : layers_) {
      layers.source->check_unchanged();
    }
  }

 private:
  [[nodiscard]] bool marked(const SourceLayers& layers, Index pixel) const {
    for (std::size_t i = 0; i < layers.marks.size(); ++i) {
      const std::vector<float>& marks = layers.marks[i];
      if (std::find(marks.begin(), marks.end(), quality_(pixel, static_cast<Index>(i))) != marks.end()) {
        return true;
      }
    }
    return false;
  }

  std::vector<SourceLayers> layers_;
  Spectra quality_;
};

std::string names_of(const std::vector<QualityLayer>& layers) {
  std::string names;
  for (const QualityLayer& layer : layers) {
    names += (names.empty() ? "" : ", ") + layer.name;
  }
  return names.empty() ? "no quality layers" : "the quality layers " + names;
}

}  // namespace

std::vector<QualityLayer> choose_quality(const std::vector<QualityLayer>& layers,
                                         const std::optional<std::vector<std::string>>& names,
                                         const std::string& scene_name) {
  const std::vector<std::string> wanted = names.value_or(std::vector<std::string>{"cloud"});
  if (wanted == std::vector<std::string>{"none"}) {
    return {};
  }
  std::vector<QualityLayer> chosen;
  for (const QualityLayer& layer : layers) {
    if (std::find(wanted.begin(), wanted.end(), layer.name) != wanted.end()) {
      chosen.push_back(layer);
    }
  }
  for (const std::string& name : wanted) {
    const auto has_name = [&](const QualityLayer& layer) { return layer.name == name; };
    if (names && std::none_of(chosen.begin(), chosen.end(), has_name)) {
      throw ConfigError("--quality names '" + name + "', but " + scene_name + " has " + names_of(layers) +
                        (name == "none" ? "; none goes alone" : ""));
    }
  }
  return chosen;
}

std::unique_ptr<SceneSource> leave_out_marked(std::unique_ptr<SceneSource> scene,
                                              const std::vector<QualityLayer>& layers) {
  std::vector<SourceLayers> by_source;
  for (const QualityLayer& layer : layers) {
    const RasterGrid& grid = layer.source->grid();
    if (grid.width != scene->grid().width || grid.height != scene->grid().height) {
      throw DataError(layer.source->name() + " is " + std::to_string(grid.width) + " x " + std::to_string(grid.height) +
                      " pixels, but " + scene->name() + " is " + std::to_string(scene->grid().width) + " x " +
                      std::to_string(scene->grid().height) + "; a quality layer must lie on the scene's grid");
    }
    auto entry = std::find_if(by_source.begin(), by_source.end(),
                              [&](const SourceLayers& one) { return one.source == layer.source; });
    if (entry == by_source.end()) {
      entry = by_source.insert(entry, {layer.source, {}, {}});
    }
    entry->bands.push_back(layer.band);
    entry->marks.push_back(layer.marks);
  }
  return by_source.empty() ? std::move(scene) : std::make_unique<ScreenedScene>(std::move(scene), std::move(by_source));
}

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
