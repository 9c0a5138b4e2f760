#include "tiled_decision.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pack.hpp"

namespace parsimap {
namespace {

// Columns handled at a time: their pixels are loaded once, and their exponentials overlap.
constexpr Index kColumns = 8;

template <typename Scalar>
ClassifierTile<Scalar> classifier_tile(const BinaryClassifier& classifier, const PreparedModel::Classifier& metric,
                                       const Matrix& support, Index first, Index last, const OriginBins& bins) {
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
    if (bins.count > 0) {
      tile.bins.push_back(bins.of_support[static_cast<std::size_t>(row)]);
    }
  }
  return tile;
}

template <typename Scalar>
TiledClassifier<Scalar> tiled_classifier(const BinaryClassifier& source, const PreparedModel::Classifier& metric,
                                         const Matrix& support, const OriginBins& bins) {
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
    classifier.tiles.push_back(classifier_tile<Scalar>(source, metric, support, first, last, bins));
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
  Index rows;                               // of the tile, padded
  Scalar* terms;                            // of the class, stride x bins; null where nobody asks for them
  Index stride;
};

// Adds coefficient * value to the bin of each of Count columns. Columns side by side mostly have one bin.
template <Index Count, typename Scalar>
void add_terms(const Metric<Scalar>& metric, Index column, const Pack<Scalar>* values, Scalar* terms) {
  const Index* const bins = metric.part.bins.data() + column;
  Pack<Scalar> sum{};
  for (Index j = 0; j < Count; ++j) {
    sum += metric.part.coefficients(column + j) * values[j];
    if (j + 1 == Count || bins[j + 1] != bins[j]) {
      Scalar* const term = terms + bins[j] * metric.stride;
      store_pack(load_pack(term) + sum, term);
      sum = Pack<Scalar>{};
    }
  }
}

// partial += sum of coefficient * (k - shift) over Count support spectra from `column` on, for all pixels of a tile.
template <Index Count, bool kTerms, typename Scalar>
void add_columns(const Metric<Scalar>& metric, Index column, Scalar* partial) {
  const TiledClassifier<Scalar>& classifier = metric.classifier;
  const ClassifierTile<Scalar>& part = metric.part;
  for (Index i = 0; i < metric.rows; i += kPack<Scalar>) {
    // -1/2 of the squared distance in the metric of the classifier, times log2(e): the shared product, the norms of
    // pixel and support spectrum, and then what the classifier counts more or less along its directions.
    Pack<Scalar> values[Count];
    const auto offset = load_pack(metric.offsets.data() + i);
    for (Index j = 0; j < Count; ++j) {
      values[j] = offset + part.norms(column + j);
    }
    if (classifier.rest != 0) {
      for (Index j = 0; j < Count; ++j) {
        const Index shared = part.columns[static_cast<std::size_t>(column + j)];
        values[j] =
            multiply_add<Scalar>(load_pack(&metric.product(i, shared)), filled_pack(classifier.rest), values[j]);
      }
    }
    for (Index l = 0; l < classifier.projection.cols(); ++l) {
      const auto along = load_pack(&metric.projected(i, l));
      for (Index j = 0; j < Count; ++j) {
        values[j] = multiply_add<Scalar>(along, filled_pack(part.along(l, column + j)), values[j]);
      }
    }
    // The kernel values, weighed by the coefficients of the classifier.
    auto sum = load_pack(partial + i);
    for (Index j = 0; j < Count; ++j) {
      shifted_power(values[j], classifier.shift);
      sum = multiply_add<Scalar>(values[j], filled_pack(part.coefficients(column + j)), sum);
    }
    store_pack(sum, partial + i);
    if constexpr (kTerms) {
      add_terms<Count>(metric, column, values, metric.terms + i);
    }
  }
}

// Adds all columns from `column` on, Count at a time and the rest by halves.
template <Index Count, bool kTerms, typename Scalar>
void add_from(const Metric<Scalar>& metric, Index column, Scalar* partial) {
  const auto columns = static_cast<Index>(metric.part.columns.size());
  for (; column + Count <= columns; column += Count) {
    add_columns<Count, kTerms>(metric, column, partial);
  }
  if constexpr (Count > 1) {
    add_from<Count / 2, kTerms>(metric, column, partial);
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
  if (of.origins) {
    bins = OriginBins(of);
  }
}

Matrix PreparedModel::shortfall() const {
  Matrix result = Matrix::Zero(bins.count, std::ssize(classifiers));
  for (Index c = 0; c < result.cols(); ++c) {
    const BinaryClassifier& classifier = model.classifiers[static_cast<std::size_t>(c)];
    for (std::size_t i = 0; classifiers[static_cast<std::size_t>(c)].wide && i < classifier.support.size(); ++i) {
      result(bins.of_support[static_cast<std::size_t>(classifier.support[i])], c) +=
          (1 - classifier.metric.profile.share) * classifier.coefficients(static_cast<Index>(i));
    }
    for (Index s = 0; profiles.wide && s < profiles.coefficients.rows(); ++s) {
      result(bins.of_support[static_cast<std::size_t>(s)], c) += profiles.coefficients(s, c);
    }
  }
  return result;
}

template <typename Scalar>
TiledDecision<Scalar>::TiledDecision(const PreparedModel& prepared)
    : coordinates_(prepared.coordinates),
      profile_origin_(prepared.profiles.origin),
      profile_factor_(prepared.profiles.factor),
      profiles_(prepared.profiles.support, prepared.profiles.coefficients, prepared.profiles.wide),
      bins_(prepared.bins) {
  const Model& model = prepared.model;
  // ((x - offset) / scale) - origin = (x - (offset + scale origin)) / scale: scaling and centring take one pass.
  offset_ = model.scaling.offset + model.scaling.scale.cwiseProduct(prepared.origin);
  factor_ = model.scaling.scale.cwiseInverse();
  const bool shared = share_product(model.classifiers);
  for (Index first = 0; first < prepared.support.rows(); first += kTileSupport) {
    const Index count = std::min(kTileSupport, prepared.support.rows() - first);
    support_.push_back(prepared.support.middleRows(first, shared ? count : 0).template cast<Scalar>());
  }
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    classifiers_.push_back(
        tiled_classifier<Scalar>(model.classifiers[c], prepared.classifiers[c], prepared.support, bins_));
    directions_ += classifiers_.back().projection.cols();
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
  if (profile_origin_.size() > 0) {
    work.profiles.resize(kTilePixels, profile_origin_.size());
    work.of_profiles = profiles_.workspace();
  }
  return work;
}

template <typename Scalar>
std::size_t TiledDecision<Scalar>::workspace_bytes() const {
  const auto classes = static_cast<Index>(classifiers_.size());
  const Index profiles = profile_origin_.size() > 0 ? profile_origin_.size() + kTileSupport + classes + 1 : 0;
  const Index scalars = factor_.size() + kTileSupport + directions_ + classes + profiles + 2;
  return static_cast<std::size_t>(kTilePixels) * (static_cast<std::size_t>(scalars) * sizeof(Scalar) +
                                                  static_cast<std::size_t>(classes + factor_.size()) * sizeof(double));
}

template <typename Scalar>
Index TiledDecision<Scalar>::terms_pixels() const {
  // Every support spectrum adds to the terms, which are to stay in the cache, and matrix products of few pixels are
  // slow.
  constexpr Index kCache = Index{1} << 22;
  const Index bytes = static_cast<Index>(sizeof(Scalar)) * std::max<Index>(1, std::ssize(classifiers_) * bins_.count);
  return std::clamp(kCache / bytes / kKernelRows<Scalar> * kKernelRows<Scalar>, kKernelRows<Scalar>, kTilePixels);
}

template <typename Scalar>
void TiledDecision<Scalar>::load(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const {
  const Index count = spectra.rows();
  const Index rows = padded_rows<Scalar>(count);
  // Scaled and centred in double precision, and only then rounded; a tile that is not full is padded with zeros.
  work.scaled.topRows(count).array() =
      (spectra.template cast<double>().rowwise() - offset_.transpose()).array().rowwise() * factor_.transpose().array();
  work.scaled.middleRows(count, rows - count).setZero();
  // The coordinates z = T x are computed in double precision and then rounded. For each classifier the part of
  // -1/2 |z_x - z_s|^2 that depends on the pixel only is computed here, once for all support spectra.
  work.pixels.topRows(rows) = coordinates_.apply(work.scaled.topRows(rows)).template cast<Scalar>();
  work.squared = work.pixels.topRows(rows).rowwise().squaredNorm();
  for (std::size_t c = 0; c < classifiers_.size(); ++c) {
    auto projected = work.projected[c].topRows(rows);
    projected.noalias() = work.pixels.topRows(rows) * classifiers_[c].projection;
    work.offsets[c].head(rows) =
        Scalar(-0.5) * (classifiers_[c].rest * work.squared + projected.cwiseAbs2() * classifiers_[c].signs);
  }
}

template <typename Scalar>
void TiledDecision<Scalar>::load_profiles(const Eigen::Ref<const Spectra>& profiles, Workspace& work) const {
  const Index count = profiles.rows();
  work.profiles.topRows(count) =
      (profile_factor_ * (profiles.template cast<double>().rowwise() - profile_origin_.transpose()))
          .template cast<Scalar>();
  work.profiles.middleRows(count, padded_rows<Scalar>(count) - count).setZero();
}

template <typename Scalar>
void TiledDecision<Scalar>::accumulate(std::size_t tile, Index rows, Workspace& work) const {
  // One matrix product of pixels and support spectra for all classifiers that count the rest of the spectra: nearly all
  // of their work, done at the speed of BLAS.
  work.product.topLeftCorner(rows, support_[tile].rows()).noalias() =
      work.pixels.topRows(rows) * support_[tile].transpose();
  for (std::size_t c = 0; c < classifiers_.size(); ++c) {
    const ClassifierTile<Scalar>& part = classifiers_[c].tiles[tile];
    const Index first = static_cast<Index>(c) * bins_.count;
    const Metric<Scalar> metric{classifiers_[c],
                                part,
                                work.product,
                                work.projected[c],
                                work.offsets[c],
                                rows,
                                work.terms.size() > 0 ? work.terms.col(first).data() : nullptr,
                                work.terms.rows()};
    work.partial.setZero();
    const auto add = metric.terms != nullptr ? add_from<kColumns, true, Scalar> : add_from<kColumns, false, Scalar>;
    add(metric, 0, work.partial.data());
    work.sums.col(static_cast<Index>(c)).head(rows) += work.partial.head(rows).template cast<double>();
  }
}

template <typename Scalar>
void TiledDecision<Scalar>::evaluate(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const {
  const Index rows = padded_rows<Scalar>(spectra.rows());
  // Sums over tiles are added up in double precision, always in the same order.
  load(spectra.leftCols(factor_.size()), work);
  work.sums.setZero();
  work.terms.setZero();
  for (std::size_t tile = 0; tile < support_.size(); ++tile) {
    accumulate(tile, rows, work);
  }
  if (profile_origin_.size() > 0) {
    load_profiles(spectra.rightCols(profile_origin_.size()), work);
    profiles_.add(work.profiles.topRows(rows), work.of_profiles, work.sums.topRows(rows), &bins_.of_support,
                  work.terms.size() > 0 ? &work.terms : nullptr);
  }
  for (std::size_t c = 0; c < classifiers_.size(); ++c) {
    work.sums.col(static_cast<Index>(c)).array() += classifiers_[c].bias;
  }
}

template class TiledDecision<float>;
template class TiledDecision<double>;

}  // namespace parsimap
