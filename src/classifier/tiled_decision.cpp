#include "tiled_decision.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace parsimap {
namespace {

constexpr Index kTileSupport = 128;

// One cache line of pixels: one or more registers of the processor, whatever their width.
template <typename Scalar>
struct Pack;
template <>
struct Pack<float> {
  using Type = float __attribute__((vector_size(64)));
};
template <>
struct Pack<double> {
  using Type = double __attribute__((vector_size(64)));
};
template <typename Scalar>
constexpr Index kPack = 64 / static_cast<Index>(sizeof(Scalar));

// Columns handled at a time: their pixels are loaded once, and their exponentials overlap.
constexpr Index kColumns = 4;

template <typename Scalar>
inline typename Pack<Scalar>::Type load(const Scalar* values) {
  typename Pack<Scalar>::Type pack;
  std::memcpy(&pack, values, sizeof pack);
  return pack;
}

// x <- exp(min(x, 0)) - shift for a shift of 0 or 1. With shift 1 small |x| keep their relative accuracy, as in expm1:
// coefficients of a wide kernel are large and sum to zero, so that only the differences of kernel values from 1 carry
// information. Relative error of either form below 2e-7.
inline void shifted_exp(Pack<float>::Type& x, float shift) {
  using Values = Pack<float>::Type;
  using Integers = std::int32_t __attribute__((vector_size(64)));
  constexpr float kLowest = -87.0F;      // exp stays a normal number
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding and subtracting it rounds to an integer
  constexpr float kLog2High = 0.693359375F;
  constexpr float kLog2Low = -2.12194440e-4F;
  x = x < 0.0F ? x : Values{};
  x = x > kLowest ? x : Values{} + kLowest;
  const Values z = (x * 1.44269504F + kRound) - kRound;
  const Values r = (x - z * kLog2High) - z * kLog2Low;
  // The polynomial of exp(r) - 1 on |r| <= log(2) / 2 of the Cephes library.
  Values tail = Values{} + 1.9875691500e-4F;
  tail = tail * r + 1.3981999507e-3F;
  tail = tail * r + 8.3334519073e-3F;
  tail = tail * r + 4.1665795894e-2F;
  tail = tail * r + 1.6666665459e-1F;
  tail = tail * r + 5.0000001201e-1F;
  const Values p = r + r * r * tail;
  const auto power = std::bit_cast<Values>((__builtin_convertvector(z, Integers) + 127) << 23);
  x = power * p + (power - shift);
}

inline void shifted_exp(Pack<double>::Type& x, double shift) {
  for (Index i = 0; i < kPack<double>; ++i) {
    x[i] = std::exp(std::min(x[i], 0.0)) - shift;
  }
}

template <typename Scalar>
MachineTile<Scalar> machine_tile(const BinaryMachine& machine, const Matrix& support, Index first, Index last) {
  const auto begin = std::lower_bound(machine.support.begin(), machine.support.end(), first);
  const auto end = std::lower_bound(begin, machine.support.end(), last);
  const Indices rows(begin, end);
  const Matrix spectra = support(rows, Eigen::all);
  const Matrix directional = spectra * machine.directions * machine.weights.cwiseSqrt().asDiagonal();
  const Vector norms = machine.isotropic_weight * spectra.rowwise().squaredNorm() + directional.rowwise().squaredNorm();
  MachineTile<Scalar> tile;
  tile.directional = directional.transpose().cast<Scalar>();
  tile.norms = (-0.5 * norms).cast<Scalar>();
  tile.coefficients =
      machine.coefficients.segment(begin - machine.support.begin(), static_cast<Index>(rows.size())).cast<Scalar>();
  for (const Index row : rows) {
    tile.columns.push_back(row - first);
  }
  return tile;
}

// Mean squared distance between the rows of a matrix.
double mean_squared_distance(const Matrix& x) {
  return x.rows() > 0 ? 2 * (x.rowwise() - x.colwise().mean()).squaredNorm() / static_cast<double>(x.rows()) : 0.0;
}

// Whether kernel values between the machine's support spectra are typically closer to 1 than to 0.
bool is_wide(const BinaryMachine& machine, const Matrix& support) {
  const Matrix spectra = support(machine.support, Eigen::all);
  const Matrix directional = spectra * machine.directions * machine.weights.cwiseSqrt().asDiagonal();
  const double distance =
      machine.isotropic_weight * mean_squared_distance(spectra) + mean_squared_distance(directional);
  return 0.5 * distance < std::log(2.0);
}

template <typename Scalar>
TiledMachine<Scalar> tiled_machine(const BinaryMachine& source, const Matrix& support) {
  TiledMachine<Scalar> machine;
  machine.projection = (source.directions * source.weights.cwiseSqrt().asDiagonal()).template cast<Scalar>();
  machine.isotropic = static_cast<Scalar>(source.isotropic_weight);
  const bool wide = is_wide(source, support);
  machine.shift = wide ? Scalar{1} : Scalar{0};
  machine.bias = source.bias + (wide ? source.coefficients.sum() : 0.0);
  for (Index first = 0; first < support.rows(); first += kTileSupport) {
    const Index last = std::min(first + kTileSupport, support.rows());
    machine.tiles.push_back(machine_tile<Scalar>(source, support, first, last));
  }
  return machine;
}

// What the columns of one machine have in common while a tile is evaluated.
template <typename Scalar>
struct Metric {
  const TiledMachine<Scalar>& machine;
  const MachineTile<Scalar>& part;
  const Eigen::MatrixX<Scalar>& product;    // x's in the Euclidean metric, tile x support of the tile
  const Eigen::MatrixX<Scalar>& projected;  // tile x p
  const Eigen::VectorX<Scalar>& offsets;    // tile
};

// partial += sum of coefficient * (k - shift) over Count support spectra from `column` on, for all pixels of a tile.
template <Index Count, typename Scalar>
void add_columns(const Metric<Scalar>& metric, Index column, Scalar* partial) {
  const TiledMachine<Scalar>& machine = metric.machine;
  const MachineTile<Scalar>& part = metric.part;
  for (Index i = 0; i < TiledDecision<Scalar>::kTilePixels; i += kPack<Scalar>) {
    typename Pack<Scalar>::Type values[Count];
    const auto offset = load(metric.offsets.data() + i);
    for (Index j = 0; j < Count; ++j) {
      const Index shared = part.columns[static_cast<std::size_t>(column + j)];
      values[j] = machine.isotropic * load(&metric.product(i, shared)) + (offset + part.norms(column + j));
    }
    for (Index l = 0; l < machine.projection.cols(); ++l) {
      const auto along = load(&metric.projected(i, l));
      for (Index j = 0; j < Count; ++j) {
        values[j] += along * part.directional(l, column + j);
      }
    }
    auto sum = load(partial + i);
    for (Index j = 0; j < Count; ++j) {
      shifted_exp(values[j], machine.shift);
      sum += part.coefficients(column + j) * values[j];
    }
    std::memcpy(partial + i, &sum, sizeof sum);
  }
}

}  // namespace

template <typename Scalar>
TiledDecision<Scalar>::TiledDecision(const Model& model) {
  // A common origin near the data: |x - s|^2 is a difference of large numbers otherwise.
  const Eigen::RowVectorXd origin = model.support_spectra.colwise().mean();
  const Matrix support = model.support_spectra.rowwise() - origin;
  offset_ = (model.scaling.offset + model.scaling.scale.cwiseProduct(origin.transpose())).template cast<Scalar>();
  factor_ = model.scaling.scale.cwiseInverse().template cast<Scalar>();
  for (Index first = 0; first < support.rows(); first += kTileSupport) {
    const Index count = std::min(kTileSupport, support.rows() - first);
    support_.push_back(support.middleRows(first, count).template cast<Scalar>());
  }
  for (const BinaryMachine& source : model.machines) {
    machines_.push_back(tiled_machine<Scalar>(source, support));
    directions_ += source.directions.cols();
  }
}

template <typename Scalar>
typename TiledDecision<Scalar>::Workspace TiledDecision<Scalar>::workspace() const {
  Workspace work;
  work.pixels.resize(kTilePixels, factor_.size());
  work.product.resize(kTilePixels, kTileSupport);
  for (const TiledMachine<Scalar>& machine : machines_) {
    work.projected.emplace_back(kTilePixels, machine.projection.cols());
    work.offsets.emplace_back(kTilePixels);
  }
  work.partial.resize(kTilePixels);
  work.sums.resize(kTilePixels, static_cast<Index>(machines_.size()));
  return work;
}

template <typename Scalar>
std::size_t TiledDecision<Scalar>::workspace_bytes() const {
  const auto classes = static_cast<Index>(machines_.size());
  const Index scalars = factor_.size() + kTileSupport + directions_ + classes + 2;
  return static_cast<std::size_t>(kTilePixels) *
         (static_cast<std::size_t>(scalars) * sizeof(Scalar) + static_cast<std::size_t>(classes) * sizeof(double));
}

template <typename Scalar>
void TiledDecision<Scalar>::load(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const {
  const Index count = spectra.rows();
  work.pixels.topRows(count) =
      ((spectra.cast<Scalar>().rowwise() - offset_.transpose()).array().rowwise() * factor_.transpose().array())
          .matrix();
  work.pixels.bottomRows(kTilePixels - count).setZero();
  work.squared = work.pixels.rowwise().squaredNorm();
  for (std::size_t c = 0; c < machines_.size(); ++c) {
    work.projected[c].noalias() = work.pixels * machines_[c].projection;
    work.offsets[c] =
        Scalar(-0.5) * (machines_[c].isotropic * work.squared + work.projected[c].rowwise().squaredNorm());
  }
}

template <typename Scalar>
void TiledDecision<Scalar>::accumulate(std::size_t tile, Workspace& work) const {
  auto product = work.product.leftCols(support_[tile].rows());
  product.noalias() = work.pixels * support_[tile].transpose();
  for (std::size_t c = 0; c < machines_.size(); ++c) {
    const MachineTile<Scalar>& part = machines_[c].tiles[tile];
    const auto columns = static_cast<Index>(part.columns.size());
    const Metric<Scalar> metric{machines_[c], part, work.product, work.projected[c], work.offsets[c]};
    work.partial.setZero();
    Index column = 0;
    for (; column + kColumns <= columns; column += kColumns) {
      add_columns<kColumns>(metric, column, work.partial.data());
    }
    for (; column < columns; ++column) {
      add_columns<1>(metric, column, work.partial.data());
    }
    work.sums.col(static_cast<Index>(c)) += work.partial.template cast<double>();
  }
}

template <typename Scalar>
void TiledDecision<Scalar>::evaluate(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const {
  load(spectra, work);
  work.sums.setZero();
  for (std::size_t tile = 0; tile < support_.size(); ++tile) {
    accumulate(tile, work);
  }
  for (std::size_t c = 0; c < machines_.size(); ++c) {
    work.sums.col(static_cast<Index>(c)).array() += machines_[c].bias;
  }
}

template class TiledDecision<float>;
template class TiledDecision<double>;

}  // namespace parsimap
