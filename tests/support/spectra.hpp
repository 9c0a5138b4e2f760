// Spectra of whole scenes, and whether spectra are the same.
#pragma once

#include "parsimap/scene/raster.hpp"

namespace parsimap::test {

// All pixels in all bands.
inline Spectra values_of(SceneSource& scene) {
  Spectra values;
  scene.read({0, 0, scene.grid().width, scene.grid().height}, consecutive(std::ssize(scene.bands())), values);
  return values;
}

// Equal, NaN being equal to NaN.
template <typename Values>
bool same_values(const Values& a, const Values& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         ((a.array() == b.array()) || (a.array().isNaN() && b.array().isNaN())).all();
}
inline bool same_values(const Spectra& a, const Spectra& b) { return same_values<Spectra>(a, b); }

}  // namespace parsimap::test
