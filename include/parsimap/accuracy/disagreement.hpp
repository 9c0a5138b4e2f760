// Quantity and allocation disagreement (Pontius and Millones, Death to Kappa, 2011): how much of 1 - overall accuracy
// comes from wrong amounts of the classes, and how much from right amounts in the wrong places.
#pragma once

#include <optional>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct Disagreement {
  double quantity = 0;    // sum_c |p_c+ - p_+c| / 2
  double allocation = 0;  // sum_c min(p_c+ - p_cc, p_+c - p_cc)
};

// `weights` is K x K, none negative, rows are reference, columns are map: numbers of pixels or shares of area.
// Fractions of their sum; nothing when that is 0.
std::optional<Disagreement> disagreement(const Matrix& weights);

}  // namespace parsimap
