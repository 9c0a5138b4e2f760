// What follows from the options of a training before its scenes are opened.
#pragma once

#include "parsimap/commands/training/train.hpp"

namespace parsimap {

// The options with all scenes as `scene` and `further_scenes`, with the labels of each, with the rules of classes read,
// and with the number of threads of the job. ConfigError: options that contradict each other, a scene without labels.
// DataError as read_scene_list() and read_class_rules().
TrainOptions resolved(TrainOptions options, Listener& listener);

// ConfigError: options that libraries cannot follow.
void check_library_options(const TrainOptions& options);

// The folds of the validation, where one is asked for. ConfigError: options of it that contradict each other.
std::optional<FoldDesign> fold_design(const TrainOptions& options);

// Which of the labelled pixels are trained on. ConfigError where two options say so.
SamplingRule sampling_rule(const TrainOptions& options);

// The options of `train` that a model was trained with, as far as it keeps them; options of other versions are passed
// over.
TrainOptions trained_with(const Model& model);

}  // namespace parsimap
