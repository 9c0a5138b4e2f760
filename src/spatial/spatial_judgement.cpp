#include "parsimap/spatial/spatial_judgement.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/window_reader.hpp"
#include "parsimap/selection/metric_selection.hpp"
#include "parsimap/validation/folds.hpp"
#include "parsimap/validation/left_out_risk.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"

namespace parsimap {
namespace {

constexpr Index kSamples = 1000;     // that classifiers are trained on, and of which others are tested
constexpr Index kLeastOfClass = 30;  // of these
constexpr Index kTested = 500;       // samples whose surroundings are read
constexpr Index kCell = 64;          // columns and rows of the scene whose samples are read together

// Objects smaller than the areas that were labelled are in no test, and means would take them away: pixels that are so
// sure of their class by themselves keep it. Of pixels of calibrated probabilities at most one in a hundred is wrong.
constexpr double kSureOfItself = 0.99;

// What a class is given at least, so that a single sample does not decide by its logarithm.
constexpr float kLeastProbability = 1e-4F;

// A part of the scene with the tested samples in it.
struct Cell {
  Window window;
  std::vector<Indices> samples;  // by fold: rows of the tested ones
};

Index column_of(std::int64_t pixel, Index width) { return static_cast<Index>(pixel % width); }
Index row_of(std::int64_t pixel, Index width) { return static_cast<Index>(pixel / width); }

// Whole units are left out. Of their samples up to kTested are tested, because the pixels around each of them have to
// be classified, and only those of classes that have samples left, where there are two such classes.
std::vector<FoldRows> tested_folds(const SampleSet& samples, std::uint64_t seed) {
  const std::vector<Index> fold_of =
      assign_folds(samples.labels, samples.classes.size(), units_of(samples.places), kFolds, seed, 0);
  // A random subset of all folds together: the share of each fold stays what it was, but for chance.
  const Indices order = Random(seed).permutation(samples.size());
  const std::set<Index> kept(order.begin(), order.begin() + std::min(kTested, samples.size()));
  std::vector<FoldRows> folds;
  for (Index f = 0; f < kFolds; ++f) {
    FoldRows fold = rows_of_fold(fold_of, f);
    const std::vector<Index> left = class_counts(values_at(samples.labels, fold.train), samples.classes.size());
    const auto label = [&](Index i) { return static_cast<std::size_t>(samples.labels[static_cast<std::size_t>(i)]); };
    std::erase_if(fold.test, [&](Index i) { return !kept.contains(i) || left[label(i)] == 0; });
    const auto trained = std::count_if(left.begin(), left.end(), [](Index count) { return count > 0; });
    if (!fold.test.empty() && trained >= 2) {
      folds.push_back(std::move(fold));
    }
  }
  return folds;
}

// The tested samples by parts of the scene, with windows that hold all that is at most `reach` pixels away.
std::vector<Cell> cells_of(const std::vector<FoldRows>& folds, const SampleSet& samples, const RasterGrid& grid,
                           Index reach) {
  // Samples are gathered by cells of the grid, and in each cell by fold: pixels around them are then read once for all
  // folds and candidates.
  std::map<std::pair<Index, Index>, std::pair<PixelBounds, std::vector<Indices>>> found;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    for (const Index i : folds[f].test) {
      const std::int64_t pixel = samples.places[static_cast<std::size_t>(i)].pixel;
      const Index column = column_of(pixel, grid.width);
      const Index row = row_of(pixel, grid.width);
      auto& [bounds, of_folds] = found[{row / kCell, column / kCell}];
      bounds.add(std::max<Index>(0, column - reach), std::max<Index>(0, row - reach));
      bounds.add(std::min(grid.width - 1, column + reach), std::min(grid.height - 1, row + reach));
      of_folds.resize(folds.size());
      of_folds[f].push_back(i);
    }
  }
  return mapped<Cell>(found, [](auto& cell) {
    return Cell{cell.second.first.window(), std::move(cell.second.second)};
  });
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

// A candidate with classifiers for every fold, trained without the samples that the fold leaves out.
class CandidateTrial {
 public:
  CandidateTrial(const Model& model, const std::vector<Regularisation>& rules, const SampleSet& samples,
                 const std::vector<FoldRows>& folds, const SpatialJudgementOptions& options)
      : model_(model), rules_(rules), classifiers_(folds.size()) {
    leave_out_folds({design_of(model_, options.dimension)}, scaled_columns(model_, samples), samples.labels, folds,
                    options.threads, {}, [&](std::size_t fold, RefittedClassifiers&& classifiers) {
                      classifiers_[fold].emplace(std::move(classifiers));
                    });
  }

  [[nodiscard]] bool profiled() const { return model_.profile.has_value(); }
  [[nodiscard]] const std::vector<Regularisation>& rules() const { return rules_; }
  // The sample by itself, and with its neighbours by every rule.
  [[nodiscard]] Index ways() const { return 1 + static_cast<Index>(rules_.size()); }
  [[nodiscard]] Index reach() const {
    return largest<Index>(rules_, [](const Regularisation& rule) { return gaussian_reach(rule.sigma); });
  }

  // The logarithms of the probabilities of all classes at these places of a window, m x K in every way.
  [[nodiscard]] std::vector<Matrix> test(std::size_t fold, const ValidSpectra& input, const Indices& columns,
                                         const Indices& rows) const {
    const PixelBlock block = probabilities(fold, input, columns, rows);
    const Index classes = static_cast<Index>(model_.classes.size());
    std::vector<Matrix> logarithms(static_cast<std::size_t>(ways()),
                                   Matrix(static_cast<Index>(columns.size()), classes));
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto note = [&](std::size_t way, const float* values) {
        const Eigen::Map<const Eigen::ArrayXf> found(values, classes);
        logarithms[way].row(static_cast<Index>(k)) =
            found.max(kLeastProbability).cast<double>().log().matrix().transpose();
      };
      // The first way is the sample by its own spectrum, the others follow the rules of the candidate.
      note(0, block.pixel(columns[k], rows[k]));
      for (std::size_t i = 0; i < rules_.size(); ++i) {
        ValidPixels one;
        Spectra values;
        regularise(block, {columns[k], rows[k], 1, 1}, classes, rules_[i], 1, one, values);
        note(i + 1, values.data());
      }
    }
    return logarithms;
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
    Spectra values = classifiers_[fold]->decisions<float>(scaled(raw)).cast<float>();
    softmax_rows(model_.softmax_slope, values);
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
  const std::vector<Regularisation>& rules_;
  std::vector<std::optional<RefittedClassifiers>> classifiers_;  // by fold
};

// Classifies the tested samples of a cell by every candidate, in every way. `findings`: the logarithms of the
// probabilities of all samples, n x K for each way of each trial in turn.
void test_cell(const Cell& cell, const ValidSpectra& input, const SampleSet& samples, Index width,
               const std::vector<CandidateTrial>& trials, int threads, std::vector<Matrix>& findings) {
  parallel_for(static_cast<Index>(cell.samples.size()), threads, [&](Index f) {
    const Indices& rows = cell.samples[static_cast<std::size_t>(f)];
    if (rows.empty()) {
      return;
    }
    Indices grid_columns;
    Indices grid_rows;
    for (const Index i : rows) {
      const std::int64_t pixel = samples.places[static_cast<std::size_t>(i)].pixel;
      grid_columns.push_back(column_of(pixel, width));
      grid_rows.push_back(row_of(pixel, width));
    }
    std::size_t way = 0;
    for (const CandidateTrial& trial : trials) {
      for (const Matrix& found : trial.test(static_cast<std::size_t>(f), input, grid_columns, grid_rows)) {
        findings[way++](rows, Eigen::all) = found;
      }
    }
  });
}

Indices tested_rows(const std::vector<FoldRows>& folds) {
  Indices rows;
  for (const FoldRows& fold : folds) {
    add_all(rows, fold.test);
  }
  return distinct(std::move(rows));
}

// Of each candidate two ways are compared: the samples by themselves, and with the rule for neighbours of the lowest
// risk. The risk is taken at the slope of the probabilities that suits the rule best, since averages are less sure than
// what they are averages of.
SpatialJudgement choose(const std::vector<Matrix>& findings, const std::vector<CandidateTrial>& trials,
                        const std::vector<FoldRows>& folds, const SampleSet& samples, const SampleSet& all) {
  const Indices rows = tested_rows(folds);
  const std::vector<int> labels = values_at(samples.labels, rows);
  SpatialTrials tried;
  tried.units = values_at(units_of(samples.places), rows);
  const Index units = unit_count(tried.units);
  const auto risks = mapped<LeftOutRisk>(findings, [&](const Matrix& found) {
    return left_out_risk(found(rows, Eigen::all), labels, Vector::Ones(std::ssize(rows)));
  });
  std::vector<std::size_t> ways;
  std::vector<std::string> rules;
  std::size_t first = 0;
  for (const CandidateTrial& trial : trials) {
    tried.steps.push_back({trial.profiled(), false});
    ways.push_back(first);
    rules.emplace_back();
    if (trial.ways() > 1) {
      const auto begin = risks.begin() + static_cast<std::ptrdiff_t>(first) + 1;
      const auto best = std::min_element(begin, begin + static_cast<std::ptrdiff_t>(trial.rules().size()),
                                         [](const auto& a, const auto& b) { return a.mean < b.mean; });
      tried.steps.push_back({trial.profiled(), true});
      ways.push_back(static_cast<std::size_t>(best - risks.begin()));
      rules.push_back(to_string(trial.rules()[static_cast<std::size_t>(best - begin)]));
    }
    first += static_cast<std::size_t>(trial.ways());
  }
  tried.right.resize(std::ssize(rows), std::ssize(ways));
  tried.risks.resize(std::ssize(rows), std::ssize(ways));
  for (Index way = 0; way < tried.right.cols(); ++way) {
    const std::size_t place = ways[static_cast<std::size_t>(way)];
    tried.right.col(way) = left_out_correct(findings[place](rows, Eigen::all), labels);
    tried.risks.col(way) = risks[place].risks;
  }
  SpatialJudgement judgement{choose_spatial_steps(tried)};
  SpatialRecord& record = judgement.record;
  const auto chosen =
      static_cast<std::size_t>(std::find(tried.steps.begin(), tried.steps.end(), record.steps) - tried.steps.begin());
  record.rule = rules[chosen];
  if (!record.rule.empty()) {
    // Targets are smoothed only where no sample is wrong: of few units they would outweigh what the errors show.
    const LeftOutRisk& risk = risks[ways[chosen]];
    const Matrix found = findings[ways[chosen]](rows, Eigen::all);
    record.exponent =
        risk.errors > 0 ? risk.slope : left_out_risk(found, labels, Vector::Ones(std::ssize(rows)), units).slope;
    judgement.left_out = left_out_scores(found, labels, shares_of_all(labels, all.labels, all.classes.size()), rows,
                                         tried.units, values_at(fold_of_rows(folds, samples.size()), rows));
    judgement.left_out->neighbours = true;
  }
  return judgement;
}

}  // namespace

std::vector<Regularisation> spatial_rules() {
  std::vector<Regularisation> rules;
  for (const double sigma : {0.7, 1.0, 1.5, 2.0}) {
    for (const int strength : {1, 2, 3}) {
      rules.push_back({RegularisationMethod::neighbours, sigma, strength});
    }
  }
  for (const double sigma : {1.0, 1.5, 2.0, 3.0}) {
    rules.push_back({.method = RegularisationMethod::gaussian, .sigma = sigma, .keep = kSureOfItself});
  }
  return rules;
}

SpatialJudgement judge_spatial_steps(SceneSource& scene, const Indices& bands, const SampleSet& samples,
                                     const std::vector<Model>& designs, const std::vector<Regularisation>& rules,
                                     const SpatialJudgementOptions& options) {
  const Index width = scene.grid().width;
  const Indices drawn_rows =
      draw_stratified(samples.labels, samples.classes.size(), kSamples, kLeastOfClass, options.seed);
  const SampleSet drawn = subset(samples, drawn_rows);
  const Index units = unit_count(units_of(drawn.places));
  const std::vector<FoldRows> folds = tested_folds(drawn, options.seed);
  if (units < kFewestUnits || folds.empty()) {
    SpatialRecord record;
    record.steps.profiles = designs.front().profile.has_value();
    record.reason = "the training pixels can be left out in " + std::to_string(units) + " parts, and fewer than " +
                    std::to_string(kFewestUnits) + " show too little";
    return {record};
  }
  std::vector<CandidateTrial> trials;
  Index reach = 0;
  for (const Model& design : designs) {
    trials.emplace_back(design, rules, drawn, folds, options);
    reach = std::max(reach, trials.back().reach());
  }
  std::vector<Matrix> findings(static_cast<std::size_t>(total(trials, &CandidateTrial::ways)),
                               Matrix::Zero(drawn.size(), static_cast<Index>(drawn.classes.size())));
  const std::vector<Cell> cells = cells_of(folds, drawn, scene.grid(), reach);
  WindowReader reader(scene, bands);
  const std::int64_t pixels = total(cells, [](const Cell& cell) { return cell.window.pixels(); });
  std::int64_t done = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (options.progress) {
      options.progress(static_cast<double>(done) / static_cast<double>(pixels));
    }
    done += cells[i].window.pixels();
    test_cell(cells[i], reader.read(cells[i].window), drawn, width, trials, options.threads, findings);
  }
  SpatialJudgement judgement = choose(findings, trials, folds, drawn, samples);
  if (judgement.left_out) {
    for (LeftOutRecord& record : judgement.left_out->records) {
      record.sample = drawn_rows[static_cast<std::size_t>(record.sample)];
    }
  }
  return judgement;
}

// Of the risk. A gain that is smaller is not worth a slower map, however sure it is.
constexpr double kLeastSpatialGain = 0.005;
// What a single unit gains is exactly one standard error, but for rounding.
constexpr double kRounding = 1e-9;

static SpatialScore compared(const SpatialTrials& trials, std::size_t with, std::size_t over) {
  const auto first = static_cast<Index>(with);
  const auto second = static_cast<Index>(over);
  const Vector right = trials.right.col(first) - trials.right.col(second);
  const Vector lower = trials.risks.col(second) - trials.risks.col(first);
  const auto error = [&](const Vector& difference) {
    return standard_error(difference, Vector::Ones(difference.size()), trials.units);
  };
  return {trials.steps[with], trials.steps[over], trials.right.col(first).mean(), right.mean(), error(right),
          lower.mean(),       error(lower)};
}

// One step more, or both at once.
static bool has_more(const SpatialSteps& steps, const SpatialSteps& over) {
  return !(steps == over) && steps.profiles >= over.profiles && steps.neighbours >= over.neighbours;
}

SpatialRecord choose_spatial_steps(const SpatialTrials& trials) {
  SpatialRecord record;
  record.samples = trials.right.rows();
  record.units = unit_count(trials.units);
  // Forward selection from the first trial, which has the fewest steps: the step with the largest gain that passes both
  // bounds is added, and the remaining one is compared with the new state (docs/method.md, Spatial steps, Choice).
  std::size_t kept = 0;
  record.scores.push_back(compared(trials, kept, kept));
  for (bool added = true; added;) {
    added = false;
    std::size_t best = kept;
    double most = 0;
    for (std::size_t k = 0; k < trials.steps.size(); ++k) {
      if (!has_more(trials.steps[k], trials.steps[kept])) {
        continue;
      }
      const SpatialScore score = compared(trials, k, kept);
      record.scores.push_back(score);
      if (score.risk_gain > score.risk_error + kRounding && score.risk_gain >= kLeastSpatialGain &&
          score.risk_gain > most) {
        best = k;
        most = score.risk_gain;
        added = true;
      }
    }
    kept = best;
  }
  record.steps = trials.steps[kept];
  return record;
}

}  // namespace parsimap
