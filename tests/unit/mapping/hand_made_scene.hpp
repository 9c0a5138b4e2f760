// A scene and a model made by hand, and their map by the definition, for tests of what classifies whole scenes.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "support/memory_scene.hpp"
#include "support/spectra.hpp"

namespace parsimap::test {

inline constexpr Index kWidth = 61;
inline constexpr Index kHeight = 47;
inline constexpr Index kBands = 9;
inline constexpr Index kClasses = 3;
inline constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

// Two orthonormal directions by hand: signs over the used bands.
inline Matrix two_directions(Index d) {
  Matrix q(d, 2);
  for (Index i = 0; i < d; ++i) {
    q(i, 0) = 1;
    q(i, 1) = i % 2 == 0 ? 1 : -1;
  }
  return q / std::sqrt(static_cast<double>(d));
}

// Three machines over bands 0, 2, 3, 4, 6 and 8 of nine; codes 2, 5 and 300.
inline Model hand_made_model() {
  Random random(11);
  Model model;
  model.classes = {{2, "a", {}}, {5, "b", {}}, {300, "c", {}}};
  model.scene_bands = kBands;
  model.bands = {0, 2, 3, 4, 6, 8};
  const Index d = 6;
  for (const Index band : model.bands) {
    model.band_table.push_back({"", 400.0 + 10.0 * static_cast<double>(band)});
  }
  model.scaling.offset = Vector::Constant(d, 0.5);
  model.scaling.scale = Vector::LinSpaced(d, 1, 2);
  model.support_spectra = random.normal_matrix(12, d);
  for (Index c = 0; c < kClasses; ++c) {
    BinaryClassifier machine;
    machine.metric.directions = two_directions(d);
    machine.metric.weights = Vector{{0.3, 0.1 + 0.2 * static_cast<double>(c)}};
    machine.metric.rest_weight = 0.15;
    machine.bias = 0.1 * static_cast<double>(c) - 0.1;
    for (Index row = c; row < 12; row += 1 + c) {
      machine.support.push_back(row);
    }
    machine.coefficients = random.normal_matrix(static_cast<Index>(machine.support.size()), 1).col(0);
    model.classifiers.push_back(machine);
    ClassNovelty novelty;
    novelty.gaussian = {Vector::Constant(d, 0.5 * static_cast<double>(c - 1)),
                        {two_directions(d), Vector{{2, 1}}, 0.5}};
    novelty.tail = fit_tail(Vector::LinSpaced(40, 1, 30));
    model.novelty.push_back(novelty);
  }
  model.softmax_slope = 2.5;
  return model;
}

// The hand-made model with a kernel of profiles of two components, radii 1 and 2.
inline Model profiled_model() {
  Model model = hand_made_model();
  const auto d = static_cast<Index>(model.bands.size());
  ProfileDesign design;
  design.mean = Vector::Constant(d, 0.2);
  design.directions = two_directions(d);
  design.deviations = Vector{{1.4, 1.6}};
  design.radii = {1, 2};
  design.steps = 3;
  const Index q = design.features();
  model.profile = design;
  model.support_spectra.conservativeResize(Eigen::NoChange, d + q);
  model.support_spectra.rightCols(q) = Random(5).normal_matrix(model.support_spectra.rows(), q);
  for (BinaryClassifier& machine : model.classifiers) {
    machine.metric.profile = {q, 0.2, 0.6};
  }
  return model;
}

inline Spectra dense_values() {
  Random random(12);
  return (1.5 * random.normal_matrix(kWidth * kHeight, kBands)).cast<float>();
}

// Values in two far clusters only, one of them with a hole in band 4.
inline Spectra sparse_values() {
  Spectra values = dense_values();
  for (Index pixel = 0; pixel < values.rows(); ++pixel) {
    const Index column = pixel % kWidth;
    const Index row = pixel / kWidth;
    const bool first = column >= 5 && column < 12 && row >= 3 && row < 20;
    const bool second = column >= 50 && row >= 40;
    if (!first && !second) {
      values.row(pixel).setConstant(kNoValue);
    }
    if (first && row == 10) {
      values(pixel, 4) = kNoValue;
    }
  }
  return values;
}

inline MemoryScene scene_of(const Spectra& values) {
  RasterGrid grid;
  grid.width = kWidth;
  grid.height = kHeight;
  BandTable bands;
  for (Index band = 0; band < kBands; ++band) {
    bands.push_back({"", 401.0 + 10.0 * static_cast<double>(band)});
  }
  return {"scene", grid, bands, values};
}

// f_c(x) by the definition, in double precision.
inline Vector oracle(const Model& model, const Spectra& values, Index pixel) {
  const auto d = static_cast<Index>(model.bands.size());
  Vector x(d);
  for (Index i = 0; i < d; ++i) {
    x[i] = (static_cast<double>(values(pixel, model.bands[static_cast<std::size_t>(i)])) - model.scaling.offset[i]) /
           model.scaling.scale[i];
  }
  Vector f(kClasses);
  for (Index c = 0; c < kClasses; ++c) {
    const BinaryClassifier& machine = model.classifiers[static_cast<std::size_t>(c)];
    f[c] = machine.bias;
    for (std::size_t s = 0; s < machine.support.size(); ++s) {
      const Vector difference = x - model.support_spectra.row(machine.support[s]).transpose();
      double distance = machine.metric.rest_weight * difference.squaredNorm();
      for (Index i = 0; i < machine.metric.weights.size(); ++i) {
        distance += (machine.metric.weights[i] - machine.metric.rest_weight) *
                    std::pow(machine.metric.directions.col(i).dot(difference), 2);
      }
      f[c] += machine.coefficients[static_cast<Index>(s)] * std::exp(-0.5 * distance);
    }
  }
  return f;
}

// How unlike each class a pixel is, by the definition; novelty is the least of it.
inline Vector unlikeness_of(const Model& model, const Spectra& values, Index pixel) {
  const Matrix scaled = model.scaling.apply(values(Indices{pixel}, model.bands).cast<double>());
  Vector unlike(kClasses);
  for (Index c = 0; c < kClasses; ++c) {
    const ClassNovelty& one = model.novelty[static_cast<std::size_t>(c)];
    unlike(c) = 1 - tail_probability(one.tail, squared_mahalanobis(one.gaussian, scaled)(0));
  }
  return unlike;
}

struct Outcome {
  std::vector<std::uint16_t> codes;
  Spectra probabilities;
  Spectra confidence;
  Spectra decision_values;
  Spectra novelty;
  Spectra applicability;
  MappingSummary summary;
};

inline Outcome map_of(SceneSource& scene, const Model& model, const MappingOptions& options,
                      const Progress& progress = {}, SegmentSource* segments = nullptr) {
  MemoryClassMapSink map(scene.grid());
  MemoryFieldSink probabilities(scene.grid(), kClasses);
  MemoryFieldSink confidence(scene.grid(), 1);
  MemoryFieldSink decision_values(scene.grid(), kClasses);
  MemoryFieldSink novelty(scene.grid(), 1);
  MemoryFieldSink applicability(scene.grid(), kClasses + 2);
  Outcome outcome;
  const MapOutputs outputs{&map,
                           {{MapLayer::probabilities, &probabilities},
                            {MapLayer::confidence, &confidence},
                            {MapLayer::decision_values, &decision_values},
                            {MapLayer::novelty, &novelty},
                            {MapLayer::applicability, &applicability}}};
  outcome.summary = classify_scene(scene, model, outputs, options, progress, segments);
  CHECK_FALSE(map.closed());
  outcome.codes = map.codes();
  outcome.probabilities = probabilities.values();
  outcome.confidence = confidence.values();
  outcome.decision_values = decision_values.values();
  outcome.novelty = novelty.values();
  outcome.applicability = applicability.values();
  return outcome;
}

// For windows of few pixels beside what regularising keeps.
inline std::int64_t little_memory(const Model& model, int threads) {
  return static_cast<std::int64_t>(Predictor(model).decision_bytes(threads) + Predictor(model).novelty_bytes(threads)) +
         150000;
}

}  // namespace parsimap::test
