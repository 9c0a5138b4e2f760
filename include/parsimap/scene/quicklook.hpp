// Small pictures of large rasters, of pixels spread evenly over what they show (picture_layout.hpp), in memory that
// does not grow with the raster.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "parsimap/samples/band.hpp"
#include "parsimap/scene/class_map_source.hpp"
#include "parsimap/scene/map_sink.hpp"
#include "parsimap/scene/picture_layout.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// Passes a class map on to another sink and keeps a quicklook of it.
class ClassMapQuicklook final : public ClassMapSink {
 public:
  // `target` is kept by the caller.
  ClassMapQuicklook(PictureLayout layout, ClassMapSink& target);

  void write(const Window& window, const std::vector<std::uint16_t>& codes) override;
  void close() override { target_.close(); }

  // Of every pixel of the picture, row-major; 0 where nothing was written.
  [[nodiscard]] const std::vector<std::uint16_t>& codes() const { return codes_; }

 private:
  PictureLayout layout_;
  ClassMapSink& target_;
  std::vector<std::uint16_t> codes_;
};

// Keeps a quicklook of a field of one band.
class FieldQuicklook final : public FieldSink {
 public:
  // Values are passed on to `target`, which is kept by the caller, unless it is null.
  FieldQuicklook(PictureLayout layout, FieldSink* target);

  void write(const Window& window, const Spectra& values) override;
  void close() override;

  // Of every pixel of the picture, row-major; NaN where nothing was written.
  [[nodiscard]] const std::vector<float>& values() const { return values_; }

 private:
  PictureLayout layout_;
  FieldSink* target_;
  std::vector<float> values_;
};

// The bands shown as red, green and blue: those nearest to 650, 550 and 470 nm where all wavelengths are known and
// there are such within 100 nm, otherwise those at five, three and one sixths of the bands.
std::array<Index, 3> picture_bands(const BandTable& bands);

// Red, green, blue and opacity of every pixel of the picture, row-major.
struct ScenePicture {
  PictureLayout layout;
  std::vector<std::uint8_t> rgba;
};

// The part of a scene that has data, each band stretched between its 2nd and 98th percentile; transparent where one of
// them has no value. Of a sparse scene places with `preferred` pixels come first (choose_layout()). Reads single rows
// of three bands. Errors as read().
ScenePicture scene_picture(SceneSource& scene, const std::array<Index, 3>& bands,
                           const std::vector<std::int64_t>& preferred = {});

// The codes of every pixel of the picture, row-major.
struct ClassMapPicture {
  PictureLayout layout;
  std::vector<std::uint16_t> codes;
};

// The same of the part of a class map that is classified.
ClassMapPicture class_map_picture(ClassMapSource& map, const std::vector<std::int64_t>& preferred = {});

// The picture of a scene in a layout that is given, such as that of its map.
std::vector<std::uint8_t> scene_picture_in(const PictureLayout& layout, SceneSource& scene,
                                           const std::array<Index, 3>& bands);

// Counts the values of a field of shares (confidence, novelty) while it is written.
class FieldHistogram final : public FieldSink {
 public:
  static constexpr Index kBins = 20;  // of [0, 1]; the last holds 1

  // Values are passed on to `target`, which is kept by the caller, unless it is null.
  explicit FieldHistogram(FieldSink* target) : target_(target), counts_(kBins, 0) {}

  // One band; values in [0, 1], or NaN, which is not counted.
  void write(const Window& window, const Spectra& values) override;
  void close() override;

  [[nodiscard]] const std::vector<std::int64_t>& counts() const { return counts_; }
  // The share of the values that lie in this bin or a later one; 0 where there are none.
  [[nodiscard]] double share_from(Index bin) const;

 private:
  FieldSink* target_;
  std::vector<std::int64_t> counts_;
};

}  // namespace parsimap
