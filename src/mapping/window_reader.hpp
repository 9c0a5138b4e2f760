// Reads the pixels of a window that can be classified, and as little as possible of the others.
#pragma once

#include "parsimap/core/types.hpp"
#include "parsimap/mapping/pixel_block.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// The pixels of a window, inside the one asked for, that are finite in every band read, and their spectra.
struct ValidSpectra : ValidPixels {
  Spectra spectra;  // n x bands
};

// A window that is sparse is looked at in one band first, then read where that band has values. After a window that
// turned out to be mostly valid the next one is read whole at once.
class WindowReader {
 public:
  WindowReader(SceneSource& scene, const Indices& bands) : scene_(scene), bands_(bands) {}

  ValidSpectra read(const Window& window);

 private:
  // The smallest window inside `window` that holds all finite pixels of the first band; of width 0 without any.
  Window occupied_window(const Window& window);

  SceneSource& scene_;
  const Indices& bands_;
  bool dense_ = false;
};

}  // namespace parsimap
