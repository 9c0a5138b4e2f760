#include "parsimap/mapping/spatial_judgement.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "parsimap/classifier/decision_function.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/inspection/refitted_machines.hpp"
#include "parsimap/mapping/pixel_block.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/samples/spatial_folds.hpp"
#include "parsimap/scene/window_reader.hpp"

#include "spatial_choice.hpp"

namespace parsimap {
namespace {

constexpr Index kSamples = 1000;     // that machines are trained on, and of which others are tested
constexpr Index kLeastOfClass = 30;  // of these
constexpr Index kTested = 500;       // samples whose surroundings are read
constexpr Index kCell = 64;          // columns and rows of the scene whose samples are read together

// A part of the scene with the tested samples in it.
struct Cell {
  Window window;
  std::vector<Indices> samples;  // by fold: rows of the tested ones
};

Index column_of(std::int64_t pixel, Index width) { return static_cast<Index>(pixel % width); }
Index row_of(std::int64_t pixel, Index width) { return static_cast<Index>(pixel / width); }

Matrix positions_of(const SampleSet& samples, Index width) {
  Matrix positions(samples.size(), 2);
  for (Index i = 0; i < samples.size(); ++i) {
    const std::int64_t pixel = samples.pixels[static_cast<std::size_t>(i)];
    positions.row(i) << static_cast<double>(column_of(pixel, width)), static_cast<double>(row_of(pixel, width));
  }
  return positions;
}

// Tests no more samples than can be looked at.
void thin(SpatialFolds& plan, std::uint64_t seed) {
  Indices tested;
  for (const SpatialFold& fold : plan.folds) {
    tested.insert(tested.end(), fold.test.begin(), fold.test.end());
  }
  const auto count = static_cast<Index>(tested.size());
  std::set<Index> kept;
  const Indices order = Random(seed).permutation(count);
  for (Index k = 0; k < std::min(kTested, count); ++k) {
    kept.insert(tested[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])]);
  }
  for (SpatialFold& fold : plan.folds) {
    std::erase_if(fold.test, [&](Index i) { return !kept.contains(i); });
  }
}

// The tested samples by parts of the scene, with windows that hold all that is at most `reach` pixels away.
std::vector<Cell> cells_of(const SpatialFolds& plan, const SampleSet& samples, const RasterGrid& grid, Index reach) {
  std::map<std::pair<Index, Index>, std::vector<Indices>> found;
  for (std::size_t f = 0; f < plan.folds.size(); ++f) {
    for (const Index i : plan.folds[f].test) {
      const std::int64_t pixel = samples.pixels[static_cast<std::size_t>(i)];
      std::vector<Indices>& cell = found[{row_of(pixel, grid.width) / kCell, column_of(pixel, grid.width) / kCell}];
      cell.resize(plan.folds.size());
      cell[f].push_back(i);
    }
  }
  std::vector<Cell> cells;
  for (auto& [place, of_folds] : found) {
    Index left = grid.width;
    Index right = 0;
    Index top = grid.height;
    Index bottom = 0;
    for (const Indices& rows : of_folds) {
      for (const Index i : rows) {
        const std::int64_t pixel = samples.pixels[static_cast<std::size_t>(i)];
        left = std::min(left, column_of(pixel, grid.width));
        right = std::max(right, column_of(pixel, grid.width));
        top = std::min(top, row_of(pixel, grid.width));
        bottom = std::max(bottom, row_of(pixel, grid.width));
      }
    }
    left = std::max<Index>(0, left - reach);
    top = std::max<Index>(0, top - reach);
    right = std::min(grid.width - 1, right + reach);
    bottom = std::min(grid.height - 1, bottom + reach);
    cells.push_back({{left, top, right - left + 1, bottom - top + 1}, std::move(of_folds)});
  }
  return cells;
}

// The pixels of a window that are at most `reach` columns and rows from any of the places, as rows of its spectra.
Indices rows_near(const ValidSpectra& input, const Indices& columns, const Indices& rows, Index reach,
                  ValidPixels& pixels) {
  std::vector<char> near(static_cast<std::size_t>(input.window.pixels()), 0);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Index column = columns[k] - input.window.column;
    const Index row = rows[k] - input.window.row;
    for (Index y = std::max<Index>(0, row - reach); y <= std::min(input.window.height - 1, row + reach); ++y) {
      for (Index x = std::max<Index>(0, column - reach); x <= std::min(input.window.width - 1, column + reach); ++x) {
        near[static_cast<std::size_t>(y * input.window.width + x)] = 1;
      }
    }
  }
  pixels.window = input.window;
  pixels.positions.clear();
  Indices chosen;
  for (Index i = 0; i < input.spectra.rows(); ++i) {
    const Index position = input.position(i);
    if (near[static_cast<std::size_t>(position)] != 0) {
      chosen.push_back(i);
      pixels.positions.push_back(position);
    }
  }
  return chosen;
}

Index largest(const float* values, Index count) { return std::max_element(values, values + count) - values; }

// A candidate with its machines of every fold.
class Contender {
 public:
  Contender(const SpatialCandidate& candidate, const SampleSet& samples, const SpatialFolds& plan,
            const SpatialJudgementOptions& options)
      : model_(*candidate.model), rule_(candidate.rule), machines_(plan.folds.size()) {
    const MachineDesign design(model_, options.class_weights);
    Matrix raw(samples.size(), samples.spectra.cols() + (profiled() ? samples.profiles.cols() : 0));
    raw.leftCols(samples.spectra.cols()) = samples.spectra;
    raw.rightCols(raw.cols() - samples.spectra.cols()) = samples.profiles.leftCols(raw.cols() - samples.spectra.cols());
    const Matrix spectra = scaled(raw);
    parallel_for(static_cast<Index>(plan.folds.size()), options.threads, [&](Index f) {
      const Indices& rows = plan.folds[static_cast<std::size_t>(f)].train;
      std::vector<int> labels;
      for (const Index i : rows) {
        labels.push_back(samples.labels[static_cast<std::size_t>(i)]);
      }
      machines_[static_cast<std::size_t>(f)].emplace(design, spectra(rows, Eigen::all), labels, nullptr);
    });
  }

  [[nodiscard]] bool profiled() const { return model_.profile.has_value(); }
  [[nodiscard]] bool regularised() const { return rule_.method != RegularisationMethod::none; }
  [[nodiscard]] Index reach() const { return regularised() ? gaussian_reach(rule_.sigma) : 0; }

  // Whether samples (by their classes) at these places of a window are right, by themselves and with their neighbours:
  // m x 2.
  [[nodiscard]] Matrix judge(std::size_t fold, const ValidSpectra& input, const Indices& columns, const Indices& rows,
                             const std::vector<int>& labels) const {
    ValidPixels pixels;
    const Indices near = rows_near(input, columns, rows, reach(), pixels);
    const Index used = static_cast<Index>(model_.bands.size()) + (profiled() ? model_.profile->features() : 0);
    const Matrix raw = input.spectra(near, Eigen::all).leftCols(used).cast<double>();
    const Index classes = static_cast<Index>(model_.classes.size());
    Spectra probabilities = machines_[fold]->decisions(scaled(raw)).cast<float>();
    softmax_rows(exact_softmax_slope(model_), probabilities);
    PixelBlock block(input.window.width, input.window.height, classes, reach());
    block.reset(input.window);
    block.fill(pixels, probabilities);
    Matrix right = Matrix::Zero(static_cast<Index>(columns.size()), 2);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto at = static_cast<Index>(k);
      right(at, 0) = largest(block.pixel(columns[k], rows[k]), classes) == labels[k] ? 1 : 0;
      if (regularised()) {
        ValidPixels one;
        Spectra values;
        regularise(block, {columns[k], rows[k], 1, 1}, classes, rule_, 1, one, values);
        right(at, 1) = largest(values.data(), classes) == labels[k] ? 1 : 0;
      }
    }
    return right;
  }

 private:
  // The bands scaled, the features as they are.
  [[nodiscard]] Matrix scaled(const Matrix& raw) const {
    const Index bands = static_cast<Index>(model_.bands.size());
    Matrix result = raw;
    result.leftCols(bands) = model_.scaling.apply(raw.leftCols(bands));
    return result;
  }

  const Model& model_;
  Regularisation rule_;
  std::vector<std::optional<RefittedMachines>> machines_;  // by fold
};

// Judges all samples of a cell, and stores two columns for each contender at the rows of the samples.
void judge_cell(const Cell& cell, const ValidSpectra& input, const SampleSet& samples, Index width,
                const std::vector<Contender>& contenders, int threads, Matrix& right) {
  parallel_for(static_cast<Index>(cell.samples.size()), threads, [&](Index f) {
    const Indices& rows = cell.samples[static_cast<std::size_t>(f)];
    if (rows.empty()) {
      return;
    }
    Indices grid_columns;
    Indices grid_rows;
    std::vector<int> labels;
    for (const Index i : rows) {
      const std::int64_t pixel = samples.pixels[static_cast<std::size_t>(i)];
      grid_columns.push_back(column_of(pixel, width));
      grid_rows.push_back(row_of(pixel, width));
      labels.push_back(samples.labels[static_cast<std::size_t>(i)]);
    }
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      right(rows, Eigen::seqN(2 * static_cast<Index>(k), 2)) =
          contenders[k].judge(static_cast<std::size_t>(f), input, grid_columns, grid_rows, labels);
    }
  });
}

// The columns that were really tried, of the samples that were tested.
SpatialTrials trials_of(const Matrix& right, const std::vector<Contender>& contenders, const SpatialFolds& plan) {
  SpatialTrials trials;
  Indices rows;
  for (const SpatialFold& fold : plan.folds) {
    rows.insert(rows.end(), fold.test.begin(), fold.test.end());
  }
  std::sort(rows.begin(), rows.end());
  std::vector<Index> columns;
  for (std::size_t k = 0; k < contenders.size(); ++k) {
    for (const bool neighbours : {false, true}) {
      if (!neighbours || contenders[k].regularised()) {
        trials.steps.push_back({contenders[k].profiled(), neighbours});
        columns.push_back(2 * static_cast<Index>(k) + (neighbours ? 1 : 0));
      }
    }
  }
  trials.right = right(rows, columns);
  for (const Index i : rows) {
    trials.units.push_back(plan.units[static_cast<std::size_t>(i)]);
  }
  return trials;
}

std::vector<double> buffers_of(const SpatialJudgementOptions& options) {
  std::vector<double> buffers;
  for (double buffer = options.reach; buffer > options.least_distance; buffer /= 2) {
    buffers.push_back(buffer);
  }
  buffers.push_back(options.least_distance);
  return buffers;
}

}  // namespace

SpatialRecord judge_spatial_steps(SceneSource& scene, const Indices& bands, const SampleSet& samples,
                                  const std::vector<SpatialCandidate>& candidates,
                                  const SpatialJudgementOptions& options) {
  const Index width = scene.grid().width;
  const SampleSet drawn =
      subset(samples, draw_stratified(samples.labels, samples.classes.size(), kSamples, kLeastOfClass, options.seed));
  auto plan = plan_spatial_folds(drawn.labels, drawn.classes.size(), drawn.groups, positions_of(drawn, width),
                                 buffers_of(options));
  if (!plan) {
    SpatialRecord record;
    record.steps.profiles = candidates.front().model->profile.has_value();
    record.buffer = options.least_distance;
    record.reason = "too few training pixels lie far enough from each other";
    return record;
  }
  thin(*plan, options.seed);
  std::vector<Contender> contenders;
  Index reach = 0;
  for (const SpatialCandidate& candidate : candidates) {
    contenders.emplace_back(candidate, drawn, *plan, options);
    reach = std::max(reach, contenders.back().reach());
  }
  Matrix right = Matrix::Zero(drawn.size(), 2 * static_cast<Index>(contenders.size()));
  const std::vector<Cell> cells = cells_of(*plan, drawn, scene.grid(), reach);
  WindowReader reader(scene, bands);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (options.progress) {
      options.progress(static_cast<double>(i) / static_cast<double>(cells.size()));
    }
    judge_cell(cells[i], reader.read(cells[i].window), drawn, width, contenders, options.threads, right);
  }
  SpatialRecord record = choose_spatial_steps(trials_of(right, contenders, *plan));
  record.buffer = plan->buffer;
  return record;
}

}  // namespace parsimap
