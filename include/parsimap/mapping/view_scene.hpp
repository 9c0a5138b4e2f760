// Parts of a scene as scenes of their own: a window at every so many pixels, and labelled pixels.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/mapping/kept_scene.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Every `step`-th column and row of a window, the first ones included. Its grid has no place on the map.
class ViewScene final : public SceneDecorator {
 public:
  // `kept` is kept by the caller. The window lies inside the grid.
  ViewScene(std::shared_ptr<KeptScene> scene, const Window& window, Index step);

  [[nodiscard]] Index block_width() const override { return grid().width; }
  [[nodiscard]] Index block_height() const override { return 1; }
  [[nodiscard]] bool known_empty(const Window& /*window*/) const override { return false; }
  void read(const Window& window, const Indices& bands, Spectra& values) override;
  [[nodiscard]] GeometryLookup* lookup() override { return nullptr; }

  // The pixel of the scene that a pixel of the view is, both row * width + column, and back: -1 where it is none.
  [[nodiscard]] std::int64_t pixel_of_scene(std::int64_t pixel) const;
  [[nodiscard]] std::int64_t pixel_of_view(std::int64_t pixel) const;

 private:
  std::shared_ptr<KeptScene> kept_;
  Window window_;
  Index step_;
};

// The labelled pixels of a scene, whose spectra are kept; all others have no value. A pixel is read once.
class LabelledScene final : public SceneDecorator {
 public:
  // Of these bands, ascending.
  LabelledScene(std::shared_ptr<KeptScene> scene, Indices bands);

  // Reads those that are not known yet.
  void add(const std::vector<LabelledPixel>& pixels, const Progress& progress);

  // Small blocks: around few pixels hardly more than these are looked at.
  [[nodiscard]] Index block_width() const override { return kBlock; }
  [[nodiscard]] Index block_height() const override { return kBlock; }
  void read(const Window& window, const Indices& bands, Spectra& values) override;

 private:
  static constexpr Index kBlock = 16;
  std::shared_ptr<KeptScene> kept_;
  Indices bands_;
  std::unordered_map<std::int64_t, Eigen::RowVectorXf> spectra_;
};

}  // namespace parsimap
