#include "parsimap/classifier/model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
std::string to_string(const SpatialSteps& steps) {
  if (steps.profiles) {
    return steps.neighbours ? "profiles and neighbours" : "profiles";
  }
  return steps.neighbours ? "neighbours" : "none";
}

static void require_profiles(const Model& model, const SampleSet& samples) {
  if (samples.profiles.cols() != profile_features(model)) {
    throw DataError("the samples have profiles of " + std::to_string(samples.profiles.cols()) +
                    " features; the model wants " + std::to_string(profile_features(model)));
  }
}

Matrix joined_columns(const Matrix& spectra, const Matrix& profiles) {
  Matrix joined(spectra.rows(), spectra.cols() + profiles.cols());
  joined << spectra, profiles;
  return joined;
}

Index profile_features(const Model& model) {
  return model.classifiers.empty() ? 0 : model.classifiers.front().metric.profile.features;
}

Spectra raw_columns(const Model& model, const SampleSet& samples) {
  if (profile_features(model) == 0) {
    return samples.spectra.cast<float>();
  }
  require_profiles(model, samples);
  return joined_columns(samples.spectra, samples.profiles).cast<float>();
}

Matrix scaled_columns(const Model& model, const SampleSet& samples) {
  Matrix scaled = model.scaling.apply(samples.spectra);
  if (profile_features(model) == 0) {
    return scaled;
  }
  require_profiles(model, samples);
  return joined_columns(scaled, samples.profiles);
}

// The checks of a model. They are applied to models before they are written and after they are read, so that a damaged
// or edited file is refused with the name of the field, and the code that uses a model can rely on shapes, orders and
// signs without checking them again.
static void require(bool holds, const std::string& broken) {
  if (!holds) {
    throw DataError(broken);
  }
}

static std::string shape(Index rows, Index columns) { return std::to_string(rows) + " x " + std::to_string(columns); }

static void require_shape(const std::string& field, Index rows, Index columns, Index wanted_rows,
                          Index wanted_columns) {
  require(rows == wanted_rows && columns == wanted_columns,
          field + " is " + shape(rows, columns) + "; it must be " + shape(wanted_rows, wanted_columns));
}

static void require_size(const std::string& field, Index size, Index wanted) {
  require_shape(field, size, 1, wanted, 1);
}

static void require_finite(const std::string& field, const Eigen::Ref<const Matrix>& values) {
  require(values.allFinite(), field + " holds a value that is not finite");
}

static void require_finite(const std::string& field, double value) {
  require(std::isfinite(value), field + " is " + std::to_string(value) + "; it must be finite");
}

static void require_matrix(const std::string& field, const Eigen::Ref<const Matrix>& values, Index rows,
                           Index columns) {
  require_shape(field, values.rows(), values.cols(), rows, columns);
  require_finite(field, values);
}

// Indices ascend from 0, and are below what `bound` tells of.
static void require_ascending(const std::string& field, const Indices& indices, Index end, const std::string& bound) {
  Index previous = -1;
  for (const Index index : indices) {
    require(index > previous && index < end, field + " index " + std::to_string(index) + " follows " +
                                                 std::to_string(previous) + "; indices must ascend and be below " +
                                                 bound + " (" + std::to_string(end) + ")");
    previous = index;
  }
}

static void require_positive(const std::string& field, double value) {
  require(std::isfinite(value) && value > 0, field + " is " + std::to_string(value) + "; it must be positive");
}

static void check_classes(const ClassTable& classes) {
  require(classes.size() >= 2, "classes has " + std::to_string(classes.size()) + " entries; it must have 2 or more");
  // Codes are stored in maps of 16 bits, with 0 for unclassified pixels; ascending codes are unique.
  int previous = 0;
  std::set<std::string> names;
  for (const ClassEntry& entry : classes) {
    require(entry.code > previous && entry.code <= 65535, "class code " + std::to_string(entry.code) + " follows " +
                                                              std::to_string(previous) +
                                                              "; codes must ascend from 1 to at most 65535");
    require(is_utf8(entry.name), "the name of class " + std::to_string(entry.code) + " is not UTF-8");
    require(names.insert(entry.name).second, "class name '" + entry.name + "' occurs twice");
    previous = entry.code;
  }
}

// Every band of the scene is used or dropped.
static void check_dropped_bands(const Model& model) {
  Index previous = -1;
  for (const DroppedBand& dropped : model.dropped_bands) {
    const bool used = std::binary_search(model.bands.begin(), model.bands.end(), dropped.band);
    require(dropped.band > previous && dropped.band < model.scene_bands && !used,
            "dropped band index " + std::to_string(dropped.band) + " follows " + std::to_string(previous) +
                "; indices must ascend, be below scene_bands (" + std::to_string(model.scene_bands) +
                ") and not be those of bands used");
    previous = dropped.band;
  }
  // Every band of the training scene is either used or dropped, with a reason.
  const auto known = static_cast<Index>(model.bands.size() + model.dropped_bands.size());
  require(known == model.scene_bands, "bands and dropped_bands are " + std::to_string(known) +
                                          " together; they must be the scene's " + std::to_string(model.scene_bands));
}

static void check_bands(const Model& model) {
  const auto used = static_cast<Index>(model.bands.size());
  require(used >= 1, "bands is empty");
  require_ascending("band", model.bands, model.scene_bands, "scene_bands");
  require_size("band_table", std::ssize(model.band_table), used);
  for (const Band& band : model.band_table) {
    require_finite("wavelength of band '" + band.name + "'", band.wavelength.value_or(0));
    require_finite("scale of band '" + band.name + "'", band.scale);
    require_finite("offset of band '" + band.name + "'", band.offset);
  }
  check_dropped_bands(model);
  require_matrix("scaling offset", model.scaling.offset, used, 1);
  require_matrix("scaling scale", model.scaling.scale, used, 1);
  require((model.scaling.scale.array() > 0).all(), "scaling scale holds a value that is not positive");
  if (model.scaling.units.size() > 0) {
    require_matrix("scaling units", model.scaling.units, used, 1);
    require((model.scaling.units.array() > 0).all(), "scaling units holds a value that is not positive");
  }
}

// All classifiers have the same kernel of profiles: that of the features of the model's profile, or none without it.
static void check_profile_term(const ProfileTerm& profile, const Model& model, const std::string& name) {
  const Index features = model.profile ? model.profile->features() : 0;
  require(profile.features == features, name + "profile has " + std::to_string(profile.features) +
                                            " features; it must have " + std::to_string(features));
  if (features == 0) {
    return;
  }
  require_positive(name + "profile weight", profile.weight);
  require(profile.share >= 0 && profile.share <= 1,
          name + "profile share is " + std::to_string(profile.share) + "; it must lie from 0 to 1");
  require(profile == model.classifiers.front().metric.profile,
          name + "profile is not that of the first classifier; all must have the same");
}

// Predictors find the support vectors of a tile by binary search, which needs ascending indices.
static void check_support(const Indices& support, const Model& model, const std::string& name) {
  require_ascending(name + "support", support, model.support_spectra.rows(), "the number of support spectra");
}

static void check_classifier(const BinaryClassifier& classifier, const Model& model, const std::string& name) {
  const auto bands = static_cast<Index>(model.bands.size());
  check_profile_term(classifier.metric.profile, model, name);
  require(classifier.samples >= 0, name + "samples is negative");
  require_matrix(name + "directions", classifier.metric.directions, bands, classifier.metric.weights.size());
  require_finite(name + "weights", classifier.metric.weights);
  require((classifier.metric.weights.array() > 0).all(), name + "weights holds a value that is not positive");
  require(std::isfinite(classifier.metric.rest_weight) && classifier.metric.rest_weight >= 0,
          name + "rest_weight is " + std::to_string(classifier.metric.rest_weight) + "; it must not be negative");
  require_positive(name + "C", classifier.C);
  require_finite(name + "bias", classifier.bias);
  require_matrix(name + "coefficients", classifier.coefficients, std::ssize(classifier.support), 1);
  check_support(classifier.support, model, name);
}

static void check_early_stages(const EarlyStages& early, const Model& model) {
  const auto classes = static_cast<Index>(model.classes.size());
  const Index coordinates = early.directions.cols();
  require(coordinates > 0, "early_stages directions has no columns");
  require(!early.stages.empty(), "early_stages has no stages");
  require_matrix("early_stages directions", early.directions, model.support_spectra.cols(), coordinates);
  for (const EarlyStage& stage : early.stages) {
    const std::string name = "early_stages ";
    check_support(stage.support, model, name);
    require_matrix(name + "coefficients", stage.coefficients, std::ssize(stage.support) + coordinates + 1, classes);
    require_matrix(name + "leads", stage.leads, classes, 1);
    require((stage.leads.array() >= 0).all(), name + "leads holds a negative value");
  }
}

static bool ascends_from_above_zero(const Vector& values) {
  double previous = 0;
  for (const double value : values) {
    if (!(std::isfinite(value) && value > previous)) {
      return false;
    }
    previous = value;
  }
  return true;
}

static void check_novelty(const ClassNovelty& novelty, Index bands, const std::string& name) {
  const SubspaceModel& subspace = novelty.gaussian.subspace;
  const TailTable& tail = novelty.tail;
  require_matrix(name + "mean", novelty.gaussian.mean, bands, 1);
  require_matrix(name + "directions", subspace.directions, bands, subspace.variances.size());
  require_finite(name + "variances", subspace.variances);
  require((subspace.variances.array() > 0).all(), name + "variances holds a value that is not positive");
  require_positive(name + "noise_variance", subspace.noise_variance);
  require(tail.values.size() > 0, name + "distances is empty");
  require(ascends_from_above_zero(tail.values), name + "distances must be finite and ascend from above 0");
  require_size(name + "tail_probabilities", tail.probabilities.size(), tail.values.size());
  require(ascends_from_above_zero(tail.probabilities.reverse()) && tail.probabilities(0) < 1,
          name + "tail_probabilities must descend from below 1 to above 0");
  require_positive(name + "tail_exponent", tail.exponent);
  if (novelty.samples.size() > 0) {
    require_matrix(name + "samples", novelty.samples, novelty.samples.rows(), bands);
    require(std::isfinite(novelty.radius) && novelty.radius >= 0, name + "radius must be finite and not below 0");
  }
}

static void check_counts(const std::string& name, const CountMatrix& counts, Index classes) {
  require_shape(name, counts.rows(), counts.cols(), classes, classes);
  // Below 2^40, sums of any realistic number of counts stay within 64 bits.
  require(counts.minCoeff() >= 0 && counts.maxCoeff() < std::int64_t{1} << 40U,
          name + " holds a number that is no count of pixels");
}

static void check_left_out(const LeftOutScores& left_out, Index classes) {
  require(left_out.accuracy >= 0 && left_out.accuracy <= 1,
          "left_out accuracy is " + std::to_string(left_out.accuracy) + "; it must lie from 0 to 1");
  require_size("left_out by_region", std::ssize(left_out.by_region), classes);
  if (const auto& balanced = left_out.balanced) {
    for (const double accuracy : {balanced->average_accuracy, balanced->overall_accuracy, balanced->average_without,
                                  balanced->overall_without}) {
      require(accuracy >= 0 && accuracy <= 1,
              "left-out accuracy with class weights is " + std::to_string(accuracy) + "; it must lie from 0 to 1");
    }
  }
  if (left_out.confusion) {
    check_counts("left_out confusion", *left_out.confusion, classes);
  }
  if (left_out.map_shares.size() > 0) {
    require_size("left_out map_shares", left_out.map_shares.size(), classes);
    require((left_out.map_shares.array() >= 0).all() && left_out.map_shares.sum() < 1.001,
            "left_out map_shares must be shares of one whole");
  }
}

constexpr std::int64_t kLongestRun = 65536;

static void check_trained(const TrainedScene& scene) {
  const std::int64_t pixels = scene.width > 0 && scene.height > 0 ? std::int64_t{scene.width} * scene.height : 0;
  std::int64_t next = 0;
  for (const std::int64_t run : scene.runs) {
    const std::int64_t first = run / kLongestRun;
    require(run >= 0 && first >= next && first + run % kLongestRun < pixels,
            "trained pixels of " + scene.path + " are not ascending pixels of the scene");
    next = first + run % kLongestRun + 1;
  }
}

static void check_validation(const Validation& validation, Index classes) {
  require(!validation.results.empty(), "validation results is empty");
  for (std::size_t i = 0; i < validation.results.size(); ++i) {
    check_counts("confusion of validation result " + std::to_string(i + 1), validation.results[i].confusion, classes);
  }
}

static void check_origins(const SupportOrigins& origins, const Model& model) {
  const Index features = origins.features();
  const auto within = [](const Indices& indices, Index end) {
    return std::ranges::all_of(indices, [&](Index i) { return i >= 0 && i < end; });
  };
  require(features > 0 && std::ssize(origins.file) == features && std::ssize(origins.part) == features &&
              std::ssize(origins.label) == features && origins.support.size() == origins.origin.size() &&
              std::ssize(origins.support) == origins.share.size(),
          "origins has lists of different lengths, or no feature");
  require(within(origins.file, std::ssize(origins.files)) && within(origins.label, std::ssize(model.classes)) &&
              within(origins.origin, features) && within(origins.support, model.support_spectra.rows()),
          "origins has an index that is out of range");
  Vector sums = Vector::Zero(model.support_spectra.rows());
  for (std::size_t i = 0; i < origins.support.size(); ++i) {
    sums(origins.support[i]) += origins.share(static_cast<Index>(i));
  }
  constexpr double kRounding = 1e-9;
  require(std::ranges::is_sorted(origins.support) && (origins.share.array() > 0).all() &&
              ((sums.array() - 1).abs() < kRounding).all(),
          "origins must have shares above 0, whose sum is 1 for each support spectrum");
}

static void check_own_probabilities(const std::vector<OwnProbabilities>& classes, std::size_t expected) {
  require(classes.size() == expected, "own_probabilities must have an entry for each class");
  for (const OwnProbabilities& own : classes) {
    const auto size = std::ssize(own.units);
    require(own.probabilities.size() == size, "own_probabilities has lists of different lengths");
    require(own.probabilities.allFinite() &&
                std::is_sorted(own.probabilities.begin(), own.probabilities.end(), std::greater<>()) &&
                std::ranges::all_of(own.units, [&](Index unit) { return unit >= 0 && unit < size; }),
            "own_probabilities must descend, of units with numbers below the number of samples");
  }
}

void check_model(const Model& model) {
  check_classes(model.classes);
  check_bands(model);
  const auto bands = static_cast<Index>(model.bands.size());
  if (model.profile) {
    check_profile_design(*model.profile, bands);
  }
  require_matrix("support_spectra", model.support_spectra, model.support_spectra.rows(),
                 bands + (model.profile ? model.profile->features() : 0));
  require_size("machines", std::ssize(model.classifiers), std::ssize(model.classes));
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    check_classifier(model.classifiers[c], model, "classifier '" + model.classes[c].name + "': ");
  }
  require_size("novelty", std::ssize(model.novelty), std::ssize(model.classes));
  for (std::size_t c = 0; c < model.novelty.size(); ++c) {
    check_novelty(model.novelty[c], bands, "novelty of '" + model.classes[c].name + "': ");
  }
  if (model.combination.size() > 0) {
    const auto classes = static_cast<Index>(model.classes.size());
    require_matrix("combination", model.combination, classes, classes);
  }
  require_positive("softmax_slope", model.softmax_slope);
  if (!model.own_probabilities.empty()) {
    check_own_probabilities(model.own_probabilities, model.classes.size());
  }
  if (model.early_stages) {
    check_early_stages(*model.early_stages, model);
  }
  if (model.origins) {
    check_origins(*model.origins, model);
  }
  require_finite("shape blend", model.shape.blend);
  require_finite("shape damping", model.shape.damping);
  for (const ShapeScore& score : model.scan) {
    require_finite("scan", Vector{{score.shape.blend, score.shape.damping, score.point.width, score.point.C, score.risk,
                                   score.gain, score.gain_error}});
  }
  if (const auto& score = model.profile_score) {
    require_finite("profile_score", Vector{{score->point.width, score->point.C, score->point.share,
                                            score->point.profile_weight, score->width, score->risk, score->gain,
                                            score->gain_error, score->accuracy, score->spectra_accuracy}});
  }
  check_left_out(model.provenance.left_out, static_cast<Index>(model.classes.size()));
  if (const auto& expected = model.provenance.expected) {
    require_size("expected classes", std::ssize(expected->classes), std::ssize(model.classes));
    require(
        std::ranges::all_of(expected->problem_classes, [&](int c) { return c >= 0 && c < std::ssize(model.classes); }),
        "expected problem_classes holds a number that is no class");
  }
  if (model.spatial) {
    require(std::isfinite(model.spatial->exponent) && model.spatial->exponent > 0,
            "the exponent of probabilities is " + std::to_string(model.spatial->exponent) + "; it must be above 0");
  }
  std::for_each(model.provenance.trained.begin(), model.provenance.trained.end(), check_trained);
  if (model.provenance.validation) {
    check_validation(*model.provenance.validation, static_cast<Index>(model.classes.size()));
  }
}

Indices pixel_runs(const std::vector<std::int64_t>& pixels) {
  Indices runs;
  for (std::size_t i = 0; i < pixels.size();) {
    std::int64_t length = 1;
    while (length < kLongestRun && i + length < pixels.size() && pixels[i + length] == pixels[i] + length) {
      ++length;
    }
    runs.push_back(pixels[i] * kLongestRun + length - 1);
    i += length;
  }
  return runs;
}

std::vector<std::int64_t> pixels_of_runs(const Indices& runs) {
  std::vector<std::int64_t> pixels;
  for (const std::int64_t run : runs) {
    for (std::int64_t i = 0; i <= run % kLongestRun; ++i) {
      pixels.push_back(run / kLongestRun + i);
    }
  }
  return pixels;
}

ClassifierDesign design_of(const Model& model, std::optional<DimensionRule> dimension) {
  ClassifierDesign design;
  design.combination = model.combination;
  design.class_weights = model.class_weights;
  design.dimension = dimension;
  for (const BinaryClassifier& classifier : model.classifiers) {
    design.learnt.push_back(classifier.metric);
    design.C.push_back(classifier.C);
  }
  // The width goes with the shape that selection has chosen; with profiles it is the one that was chosen together
  // with them.
  for (const ShapeScore& score : model.scan) {
    if (score.shape == model.shape) {
      design.shape = model.shape;
      design.width =
          profile_features(model) > 0 && model.profile_score ? model.profile_score->point.width : score.point.width;
    }
  }
  return design;
}

}  // namespace parsimap
