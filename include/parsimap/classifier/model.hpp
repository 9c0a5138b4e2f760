// A trained classifier: everything that classifying a scene needs, and where it came from.
//
// A model has one binary classifier for each class against the rest, the support spectra that they share, and how
// unlikely a spectrum is under every class. Spectra are scaled before anything else. check_model() says what a model
// must hold.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/classifier/support_origins.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/morphology/extended_profile.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/selection/metric_selection.hpp"
#include "parsimap/validation/expected_accuracy.hpp"
#include "parsimap/validation/folds.hpp"
#include "parsimap/validation/left_out_evaluation.hpp"
#include "parsimap/validation/prediction_sets.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"
#include "parsimap/validation/unit_design.hpp"

namespace parsimap {

// How often a positive quantity is as large as a given value, learnt from a sample of it.
//
// Between quantiles of the sample the probability is interpolated; beyond the last of them it falls like a power of the
// value, whose exponent is Hill's estimate from the largest values (Hill 1975), so that two values beyond the sample
// still differ.
struct TailTable {
  Vector values;         // ascending, > 0
  Vector probabilities;  // of a value at least as large, descending, in (0, 1); as many as values
  double exponent = 1;   // beyond the last: p = p_last (value_last / value)^exponent, > 0
};

// From n >= 2 values >= 0. The j-th smallest is taken to be reached with probability (n + 1 - j) / (n + 1). The upper
// tenth of the sample, but at least its ten largest values or half of it, gives the exponent.
TailTable fit_tail(Vector sample);

// In [0, 1], 1 at a value of 0; it never grows with the value. NaN, as a distance becomes that overflows on its way,
// counts as infinite: 0.
double tail_probability(const TailTable& table, double value);

// Which steps of a classification look at what lies around a pixel, and what they were found to be worth.
struct SpatialSteps {
  bool profiles = false;    // a second kernel of morphological profiles (kernel/kernel.hpp)
  bool neighbours = false;  // probabilities are regularised by neighbours (spatial/regularisation.hpp)
  bool operator==(const SpatialSteps&) const = default;
};

// "none", "profiles", "neighbours" or "profiles and neighbours".
std::string to_string(const SpatialSteps& steps);

// Steps that were tried on left-out samples.
struct SpatialScore {
  SpatialSteps steps;
  SpatialSteps over;      // those that were kept before
  double accuracy = 0;    // fraction of the left-out samples that was right
  double gain = 0;        // accuracy less that of `over`, on the same samples
  double gain_error = 0;  // its standard error, over units
  double risk_gain = 0;   // mean risk of `over` less this one's, likewise; 0 in models of earlier versions
  double risk_error = 0;  // its standard error
};

struct SpatialRecord {
  std::string asked;  // "auto", "profiles" or "neighbours"
  SpatialSteps steps;
  std::vector<SpatialScore> scores = {};  // the simplest first, over itself; empty where nothing was tested
  Index samples = 0;                      // that were left out in turn
  Index units = 0;                        // that were left out as wholes
  int strongest = 4;                      // strength that neighbours may have in a map (spatial/regularisation.hpp)
  double buffer = 0;                      // pixels; of models of earlier versions, which left out a buffer around them
  std::string reason = {};                // why nothing was tested, where that was asked for
  std::string rule = {};                  // of neighbours in maps, as judged; empty: chosen from the scene of the map
  double exponent = 1;                    // t of the probabilities p^t / sum p^t after this rule, > 0
};

// How unlikely spectra are under one class.
struct ClassNovelty {
  ClassGaussian gaussian;  // in scaled features
  TailTable tail;          // of the distances of the class's own spectra, see ClassDistance
  Matrix samples = {};     // s x d, some of the class, scaled; none of small classes and in models of earlier versions
  double radius = 0;       // squared distance within which 95 % of the class's spectra have one of the samples
};

// What a validation by folds has found.
struct ValidationFold {
  Index repeat = 0;           // from 0
  Index number = 0;           // in its repeat, from 0
  Index training_pixels = 0;  // what the fold was trained on
  Index buffered_pixels = 0;  // left out of training: too near to a test pixel
  Index untested_pixels = 0;  // left out of the test: of a class with too few training pixels in this fold
  CountMatrix confusion;      // K x K, rows are reference classes, columns are predicted ones
};

struct Validation : FoldDesign {
  Index groups = 0;                          // that stayed together
  std::vector<ValidationFold> results = {};  // of the folds that could be trained and tested, by repeat and number

  // The sum of the folds' matrices, K x K; a pixel counts once in every repeat. `results` must not be empty.
  [[nodiscard]] CountMatrix pooled() const;
};

// How the hyperparameters of one classifier were found.
struct SelectionRecord {
  std::string criterion;           // "leave-one-out" or "radius-margin"
  double value = 0;                // at the selected parameters
  Index evaluations = 0;           // of criterion and gradient, or classifiers trained for a choice that classes share
  std::string stop_reason;         // of the search
  std::vector<double> trace = {};  // of the criterion along the last descent
};

// One class against the rest: f(x) = bias + sum_i coefficients_i k(x, support_i), in scaled features.
struct BinaryClassifier {
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
  std::int64_t bytes = 0;   // 0 where the size is unknown
  std::string sha256 = {};  // of label files, where they are plain files
};

// The pixels of a scene that a model was trained on.
struct TrainedScene {
  std::string path;
  Index width = 0;
  Index height = 0;
  std::optional<std::array<double, 6>> geotransform;  // and CRS, as RasterGrid has them
  std::string crs;
  Indices runs;  // as pixel_runs() makes them
};

// Pixels (row * width + column, ascending) as runs of neighbours, each first * 65536 + length - 1; and back.
Indices pixel_runs(const std::vector<std::int64_t>& pixels);
std::vector<std::int64_t> pixels_of_runs(const Indices& runs);

struct Provenance {
  std::string program_version;
  std::vector<std::pair<std::string, std::string>> options;  // resolved, name and value
  std::uint64_t seed = 0;
  std::vector<InputFile> inputs;
  Index training_pixels = 0;
  LeftOutScores left_out;                     // training pixels, each evaluated without its region
  std::optional<Validation> validation = {};  // by folds, of the same training
  std::vector<TrainedScene> trained = {};     // empty without a scene, and in models of earlier versions
  std::optional<UnitDesign> units = {};       // what was left out together; unset where the samples have no positions
  std::optional<ExpectedAccuracy> expected = {};  // of a map; unset in models of earlier versions
};

// An approximation of the decision values by kernel values of some support spectra, which all classes share, in a few
// coordinates (classifier/early_stages.hpp). Pixels whose two largest values differ by more than the lead of their
// class are decided by it.
struct EarlyStage {
  Indices support;      // s rows of the support spectra, ascending
  Matrix coefficients;  // (s + r + 1) x K, of exp(-1/2 |a - a_j|^2), of the coordinates a and of 1
  Vector leads;         // K
  double decided = 0;   // share of the pixels compared that this stage or one before decides
};

// What a map tries before all support spectra.
struct EarlyStages {
  Matrix directions;  // (d + q) x r, of scaled spectra and their profiles
  std::vector<EarlyStage> stages;
  Index pixels = 0;            // without labels, on which the stages were compared with all support spectra
  bool probabilities = false;  // whether not only the labels of decided pixels were compared, for maps with neighbours
};

struct Model {
  ClassTable classes;  // K, one classifier each
  KernelFamily family = KernelFamily::hdda;
  Index scene_bands = 0;                      // number of bands of the training scene
  std::vector<Index> bands;                   // d, indices from 0 of the bands used, ascending
  BandTable band_table;                       // d, what the training scene knew of the bands used
  std::vector<DroppedBand> dropped_bands;     // the others of the training scene, ascending
  std::optional<ProfileDesign> profile = {};  // of the bands used; spectra are followed by its features
  ScalingRule scaling_rule = ScalingRule::global;
  ClassWeights class_weights = ClassWeights::none;  // not automatic
  Scaling scaling;                                  // d
  Matrix support_spectra;  // m x (d + q) scaled spectra and their profiles, shared by all classifiers
  std::vector<BinaryClassifier> classifiers;  // K
  std::vector<ClassNovelty> novelty;          // K, how unlikely a spectrum is under every class
  Matrix combination = {};   // M, K x K, of the values g = M f of which the largest is the label, or empty
  double softmax_slope = 1;  // a of the probabilities softmax(a g(x)), > 0
  // K, of left-out samples, for prediction sets; empty in models of earlier versions.
  std::vector<OwnProbabilities> own_probabilities = {};
  std::optional<EarlyStages> early_stages = {};
  // Unset in models of earlier versions, with centres, and of samples without regions.
  std::optional<SupportOrigins> origins = {};
  MetricShape shape;             // of the metric, where all classes share one
  std::vector<ShapeScore> scan;  // the metrics compared, the chosen one included; empty where there was no scan
  // What a kernel of profiles was worth, where the samples had profiles: kept or not.
  std::optional<ProfileScore> profile_score = {};
  std::optional<SpatialRecord> spatial = {};  // where training was asked to look at what lies around pixels
  // Of the training samples; unset in models of earlier versions, which do not tell fill from data.
  std::optional<ValueRange> value_range = {};
  Provenance provenance;
};

// Checks a model that is to be written or was read. DataError with the field, its value and the rule: K >= 2 classes
// with ascending codes in 1 .. 65535 and distinct names; ascending bands inside the scene, used or dropped; one
// classifier per class; shapes that fit together; the same kernel of profiles in all classifiers, of the features of
// `profile`, or none without it; support indices ascending and in range; everything that decision values depend on
// finite; scale, weights, C and softmax slope positive; K x K counts of left-out pixels, where there are any, and in
// every result of a validation, of which there is one at least. Values that are only reported (criterion value, KKT
// violation, accuracy) may be anything.
void check_model(const Model& model);

// Samples as the classifiers of a model see them: a row of the bands, followed by the features of the profile where the
// classifiers have a kernel of profiles.

// [spectra | profiles], n x (d + q).
Matrix joined_columns(const Matrix& spectra, const Matrix& profiles);

// q: how many features the classifiers of a model want behind the bands. 0 without a kernel of profiles.
Index profile_features(const Model& model);

// Of samples that have the bands of the model, and profiles where it wants them: what Predictor takes, and the
// same scaled, what kernels take. Profiles that it does not want are left out; DataError where it wants others.
Spectra raw_columns(const Model& model, const SampleSet& samples);
Matrix scaled_columns(const Model& model, const SampleSet& samples);

// What stays when the classifiers are trained anew on other samples. With a rule classes have as many directions as it
// finds in their samples, as in training; without one as many as in the model.
ClassifierDesign design_of(const Model& model, std::optional<DimensionRule> dimension = {});

}  // namespace parsimap
