// A trained classifier: everything that classifying a scene needs, and where it came from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/classifier/class_novelty.hpp"
#include "parsimap/classifier/spatial_record.hpp"
#include "parsimap/classifier/validation.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/kernel/class_metric.hpp"
#include "parsimap/morphology/profile_design.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/selection/metric_selection.hpp"

namespace parsimap {

// How the hyperparameters of one machine were found.
struct SelectionRecord {
  std::string criterion;           // "leave-one-out" or "radius-margin"
  double value = 0;                // at the selected parameters
  Index evaluations = 0;           // of criterion and gradient, or machines trained for a choice that classes share
  std::string stop_reason;         // of the search
  std::vector<double> trace = {};  // of the criterion along the last descent
};

// One class against the rest: f(x) = bias + sum_i coefficients_i k(x, support_i), in scaled features.
struct BinaryMachine {
  Index samples = 0;  // training samples of the class
  // Labelled regions that they come from. Unset in models of a version that did not count them.
  std::optional<Index> regions = {};
  ClassMetric metric;  // of the kernel k
  double C = 0;        // L2-SVM penalty, the mean of those of the samples
  double bias = 0;
  std::vector<Index> support;  // rows of Model::support_spectra, ascending
  Vector coefficients;         // y_i alpha_i, or those of few centres; as many as support
  double kkt_violation = 0;    // of the final fit
  std::string solver_stop;     // stop reason of the final fit
  SelectionRecord selection;
};

struct InputFile {
  std::string path;
  std::int64_t bytes = 0;  // 0 where the size is unknown
};

struct Provenance {
  std::string program_version;
  std::vector<std::pair<std::string, std::string>> options;  // resolved, name and value
  std::uint64_t seed = 0;
  std::vector<InputFile> inputs;
  Index training_pixels = 0;
  LeftOutScores left_out;                     // training pixels, each judged without its region
  std::optional<Validation> validation = {};  // by folds, of the same training
};

// What it took to have fewer support spectra than exact machines (selection/reduced_support.hpp).
struct SupportReduction {
  Index exact_spectra = 0;    // that supported any exact machine
  Index exact_kernels = 0;    // support vectors of all exact machines together
  double penalty_factor = 1;  // C of the machines on few centres over BinaryMachine::C, which is that of exact ones
  double loss = 0;            // how much more of the left-out samples exact machines had right, a fraction
  double loss_error = 0;      // its standard error
  Index samples = 0;          // that were left out in turn
  double exact_slope = 1;     // of the probabilities of exact machines
};

struct Model {
  ClassTable classes;  // K, one machine each
  KernelFamily family = KernelFamily::hdda;
  Index scene_bands = 0;                      // number of bands of the training scene
  std::vector<Index> bands;                   // d, indices from 0 of the bands used, ascending
  BandTable band_table;                       // d, what the training scene knew of the bands used
  std::vector<DroppedBand> dropped_bands;     // the others of the training scene, ascending
  std::optional<ProfileDesign> profile = {};  // of the bands used; spectra are followed by its features
  ScalingRule scaling_rule = ScalingRule::global;
  Scaling scaling;                      // d
  Matrix support_spectra;               // m x (d + q) scaled spectra and their profiles, shared by all machines
  std::vector<BinaryMachine> machines;  // K
  std::vector<ClassNovelty> novelty;    // K, how unlikely a spectrum is under every class
  double softmax_slope = 1;             // a of the probabilities softmax(a f(x)), > 0
  std::optional<SupportReduction> reduction = {};
  MetricShape shape;             // of the metric, where all classes share one
  std::vector<ShapeScore> scan;  // the metrics compared, the chosen one included; empty where there was no scan
  // What a kernel of profiles was worth, where the samples had profiles: kept or not.
  std::optional<ProfileScore> profile_score = {};
  std::optional<SpatialRecord> spatial = {};  // where training was asked to look at what lies around pixels
  Provenance provenance;
};

// a of the probabilities of exact machines with the metrics and penalties of the model's.
inline double exact_softmax_slope(const Model& model) {
  return model.reduction ? model.reduction->exact_slope : model.softmax_slope;
}

// What every model obeys, one that is to be written and one that was read. DataError with the field, its value and the
// rule: K >= 2 classes with ascending codes in 1 .. 65535 and distinct names; ascending bands inside the scene, used or
// dropped; one machine per class; shapes that fit together; the
// same kernel of profiles in all machines, of the features of `profile`, or none without it; support indices ascending
// and in range; everything that decision values depend on finite; scale, weights, C and softmax slope positive; K x K
// counts of left-out pixels, where there are any, and in every result of a validation, of which there is one at least.
// What only reports (criterion value, KKT violation, accuracy) may be anything.
void check_model(const Model& model);

}  // namespace parsimap
