#include "spatial_training.hpp"

#include <cmath>
#include <sstream>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/spatial/principal_components.hpp"

#include "../job_frame.hpp"
#include "train_options.hpp"

namespace parsimap {

constexpr std::size_t kMostRadii = 8;
constexpr double kLargestRadius = 32;  // pixels

[[noreturn]] static void refuse(const std::string& text, const std::string& rule) {
  throw ConfigError("radii '" + text + "' are not known: " + rule + ", as in 1,4,8 (pixels) or 30m,60m (metres)");
}

static bool is_metres(const std::string& word) { return !word.empty() && word.back() == 'm'; }

std::vector<PlannedPhase> training_stages(const TrainOptions& options, const LabelledSpectra& samples) {
  const TrainingSeconds expected = training_seconds(samples, options.training);
  const double seconds = expected.design + expected.fit;
  std::vector<PlannedPhase> stages = {{"training", seconds}};
  if (options.spatial.automatic()) {
    stages = {{"reading profiles", 0.02 * seconds},
              {"training", 1.3 * expected.design},
              {"testing spatial steps", 0.1 * seconds},
              {"fitting", expected.fit}};
  }
  if (const auto design = fold_design(options)) {
    const PlannedPhase validation{"validating", static_cast<double>(design->repeats * design->folds) * seconds};
    stages.insert(options.spatial.wants_profiles() ? stages.end() : stages.begin(), validation);
  }
  return stages;
}

static const Names<SpatialRule> kSpatialRules = {{SpatialRule::none, "none"},
                                                 {SpatialRule::automatic, "auto"},
                                                 {SpatialRule::profiles, "profiles"},
                                                 {SpatialRule::neighbours, "neighbours"}};

SpatialRule parse_spatial_rule(const std::string& text) {
  for (const auto& [rule, name] : kSpatialRules) {
    if (text == name) {
      return rule;
    }
  }
  throw ConfigError("spatial rule '" + text +
                    "' is unknown; it must be auto, none, profiles, neighbours, always or always+neighbours");
}

std::string to_string(SpatialRule rule) { return name_among(rule, kSpatialRules); }

std::string spatial_name(const SpatialOptions& spatial) {
  const bool neighbours = spatial.rule() == SpatialRule::neighbours;
  return !spatial.always() || spatial.automatic() ? to_string(spatial.rule())
         : neighbours                             ? "always+neighbours"
                                                  : "always";
}

ProfileRadii parse_profile_radii(const std::string& text) {
  ProfileRadii radii{{}, is_metres(text)};
  std::istringstream words(text + ",");
  for (std::string word; std::getline(words, word, ',');) {
    if (is_metres(word) != radii.metres) {
      refuse(text, "all must be in pixels, or all in metres");
    }
    const auto value = parse_number<double>(radii.metres ? word.substr(0, word.size() - 1) : word);
    // Radii must ascend strictly, because the features are ordered by them. In pixels they are whole numbers up to 32:
    // the cost of an opening and the margin of a block grow with the radius.
    if (!value || !std::isfinite(*value) || *value <= (radii.values.empty() ? 0 : radii.values.back())) {
      refuse(text, "they must be numbers above 0 that ascend");
    }
    if (!radii.metres && (*value > kLargestRadius || *value != std::floor(*value))) {
      refuse(text, "in pixels they must be whole numbers of at most 32");
    }
    radii.values.push_back(*value);
  }
  if (radii.values.size() > kMostRadii) {
    refuse(text, "there may be eight at most");
  }
  return radii;
}

std::string to_string(const ProfileRadii& radii) {
  return separated(radii.values, ",", [&](double radius) { return number_text(radius) + (radii.metres ? "m" : ""); });
}

// Components of a scene, and geodesic steps of a reconstruction: more of either gained nothing on fields, crowns and
// roofs (docs/method.md, "Morphological profiles").
constexpr Index kComponents = 3;
constexpr Index kSteps = 16;
// Probabilities of a model with profiles already contain information from neighbouring pixels: if nothing was tested,
// maps use neighbours with strength 1 only.
constexpr int kStrongestWithProfiles = 1;

// Why what lies around the training pixels cannot be used, to follow the option that asks for it; empty if it can.
static std::string obstacle_to_profiles(const TrainOptions& options) {
  if (!options.further_scenes.empty() || !options.library.files.empty()) {
    return "looks at what lies around the training pixels in one scene; it does not go with " +
           std::string(options.library.files.empty() ? "several scenes" : "--library");
  }
  if (options.training.criterion == CriterionKind::radius_margin) {
    return "does not go with the criterion radius-margin, which knows spectra alone";
  }
  return {};
}

void check_spatial_options(TrainOptions& options, Listener& listener) {
  SpatialOptions& spatial = options.spatial;
  const std::string obstacle = spatial.wants_profiles() ? obstacle_to_profiles(options) : std::string();
  if (!obstacle.empty() && spatial.automatic() && !spatial.always()) {
    if (!options.scene.path.empty()) {
      listener.message("the surroundings of pixels are not used, because --spatial auto " + obstacle);
    }
    spatial.asked = SpatialRule::none;
  } else if (!obstacle.empty()) {
    throw ConfigError("--spatial " + spatial_name(spatial) + " " + obstacle);
  }
  if (spatial.always() && options.training.family != KernelFamily::hdda) {
    throw ConfigError("profiles without a test (--spatial always) go with --kernel hdda only");
  }
  if (spatial.radii && !spatial.wants_profiles()) {
    throw ConfigError(
        "--radii belongs to profiles, which --spatial auto (with one scene), profiles, always or always+neighbours ask "
        "for");
  }
}

SpatialTraining::SpatialTraining(const TrainOptions& options, SceneSource& scene, const Indices& bands,
                                 Listener& listener)
    : options_(options), scene_(scene), bands_(bands) {
  if (!options.spatial.wants_profiles()) {
    return;
  }
  const ProfileRadii radii = options.spatial.radii.value_or(ProfileRadii());
  const std::optional<double> metres = radii.metres ? pixel_metres(scene.grid()) : std::nullopt;
  listener.message("finding the principal components of the scene");
  // The components are computed from pixels of the whole scene, labelled or not, and stored in the model: another scene
  // is projected on the same directions (docs/method.md, "Morphological profiles").
  PrincipalComponents components;
  try {
    components = principal_components(scene, bands, kComponents);
  } catch (const DataError& error) {
    if (!options.spatial.automatic() || options.spatial.always()) {
      throw;
    }
    listener.message(std::string("profiles are not tried: ") + error.what());
    return;
  }
  design_ = ProfileDesign{std::move(components.mean),
                          std::move(components.directions),
                          std::move(components.deviations),
                          radii.values,
                          radii.metres,
                          kSteps};
  // A mask decides which pixels are trained on, and not what lies around them.
  profiled_.emplace(whole_scene(scene), bands, *design_, metres, work_bytes(options), options.training.threads);
}

void SpatialTraining::add_profiles(SampleSet& samples, Listener& listener) {
  LabelledPixels places;
  places.classes = samples.classes;
  for (std::size_t i = 0; i < samples.places.size(); ++i) {
    places.pixels.push_back({samples.places[i].pixel, samples.labels[i], 0});
  }
  const Indices features = consecutive(profiled_->features(), profiled_->first_feature());
  // ProfiledScene returns the features as further bands. Reading them at the training pixels computes the profiles of
  // the windows around these pixels only, not of the complete scene.
  samples.profiles = extract_samples_of_bands(*profiled_, places, features, work_bytes(options_),
                                              listener.progress("reading profiles"))
                         .samples.spectra;
}

Model SpatialTraining::train(SampleSet& samples, TrainingSource source, const FittedOptions& fitted,
                             Listener& listener) {
  const SpatialOptions& spatial = options_.spatial;
  const bool automatic = spatial.automatic();
  if (profiled_) {
    add_profiles(samples, listener);
    source.profile = design_;
  }
  ClassTrainer trainer(samples, fitted(samples));
  // With --spatial auto the choices with spectra alone and with profiles are compared, unless the user wants profiles
  // in any case. The test on left-out pixels compares them, with and without neighbours (docs/method.md, "Spatial
  // steps"). If left-out samples have already rejected the kernel of profiles, there is only one to be tested.
  std::vector<Model> designs =
      design_models(trainer, source, automatic && !spatial.always(), listener.progress("training"));
  SpatialJudgement judgement;
  SpatialRecord& record = judgement.record;
  if (automatic) {
    judgement = judge(samples, designs, listener);
  } else {
    record.steps = {designs.back().profile.has_value(), spatial.rule() == SpatialRule::neighbours};
    record.strongest = record.steps.profiles ? kStrongestWithProfiles : kStrongestNeighbours;
    if (spatial.always() && !record.steps.profiles) {
      record.reason = "the profiles of all training pixels are equal";
    }
  }
  record.asked = spatial_name(spatial);
  Model chosen = fit_model(std::move(record.steps.profiles ? designs.back() : designs.front()), trainer,
                           listener.progress("fitting"));
  if (!chosen.profile) {
    samples.profiles.resize(samples.size(), 0);
  }
  chosen.spatial = std::move(record);
  if (judgement.left_out) {
    // The accuracy that a map with neighbours has, in the place of that of the classifier.
    LeftOutScores& left_out = chosen.provenance.left_out;
    judgement.left_out->by_region = std::move(left_out.by_region);
    judgement.left_out->balanced = left_out.balanced;
    left_out = std::move(*judgement.left_out);
  }
  const SpatialRecord& kept = *chosen.spatial;
  listener.message("Surroundings of pixels: " + to_string(kept.steps) +
                   (kept.rule.empty() ? "" : " (" + kept.rule + ")"));
  return chosen;
}

SpatialJudgement SpatialTraining::judge(const SampleSet& samples, const std::vector<Model>& designs,
                                        Listener& listener) {
  const TrainingOptions& training = options_.training;
  const SpatialJudgementOptions judgement = {training.dimension, training.seed, training.threads,
                                             listener.progress("testing spatial steps")};
  const bool with_features = designs.back().profile.has_value();
  SceneSource& scene = with_features ? static_cast<SceneSource&>(*profiled_) : whole_scene(scene_);
  return judge_spatial_steps(scene, with_features ? profiled_->with_features(bands_) : bands_, samples, designs,
                             spatial_rules(), judgement);
}

}  // namespace parsimap
