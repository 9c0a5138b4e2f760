// The contract of anything a map can be written to. Windows may come in any order and need not cover the grid: whoever
// writes leaves out windows that hold nothing. What is written is complete after close().
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// Class codes, one per pixel, 0 = unclassified. Pixels never written are 0.
class ClassMapSink {
 public:
  virtual ~ClassMapSink() = default;
  // `codes` in row-major order of the window. Throws IoError.
  virtual void write(const Window& window, const std::vector<std::uint16_t>& codes) = 0;
  // Completes the output and checks it. Throws IoError. Called once, last.
  virtual void close() = 0;
};

// Real values in one or several bands, such as probabilities; NaN where there is none. Pixels never written are NaN.
class FieldSink {
 public:
  virtual ~FieldSink() = default;
  // `values` is pixels x bands in row-major order of the window. Throws IoError.
  virtual void write(const Window& window, const Spectra& values) = 0;
  virtual void close() = 0;
};

}  // namespace parsimap
