#include "expected_map_accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "parsimap/classifier/early_stages.hpp"
#include "parsimap/classifier/left_out_unlikeness.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/report/validation_report.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/validation/expected_accuracy.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"

#include "../job_frame.hpp"

namespace parsimap {

namespace {

// Samples that are left out by each of the other designs, and that classifiers are trained on.
constexpr Index kOfDesign = 1000;
constexpr Index kLeastOfDesign = 30;

// Where pixels lie, in pixels; empty where that is not known.
Matrix in_pixels(const ScenePositions& scenes, const std::vector<std::int64_t>& pixels) {
  const std::optional<PixelPositions> positions = scenes.known_positions(pixels);
  return positions ? Matrix(positions->points / scenes.pixel_width(*positions)) : Matrix();
}

// What some of the samples are taken for where they are left out by the units of another design, at the settings of the
// model.
std::vector<LeftOutRecord> left_out_by(const std::vector<SampleUnit>& units, const SampleSet& samples,
                                       const Matrix& columns, const Model& model, const TrainOptions& options) {
  const Indices rows =
      draw_stratified(samples.labels, samples.classes.size(), kOfDesign, kLeastOfDesign, options.training.seed);
  const std::vector<int> labels = values_at(samples.labels, rows);
  const Matrix spectra = columns(rows, Eigen::all);
  const std::vector<SampleUnit> own_units = values_at(units, rows);
  const std::vector<SamplePlace> places = with_units(values_at(samples.places, rows), own_units);
  const Index features = profile_features(model);
  const LabelledSpectra labelled{spectra, labels, places, samples.classes.size(), features};
  const LeftOutOptions left_out{
      .repeats = 1, .samples = std::ssize(rows), .seed = options.training.seed, .threads = options.training.threads};
  const std::vector<FoldRows> folds = left_out_folds(labelled, {}, left_out);
  const ClassifierDesign design = design_of(model, options.training.dimension);
  const std::vector<SamplePlace> all_places = with_units(samples.places, units);
  // The columns are scaled as the model does.
  const Vector factors = Vector::Ones(columns.cols() - features);
  const LabelledSpectra all{columns, samples.labels, all_places, samples.classes.size(), features, {}, factors};
  const std::vector<ClassifierDesign> designs = chosen_without(
      folds, rows, all, model.provenance.left_out.tried, design,
      {options.training.dimension, options.training.seed, options.training.threads, design.class_weights});
  const Matrix decisions = left_out_decisions(labelled, folds, designs, left_out);
  return left_out_records(decisions, labels, rows, own_units, fold_of_rows(folds, std::ssize(rows)));
}

// Notes how far the samples lie from those of the other folds, which have no distance where there are none.
void note_distances(const Matrix& points, std::vector<LeftOutRecord>& records) {
  const auto rows = mapped<Index>(records, &LeftOutRecord::sample);
  const std::vector<double> distances =
      distances_to_other_folds(points(rows, Eigen::all), mapped<Index>(records, &LeftOutRecord::fold));
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].distance = std::isfinite(distances[i]) ? distances[i] : records[i].distance;
  }
}

}  // namespace

void expect_accuracy(const TrainOptions& options, const TrainingScenes& scenes, const SampleSet& samples,
                     const std::vector<NamedUnits>& others, Model& model) {
  LeftOutScores& scores = model.provenance.left_out;
  std::vector<LeftOutRecord> main = std::exchange(scores.records, {});
  const bool has_scene = !options.scene.path.empty();
  // Of all samples, or none.
  const bool placed = has_scene && samples.size() > 0 && std::ranges::all_of(samples.places, &SamplePlace::in_scene);
  const Matrix points = placed ? in_pixels(scenes.where(), pixels_of(samples.places)) : Matrix();
  LeftOutResults results = left_out_results(samples.labels, samples.classes.size());
  // Without a scene there is no map whose pixels these could stand for.
  const Matrix columns = has_scene ? scaled_columns(model, samples) : Matrix();
  const auto add = [&](std::vector<LeftOutRecord> records, int design, const std::vector<SamplePlace>& places) {
    if (points.rows() > 0) {
      note_distances(points, records);
    }
    if (has_scene) {
      note_unlikeness({columns, samples.labels, places, samples.classes.size(), profile_features(model)}, model.novelty,
                      options.training.dimension, options.training.threads, records);
    }
    for (LeftOutRecord& record : records) {
      record.design = design;
      results.records.push_back(record);
    }
  };
  // Neighbours are not looked at where samples are left out by other designs, so that these say nothing of such maps.
  const bool as_others = points.rows() > 0 && !scores.neighbours && !main.empty();
  add(std::move(main), 0, samples.places);
  if (as_others) {
    for (int design = 0; const NamedUnits& other : others) {
      add(left_out_by(other.units, samples, columns, model, options), ++design,
          with_units(samples.places, other.units));
    }
  }
  MapDraw map;
  if (has_scene) {
    constexpr Index kRead = 65536;
    constexpr Index kDrawn = 30000;
    const int threads = options.training.threads;
    ModelScene scene(scenes.source(), model, pixel_metres(scenes.source().grid()), work_bytes(options), threads);
    const DrawnPixels drawn = drawn_pixels(scene, kRead, kDrawn);
    const Predictor predictor(model);
    Spectra decisions;  // without neighbours
    predictor.decision_values(drawn.spectra, threads, decisions);
    Vector shares = Vector::Zero(results.classes);
    for (const auto& values : decisions.rowwise()) {
      Index largest = 0;
      values.maxCoeff(&largest);
      shares(largest) += 1 / static_cast<double>(decisions.rows());
      map.predicted.push_back(static_cast<int>(largest));
    }
    Spectra unlikeness;
    predictor.unlikeness(drawn.spectra, threads, unlikeness);
    const auto of_own = [&](Index i) { return unlikeness(i, map.predicted[static_cast<std::size_t>(i)]); };
    map.unlike = mapped<double>(consecutive(unlikeness.rows()), of_own);
    scores.map_shares = map.predicted.empty() ? Vector() : shares;
    if (options.support == SupportRule::reduced) {
      model.early_stages = early_stages(model, drawn.spectra, decisions, options.training.threads);
    }
    if (points.rows() > 0 && !drawn.pixels.empty()) {
      map.distances = nearest_distances(in_pixels(scenes.where(), drawn.pixels), points);
    }
  }
  scores.tried = {};
  model.provenance.expected = expected_accuracy(results, map, {options.training.seed, options.training.threads});
}

}  // namespace parsimap
