// Reading the pixels of windows that have a value in all bands asked for, with as little as possible of the others, and
// windows drawn to stand for all of a scene.
#pragma once

#include <functional>
#include <string>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Which pixels of a window hold something.
struct ValidPixels {
  Window window;      // its other pixels hold nothing
  Indices positions;  // row-major positions in the window, ascending; empty when all pixels of the window are valid

  [[nodiscard]] Index position(Index i) const { return positions.empty() ? i : positions[static_cast<std::size_t>(i)]; }
  // row * width + column in a scene of this width.
  [[nodiscard]] std::int64_t pixel(Index i, Index width) const {
    return (window.row + position(i) / window.width) * width + window.column + position(i) % window.width;
  }
};

// The pixels of a window, inside the one asked for, that are finite in every band read, and their spectra.
struct ValidSpectra : ValidPixels {
  Spectra spectra;  // n x bands
};

// A window that is sparse is looked at in one band first, then read where that band has values. After a window that
// turned out to be mostly valid the next one is read whole at once.
class WindowReader {
 public:
  // Both are kept by the caller.
  WindowReader(SceneSource& scene, const Indices& bands) : scene_(scene), bands_(bands) {}

  ValidSpectra read(const Window& window);

 private:
  // The smallest window inside `window` that holds all finite pixels of the first band; of width 0 without any.
  Window occupied_window(const Window& window);

  SceneSource& scene_;
  const Indices& bands_;
  bool dense_ = false;
};

// Calls use() with the valid pixels of windows of at most 64 x 64 pixels, drawn without regard to memory, threads or
// storage blocks until they hold `enough` pixels with values or 512 of them have been looked at; only with windows that
// have such a pixel. A scene and bands have one sample, in one order. Throws IoError from the source, and what use()
// throws.
void for_sampled_windows(SceneSource& scene, const Indices& bands, const std::function<void(ValidSpectra&&)>& use,
                         Index enough = 65536);

// Pixels that have a value in some of the bands and none in others.
struct PartialPixels {
  Indices bands;
  Indices missing;      // for each band the number of these pixels that it has no value in
  Index count = 0;      // of these pixels
  Index looked_at = 0;  // of pixels
};

// In windows drawn as for for_sampled_windows(), up to 65536 pixels. Throws IoError from the source.
PartialPixels partial_pixels(SceneSource& scene, const Indices& bands);
// Counts the pixels, rows of values of the bands.
void count_partial(const Spectra& values, PartialPixels& partial);
// "bands 7-12 lack one in 512 of 600 such pixels; ..., or the band that lacks most", with the option that leaves them
// out. Of at least one such pixel.
std::string missing_bands_text(const PartialPixels& partial);

}  // namespace parsimap
