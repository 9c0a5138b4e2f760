// A model of two classes and three of five bands whose numbers exercise every field: not trained, but valid.
#pragma once

#include <cmath>

#include "parsimap/classifier/model.hpp"

namespace parsimap {

inline BinaryClassifier small_classifier(Index samples, Index regions, const Vector& weights, const Indices& support) {
  BinaryClassifier classifier;
  classifier.samples = samples;
  classifier.regions = regions;
  classifier.metric.directions = Matrix::Identity(3, weights.size());
  classifier.metric.weights = weights;
  classifier.metric.rest_weight = 0.1;
  classifier.C = 1.0 / 3.0;
  classifier.bias = -0.0;
  classifier.support = support;
  classifier.coefficients = Vector::LinSpaced(static_cast<Index>(support.size()), -1.25, std::sqrt(2.0));
  classifier.kkt_violation = 3.5e-12;
  classifier.solver_stop = "optimal";
  classifier.selection = {"leave-one-out", 0.0123456789, 41, "gradient", {0.5, 0.0123456789}};
  return classifier;
}

inline ClassNovelty small_novelty(const Vector& variances) {
  ClassNovelty novelty;
  novelty.gaussian.mean = Vector::LinSpaced(3, -0.25, 1.0 / 3.0);
  novelty.gaussian.subspace = {Matrix::Identity(3, variances.size()), variances, 1e-9};
  novelty.tail = {Vector{{0.5, 3, 1e5}}, Vector{{0.75, 0.5, 0.25}}, 1.5};
  return novelty;
}

inline CountMatrix two_by_two(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  CountMatrix matrix(2, 2);
  matrix << a, b, c, d;
  return matrix;
}

// Two repeats of two folds of two classes, one of which could not be tested.
inline Validation small_validation() {
  return {{.folds = 2, .repeats = 2, .buffer = 12.5, .grouping = "regions", .buffer_unit = "m"},
          9,
          {{0, 0, 30, 4, 0, two_by_two(8, 2, 0, 10)},
           {0, 1, 25, 0, 5, two_by_two(5, 0, 0, 0)},
           {1, 0, 28, 1, 0, two_by_two(7, 3, 1, 9)}}};
}

inline Model small_model() {
  Model model;
  model.classes = {{3, "Brocoli", Colour{0, 128, 255}}, {7, "Forêt \"dense\"", std::nullopt}};
  model.family = KernelFamily::hdda;
  model.scene_bands = 5;
  model.bands = {0, 2, 4};
  model.band_table = {{"blue", 450.5, false, 1e-4, -0.5}, {"", std::nullopt, true}, {"red edge", 1e-310}};
  model.dropped_bands = {{1, "marked as bad"}, {3, "no data"}};
  model.scaling_rule = ScalingRule::standardise;
  model.scaling = {Vector::LinSpaced(3, -1.0 / 7.0, 1e300), Vector::LinSpaced(3, 1e-300, 2)};
  model.support_spectra.resize(4, 3);
  model.support_spectra << 1, 2, 3, 0.1, -0.0, 0.3, -7, 8e-320, 9, std::acos(-1.0), 11, 12;
  model.classifiers = {small_classifier(30, 8, Vector::LinSpaced(2, 0.5, 4), {0, 1, 3}),
                       small_classifier(25, 4, Vector::Constant(1, 2.5), {2, 3})};
  model.novelty = {small_novelty(Vector::LinSpaced(2, 0.5, 4)), small_novelty(Vector(0))};
  model.novelty[0].samples = Matrix::Constant(4, 3, -1.0 / 3.0);
  model.novelty[0].radius = 1.0 / 7.0;
  model.softmax_slope = 2.75;
  model.provenance = {"0.1.0",
                      {{"kernel", "hdda"}, {"dimension", "scree:0.01"}},
                      18446744073709551615ULL,
                      {{"scene.hdr", 123456789012}, {"labels.gpkg", 0}},
                      55,
                      {0.9818181818181818, 55, 12, {true, false}, two_by_two(29, 1, 0, 25)}};
  ExpectedAccuracy& expected = model.provenance.expected.emplace();
  expected.overall = 54.0 / 55;
  expected.average = (29.0 / 30 + 1) / 2;
  expected.classes = {{0.5, 29.0 / 30, {30, 8}}, {0.5, 1, {25, 4}}};
  model.shape = {1, 0.5, false};
  model.scan = {{{0.5, 0.5}, {2.2, 100}, 0.25, 0, 0, 55}, {{1, 0.5, false}, {0.5, 1000}, 0.125, 0.125, 0.0625, 55}};
  return model;
}

// The same with a kernel of profiles, of two components with openings and closings of two radii.
inline Model small_profiled_model() {
  Model model = small_model();
  model.profile = {
      Vector::LinSpaced(3, 1.0 / 3.0, 1e5), Matrix::Identity(3, 2), Vector{{1e-7, 12}}, {15, 1e2 / 3}, true, 9};
  model.support_spectra.conservativeResize(4, 13);
  model.support_spectra.rightCols(10) = Vector::LinSpaced(40, -3, std::sqrt(7.0)).reshaped(4, 10);
  for (BinaryClassifier& classifier : model.classifiers) {
    classifier.metric.profile = {10, 1.0 / 7.0, 0.3};
  }
  model.profile_score = {{0.5, 320, 0.3, 1.0 / 7.0}, 2.5, 0.1, 0.025, 0.0125, 0.99, 0.97, 55};
  return model;
}

}  // namespace parsimap
