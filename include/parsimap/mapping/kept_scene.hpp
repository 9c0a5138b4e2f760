// A scene whose pixels stay in memory as far as they fit, for views of it that are classified again and again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Keeps tiles of the bands asked for, those used last, in whole numbers of 16 bits where all of their values are such
// numbers before scale and offset, and otherwise in single precision. What is read is the same in either case.
class KeptScene final : public SceneDecorator {
 public:
  // `bands` ascending; at most `bytes` are kept.
  KeptScene(std::shared_ptr<SceneSource> scene, Indices bands, std::int64_t bytes, int threads);

  // Keeps what it reads. Bands that are not kept are read from the scene behind.
  void read(const Window& window, const Indices& bands, Spectra& values) override { read(window, 1, bands, values); }
  // Pixels of every `step`-th row and column of the window, its first ones included.
  void read(const Window& window, Index step, const Indices& bands, Spectra& values);
  // The same as read(), but only what is kept already comes from memory.
  void peek(const Window& window, const Indices& bands, Spectra& values);

  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  struct Tile {
    Window window;
    std::variant<std::vector<std::int16_t>, std::vector<std::uint16_t>, Spectra> values;  // pixel by pixel
    std::int64_t bytes = 0;
    std::uint64_t used = 0;
  };
  using Place = std::pair<Index, Index>;  // row and column among the tiles

  [[nodiscard]] Window tile_window(const Place& place) const;
  [[nodiscard]] const Tile& tile(const Place& place);
  [[nodiscard]] Tile compacted(const Window& window, Spectra values) const;
  template <typename Stored>
  [[nodiscard]] bool store(const Spectra& values, Tile& tile) const;
  // Copies what the tile has of the window.
  void copy(const Tile& tile, const Window& window, Index step, const Indices& columns, Spectra& values) const;
  // The column that each band is kept in; empty where one is not kept.
  [[nodiscard]] Indices columns_of(const Indices& bands) const;

  Indices bands_;
  std::vector<double> scales_;
  std::vector<double> offsets_;
  std::int64_t most_;
  int threads_;
  Index tile_width_;
  Index tile_height_;
  std::map<Place, Tile> tiles_;
  std::int64_t bytes_ = 0;
  std::uint64_t clock_ = 0;
};

}  // namespace parsimap
