// Which labelled features decide about a pixel: the terms of decision values, added up by the features that the support
// spectra come from (docs/method.md, "Which label decides").
#pragma once

#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

// Support spectra of one feature share a bin, and one of several features has a bin of its own.
struct OriginBins {
  struct Part {
    Index bin;
    Index feature;
    double share;
  };

  OriginBins() = default;
  // The model must have origins.
  explicit OriginBins(const Model& model);

  Indices of_support;       // m
  Index features = 0;       // their bins come first
  Index count = 0;          // of all bins
  std::vector<Part> parts;  // of the bins behind those of the features
};

// From the terms of a tile of pixels (tile x (K bins), those of class c from column c * bins on) to those of the
// features, in place: the first columns of every class.
template <typename Scalar>
void spread_bins(const OriginBins& bins, Eigen::MatrixX<Scalar>& terms) {
  for (Index first = 0; first < terms.cols(); first += bins.count) {
    for (const OriginBins::Part& part : bins.parts) {
      terms.col(first + part.feature) += static_cast<Scalar>(part.share) * terms.col(first + part.bin);
    }
  }
}

// The features that decide about the pixels of a tile. `terms` are those of the features after spread_bins(), `usual`
// (K x F) is what they are on average over the map, and `values` (count x K) are the decision values g = M f; M may be
// empty. `result` (count x 3) receives, with w and s the classes of the two largest g and r_F = sum_c (M_wc - M_sc)
// (term of F in f_c less its average): the number from 1 of the feature of the largest r and that of the least, and
// g_w - g_s less the largest r.
void decide(const Eigen::MatrixXf& terms, const OriginBins& bins, const Matrix& usual, const Matrix& combination,
            const Eigen::Ref<const Spectra>& values, Eigen::Ref<Spectra> result);

}  // namespace parsimap
