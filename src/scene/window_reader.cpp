#include "parsimap/scene/window_reader.hpp"

#include <algorithm>
#include <cmath>

namespace parsimap {
namespace {

// Moves the spectra without NaN to the front, in their order, and drops the others: only these are classified, and the
// positions say where they belong.
void keep_valid(ValidSpectra& input) {
  Indices valid;
  for (Index i = 0; i < input.spectra.rows(); ++i) {
    if (input.spectra.row(i).allFinite()) {
      valid.push_back(i);
    }
  }
  const auto count = static_cast<Index>(valid.size());
  if (count == input.spectra.rows()) {
    return;
  }
  for (Index i = 0; i < count; ++i) {
    const Index from = valid[static_cast<std::size_t>(i)];
    if (from != i) {
      input.spectra.row(i) = input.spectra.row(from);
    }
  }
  input.spectra.conservativeResize(count, Eigen::NoChange);
  input.positions = std::move(valid);
}

}  // namespace

Window WindowReader::occupied_window(const Window& window) {
  Spectra probe;
  scene_.read(window, {bands_.front()}, probe);
  Index left = window.width;
  Index right = -1;
  Index top = window.height;
  Index bottom = -1;
  for (Index row = 0; row < window.height; ++row) {
    for (Index column = 0; column < window.width; ++column) {
      if (std::isfinite(probe(row * window.width + column, 0))) {
        left = std::min(left, column);
        right = std::max(right, column);
        top = std::min(top, row);
        bottom = row;
      }
    }
  }
  if (bottom < 0) {
    return {window.column, window.row, 0, 0};
  }
  return {window.column + left, window.row + top, right - left + 1, bottom - top + 1};
}

ValidSpectra WindowReader::read(const Window& window) {
  ValidSpectra input;
  // Three ways to find the pixels with values, the cheapest first: the storage knows that there are none, one band
  // shows where they are, or everything is read.
  input.window = {window.column, window.row, 0, 0};
  if (scene_.known_empty(window)) {
    dense_ = false;
    return input;
  }
  input.window = dense_ ? window : occupied_window(window);
  if (input.window.pixels() > 0) {
    scene_.read(input.window, bands_, input.spectra);
    keep_valid(input);
  }
  // Windows follow each other in the picture, so the next one is likely to be as full as this one.
  dense_ = 2 * input.spectra.rows() > window.pixels();
  return input;
}

}  // namespace parsimap
