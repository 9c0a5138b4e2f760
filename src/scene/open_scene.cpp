#include "parsimap/scene/open_scene.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {
namespace {

// What hides pixels: values of the bands of a raster on the scene's grid.
struct Screen {
  std::shared_ptr<SceneSource> source;
  Indices bands;
  std::function<bool(const float* values)> hides;  // `values`: one for each of `bands`
  bool hides_empty = false;                        // also where the raster is known to be empty
};

// The scene with all bands NaN where a screen hides the pixel.
class ScreenedScene final : public SceneDecorator {
 public:
  ScreenedScene(std::unique_ptr<SceneSource> scene, std::vector<Screen> screens)
      : SceneDecorator(std::move(scene)), screens_(std::move(screens)) {}

  [[nodiscard]] bool known_empty(const Window& window) const override {
    return SceneDecorator::known_empty(window) || std::any_of(screens_.begin(), screens_.end(), [&](const Screen& one) {
             return one.hides_empty && one.source->known_empty(window);
           });
  }
  void read(const Window& window, const Indices& bands, Spectra& values) override {
    behind().read(window, bands, values);
    for (const Screen& screen : screens_) {
      // The screens have the grid of the scene, so that rows of both results are the same pixels.
      screen.source->read(window, screen.bands, screened_);
      for (Index pixel = 0; pixel < values.rows(); ++pixel) {
        if (screen.hides(screened_.row(pixel).data())) {
          values.row(pixel).setConstant(kMissingValue);
        }
      }
    }
  }
  void check_unchanged() const override {
    SceneDecorator::check_unchanged();
    for (const Screen& screen : screens_) {
      screen.source->check_unchanged();
    }
  }

 private:
  std::vector<Screen> screens_;
  Spectra screened_;
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
  // Clouds are left out where a product marks them and nobody says otherwise; a product without such a layer is then
  // used as it is.
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
  // Names that the user gave must exist; the default (cloud) need not.
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
  // The layers that lie in one source are read together.
  std::vector<std::vector<QualityLayer>> by_source;
  for (const QualityLayer& layer : layers) {
    const RasterGrid& grid = layer.source->grid();
    if (grid.width != scene->grid().width || grid.height != scene->grid().height) {
      throw DataError(layer.source->name() + " is " + std::to_string(grid.width) + " x " + std::to_string(grid.height) +
                      " pixels, but " + scene->name() + " is " + std::to_string(scene->grid().width) + " x " +
                      std::to_string(scene->grid().height) + "; a quality layer must lie on the scene's grid");
    }
    auto entry = std::find_if(by_source.begin(), by_source.end(),
                              [&](const auto& known) { return known.front().source == layer.source; });
    (entry == by_source.end() ? by_source.emplace_back() : *entry).push_back(layer);
  }
  // One screen for each source; a pixel is hidden where the value of any of its layers is one of its marks.
  std::vector<Screen> screens;
  for (const std::vector<QualityLayer>& together : by_source) {
    Indices bands;
    std::transform(together.begin(), together.end(), std::back_inserter(bands),
                   [](const auto& one) { return one.band; });
    screens.push_back({together.front().source, bands, [together](const float* values) {
                         return std::any_of(together.begin(), together.end(), [&](const QualityLayer& layer) {
                           return std::find(layer.marks.begin(), layer.marks.end(), *values++) != layer.marks.end();
                         });
                       }});
  }
  return screens.empty() ? std::move(scene) : std::make_unique<ScreenedScene>(std::move(scene), std::move(screens));
}

std::unique_ptr<SceneSource> mask_scene(std::unique_ptr<SceneSource> scene, std::unique_ptr<SceneSource> mask) {
  if (mask->bands().size() != 1) {
    throw DataError("the mask " + mask->name() + " has " + std::to_string(mask->bands().size()) +
                    " bands; it must have one");
  }
  // Not a number is as little a reason to show a pixel as 0.
  const auto hides = [](const float* value) { return !(*value < 0 || *value > 0); };
  std::vector<Screen> screens = {{std::move(mask), {0}, hides, true}};
  return std::make_unique<ScreenedScene>(std::move(scene), std::move(screens));
}

}  // namespace parsimap
