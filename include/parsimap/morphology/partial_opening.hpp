// Images opened by reconstruction with a bounded number of geodesic steps.
//
// An image f is opened with a disc B of radius r: each pixel gets the largest value that some disc which holds it has
// everywhere, opening(f) = dilation_B(erosion_B(f)) <= f, and whatever is brighter than its surroundings and too narrow
// for the disc vanishes. What is left has lost its corners. Reconstruction brings them back, in geodesic steps: pixels
// take the largest value of their eight neighbours and themselves, as far as f allows,
//   g_0 = opening(f),   g_(k+1) = min(f, dilation_3x3(g_k)).
// Without end that is the opening by reconstruction (Vincent, Morphological grayscale reconstruction in image analysis:
// applications and efficient algorithms, 1993), in which a thin line comes back whole where any of its ends touches
// something wide. After a bounded number of steps it is the partial reconstruction of Bellens, Gautama,
// Martinez-Fonte, Philips, Chan, Canters (Improved classification of VHR images of urban areas using directional
// morphological profiles, 2008): objects have their shape again, and little more. Besides, a pixel then depends on
// nothing that is farther away than its reach.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Rows x columns, single precision, a row's values next to each other; NaN where there is no pixel.
using Image = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// How many columns or rows away, at most, lies what a pixel of the opened image depends on: 2 radius + steps.
Index opening_reach(Index radius, Index steps);

// Keeps its buffers from one image to the next, and so is for one thread at a time.
class PartialOpening {
 public:
  // Opens the pixels of `image` that are at least `border` columns and rows away from its edges; border is at least the
  // reach. The disc is the pixels at most `radius` >= 1 away; steps >= 0. Where there is no pixel nothing counts,
  // nothing spreads, and the result is NaN. Results are values of the image, whatever it was cut out of; they are kept
  // until the next call.
  const Image& open(const Image& image, Index border, Index radius, Index steps);
  // Closes it, which is the same upside down, -open(-image): what is darker than its surroundings and narrow vanishes.
  const Image& close(const Image& image, Index border, Index radius, Index steps);

  // Bytes of the buffers for images of rows x columns.
  static std::int64_t bytes(Index rows, Index columns);

 private:
  const Image& apply(const Image& image, Index border, Index radius, Index steps, float sign);
  void reconstruct(Index edge, Index steps);
  bool step(Index edge);

  Image mask_;  // f; the lowest value where there is no pixel
  Image runs_;  // extremes over runs of columns
  Image eroded_;
  Image marker_;  // g_k
  Image next_;    // g_(k+1)
  Image result_;
  Eigen::ArrayXf column_;      // the largest values of three rows
  std::vector<char> changed_;  // by row: whether the last step changed it
  std::vector<char> changes_;  // the same of the step that is made
};

}  // namespace parsimap
