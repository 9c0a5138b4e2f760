// A scene with the morphological profiles of its pixels along its principal components behind its own bands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/morphology/extended_profile.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// The bands are those of the scene behind it, and then the q features of `design`, which are computed when they are
// read, from the pixels around those asked for: they are the same for every window, budget of memory and number of
// threads. A pixel without a value in one of the design's bands has no features, and does not count for others;
// one that a mask leaves out counts for others all the same.
//
// Scenes are profiled one by one before they are stacked (scene/scene_stack.hpp): a disc would reach across.
class ProfiledScene final : public SceneDecorator {
 public:
  // Rows of features that are computed at once where memory allows: the rows around them are then no more than they.
  static constexpr Index kMostRows = 160;

  // The scene must outlive it. `bands` of the scene are the d of the design. `pixel_metres` is how wide a pixel is, for
  // radii in metres: DataError where it is wanted and not known. `ram_bytes` are for what is kept between windows, so
  // that those that follow each other in the picture read and compute little twice, and for reading; with fewer than
  // useful_bytes() some is read again. `rows` are those that will be read, by default all: of others no features are
  // computed in advance.
  ProfiledScene(SceneSource& scene, const Indices& bands, const ProfileDesign& design,
                std::optional<double> pixel_metres, std::int64_t ram_bytes, int threads,
                const std::optional<ItemRange>& rows = {});
  ~ProfiledScene() override;

  // The band that is the first feature, and their number q.
  [[nodiscard]] Index first_feature() const;
  [[nodiscard]] Index features() const;
  // `bands`, and behind them all features.
  [[nodiscard]] Indices with_features(const Indices& bands) const;

  // The bytes with which windows as wide as the scene, one below the other, read and compute little twice, where
  // `rows` rows of features are computed at once.
  static std::int64_t useful_bytes(const SceneSource& scene, const ProfileDesign& design,
                                   std::optional<double> pixel_metres, Index rows);
  // Bytes of what is computed at once, whatever the budget.
  static std::int64_t working_bytes(const ProfileDesign& design, std::optional<double> pixel_metres, int threads);

  [[nodiscard]] const BandTable& bands() const override;
  [[nodiscard]] Index block_width() const override;
  void read(const Window& window, const Indices& bands, Spectra& values) override;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parsimap
