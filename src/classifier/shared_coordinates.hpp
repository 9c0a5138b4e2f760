// The coordinates in which the classifiers of a model share a matrix product.
#pragma once

#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel.hpp"

namespace parsimap {

// Whether any of the classifiers counts the rest of the spectra: distances of one whose metric has its directions
// alone, as the class metric has, need no product of all bands.
bool share_product(const std::vector<BinaryClassifier>& classifiers);

// Coordinates in which the metrics of all classifiers are close to a common one, so that their distances share one
// matrix product without being small differences of large numbers.
//
// From distances in all bands, single precision could not subtract what directions that count hundreds of times less
// have too much; docs/method.md ("Prediction in single precision") has the transform T and the directions E.
class SharedCoordinates {
 public:
  // Of the classifiers and of their support spectra (m x d, centred).
  SharedCoordinates(const std::vector<BinaryClassifier>& classifiers, const Matrix& support);

  // z of the rows of `spectra` (n x d, centred as the support spectra).
  [[nodiscard]] Matrix apply(const Matrix& spectra) const;

  // A classifier's metric in these coordinates.
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
