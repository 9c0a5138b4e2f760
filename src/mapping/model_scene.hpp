// A scene as the machines of a model see it: the bands of the model, and behind them the profiles of the pixels where
// the model has a kernel of profiles.
#pragma once

#include <cstdint>
#include <optional>

#include "parsimap/classifier/model.hpp"
#include "parsimap/scene/profiled_scene.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

class ModelScene {
 public:
  // The bands are found by match_bands(). Profiles take a part of `ram_bytes`, which are for all work on the scene.
  // Errors as match_bands() and ProfiledScene.
  ModelScene(SceneSource& scene, const Model& model, std::optional<double> pixel_metres, std::int64_t ram_bytes,
             int threads);

  [[nodiscard]] SceneSource& source() { return profiled_ ? *profiled_ : scene_; }
  // Of source(): d + q.
  [[nodiscard]] const Indices& bands() const { return bands_; }
  // What profiles take of the memory.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  SceneSource& scene_;
  Indices bands_;
  std::optional<ProfiledScene> profiled_;
  std::int64_t bytes_ = 0;
};

// Numbers that are read for a pixel, d + q.
Index values_of_pixel(const Model& model);

}  // namespace parsimap
