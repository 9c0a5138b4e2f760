// A scene and a design of profiles made by hand, and the features by the definition.
#pragma once

#include <limits>
#include <vector>

#include "parsimap/core/random.hpp"
#include "parsimap/morphology/extended_profile.hpp"

#include "support/memory_scene.hpp"
#include "support/spectra.hpp"

namespace parsimap::test {

inline constexpr Index kProfiledWidth = 83;
inline constexpr Index kProfiledHeight = 61;
inline constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

// Five bands: patches with noise; a hole in all bands, and pixels without a value in one of bands 0, 2 and 3.
inline Spectra profiled_values() {
  Random random(21);
  Spectra values = (0.2 * random.normal_matrix(kProfiledWidth * kProfiledHeight, 5)).cast<float>();
  for (Index i = 0; i < values.rows(); ++i) {
    const Index column = i % kProfiledWidth;
    const Index row = i / kProfiledWidth;
    values(i, 0) += static_cast<float>((column / 9 + row / 7) % 3);
    values(i, 2) += column % 11 == 0 ? 2.0F : 0.0F;
    values(i, 3) += row < 20 && column < 30 ? -1.0F : 0.0F;
    if (column >= 40 && column < 75 && row >= 10 && row < 40) {
      values.row(i).setConstant(kNothing);
    } else if (i % 53 == 0) {
      values(i, 2) = kNothing;
    }
  }
  return values;
}

inline MemoryScene profiled_scene_of(const Spectra& values) {
  RasterGrid grid;
  grid.width = kProfiledWidth;
  grid.height = kProfiledHeight;
  MemoryScene scene("scene", grid, BandTable(static_cast<std::size_t>(values.cols())), values);
  scene.add_known_empty({40, 10, 35, 30});
  return scene;
}

// Two components of bands 3, 0 and 2.
inline ProfileDesign toy_design() {
  ProfileDesign design;
  design.mean = Vector{{0.1, 1, 0.2}};
  design.directions = Matrix{{0.6, 0}, {0.8, 0}, {0, 1}};
  design.deviations = Vector{{0.5, 1.5}};
  design.radii = {1, 2};
  design.steps = 5;
  return design;
}
inline Indices toy_bands() { return {3, 0, 2}; }

// The features of all pixels of the scene at once.
inline Spectra expected_features(const Spectra& values, const ProfileDesign& design, const Indices& bands) {
  const ComponentValues components(design);
  const Indices radii = pixel_radii(design, nullptr);
  const Index border = profile_reach(radii, design.steps);
  std::vector<Image> images(static_cast<std::size_t>(components.count()));
  for (Image& image : images) {
    image.setConstant(kProfiledHeight + 2 * border, kProfiledWidth + 2 * border, kNothing);
  }
  for (Index i = 0; i < values.rows(); ++i) {
    const VectorF spectrum = values(i, bands).transpose();
    VectorF own(components.count());
    if (spectrum.allFinite()) {
      components.of(spectrum.data(), own.data());
      for (std::size_t p = 0; p < images.size(); ++p) {
        images[p](border + i / kProfiledWidth, border + i % kProfiledWidth) = own(static_cast<Index>(p));
      }
    }
  }
  ProfileBuffers buffers;
  Spectra features;
  extended_profile(images, border, radii, design.steps, 1, buffers, features);
  return features;
}

// Rows of the pixels of a window.
inline Spectra pixels_of(const Spectra& all, const Window& window) {
  Spectra part(window.pixels(), all.cols());
  for (Index row = 0; row < window.height; ++row) {
    part.middleRows(row * window.width, window.width) =
        all.middleRows((window.row + row) * kProfiledWidth + window.column, window.width);
  }
  return part;
}

}  // namespace parsimap::test
