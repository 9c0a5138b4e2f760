// Coordinates in which the metrics of all machines are close to a common one, so that their distances share one matrix
// product without being small differences of large numbers.
//
// A class metric counts the directions in which spectra vary most hundreds of times less than the rest. From distances
// in all bands, |x - s|^2, single precision could not subtract what such directions have too much. In z = T x,
// T = I + U diag(r - 1) U', U the main directions of the support spectra and r^2 = noise variance / variance along
// them, spectra vary by about as much in every direction, and the metric of a machine is
//
//   w_0 |z|^2 + sum_l e_l (E_l'z)^2,   E diag(e) E' = T^-1 (w_0 I + Q diag(v - w_0) Q') T^-1 - w_0 I,
//
// with at most as many directions E as U and Q have together. Where no machine counts a direction less than the rest,
// as in the printed kernels, T is the identity, E = Q and e = v - w_0.
#pragma once

#include <vector>

#include "parsimap/classifier/model.hpp"

namespace parsimap {

class SharedCoordinates {
 public:
  // Of the machines and of their support spectra (m x d, centred).
  SharedCoordinates(const std::vector<BinaryMachine>& machines, const Matrix& support);

  // z of the rows of `spectra` (n x d, centred as the support spectra).
  [[nodiscard]] Matrix apply(const Matrix& spectra) const;

  // A machine's metric in these coordinates.
  struct Correction {
    Matrix directions;  // E, d x r, orthonormal columns
    Vector weights;     // e, r, of either sign
  };
  [[nodiscard]] Correction correction(const ClassMetric& metric) const;

 private:
  Matrix directions_;  // U, d x u
  Vector roots_;       // r, u
};

}  // namespace parsimap
