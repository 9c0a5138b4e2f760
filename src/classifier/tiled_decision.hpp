// The decision values of all classifiers of a model by tiles of pixels and support spectra, in single or double
// precision.
#pragma once

#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/types.hpp"

#include "shared_coordinates.hpp"

namespace parsimap {

// The decision values of all classifiers of a model by tiles of pixels and support spectra, in single or double
// precision.
//
// |z_x - z_s|^2 is shared by all classifiers: one product per tile; every classifier adds what its own metric has more
// or less than it along a few directions, takes the exponential and the weighted sum while the tile is in cache, a few
// support spectra at a time in registers. The coordinates z are those of SharedCoordinates.
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
    double rest;        // w_0
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
};

// The part of one classifier that lies in one tile of support spectra.
template <typename Scalar>
struct ClassifierTile {
  std::vector<Index> columns;    // of the shared product
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

// The kernel of profiles and one tile of support spectra.
template <typename Scalar>
struct ProfileTile {
  Eigen::MatrixX<Scalar> support;       // columns x q
  Eigen::VectorX<Scalar> norms;         // -1/2 |r|^2
  Eigen::MatrixX<Scalar> coefficients;  // columns x K
};

template <typename Scalar>
class TiledDecision {
 public:
  // Pixels of one tile: whole rows of Eigen's product kernel for every vector width (48 floats for AVX-512, 24 for
  // AVX2, 12 for SSE). A tile is always full (the last one is padded), so that a pixel's values are rounded in the same
  // way wherever it lies in a block.
  static constexpr Index kTilePixels = sizeof(Scalar) == sizeof(float) ? 480 : 24;

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
    Eigen::VectorX<Scalar> profile_offsets;         // -1/2 of their squared norms, tile
    Eigen::MatrixX<Scalar> profile_sums;            // tile x K, of one tile of support spectra
    Matrix sums;                                    // tile x K: the decision values
  };

  explicit TiledDecision(const PreparedModel& prepared);

  [[nodiscard]] Workspace workspace() const;
  [[nodiscard]] std::size_t workspace_bytes() const;

  // Decision values of up to kTilePixels raw spectra and their profiles (count x (d + q)), left in the first rows of
  // work.sums.
  void evaluate(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const;

 private:
  void load(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const;
  void load_profiles(const Eigen::Ref<const Spectra>& profiles, Workspace& work) const;
  void accumulate(std::size_t tile, Workspace& work) const;
  void accumulate_profiles(const ProfileTile<Scalar>& tile, Workspace& work) const;

  Vector offset_;  // d: (x - offset) * factor is scaled, and centred on the support spectra
  Vector factor_;  // d
  SharedCoordinates coordinates_;
  std::vector<Eigen::MatrixX<Scalar>> support_;  // per tile, support spectra x d
  std::vector<TiledClassifier<Scalar>> classifiers_;
  Index directions_ = 0;   // of all classifiers together
  Vector profile_origin_;  // q
  double profile_factor_;
  Scalar profile_shift_;                       // as of classifiers
  std::vector<ProfileTile<Scalar>> profiles_;  // per tile; empty without a kernel of profiles
};

extern template class TiledDecision<float>;
extern template class TiledDecision<double>;

}  // namespace parsimap
