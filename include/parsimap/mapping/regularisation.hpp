// Spatial context for class probabilities: a pixel is judged together with its neighbours.
//
// With weights g(d) = exp(-d^2 / (2 sigma^2)) of the distance d in pixels, p_i the probabilities of pixel i by its own
// spectrum, and sums over pixels that have a value:
//   gaussian    p'_i = sum_j g_ij p_j / sum_j g_ij, the pixel itself included. The strongest smoother; what is thinner
//               or smaller than the window is lost.
//   neighbours  p'_i(c) ~ p_i(c) * r_i(c)^s with r_i = (1 - a) K q_i + a and q_i the same mean without the pixel
//               itself: Bayes' rule with the neighbours as the prior, after the pseudo-likelihood of Besag (1975).
//               A class that only some neighbours share is hardly doubted, one that none shares must be certain: lines
//               and small objects stay. s is how many times the neighbours are believed; a = 0.1 is the share of pixels
//               whose neighbours say nothing about them.
// A pixel without neighbours keeps its probabilities.
#pragma once

#include <string>

#include "parsimap/mapping/pixel_block.hpp"

namespace parsimap {

enum class RegularisationMethod { none, automatic, gaussian, neighbours };

struct Regularisation {
  RegularisationMethod method = RegularisationMethod::none;
  double sigma = 0;  // pixels, in [0.3, 20]
  int strength = 2;  // s of neighbours, in [1, 8]

  bool operator==(const Regularisation&) const = default;
};

// The largest strength of neighbours that is tried where the choice is automatic.
inline constexpr int kStrongestNeighbours = 4;

// "none", "auto", "gaussian:1.5", "neighbours:1" (strength 2), "neighbours:1:3" and back; anything else is a
// ConfigError that states the form or the range that is broken.
Regularisation parse_regularisation(const std::string& text);
std::string to_string(const Regularisation& regularisation);

// r^s of a pixel of K classes with probabilities `own` and their sums `sums` (gaussian_sums()), whose weights sum up to
// `weight`, the pixel's own 1 included; false, and `factors` as they were, where no neighbour is near enough to have a
// weight.
bool neighbour_factors(const float* own, const float* sums, float weight, Index classes, int strength, float* factors);

// The values, n x block.values(), of the n pixels of `inner` that have them (pixels), in their order: the first
// `classes` are probabilities and regularised, the others are handed on. The method must be gaussian or neighbours. The
// outcome depends neither on the block nor on threads.
void regularise(const PixelBlock& block, const Window& inner, Index classes, const Regularisation& regularisation,
                int threads, ValidPixels& pixels, Spectra& values);

}  // namespace parsimap
