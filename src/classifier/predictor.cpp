#include "parsimap/classifier/predictor.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "parsimap/classifier/early_stages.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/validation/combination.hpp"

#include "class_distance.hpp"
#include "deciding_features.hpp"
#include "early_decision.hpp"
#include "tiled_decision.hpp"

namespace parsimap {

using Fast = TiledDecision<float>;
using Exact = TiledDecision<double>;

// Support spectra on which the error of single precision is measured, and how much larger it may be elsewhere.
constexpr Index kProbes = 480;
constexpr double kErrorFactor = 4;

// Up to kProbes support spectra of the model as the tables take them, compressed but not scaled, evenly spaced among
// them, and their profiles.
static Spectra probe_spectra(const Model& model) {
  const Index support = model.support_spectra.rows();
  const Index count = std::min(kProbes, support);
  const Indices rows = mapped<Index>(consecutive(count), [&](Index i) { return i * support / count; });
  Matrix probes = model.support_spectra(rows, Eigen::all);
  // Profiles are not scaled.
  auto bands = probes.leftCols(model.scaling.offset.size());
  bands.array().rowwise() *= model.scaling.scale.transpose().array();
  bands.rowwise() += model.scaling.offset.transpose();
  return probes.cast<float>();
}

// The decision values of all spectra, tile by tile on one thread.
template <typename Scalar>
static Matrix evaluate_all(const TiledDecision<Scalar>& decision, const Spectra& spectra, Index classes) {
  constexpr Index kTileRows = TiledDecision<Scalar>::kTilePixels;
  auto work = decision.workspace();
  Matrix values(spectra.rows(), classes);
  for (Index first = 0; first < spectra.rows(); first += kTileRows) {
    const Index count = std::min(kTileRows, spectra.rows() - first);
    decision.evaluate(spectra.middleRows(first, count), work);
    values.middleRows(first, count) = work.sums.topRows(count);
  }
  return values;
}

// Makes the value at `best` the first largest one again, where rounding has made others equal: these become a little
// less, towards `least`.
static void keep_first(Index best, float least, Eigen::Ref<Eigen::RowVectorXf> values) {
  const float below = std::nextafter(values(best), least);
  values.head(best) = (values.head(best).array() >= values(best)).select(below, values.head(best));
}

// Values as floats whose first largest is that of the doubles.
static void store(const Eigen::RowVectorXd& values, Eigen::Ref<Eigen::RowVectorXf> stored) {
  Index best = 0;
  values.maxCoeff(&best);
  stored = values.cast<float>();
  keep_first(best, -std::numeric_limits<float>::infinity(), stored);
}

// Pixels of one tile of novelty: whole rows of Eigen's product kernel for every vector width (24 doubles for AVX-512,
// 12 for AVX2, 6 for SSE). A tile is always full, so that a pixel is rounded in the same way wherever it lies in a
// block.
constexpr Index kNoveltyPixels = 240;

// Rows of an array between two calls of progress: some hundredths of a second, and work for many threads.
constexpr Index kBlockRows = 65536;

// Hands out rows of a matrix, and rows of an array from `start` on.
static auto reader_of(const Spectra& spectra) {
  return [&spectra](Index first, Index count, Spectra& /*buffer*/) -> Eigen::Ref<const Spectra> {
    return spectra.middleRows(first, count);
  };
}
static auto reader_of(const PixelRows& pixels, Index start) {
  return
      [&pixels, start](Index first, Index count, Spectra& buffer) { return pixels.read(start + first, count, buffer); };
}

static void refuse_profiles(const Model& model) {
  if (model.profile) {
    throw DataError(
        "the model has a kernel of morphological profiles, which are computed from the pixels around each one: it "
        "classifies scenes, and no single spectra; a model trained with --spatial none or neighbours classifies both");
  }
}

// step(first, count) for every block of an array.
template <typename Step>
static void step_through(Index rows, const Progress& progress, const Step& step) {
  for (Index first = 0; first < rows; first += kBlockRows) {
    const Index count = std::min(kBlockRows, rows - first);
    step(first, count);
    report_done(progress, first + count, rows);
  }
}

// Pixels that one stage leaves to the next one, until they fill a tile. The values of a pixel do not depend on the
// pixels that it is evaluated with.
struct WaitingPixels {
  Spectra spectra;
  Indices places;  // in the result
};

// Decision values: single precision for all pixels, double precision for those that it cannot decide; and where only
// labels are asked for, the early stages of the model before both.
struct Predictor::Tables {
  // What deciding() asks for besides.
  struct Deciding {
    const Matrix& usual;  // K x F, without the shortfall
    Spectra& result;
  };

  Tables(const Model& of, const PreparedModel& prepared);
  void take_early_stages();

  // `read(first, count, buffer)` hands out the rows of a tile, which may lie in the buffer.
  template <typename Read>
  void evaluate(Index pixels, int threads, const Read& read, bool staged, Spectra& values,
                const Deciding* deciding = nullptr) const;
  // What one thread works with.
  struct Work {
    Fast::Workspace fast;
    Exact::Workspace exact;
    std::vector<EarlyDecision::Workspace> early;
    std::vector<WaitingPixels> waiting;  // for what follows each early stage
  };
  [[nodiscard]] Work work(bool staged) const;
  [[nodiscard]] std::size_t work_bytes() const;
  // Pixels with these places in the values, by stage number `stage` or, after the last one, by all support spectra.
  void evaluate_stage(std::size_t stage, const Eigen::Ref<const Spectra>& tile, const Indices& places, Work& work,
                      Spectra& values) const;
  void evaluate_waiting(std::size_t stage, Work& work, Spectra& values) const;
  void evaluate_tile(const Eigen::Ref<const Spectra>& tile, Work& work, Eigen::Ref<Spectra> values) const;
  void evaluate_exactly(const Eigen::Ref<const Spectra>& tile, const Indices& pixels, Exact::Workspace& work,
                        Eigen::Ref<Spectra> values) const;

  const Model& model;
  Fast fast;
  Exact exact;
  std::vector<EarlyDecision> early;
  Matrix shortfall;  // K x F, of the terms of both (PreparedModel); empty without origins
  Index classes;
  double close;  // two values nearer to each other than this may be in the wrong order in single precision
};

void Predictor::Tables::take_early_stages() {
  early.clear();
  if (model.early_stages) {
    for (const EarlyStage& stage : model.early_stages->stages) {
      early.emplace_back(model, *model.early_stages, stage);
    }
  }
}

Predictor::Tables::Tables(const Model& of, const PreparedModel& prepared)
    : model(of), fast(prepared), exact(prepared), classes(static_cast<Index>(of.classifiers.size())), close(0) {
  if (of.origins) {
    // Transposed twice, since a tile has a column for each bin of each class.
    Matrix by_bin = prepared.shortfall();
    Matrix row = by_bin.reshaped(1, by_bin.size());
    spread_bins(prepared.bins, row);
    shortfall = row.reshaped(prepared.bins.count, classes).topRows(prepared.bins.features).transpose();
  }
  // The largest error of single precision seen on probes, times a margin, and twice: two values may err against each
  // other.
  const Spectra probes = probe_spectra(of);
  if (probes.rows() > 0) {
    const Matrix error = combined(of.combination, evaluate_all(fast, probes, classes)) -
                         combined(of.combination, evaluate_all(exact, probes, classes));
    close = 2 * kErrorFactor * error.cwiseAbs().maxCoeff();
  }
  take_early_stages();
}

Predictor::Tables::Work Predictor::Tables::work(bool staged) const {
  Work work{fast.workspace(), exact.workspace(), {}, {}};
  if (staged) {
    for (const EarlyDecision& stage : early) {
      work.early.push_back(stage.workspace());
      work.waiting.push_back({Spectra(Fast::kTilePixels, model.support_spectra.cols()), {}});
    }
  }
  return work;
}

std::size_t Predictor::Tables::work_bytes() const {
  const auto columns = static_cast<std::size_t>(model.support_spectra.cols());
  const std::size_t waiting = static_cast<std::size_t>(Fast::kTilePixels) * columns * sizeof(float);
  return fast.workspace_bytes() + exact.workspace_bytes() +
         total(early, [&](const EarlyDecision& stage) { return stage.workspace_bytes() + waiting; });
}

void Predictor::Tables::evaluate_stage(std::size_t stage, const Eigen::Ref<const Spectra>& tile, const Indices& places,
                                       Work& work, Spectra& values) const {
  Spectra found(tile.rows(), classes);
  if (stage == work.early.size()) {
    evaluate_tile(tile, work, found);
    values(places, Eigen::all) = found;
    return;
  }
  early[stage].evaluate(tile, work.early[stage]);
  found = work.early[stage].sums.topRows(tile.rows()).cast<float>();
  values(places, Eigen::all) = found;
  const Vector& leads = model.early_stages->stages[stage].leads;
  WaitingPixels& waiting = work.waiting[stage];
  for (Index i = 0; i < tile.rows(); ++i) {
    const auto [label, lead] = leader(found.row(i));
    if (lead > leads(label)) {
      continue;
    }
    waiting.spectra.row(std::ssize(waiting.places)) = tile.row(i);
    waiting.places.push_back(places[static_cast<std::size_t>(i)]);
    if (std::ssize(waiting.places) == waiting.spectra.rows()) {
      evaluate_waiting(stage, work, values);
    }
  }
}

void Predictor::Tables::evaluate_waiting(std::size_t stage, Work& work, Spectra& values) const {
  const Indices places = std::exchange(work.waiting[stage].places, {});
  if (!places.empty()) {
    evaluate_stage(stage + 1, work.waiting[stage].spectra.topRows(std::ssize(places)), places, work, values);
  }
}

void Predictor::Tables::evaluate_tile(const Eigen::Ref<const Spectra>& tile, Work& work,
                                      Eigen::Ref<Spectra> values) const {
  // Decision values of all classifiers in single precision, for all pixels of the tile.
  fast.evaluate(tile, work.fast);
  const Matrix sums = combined(model.combination, work.fast.sums.topRows(tile.rows()));
  // A pixel whose two largest values are this close could get another label in double precision, so it is evaluated
  // again.
  const Indices undecided = indices_where(tile.rows(), [&](Index i) { return leader(sums.row(i)).lead < close; });
  values = sums.cast<float>();
  evaluate_exactly(tile, undecided, work.exact, values);
}

void Predictor::Tables::evaluate_exactly(const Eigen::Ref<const Spectra>& tile, const Indices& pixels,
                                         Exact::Workspace& work, Eigen::Ref<Spectra> values) const {
  const auto count = static_cast<Index>(pixels.size());
  for (Index first = 0; first < count; first += Exact::kTilePixels) {
    const Index size = std::min(Exact::kTilePixels, count - first);
    // Undecided pixels are gathered into the smaller tiles of double precision, and their values replace those of
    // single precision.
    const Indices rows(pixels.begin() + first, pixels.begin() + first + size);
    const Spectra gathered = tile(rows, Eigen::all);
    exact.evaluate(gathered, work);
    const Matrix sums = combined(model.combination, work.sums.topRows(size));
    for (Index i = 0; i < size; ++i) {
      store(sums.row(i), values.row(rows[static_cast<std::size_t>(i)]));
    }
  }
}

template <typename Read>
void Predictor::Tables::evaluate(Index pixels, int threads, const Read& read, bool staged, Spectra& values,
                                 const Deciding* deciding) const {
  values.resize(pixels, classes);
  const Index tile_pixels = deciding == nullptr ? Fast::kTilePixels : fast.terms_pixels();
  const Index tiles = part_count(pixels, tile_pixels);
  // A tile is evaluated by one thread from beginning to end, so values do not depend on how many there are. A task has
  // one workspace and takes one tile after the other, as long as there are any; threads without one would only wait.
  const Index tasks = std::min<Index>(tiles, threads);
  std::atomic<Index> next{0};
  parallel_for(tasks, static_cast<int>(tasks), [&](Index /*task*/) {
    Work own = work(staged);
    Spectra buffer;
    // All tables are made for compressed spectra.
    const auto read_compressed = [&](Index first, Index count) -> Eigen::Ref<const Spectra> {
      if (model.scaling.units.size() == 0) {
        return read(first, count, buffer);
      }
      buffer = model.scaling.compressed(read(first, count, buffer));
      return buffer;
    };
    if (deciding != nullptr) {
      fast.add_terms(own.fast);
    }
    for (Index tile = next++; tile < tiles; tile = next++) {
      const Index place = tile * tile_pixels;
      const Index count = std::min(tile_pixels, pixels - place);
      const Eigen::Ref<const Spectra> spectra = read_compressed(place, count);
      if (own.early.empty()) {
        evaluate_tile(spectra, own, values.middleRows(place, count));
        if (deciding != nullptr) {
          spread_bins(fast.bins(), own.fast.terms);
          decide(own.fast.terms, fast.bins(), deciding->usual, model.combination, values.middleRows(place, count),
                 deciding->result.middleRows(place, count));
        }
      } else {
        evaluate_stage(0, spectra, consecutive(count, place), own, values);
      }
    }
    for (std::size_t stage = 0; stage < own.early.size(); ++stage) {
      evaluate_waiting(stage, own, values);
    }
  });
}

Predictor::Predictor(const Model& model)
    : model_(model), tables_(std::make_unique<Tables>(model, PreparedModel(model))) {}

void Predictor::take_early_stages() { tables_->take_early_stages(); }
Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;

void Predictor::decision_values(const Spectra& spectra, int threads, Spectra& values) const {
  tables_->evaluate(spectra.rows(), threads, reader_of(spectra), false, values);
}

Matrix Predictor::feature_terms(const Spectra& spectra, int threads) const {
  const OriginBins& bins = tables_->exact.bins();
  const Index features = bins.features;
  Matrix terms(spectra.rows(), tables_->classes * features);
  const Index tiles = part_count(spectra.rows(), Exact::kTilePixels);
  parallel_for(tiles, static_cast<int>(std::min<Index>(tiles, threads)), [&](Index tile) {
    const Index first = tile * Exact::kTilePixels;
    const Index count = std::min(Exact::kTilePixels, spectra.rows() - first);
    Exact::Workspace work = tables_->exact.workspace();
    tables_->exact.add_terms(work);
    tables_->exact.evaluate(model_.scaling.compressed(spectra.middleRows(first, count)), work);
    spread_bins(bins, work.terms);
    for (Index c = 0; c < tables_->classes; ++c) {
      terms.block(first, c * features, count, features) =
          work.terms.block(0, c * bins.count, count, features).rowwise() + tables_->shortfall.row(c);
    }
  });
  return terms;
}

void Predictor::deciding(const Spectra& spectra, int threads, const Matrix& means, Spectra& values,
                         Spectra& result) const {
  result.resize(spectra.rows(), 3);
  const Matrix usual = means - tables_->shortfall;
  const Tables::Deciding deciding{usual, result};
  tables_->evaluate(spectra.rows(), threads, reader_of(spectra), false, values, &deciding);
}

void Predictor::label_values(const Spectra& spectra, int threads, Spectra& values) const {
  tables_->evaluate(spectra.rows(), threads, reader_of(spectra), true, values);
}

void Predictor::probabilities(const Spectra& spectra, int threads, Spectra& values) const {
  decision_values(spectra, threads, values);
  softmax_rows(model_.softmax_slope, values);
}

void Predictor::novelty(const Spectra& spectra, int threads, Spectra& values) const {
  Spectra unlike;
  unlikeness(spectra, threads, unlike);
  values = unlike.rowwise().minCoeff();
}

void Predictor::unlikeness(const Spectra& spectra, int threads, Spectra& values, Spectra* density) const {
  evaluate_unlikeness(spectra.rows(), threads, reader_of(spectra), values, density);
}

template <typename Read>
void Predictor::evaluate_unlikeness(Index rows, int threads, const Read& read, Spectra& values,
                                    Spectra* density) const {
  values.resize(rows, std::ssize(model_.novelty));
  if (density != nullptr) {
    density->setConstant(rows, values.cols(), std::numeric_limits<float>::quiet_NaN());
  }
  const auto classes = mapped<ClassDistance>(
      model_.novelty, [](const ClassNovelty& own) { return ClassDistance(own.gaussian, own.samples); });
  const Index tiles = part_count(rows, kNoveltyPixels);
  // As for decision values, threads without a tile would only wait.
  parallel_for(tiles, static_cast<int>(std::min<Index>(tiles, threads)), [&](Index tile) {
    const Index first = tile * kNoveltyPixels;
    const Index count = std::min(kNoveltyPixels, rows - first);
    const Index bands = model_.scaling.offset.size();
    Matrix raw = Matrix::Zero(kNoveltyPixels, bands);
    Spectra buffer;
    raw.topRows(count) = read(first, count, buffer).leftCols(bands).template cast<double>();
    const Matrix pixels = model_.scaling.apply(raw);
    for (Index c = 0; c < values.cols(); ++c) {
      const ClassNovelty& own = model_.novelty[static_cast<std::size_t>(c)];
      // 1 - P_c(T_c(x)), of which novelty is the least (docs/method.md, "Novelty").
      const SquaredDistances squared = classes[static_cast<std::size_t>(c)](pixels);
      values.col(c).segment(first, count) = squared.from_class().head(count).unaryExpr(
          [&](double distance) { return static_cast<float>(1 - tail_probability(own.tail, distance)); });
      if (density != nullptr && own.samples.rows() > 0) {
        density->col(c).segment(first, count) =
            (squared.from_samples.topRows(count).array() <= own.radius).cast<float>().rowwise().mean();
      }
    }
  });
}

template <typename Use>
void Predictor::for_each_block(const PixelRows& pixels, int threads, const Progress& progress, const Use& use) const {
  refuse_profiles(model_);
  Spectra values;
  step_through(pixels.rows(), progress, [&](Index first, Index count) {
    tables_->evaluate(count, resolve_threads(threads), reader_of(pixels, first), false, values);
    use(first, values);
  });
}

void Predictor::decision_values(const PixelRows& pixels, int threads, ArrayResult values,
                                const Progress& progress) const {
  for_each_block(pixels, threads, progress, [&](Index first, const Spectra& block) {
    values.middleRows(first, block.rows()) = block.cast<double>();
  });
}

void Predictor::log_odds(const PixelRows& pixels, int threads, ArrayResult values, const Progress& progress) const {
  for_each_block(pixels, threads, progress, [&](Index first, const Spectra& block) {
    const Matrix exact = block.cast<double>();
    // With two classes log(p_1 / p_0) of the softmax is a (f_1 - f_0).
    values.col(0).segment(first, block.rows()) = model_.softmax_slope * (exact.col(1) - exact.col(0));
  });
}

void Predictor::probabilities(const PixelRows& pixels, int threads, ArrayResult values,
                              const Progress& progress) const {
  for_each_block(pixels, threads, progress, [&](Index first, const Spectra& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      values.row(first + i) = block.row(i).cast<double>();
      softmax(model_.softmax_slope, values.row(first + i).data(), block.cols());
    }
  });
}

void Predictor::labels(const PixelRows& pixels, int threads, std::int64_t* labels, const Progress& progress) const {
  for_each_block(pixels, threads, progress, [&](Index first, const Spectra& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      labels[first + i] = leader(block.row(i)).label;
    }
  });
}

void Predictor::novelty(const PixelRows& pixels, int threads, ArrayResult values, const Progress& progress) const {
  refuse_profiles(model_);
  Spectra block;
  step_through(pixels.rows(), progress, [&](Index first, Index count) {
    evaluate_unlikeness(count, resolve_threads(threads), reader_of(pixels, first), block, nullptr);
    values.middleRows(first, count) = block.rowwise().minCoeff().cast<double>();
  });
}

std::size_t Predictor::decision_bytes(int threads) const {
  return static_cast<std::size_t>(threads) * tables_->work_bytes();
}

std::size_t Predictor::deciding_bytes(int threads) const {
  return static_cast<std::size_t>(threads) * tables_->fast.terms_bytes();
}

std::size_t Predictor::novelty_bytes(int threads) const {
  // Raw, scaled, centred and mapped spectra, and their distances from the samples of a class.
  const auto kept = largest<Index>(model_.novelty, [](const ClassNovelty& own) { return own.samples.rows(); });
  const Index columns = 4 * model_.scaling.offset.size() + kept;
  return static_cast<std::size_t>(threads) * sizeof(double) * static_cast<std::size_t>(kNoveltyPixels * columns);
}

template <typename Scalar>
void softmax(Scalar slope, Scalar* values, Index classes) {
  // softmax(a f), relative to the largest value, so that no exponential overflows.
  const Scalar largest = *std::max_element(values, values + classes);
  Scalar sum = 0;
  for (Index c = 0; c < classes; ++c) {
    values[c] = std::exp(slope * (values[c] - largest));
    sum += values[c];
  }
  for (Index c = 0; c < classes; ++c) {
    values[c] /= sum;
  }
}

template void softmax(float, float*, Index);
template void softmax(double, double*, Index);

void softmax_rows(double slope, Spectra& values) {
  for (Index i = 0; i < values.rows(); ++i) {
    auto row = values.row(i);
    Index best = 0;
    row.maxCoeff(&best);
    softmax(static_cast<float>(slope), row.data(), row.size());
    // Values a hair below the largest may round to its probability; the label must stay the argmax.
    keep_first(best, 0, row);
  }
}

}  // namespace parsimap
