#include "parsimap/classifier/decision_function.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "parsimap/core/parallel_for.hpp"

namespace parsimap {
namespace {

// Pixels and support spectra of one tile. The pixels are whole rows of Eigen's product kernel for every vector width
// (48 for AVX-512, 24 for AVX2, 12 for SSE), and a tile is always full (the last one is padded), so that a pixel's
// values are rounded in the same way wherever it lies in a block.
constexpr Index kTilePixels = 240;
constexpr Index kTileSupport = 256;

// exp(x) - shift for x <= 0 and a shift of 0 or 1, in a form that compilers turn into vector instructions. With shift 1
// small |x| keep their relative accuracy, as in expm1: coefficients of a wide kernel are large and sum to zero, so that
// only the differences of kernel values from 1 carry information. Relative error of either form below 2e-7.
inline float shifted_exp(float x, float shift) {
  constexpr float kLowest = -87.0F;      // exp stays a normal number
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding and subtracting it rounds to an integer
  constexpr float kLog2High = 0.693359375F;
  constexpr float kLog2Low = -2.12194440e-4F;
  x = std::max(x, kLowest);
  const float z = (x * 1.44269504F + kRound) - kRound;
  const float r = (x - z * kLog2High) - z * kLog2Low;
  // The polynomial of exp(r) - 1 on |r| <= log(2) / 2 of the Cephes library.
  float tail = 1.9875691500e-4F;
  tail = tail * r + 1.3981999507e-3F;
  tail = tail * r + 8.3334519073e-3F;
  tail = tail * r + 4.1665795894e-2F;
  tail = tail * r + 1.6666665459e-1F;
  tail = tail * r + 5.0000001201e-1F;
  const float p = r + r * r * tail;
  const auto power = std::bit_cast<float>((static_cast<std::int32_t>(z) + 127) << 23);
  return power * p + (power - shift);
}

// The part of one machine that lies in one tile of support spectra.
struct MachineTile {
  std::vector<Index> columns;  // of the shared product
  MatrixF directional;         // columns x p: sqrt(w) Q's
  VectorF norms;               // -1/2 (w_0 |s|^2 + sum w (q's)^2)
  VectorF coefficients;
};

struct Machine {
  MatrixF projection;   // d x p: Q sqrt(w)
  float isotropic = 0;  // w_0
  float shift = 0;      // 1 where kernel values are taken as differences from 1; the bias makes up for it
  double bias = 0;
  std::vector<MachineTile> tiles;
};

// What a thread needs for one tile of pixels.
struct Workspace {
  MatrixF pixels;                  // scaled and centred spectra, tile x d
  VectorF squared;                 // their squared norms
  MatrixF product;                 // tile x support of the tile
  std::vector<MatrixF> projected;  // of every machine, tile x p
  std::vector<VectorF> offsets;    // of every machine, -1/2 (w_0 |x|^2 + sum w (q'x)^2)
  MatrixF thin;                    // tile x columns of a machine
  VectorF partial;                 // tile, the sum over one tile of support spectra
  Matrix sums;                     // tile x K
};

MachineTile machine_tile(const BinaryMachine& machine, const Matrix& support, Index first, Index last) {
  const auto begin = std::lower_bound(machine.support.begin(), machine.support.end(), first);
  const auto end = std::lower_bound(begin, machine.support.end(), last);
  const Indices rows(begin, end);
  const Matrix spectra = support(rows, Eigen::all);
  const Matrix directional = spectra * machine.directions * machine.weights.cwiseSqrt().asDiagonal();
  const Vector norms = machine.isotropic_weight * spectra.rowwise().squaredNorm() + directional.rowwise().squaredNorm();
  MachineTile tile;
  tile.directional = directional.cast<float>();
  tile.norms = (-0.5 * norms).cast<float>();
  tile.coefficients =
      machine.coefficients.segment(begin - machine.support.begin(), static_cast<Index>(rows.size())).cast<float>();
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

Machine make_machine(const BinaryMachine& source, const Matrix& support) {
  Machine machine;
  machine.projection = (source.directions * source.weights.cwiseSqrt().asDiagonal()).cast<float>();
  machine.isotropic = static_cast<float>(source.isotropic_weight);
  const bool wide = is_wide(source, support);
  machine.shift = wide ? 1.0F : 0.0F;
  machine.bias = source.bias + (wide ? source.coefficients.sum() : 0.0);
  for (Index first = 0; first < support.rows(); first += kTileSupport) {
    machine.tiles.push_back(machine_tile(source, support, first, std::min(first + kTileSupport, support.rows())));
  }
  return machine;
}

// partial += coefficient * (k - shift) for one support spectrum and all pixels of a tile. `product` and `thin` hold
// x's in the Euclidean metric and along the machine's directions.
void add_column(const Machine& machine, const MachineTile& part, Index column, const float* product, const float* thin,
                const float* offsets, float* partial) {
  const float isotropic = machine.isotropic;
  const float shift = machine.shift;
  const float norm = part.norms(column);
  const float coefficient = part.coefficients(column);
  for (Index i = 0; i < kTilePixels; ++i) {
    const float exponent = std::min(thin[i] + isotropic * product[i] + (offsets[i] + norm), 0.0F);
    partial[i] += coefficient * shifted_exp(exponent, shift);
  }
}

}  // namespace

struct DecisionFunction::Tables {
  VectorF offset;                // d: (x - offset) * factor is scaled, and centred on the support spectra
  VectorF factor;                // d
  std::vector<MatrixF> support;  // per tile, support spectra x d
  std::vector<Machine> machines;
  Index directions = 0;  // of all machines together

  [[nodiscard]] Workspace workspace() const;
  void evaluate_tile(const Spectra& spectra, Index first, Workspace& work, Spectra& values) const;
  void load(const Spectra& spectra, Index first, Index count, Workspace& work) const;
  void accumulate(std::size_t tile, Workspace& work) const;
};

DecisionFunction::DecisionFunction(const Model& model) : tables_(std::make_unique<Tables>()) {
  // A common origin near the data: |x - s|^2 is a difference of large numbers otherwise.
  const Eigen::RowVectorXd origin = model.support_spectra.colwise().mean();
  const Matrix support = model.support_spectra.rowwise() - origin;
  tables_->offset = (model.scaling.offset + model.scaling.scale.cwiseProduct(origin.transpose())).cast<float>();
  tables_->factor = model.scaling.scale.cwiseInverse().cast<float>();
  for (Index first = 0; first < support.rows(); first += kTileSupport) {
    const Index count = std::min(kTileSupport, support.rows() - first);
    tables_->support.push_back(support.middleRows(first, count).cast<float>());
  }
  for (const BinaryMachine& source : model.machines) {
    tables_->machines.push_back(make_machine(source, support));
    tables_->directions += source.directions.cols();
  }
}

DecisionFunction::~DecisionFunction() = default;
DecisionFunction::DecisionFunction(DecisionFunction&&) noexcept = default;
DecisionFunction& DecisionFunction::operator=(DecisionFunction&&) noexcept = default;

Workspace DecisionFunction::Tables::workspace() const {
  Workspace work;
  work.pixels.resize(kTilePixels, factor.size());
  work.product.resize(kTilePixels, kTileSupport);
  work.thin.resize(kTilePixels, kTileSupport);
  for (const Machine& machine : machines) {
    work.projected.emplace_back(kTilePixels, machine.projection.cols());
    work.offsets.emplace_back(kTilePixels);
  }
  work.partial.resize(kTilePixels);
  work.sums.resize(kTilePixels, static_cast<Index>(machines.size()));
  return work;
}

void DecisionFunction::Tables::load(const Spectra& spectra, Index first, Index count, Workspace& work) const {
  work.pixels.topRows(count) =
      ((spectra.middleRows(first, count).rowwise() - offset.transpose()).array().rowwise() * factor.transpose().array())
          .matrix();
  work.pixels.bottomRows(kTilePixels - count).setZero();
  work.squared = work.pixels.rowwise().squaredNorm();
  for (std::size_t c = 0; c < machines.size(); ++c) {
    work.projected[c].noalias() = work.pixels * machines[c].projection;
    work.offsets[c] = -0.5F * (machines[c].isotropic * work.squared + work.projected[c].rowwise().squaredNorm());
  }
}

void DecisionFunction::Tables::accumulate(std::size_t tile, Workspace& work) const {
  auto product = work.product.leftCols(support[tile].rows());
  product.noalias() = work.pixels * support[tile].transpose();
  for (std::size_t c = 0; c < machines.size(); ++c) {
    const MachineTile& part = machines[c].tiles[tile];
    const auto columns = static_cast<Index>(part.columns.size());
    auto thin = work.thin.leftCols(columns);
    if (part.directional.cols() > 0) {
      thin.noalias() = work.projected[c] * part.directional.transpose();
    } else {
      thin.setZero();
    }
    work.partial.setZero();
    for (Index j = 0; j < columns; ++j) {
      add_column(machines[c], part, j, product.col(part.columns[static_cast<std::size_t>(j)]).data(),
                 thin.col(j).data(), work.offsets[c].data(), work.partial.data());
    }
    work.sums.col(static_cast<Index>(c)) += work.partial.cast<double>();
  }
}

void DecisionFunction::Tables::evaluate_tile(const Spectra& spectra, Index first, Workspace& work,
                                             Spectra& values) const {
  const Index count = std::min(kTilePixels, spectra.rows() - first);
  load(spectra, first, count, work);
  work.sums.setZero();
  for (std::size_t tile = 0; tile < support.size(); ++tile) {
    accumulate(tile, work);
  }
  for (std::size_t c = 0; c < machines.size(); ++c) {
    const auto column = static_cast<Index>(c);
    values.col(column).segment(first, count) =
        (work.sums.col(column).head(count).array() + machines[c].bias).matrix().cast<float>();
  }
}

void DecisionFunction::evaluate(const Spectra& spectra, int threads, Spectra& values) const {
  values.resize(spectra.rows(), static_cast<Index>(tables_->machines.size()));
  const Index tiles = (spectra.rows() + kTilePixels - 1) / kTilePixels;
  // One workspace for each task: a task takes every tasks-th tile, and no tile is ever split.
  const Index tasks = std::min<Index>(tiles, threads);
  parallel_for(tasks, threads, [&](Index task) {
    Workspace work = tables_->workspace();
    for (Index tile = task; tile < tiles; tile += tasks) {
      tables_->evaluate_tile(spectra, tile * kTilePixels, work, values);
    }
  });
}

std::size_t DecisionFunction::working_bytes(int threads) const {
  const auto classes = static_cast<Index>(tables_->machines.size());
  const Index floats = tables_->factor.size() + 2 * kTileSupport + tables_->directions + 3 * classes + 2;
  return static_cast<std::size_t>(threads) * static_cast<std::size_t>(kTilePixels * floats) * sizeof(float);
}

void softmax_rows(double slope, Spectra& values) {
  for (Index i = 0; i < values.rows(); ++i) {
    auto row = values.row(i).array();
    Index best = 0;
    const float largest = row.maxCoeff(&best);
    row = (static_cast<float>(slope) * (row - largest)).exp();
    row /= row.sum();
    // Values a hair below the largest may round to its probability; the label must stay the argmax.
    for (Index c = 0; c < best; ++c) {
      if (row(c) >= row(best)) {
        row(c) = std::nextafter(row(best), 0.0F);
      }
    }
  }
}

}  // namespace parsimap
