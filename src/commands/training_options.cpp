#include "training_options.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/text/text_tables.hpp"

#include "job_frame.hpp"

namespace parsimap {
namespace {

// The scenes that the options list beside the argument.
std::vector<SceneListEntry> listed_scenes(const TrainOptions& options, Listener& listener) {
  std::vector<SceneListEntry> entries;
  for (const std::string& text : options.scene_entries) {
    entries.push_back(parse_scene_entry(text));
  }
  if (options.scene_table) {
    const std::vector<SceneListEntry> more =
        read_scene_list(*options.scene_table, [&](const std::string& text) { listener.message(text); });
    entries.insert(entries.end(), more.begin(), more.end());
  }
  return entries;
}

// The scene of an entry, read as the first one is. --variable and --label-variable are for MATLAB files alone.
TrainingScene scene_of_entry(const SceneListEntry& entry, const TrainOptions& options) {
  if (!entry.labels && options.labels.files.empty()) {
    throw ConfigError("the scene '" + entry.scene +
                      "' has no labels; name them beside it, or those of all such scenes by --labels");
  }
  TrainingScene scene{options.scene, options.labels};
  scene.scene.path = entry.scene;
  scene.scene.mask = entry.mask;
  if (entry.labels) {
    scene.labels.files = {*entry.labels};
  }
  if (!is_matlab_file(entry.scene)) {
    scene.scene.variable.reset();
  }
  if (!is_matlab_file(scene.labels.files.front())) {
    scene.labels.variable.reset();
  }
  return scene;
}

}  // namespace

std::optional<FoldDesign> fold_design(const TrainOptions& options) {
  const ValidationOptions& asked = options.validation;
  const std::optional<std::string>& field = options.labels.options.group_field;
  if (!asked.folds) {
    const std::string given = asked.groups ? "groups" : asked.buffer ? "buffer" : asked.repeats ? "repeats" : "";
    if (!given.empty()) {
      throw ConfigError("--" + given + " belongs to --validate, which is not given");
    }
    return std::nullopt;
  }
  if (asked.groups == "pixels" && field) {
    throw ConfigError("--groups pixels and --group-field " + *field + " contradict each other");
  }
  FoldDesign design;
  design.folds = *asked.folds;
  design.repeats = asked.repeats.value_or(1);
  design.buffer = asked.buffer.value_or(0);
  design.seed = options.training.seed;
  using Unit = Grouping::Unit;
  design.grouping =
      field ? Grouping{Unit::field, *field} : Grouping{asked.groups == "pixels" ? Unit::pixels : Unit::regions};
  return design;
}

TrainOptions resolved(TrainOptions options, Listener& listener) {
  fold_design(options);
  sampling_rule(options);
  complete_label_options(options.labels, listener);
  LibraryInput& library = options.library;
  const LabelOptions& labels = options.labels.options;
  library.class_field = library.class_field ? library.class_field : labels.class_field;
  library.group_field = library.group_field ? library.group_field : labels.group_field;
  library.rules = library.rules ? library.rules : labels.rules;
  options.training.threads = thread_count(options);
  options.colour_rules = read_colour_rules(options.colours, listener);
  if (options.spatial.radii && !options.spatial.wants_profiles()) {
    throw ConfigError(
        "--radii belongs to profiles, which neither --spatial auto or profiles nor --kernel hdda+emp asks for");
  }
  std::vector<TrainingScene> scenes;
  const std::vector<SceneListEntry> entries = listed_scenes(options, listener);
  if (options.scene.path.empty() && !entries.empty() && options.scene.mask) {
    throw ConfigError("--mask " + *options.scene.mask +
                      " belongs to SCENE; several scenes have their masks in --scene or --scenes");
  }
  for (const SceneListEntry& entry : entries) {
    scenes.push_back(scene_of_entry(entry, options));
  }
  if (options.scene.path.empty() && !scenes.empty()) {
    options.scene = scenes.front().scene;
    options.labels = scenes.front().labels;
    scenes.erase(scenes.begin());
  }
  options.further_scenes.insert(options.further_scenes.end(), scenes.begin(), scenes.end());
  library.beside_scene = library.beside_scene || !options.scene.path.empty();
  return options;
}

SamplingRule sampling_rule(const TrainOptions& options) {
  if (options.sampling && options.samples_per_class) {
    throw ConfigError("--sampling " + to_string(*options.sampling) + " and --samples-per-class " +
                      std::to_string(*options.samples_per_class) +
                      " both say how many pixels to train on; give one of them");
  }
  if (options.samples_per_class) {
    return {SamplingStrategy::constant, static_cast<double>(*options.samples_per_class), {}};
  }
  return options.sampling.value_or(SamplingRule());
}

TrainOptions trained_with(const Model& model) {
  TrainOptions options;
  const CommandSyntax syntax = describe(options);
  for (const auto& [name, text] : model.provenance.options) {
    for (const OptionSyntax& option : syntax.options) {
      if (option.name == name && option.field.kind == OptionKind::text) {
        try {
          option.field.store(text);
        } catch (const ConfigError&) {
          continue;  // a value that this version does not know
        }
      }
    }
  }
  return options;
}

std::string to_string(const SamplingRule& rule) {
  switch (rule.strategy) {
    case SamplingStrategy::constant:
      return "constant:" + number_text(rule.number);
    case SamplingStrategy::smallest:
      return "smallest";
    case SamplingStrategy::percent:
      return "percent:" + number_text(rule.number);
    case SamplingStrategy::total:
      return "total:" + number_text(rule.number);
    case SamplingStrategy::by_class:
      return "byclass:" + rule.file;
    case SamplingStrategy::all:
      break;
  }
  return "all";
}

}  // namespace parsimap
