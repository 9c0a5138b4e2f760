// The decision values of all classifiers of a model by tiles of pixels and support spectra, in single or double
// precision.
#pragma once

#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/types.hpp"

#include "deciding_features.hpp"
#include "shared_coordinates.hpp"
#include "shared_kernel.hpp"

namespace parsimap {

// |z_x - z_s|^2 is shared by all classifiers that count it: one product per tile; every classifier adds what its own
// metric has more or less than it along a few directions, takes the exponential and the weighted sum while the tile is
// in cache, a few support spectra at a time in registers. The coordinates z are those of SharedCoordinates.
//
// All classifiers have the same kernel of profiles, or none: its values are computed once for a tile, and one product
// with the coefficients of all classifiers adds them up.

// What the tables of either precision are made of, in double precision.
struct PreparedModel {
  explicit PreparedModel(const Model& model);

  // A classifier's metric in shared coordinates. Kernel values are powers of 2: weights hold the factor log2(e).
  struct Classifier {
    Matrix projection;  // d x r: E sqrt(|e|)
    Vector signs;       // r: of e
    double rest;        // w_0; 0 where the metric has its directions alone
    bool wide;          // whether kernel values between its support spectra are typically closer to 1 than to 0
  };

  // The kernel of profiles.
  struct Profiles {
    Vector origin;        // q: mean of the profiles of the support spectra
    double factor = 0;    // features, centred, times it are coordinates in which kernel values are 2^(-1/2 |a - b|^2)
    Matrix support;       // m x q coordinates
    Matrix coefficients;  // m x K: of every classifier, times the share
    bool wide = false;    // as of classifiers
  };

  const Model& model;  // kept by the caller while tables are made
  Vector origin;       // d: mean of the support spectra. |x - s|^2 is a difference of large numbers far from it
  SharedCoordinates coordinates;
  Matrix support;  // m x d, centred, in shared coordinates
  std::vector<Classifier> classifiers;
  Profiles profiles;  // without columns where classifiers have no such kernel
  OriginBins bins;    // none of a model without origins

  // What the terms of TiledDecision are short of, bins x K: they are sums of differences of kernel values from 1 where
  // a kernel is wide.
  [[nodiscard]] Matrix shortfall() const;
};

// The part of one classifier that lies in one tile of support spectra.
template <typename Scalar>
struct ClassifierTile {
  std::vector<Index> columns;    // of the shared product
  std::vector<Index> bins;       // of the columns; empty without origins
  Eigen::MatrixX<Scalar> along;  // r x columns: sign(e) sqrt(|e|) E's
  Eigen::VectorX<Scalar> norms;  // -1/2 (w_0 |s|^2 + sum e (E's)^2)
  Eigen::VectorX<Scalar> coefficients;
};

template <typename Scalar>
struct TiledClassifier {
  Eigen::MatrixX<Scalar> projection;  // d x r: E sqrt(|e|)
  Eigen::VectorX<Scalar> signs;       // r: of e
  Scalar rest = 0;                    // w_0
  Scalar shift = 0;                   // 1 where kernel values are taken as differences from 1; the bias makes up for it
  double bias = 0;
  std::vector<ClassifierTile<Scalar>> tiles;
};

template <typename Scalar>
class TiledDecision {
 public:
  static constexpr Index kTilePixels = parsimap::kTilePixels<Scalar>;

  // What a thread needs for one tile of pixels.
  struct Workspace {
    Matrix scaled;                                  // pixels, scaled and centred, tile x d
    Eigen::MatrixX<Scalar> pixels;                  // in shared coordinates, tile x d
    Eigen::VectorX<Scalar> squared;                 // their squared norms
    Eigen::MatrixX<Scalar> product;                 // tile x support of the tile
    std::vector<Eigen::MatrixX<Scalar>> projected;  // of every classifier, tile x r
    std::vector<Eigen::VectorX<Scalar>> offsets;    // of every classifier, -1/2 (w_0 |x|^2 + sum e (E'x)^2)
    Eigen::VectorX<Scalar> partial;                 // tile, the sum over one tile of support spectra
    Eigen::MatrixX<Scalar> profiles;                // coordinates of the profiles of the pixels, tile x q
    typename SharedKernel<Scalar>::Workspace of_profiles;
    Matrix sums;  // tile x K: the decision values
    // The terms of the decision values by bins, terms_pixels() x (K bins), without PreparedModel::shortfall() and
    // biases; empty where nobody asks for them, as workspace() leaves it.
    Eigen::MatrixX<Scalar> terms;
  };

  explicit TiledDecision(const PreparedModel& prepared);

  [[nodiscard]] Workspace workspace() const;
  [[nodiscard]] std::size_t workspace_bytes() const;
  [[nodiscard]] const OriginBins& bins() const { return bins_; }
  // Room for the terms of so many pixels, which are then evaluated at most at a time, and its bytes; the sums are the
  // same without it.
  void add_terms(Workspace& work) const { work.terms.resize(terms_pixels(), std::ssize(classifiers_) * bins_.count); }
  [[nodiscard]] Index terms_pixels() const;
  [[nodiscard]] std::size_t terms_bytes() const {
    return sizeof(Scalar) * static_cast<std::size_t>(terms_pixels() * std::ssize(classifiers_) * bins_.count);
  }

  // Decision values of up to kTilePixels raw spectra and their profiles (count x (d + q)), left in the first rows of
  // work.sums.
  void evaluate(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const;

 private:
  void load(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const;
  void load_profiles(const Eigen::Ref<const Spectra>& profiles, Workspace& work) const;
  void accumulate(std::size_t tile, Index rows, Workspace& work) const;

  Vector offset_;  // d: (x - offset) * factor is scaled, and centred on the support spectra
  Vector factor_;  // d
  SharedCoordinates coordinates_;
  std::vector<Eigen::MatrixX<Scalar>> support_;  // per tile, support spectra x d; no rows without a shared product
  std::vector<TiledClassifier<Scalar>> classifiers_;
  Index directions_ = 0;   // of all classifiers together
  Vector profile_origin_;  // q
  double profile_factor_;
  SharedKernel<Scalar> profiles_;  // without a kernel of profiles, of nothing
  OriginBins bins_;
};

extern template class TiledDecision<float>;
extern template class TiledDecision<double>;

}  // namespace parsimap
