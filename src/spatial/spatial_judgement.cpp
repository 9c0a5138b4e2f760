#include "parsimap/spatial/spatial_judgement.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/inspection/left_out_classifiers.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/window_reader.hpp"
#include "parsimap/selection/metric_selection.hpp"
#include "parsimap/spatial/regularisation.hpp"

namespace parsimap {
namespace {

constexpr Index kSamples = 1000;     // that classifiers are trained on, and of which others are tested
constexpr Index kLeastOfClass = 30;  // of these
constexpr Index kTested = 500;       // samples whose surroundings are read
constexpr Index kCell = 64;          // columns and rows of the scene whose samples are read together

// What a class is given at least, so that a single sample does not decide by its logarithm.
constexpr float kLeastProbability = 1e-4F;

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

// Reduces the tested samples to at most kTested, because the pixels around each of them have to be classified.
void limit_tested(SpatialFolds& plan, std::uint64_t seed) {
  Indices tested;
  for (const FoldRows& fold : plan.folds) {
    tested.insert(tested.end(), fold.test.begin(), fold.test.end());
  }
  // A random subset of all folds together: the share of each fold stays what it was, but for chance.
  const auto count = static_cast<Index>(tested.size());
  std::set<Index> kept;
  const Indices order = Random(seed).permutation(count);
  for (Index k = 0; k < std::min(kTested, count); ++k) {
    kept.insert(tested[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])]);
  }
  for (FoldRows& fold : plan.folds) {
    std::erase_if(fold.test, [&](Index i) { return !kept.contains(i); });
  }
}

// The tested samples by parts of the scene, with windows that hold all that is at most `reach` pixels away.
std::vector<Cell> cells_of(const SpatialFolds& plan, const SampleSet& samples, const RasterGrid& grid, Index reach) {
  // Samples are gathered by cells of the grid, and in each cell by fold: pixels around them are then read once for all
  // folds and candidates.
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
  // Marks the squares around the places first; squares that overlap are then evaluated once.
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

// A candidate with classifiers for every fold, trained without the samples that the fold leaves out.
class CandidateTrial {
 public:
  CandidateTrial(const SpatialCandidate& candidate, const SampleSet& samples, const SpatialFolds& plan,
                 const SpatialJudgementOptions& options)
      : model_(*candidate.model), rules_(candidate.rules), classifiers_(plan.folds.size()) {
    const ClassifierDesign design(model_, options.class_weights, options.dimension);
    const Matrix spectra = scaled_columns(model_, samples);
    parallel_for(static_cast<Index>(plan.folds.size()), options.threads, [&](Index f) {
      const Indices& rows = plan.folds[static_cast<std::size_t>(f)].train;
      std::vector<int> labels;
      for (const Index i : rows) {
        labels.push_back(samples.labels[static_cast<std::size_t>(i)]);
      }
      classifiers_[static_cast<std::size_t>(f)].emplace(design, spectra(rows, Eigen::all), labels, nullptr);
    });
  }

  [[nodiscard]] bool profiled() const { return model_.profile.has_value(); }
  [[nodiscard]] const std::vector<Regularisation>& rules() const { return rules_; }
  // The sample by itself, and with its neighbours by every rule.
  [[nodiscard]] Index ways() const { return 1 + static_cast<Index>(rules_.size()); }
  [[nodiscard]] Index reach() const {
    Index reach = 0;
    for (const Regularisation& rule : rules_) {
      reach = std::max(reach, gaussian_reach(rule.sigma));
    }
    return reach;
  }

  // Whether samples (by their classes) at these places of a window are right, and the logarithm of the probability of
  // their class, in every way: m x ways each.
  struct Outcome {
    Matrix right;
    Matrix logarithm;
  };
  [[nodiscard]] Outcome test(std::size_t fold, const ValidSpectra& input, const Indices& columns, const Indices& rows,
                             const std::vector<int>& labels) const {
    const PixelBlock block = probabilities(fold, input, columns, rows);
    const Index classes = static_cast<Index>(model_.classes.size());
    Outcome outcome{Matrix(static_cast<Index>(columns.size()), ways()), {}};
    outcome.logarithm = outcome.right;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto note = [&](Index way, const float* values) {
        outcome.right(static_cast<Index>(k), way) = largest(values, classes) == labels[k] ? 1 : 0;
        outcome.logarithm(static_cast<Index>(k), way) = std::log(std::max(kLeastProbability, values[labels[k]]));
      };
      // Column 0 is the sample by its own spectrum, the others follow the rules of the candidate.
      note(0, block.pixel(columns[k], rows[k]));
      for (std::size_t i = 0; i < rules_.size(); ++i) {
        ValidPixels one;
        Spectra values;
        regularise(block, {columns[k], rows[k], 1, 1}, classes, rules_[i], 1, one, values);
        note(static_cast<Index>(i) + 1, values.data());
      }
    }
    return outcome;
  }

 private:
  // The probabilities of the pixels that are at most reach() from the places.
  [[nodiscard]] PixelBlock probabilities(std::size_t fold, const ValidSpectra& input, const Indices& columns,
                                         const Indices& rows) const {
    ValidPixels pixels;
    const Indices near = rows_near(input, columns, rows, reach(), pixels);
    const Index used = static_cast<Index>(model_.bands.size()) + profile_features(model_);
    const Matrix raw = input.spectra(near, Eigen::all).leftCols(used).cast<double>();
    // Probabilities as a map has them: decision values of classifiers that know nothing of the fold, through the
    // softmax of the model.
    Spectra values = classifiers_[fold]->decisions(scaled(raw)).cast<float>();
    softmax_rows(exact_softmax_slope(model_), values);
    PixelBlock block(input.window.width, input.window.height, values.cols(), reach());
    block.reset(input.window);
    block.fill(pixels, values);
    return block;
  }

  // The bands scaled, the features as they are.
  [[nodiscard]] Matrix scaled(const Matrix& raw) const {
    const Index bands = static_cast<Index>(model_.bands.size());
    Matrix result = raw;
    result.leftCols(bands) = model_.scaling.apply(raw.leftCols(bands));
    return result;
  }

  const Model& model_;
  std::vector<Regularisation> rules_;
  std::vector<std::optional<RefittedClassifiers>> classifiers_;  // by fold
};

// What was found of all samples, a column for each way of each trial in turn.
struct Findings {
  Matrix right;
  Matrix logarithm;
};

// Classifies the tested samples of a cell by every candidate, in every way.
void test_cell(const Cell& cell, const ValidSpectra& input, const SampleSet& samples, Index width,
               const std::vector<CandidateTrial>& trials, int threads, Findings& findings) {
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
    Index first = 0;
    for (const CandidateTrial& trial : trials) {
      const CandidateTrial::Outcome outcome =
          trial.test(static_cast<std::size_t>(f), input, grid_columns, grid_rows, labels);
      findings.right(rows, Eigen::seqN(first, trial.ways())) = outcome.right;
      findings.logarithm(rows, Eigen::seqN(first, trial.ways())) = outcome.logarithm;
      first += trial.ways();
    }
  });
}

Indices tested_rows(const SpatialFolds& plan) {
  Indices rows;
  for (const FoldRows& fold : plan.folds) {
    rows.insert(rows.end(), fold.test.begin(), fold.test.end());
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

// The rules under which the tested samples are most likely, and with them what was tried.
// Of each candidate two columns are compared: the samples by themselves, and with the rule for neighbours under which
// the sum of the logarithms is largest.
SpatialRecord choose(const Findings& findings, const std::vector<CandidateTrial>& trials, const SpatialFolds& plan) {
  const Indices rows = tested_rows(plan);
  SpatialTrials tried;
  std::vector<Index> columns;
  std::vector<int> strengths;
  Index first = 0;
  for (const CandidateTrial& trial : trials) {
    tried.steps.push_back({trial.profiled(), false});
    columns.push_back(first);
    strengths.push_back(kStrongestNeighbours);
    if (trial.ways() > 1) {
      Index best = 0;
      findings.logarithm(rows, Eigen::seqN(first + 1, trial.ways() - 1)).colwise().sum().maxCoeff(&best);
      tried.steps.push_back({trial.profiled(), true});
      columns.push_back(first + 1 + best);
      strengths.push_back(trial.rules()[static_cast<std::size_t>(best)].strength);
    }
    first += trial.ways();
  }
  tried.right = findings.right(rows, columns);
  for (const Index i : rows) {
    tried.units.push_back(plan.units[static_cast<std::size_t>(i)]);
  }
  SpatialRecord record = choose_spatial_steps(tried);
  const auto chosen = std::find(tried.steps.begin(), tried.steps.end(), record.steps) - tried.steps.begin();
  record.strongest = strengths[static_cast<std::size_t>(chosen)];
  record.buffer = plan.buffer;
  return record;
}

// Buffers that are tried for the folds, the widest first: the reach of the profiles, halved until it is the least that
// is allowed.
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
  limit_tested(*plan, options.seed);
  std::vector<CandidateTrial> trials;
  Index reach = 0;
  for (const SpatialCandidate& candidate : candidates) {
    trials.emplace_back(candidate, drawn, *plan, options);
    reach = std::max(reach, trials.back().reach());
  }
  Index ways = 0;
  for (const CandidateTrial& trial : trials) {
    ways += trial.ways();
  }
  Findings findings{Matrix::Zero(drawn.size(), ways), Matrix::Zero(drawn.size(), ways)};
  const std::vector<Cell> cells = cells_of(*plan, drawn, scene.grid(), reach);
  WindowReader reader(scene, bands);
  std::int64_t pixels = 0;
  for (const Cell& cell : cells) {
    pixels += cell.window.pixels();
  }
  std::int64_t done = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (options.progress) {
      options.progress(static_cast<double>(done) / static_cast<double>(pixels));
    }
    done += cells[i].window.pixels();
    test_cell(cells[i], reader.read(cells[i].window), drawn, width, trials, options.threads, findings);
  }
  return choose(findings, trials, *plan);
}

namespace {

// A gain that is smaller is not worth a slower map, however sure it is.
constexpr double kLeastGain = 0.005;
// What a single unit gains is exactly one standard error, but for rounding.
constexpr double kRounding = 1e-9;

SpatialScore compared(const SpatialTrials& trials, std::size_t with, std::size_t over) {
  const Vector weights = Vector::Ones(trials.right.rows());
  const Vector right = trials.right.col(static_cast<Index>(with));
  const Vector difference = right - trials.right.col(static_cast<Index>(over));
  const double gain = difference.mean();
  return {trials.steps[with], trials.steps[over], right.mean(), gain,
          standard_error(difference, gain, weights, trials.units)};
}

bool is_one_more(const SpatialSteps& steps, const SpatialSteps& over) {
  const int more_profiles = (steps.profiles ? 1 : 0) - (over.profiles ? 1 : 0);
  const int more_neighbours = (steps.neighbours ? 1 : 0) - (over.neighbours ? 1 : 0);
  return more_profiles >= 0 && more_neighbours >= 0 && more_profiles + more_neighbours == 1;
}

}  // namespace

SpatialRecord choose_spatial_steps(const SpatialTrials& trials) {
  SpatialRecord record;
  record.samples = trials.right.rows();
  record.units = static_cast<Index>(std::set<std::int64_t>(trials.units.begin(), trials.units.end()).size());
  // Forward selection from the first trial, which has the fewest steps: the step with the largest gain that passes both
  // bounds is added, and the remaining one is compared with the new state (docs/method.md, Spatial steps, Choice).
  std::size_t kept = 0;
  record.scores.push_back(compared(trials, kept, kept));
  for (bool added = true; added;) {
    added = false;
    std::size_t best = kept;
    double most = 0;
    for (std::size_t k = 0; k < trials.steps.size(); ++k) {
      if (!is_one_more(trials.steps[k], trials.steps[kept])) {
        continue;
      }
      const SpatialScore score = compared(trials, k, kept);
      record.scores.push_back(score);
      if (score.gain > score.gain_error + kRounding && score.gain >= kLeastGain && score.gain > most) {
        best = k;
        most = score.gain;
        added = true;
      }
    }
    kept = best;
  }
  record.steps = trials.steps[kept];
  return record;
}

}  // namespace parsimap
