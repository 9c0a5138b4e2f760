// Training with the surroundings of pixels: profiles of the labelled pixels, and the test whether they, and neighbours
// in maps, raise the accuracy.
#pragma once

#include <functional>
#include <optional>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/commands/training/train.hpp"
#include "parsimap/spatial/profiled_scene.hpp"
#include "parsimap/spatial/spatial_judgement.hpp"

namespace parsimap {

// ConfigError: spatial options that do not go with the inputs or with the other options. Where surroundings cannot be
// judged, `auto` becomes `none`, which is said to the listener.
void check_spatial_options(TrainOptions& options, Listener& listener);

// The word of --spatial for these options.
std::string spatial_name(const SpatialOptions& spatial);

// The stages of a training on these samples, and about how many seconds they take on a usual processor.
std::vector<PlannedPhase> training_stages(const TrainOptions& options, const LabelledSpectra& samples);

// The training of one scene whose profiles are used or tested.
class SpatialTraining {
 public:
  // The options want profiles; `bands` of the scene are used. Finds the principal components of the scene, which must
  // outlive this. DataError as principal_components() and ProfiledScene.
  SpatialTraining(const TrainOptions& options, SceneSource& scene, const Indices& bands, Listener& listener);

  // The options of a training on samples as they are given.
  using FittedOptions = std::function<TrainingOptions(const SampleSet& samples)>;

  // The model of the steps that are asked for, or that are worth it, which is said to the listener. The samples have
  // profiles afterwards if the model has.
  Model train(SampleSet& samples, TrainingSource source, const FittedOptions& fitted, Listener& listener);

 private:
  void add_profiles(SampleSet& samples, Listener& listener);
  [[nodiscard]] SpatialJudgement judge(const SampleSet& samples, const std::vector<Model>& designs, Listener& listener);

  const TrainOptions& options_;
  SceneSource& scene_;
  Indices bands_;
  std::optional<ProfileDesign> design_;
  std::optional<ProfiledScene> profiled_;
};

}  // namespace parsimap
