#include "tiled_decision.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "pack.hpp"

namespace parsimap {
namespace {

constexpr Index kTileSupport = 128;

// Columns handled at a time: their pixels are loaded once, and their exponentials overlap.
constexpr Index kColumns = 8;

// x <- 2^min(x, 0) - shift for a shift of 0 or 1. With shift 1 small |x| keep their relative accuracy, as in expm1:
// coefficients of a wide kernel are large and sum to zero, so that only the differences of kernel values from 1 carry
// information. Relative error of either form below 2e-7.
inline void shifted_power(Pack<float>& x, float shift) {
  using Bits = PackOf<float>::Bits;
  constexpr float kLowest = -126.0F;     // the power stays a normal number
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: its sum with x has x, rounded, in the lowest bits
  constexpr std::uint32_t kOne = 0x3F800000;
  constexpr int kExponent = 23;
  // 2^x = 2^n 2^r with n the whole number nearest to x and |r| <= 1/2. Adding 1.5 * 2^23 leaves no bits for fractions,
  // so that n is in the lowest bits of the sum. Moved into the place of the exponent and added to that of 1.0, they are
  // the number 2^n.
  x = x < 0.0F ? x : Pack<float>{};
  x = x > kLowest ? x : Pack<float>{} + kLowest;
  const Pack<float> rounded = x + kRound;
  const Pack<float> r = x - (rounded - kRound);
  // The polynomial of (2^r - 1) / r on |r| <= 1/2 of the Cephes library.
  Pack<float> slope = Pack<float>{} + 1.535336188319500e-4F;
  slope = slope * r + 1.339887440266574e-3F;
  slope = slope * r + 9.618437357674640e-3F;
  slope = slope * r + 5.550332471162809e-2F;
  slope = slope * r + 2.402264791363012e-1F;
  slope = slope * r + 6.931472028550421e-1F;
  const auto power = std::bit_cast<Pack<float>>((std::bit_cast<Bits>(rounded) << kExponent) + kOne);
  // 2^x - shift = 2^n (2^r - 1) + (2^n - shift). For n = 0 and shift 1 the second term is exactly 0, so that no digits
  // are lost near x = 0.
  x = power * (r * slope) + (power - shift);
}

inline void shifted_power(Pack<double>& x, double shift) {
  Eigen::Array<double, kPack<double>, 1> power;
  store_pack<double>(x, power.data());
  power = (power.min(0.0) * std::numbers::ln2).exp() - shift;
  x = load_pack(power.data());
}

template <typename Scalar>
ClassifierTile<Scalar> classifier_tile(const BinaryClassifier& classifier, const PreparedModel::Classifier& metric,
                                       const Matrix& support, Index first, Index last) {
  // The classifier supports on some of the tile's spectra, [first, last) of the shared ones; its support is ascending.
  const auto begin = std::lower_bound(classifier.support.begin(), classifier.support.end(), first);
  const auto end = std::lower_bound(begin, classifier.support.end(), last);
  const Indices rows(begin, end);
  const Matrix spectra = support(rows, Eigen::all);
  const Matrix projected = spectra * metric.projection;
  // The squared norm of s in the metric of the classifier: w_0 |s|^2 + sum_l e_l (E_l's)^2, with sqrt(|e|) in the
  // projection and the sign of e apart.
  const Vector norms = metric.rest * spectra.rowwise().squaredNorm() + projected.cwiseAbs2() * metric.signs;
  ClassifierTile<Scalar> tile;
  tile.along = (projected * metric.signs.asDiagonal()).transpose().cast<Scalar>();
  tile.norms = (-0.5 * norms).cast<Scalar>();
  const double share = 1 - classifier.metric.profile.share;
  tile.coefficients =
      (share * classifier.coefficients.segment(begin - classifier.support.begin(), static_cast<Index>(rows.size())))
          .cast<Scalar>();
  for (const Index row : rows) {
    tile.columns.push_back(row - first);
  }
  return tile;
}

template <typename Scalar>
TiledClassifier<Scalar> tiled_classifier(const BinaryClassifier& source, const PreparedModel::Classifier& metric,
                                         const Matrix& support) {
  TiledClassifier<Scalar> classifier;
  classifier.projection = metric.projection.template cast<Scalar>();
  classifier.signs = metric.signs.template cast<Scalar>();
  classifier.rest = static_cast<Scalar>(metric.rest);
  classifier.shift = metric.wide ? Scalar{1} : Scalar{0};
  // sum g (k - 1) + (bias + sum g) = sum g k + bias: where differences from 1 are summed, the bias contains the sum of
  // the coefficients.
  const double share = 1 - source.metric.profile.share;
  classifier.bias = source.bias + (metric.wide ? share * source.coefficients.sum() : 0.0);
  for (Index first = 0; first < support.rows(); first += kTileSupport) {
    const Index last = std::min(first + kTileSupport, support.rows());
    classifier.tiles.push_back(classifier_tile<Scalar>(source, metric, support, first, last));
  }
  return classifier;
}

// What the columns of one classifier have in common while a tile is evaluated.
template <typename Scalar>
struct Metric {
  const TiledClassifier<Scalar>& classifier;
  const ClassifierTile<Scalar>& part;
  const Eigen::MatrixX<Scalar>& product;    // of pixels and support spectra, tile x support of the tile
  const Eigen::MatrixX<Scalar>& projected;  // tile x r
  const Eigen::VectorX<Scalar>& offsets;    // tile
};

// partial += sum of coefficient * (k - shift) over Count support spectra from `column` on, for all pixels of a tile.
template <Index Count, typename Scalar>
void add_columns(const Metric<Scalar>& metric, Index column, Scalar* partial) {
  const TiledClassifier<Scalar>& classifier = metric.classifier;
  const ClassifierTile<Scalar>& part = metric.part;
  for (Index i = 0; i < TiledDecision<Scalar>::kTilePixels; i += kPack<Scalar>) {
    // -1/2 of the squared distance in the metric of the classifier, times log2(e): the shared product, the norms of
    // pixel and support spectrum, and then what the classifier counts more or less along its directions.
    Pack<Scalar> values[Count];
    const auto offset = load_pack(metric.offsets.data() + i);
    for (Index j = 0; j < Count; ++j) {
      const Index shared = part.columns[static_cast<std::size_t>(column + j)];
      values[j] = classifier.rest * load_pack(&metric.product(i, shared)) + (offset + part.norms(column + j));
    }
    for (Index l = 0; l < classifier.projection.cols(); ++l) {
      const auto along = load_pack(&metric.projected(i, l));
      for (Index j = 0; j < Count; ++j) {
        values[j] += along * part.along(l, column + j);
      }
    }
    // The kernel values, weighed by the coefficients of the classifier.
    auto sum = load_pack(partial + i);
    for (Index j = 0; j < Count; ++j) {
      shifted_power(values[j], classifier.shift);
      sum += part.coefficients(column + j) * values[j];
    }
    store_pack(sum, partial + i);
  }
}

// Adds all columns from `column` on, Count at a time and the rest by halves.
template <Index Count, typename Scalar>
void add_from(const Metric<Scalar>& metric, Index column, Scalar* partial) {
  const auto columns = static_cast<Index>(metric.part.columns.size());
  for (; column + Count <= columns; column += Count) {
    add_columns<Count>(metric, column, partial);
  }
  if constexpr (Count > 1) {
    add_from<Count / 2>(metric, column, partial);
  }
}

// x <- 2^min(x, 0) - shift, for all of a tile.
template <typename Scalar>
void shifted_powers(Eigen::Ref<Eigen::MatrixX<Scalar>> tile, Scalar shift) {
  for (Index j = 0; j < tile.cols(); ++j) {
    for (Index i = 0; i < tile.rows(); i += kPack<Scalar>) {
      auto values = load_pack(&tile(i, j));
      shifted_power(values, shift);
      store_pack(values, &tile(i, j));
    }
  }
}

// Of the bands alone.
Matrix centred_support(const Model& model) {
  const auto spectra = model.support_spectra.leftCols(model.scaling.offset.size());
  return spectra.rowwise() - spectra.colwise().mean();
}

PreparedModel::Profiles prepared_profiles(const Model& model) {
  const ProfileTerm& term = model.classifiers.front().metric.profile;
  const auto features = model.support_spectra.rightCols(term.features);
  PreparedModel::Profiles prepared;
  // exp(-1/2 w |p - r|^2) = 2^(-1/2 |a - b|^2) with a = sqrt(w log2(e)) p, and b likewise. The origin near the data
  // keeps differences of squares accurate. The kernel is wide if half of the mean squared distance of two support
  // spectra, which is their mean squared norm about their mean, is below 1: typical values are then above 1/2.
  prepared.origin = features.colwise().mean().transpose();
  prepared.factor = std::sqrt(std::numbers::log2e * term.weight);
  prepared.support = prepared.factor * (features.rowwise() - prepared.origin.transpose());
  prepared.coefficients = Matrix::Zero(features.rows(), static_cast<Index>(model.classifiers.size()));
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    const BinaryClassifier& classifier = model.classifiers[c];
    prepared.coefficients.col(static_cast<Index>(c))(classifier.support) =
        classifier.metric.profile.share * classifier.coefficients;
  }
  prepared.wide = prepared.support.squaredNorm() < static_cast<double>(features.rows());
  return prepared;
}

PreparedModel::Classifier prepared_classifier(const BinaryClassifier& classifier, const SharedCoordinates& coordinates,
                                              const Matrix& support) {
  // Weights contain the factor log2(e), because powers of 2 are cheaper than those of e.
  const SharedCoordinates::Correction correction = coordinates.correction(classifier.metric);
  PreparedModel::Classifier prepared;
  prepared.projection =
      correction.directions * (std::numbers::log2e * correction.weights.cwiseAbs()).cwiseSqrt().asDiagonal();
  prepared.signs = correction.weights.array().sign();
  prepared.rest = std::numbers::log2e * classifier.metric.rest_weight;
  // Half of the mean squared distance between two of its support spectra: their mean squared distance from their mean.
  const Matrix own = support(classifier.support, Eigen::all);
  const Matrix around = own.rowwise() - own.colwise().mean();
  const double distances =
      prepared.rest * around.squaredNorm() + ((around * prepared.projection).cwiseAbs2() * prepared.signs).sum();
  prepared.wide = !classifier.support.empty() && distances < static_cast<double>(own.rows());
  return prepared;
}

}  // namespace

PreparedModel::PreparedModel(const Model& of)
    : model(of),
      origin(of.support_spectra.leftCols(of.scaling.offset.size()).colwise().mean().transpose()),
      coordinates(of.classifiers, centred_support(of)),
      support(coordinates.apply(centred_support(of))) {
  for (const BinaryClassifier& classifier : of.classifiers) {
    classifiers.push_back(prepared_classifier(classifier, coordinates, support));
  }
  if (of.support_spectra.cols() > of.scaling.offset.size()) {
    profiles = prepared_profiles(of);
  }
}

template <typename Scalar>
TiledDecision<Scalar>::TiledDecision(const PreparedModel& prepared)
    : coordinates_(prepared.coordinates),
      profile_origin_(prepared.profiles.origin),
      profile_factor_(prepared.profiles.factor),
      profile_shift_(prepared.profiles.wide ? Scalar{1} : Scalar{0}) {
  const Model& model = prepared.model;
  // ((x - offset) / scale) - origin = (x - (offset + scale origin)) / scale: scaling and centring take one pass.
  offset_ = model.scaling.offset + model.scaling.scale.cwiseProduct(prepared.origin);
  factor_ = model.scaling.scale.cwiseInverse();
  for (Index first = 0; first < prepared.support.rows(); first += kTileSupport) {
    const Index count = std::min(kTileSupport, prepared.support.rows() - first);
    support_.push_back(prepared.support.middleRows(first, count).template cast<Scalar>());
    if (profile_origin_.size() > 0) {
      const auto profiles = prepared.profiles.support.middleRows(first, count);
      profiles_.push_back({profiles.template cast<Scalar>(),
                           (-0.5 * profiles.rowwise().squaredNorm()).template cast<Scalar>(),
                           prepared.profiles.coefficients.middleRows(first, count).template cast<Scalar>()});
    }
  }
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    classifiers_.push_back(tiled_classifier<Scalar>(model.classifiers[c], prepared.classifiers[c], prepared.support));
    directions_ += classifiers_.back().projection.cols();
    if (prepared.profiles.wide) {
      classifiers_.back().bias += prepared.profiles.coefficients.col(static_cast<Index>(c)).sum();
    }
  }
}

template <typename Scalar>
typename TiledDecision<Scalar>::Workspace TiledDecision<Scalar>::workspace() const {
  Workspace work;
  work.scaled.resize(kTilePixels, factor_.size());
  work.pixels.resize(kTilePixels, factor_.size());
  work.product.resize(kTilePixels, kTileSupport);
  for (const TiledClassifier<Scalar>& classifier : classifiers_) {
    work.projected.emplace_back(kTilePixels, classifier.projection.cols());
    work.offsets.emplace_back(kTilePixels);
  }
  work.partial.resize(kTilePixels);
  work.sums.resize(kTilePixels, static_cast<Index>(classifiers_.size()));
  if (!profiles_.empty()) {
    work.profiles.resize(kTilePixels, profile_origin_.size());
    work.profile_offsets.resize(kTilePixels);
    work.profile_sums.resize(kTilePixels, work.sums.cols());
  }
  return work;
}

template <typename Scalar>
std::size_t TiledDecision<Scalar>::workspace_bytes() const {
  const auto classes = static_cast<Index>(classifiers_.size());
  const Index profiles = profiles_.empty() ? 0 : profile_origin_.size() + classes + 1;
  const Index scalars = factor_.size() + kTileSupport + directions_ + classes + profiles + 2;
  return static_cast<std::size_t>(kTilePixels) * (static_cast<std::size_t>(scalars) * sizeof(Scalar) +
                                                  static_cast<std::size_t>(classes + factor_.size()) * sizeof(double));
}

template <typename Scalar>
void TiledDecision<Scalar>::load(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const {
  const Index count = spectra.rows();
  // Scaled and centred in double precision, and only then rounded; a tile that is not full is padded with zeros.
  work.scaled.topRows(count).array() =
      (spectra.template cast<double>().rowwise() - offset_.transpose()).array().rowwise() * factor_.transpose().array();
  work.scaled.bottomRows(kTilePixels - count).setZero();
  // The coordinates z = T x are computed in double precision and then rounded. For each classifier the part of
  // -1/2 |z_x - z_s|^2 that depends on the pixel only is computed here, once for all support spectra.
  work.pixels = coordinates_.apply(work.scaled).template cast<Scalar>();
  work.squared = work.pixels.rowwise().squaredNorm();
  for (std::size_t c = 0; c < classifiers_.size(); ++c) {
    work.projected[c].noalias() = work.pixels * classifiers_[c].projection;
    work.offsets[c] =
        Scalar(-0.5) * (classifiers_[c].rest * work.squared + work.projected[c].cwiseAbs2() * classifiers_[c].signs);
  }
}

template <typename Scalar>
void TiledDecision<Scalar>::load_profiles(const Eigen::Ref<const Spectra>& profiles, Workspace& work) const {
  const Index count = profiles.rows();
  work.profiles.topRows(count) =
      (profile_factor_ * (profiles.template cast<double>().rowwise() - profile_origin_.transpose()))
          .template cast<Scalar>();
  work.profiles.bottomRows(kTilePixels - count).setZero();
  work.profile_offsets = Scalar(-0.5) * work.profiles.rowwise().squaredNorm();
}

template <typename Scalar>
void TiledDecision<Scalar>::accumulate(std::size_t tile, Workspace& work) const {
  // One matrix product of pixels and support spectra for all classifiers: nearly all of the work, done at the speed of
  // BLAS.
  auto product = work.product.leftCols(support_[tile].rows());
  product.noalias() = work.pixels * support_[tile].transpose();
  for (std::size_t c = 0; c < classifiers_.size(); ++c) {
    const ClassifierTile<Scalar>& part = classifiers_[c].tiles[tile];
    const Metric<Scalar> metric{classifiers_[c], part, work.product, work.projected[c], work.offsets[c]};
    work.partial.setZero();
    add_from<kColumns>(metric, 0, work.partial.data());
    work.sums.col(static_cast<Index>(c)) += work.partial.template cast<double>();
  }
}

template <typename Scalar>
void TiledDecision<Scalar>::accumulate_profiles(const ProfileTile<Scalar>& tile, Workspace& work) const {
  // The kernel of profiles is the same for all classifiers: one product gives its exponents, and another one the sums
  // of all classifiers.
  auto values = work.product.leftCols(tile.support.rows());
  values.noalias() = work.profiles * tile.support.transpose();
  values.colwise() += work.profile_offsets;
  values.rowwise() += tile.norms.transpose();
  shifted_powers<Scalar>(values, profile_shift_);
  work.profile_sums.noalias() = values * tile.coefficients;
  work.sums += work.profile_sums.template cast<double>();
}

template <typename Scalar>
void TiledDecision<Scalar>::evaluate(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const {
  // Sums over tiles are added up in double precision, always in the same order.
  load(spectra.leftCols(factor_.size()), work);
  work.sums.setZero();
  for (std::size_t tile = 0; tile < support_.size(); ++tile) {
    accumulate(tile, work);
  }
  if (!profiles_.empty()) {
    load_profiles(spectra.rightCols(profile_origin_.size()), work);
    for (const ProfileTile<Scalar>& tile : profiles_) {
      accumulate_profiles(tile, work);
    }
  }
  for (std::size_t c = 0; c < classifiers_.size(); ++c) {
    work.sums.col(static_cast<Index>(c)).array() += classifiers_[c].bias;
  }
}

template class TiledDecision<float>;
template class TiledDecision<double>;

}  // namespace parsimap
