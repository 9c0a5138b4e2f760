#include "train_options.hpp"

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/text/text_tables.hpp"

#include "../common_options.hpp"
#include "../job_frame.hpp"
#include "train_syntax.hpp"
#include "training_samples.hpp"

namespace parsimap {

// The scenes that the options list beside the argument.
static std::vector<SceneListEntry> listed_scenes(const TrainOptions& options, Listener& listener) {
  auto entries = mapped<SceneListEntry>(options.scene_entries, parse_scene_entry);
  if (options.scene_table) {
    add_all(entries, read_scene_list(*options.scene_table, [&](const std::string& text) { listener.message(text); }));
  }
  return entries;
}

// The scene of an entry, read as the first one is. --variable and --label-variable are for MATLAB files alone.
static TrainingScene scene_of_entry(const SceneListEntry& entry, const TrainOptions& options) {
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
  // The options that name a MATLAB array apply to the entries that are MATLAB files only; other files would refuse
  // them.
  if (!is_matlab_file(entry.scene)) {
    scene.scene.variable.reset();
  }
  if (!is_matlab_file(scene.labels.files.front())) {
    scene.labels.variable.reset();
  }
  return scene;
}

std::optional<FoldDesign> fold_design(const TrainOptions& options) {
  const ValidationOptions& asked = options.validation;
  const std::optional<std::string>& field = options.labels.options.group_field;
  if (!asked.folds) {
    // Options that only describe a validation are refused without one, since they would have no effect.
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
  design.grouping = field ? "field " + *field : asked.groups.value_or("");
  design.single = asked.groups == "pixels";
  return design;
}

static void check_test_options(const TrainOptions& options) {
  const TestOptions& test = options.test;
  if (!test.share && (test.by || test.out)) {
    throw ConfigError(std::string("--test-") + (test.by ? "by" : "out") +
                      " belongs to --test-share, which is not given");
  }
  if (test.share && !test.out) {
    throw ConfigError("--test-share needs --test-out, the file for the pixels that are kept for testing");
  }
  if (test.by == "field" && !options.labels.options.group_field) {
    throw ConfigError("--test-by field needs --group-field, the field whose groups are kept together");
  }
  if (test.share && options.scene.path.empty() && options.scene_entries.empty() && !options.scene_table) {
    throw ConfigError("--test-share divides the labels of a scene, and there are only those of --library");
  }
}

TrainOptions resolved(TrainOptions options, Listener& listener) {
  // Both functions are called for their checks: contradicting options fail before any file is opened. Then the options
  // that are shared by labels and libraries are copied, tables of classes and colours are read, and the listed scenes
  // get the reading options of the first one.
  fold_design(options);
  sampling_rule(options);
  check_test_options(options);
  complete_label_options(options.labels, listener);
  LibraryInput& library = options.library;
  const LabelOptions& labels = options.labels.options;
  library.class_field = library.class_field ? library.class_field : labels.class_field;
  library.group_field = library.group_field ? library.group_field : labels.group_field;
  library.rules = library.rules ? library.rules : labels.rules;
  library.zero_class = labels.zero_class;
  options.training.threads = thread_count(options);
  options.training.profiles_always = options.spatial.always();
  options.colour_rules = read_colour_rules(options.colours, listener);
  if (options.spatial.former_name) {
    listener.message("--kernel hdda+emp is the former name of --spatial always (or always+neighbours)");
  }
  const std::vector<SceneListEntry> entries = listed_scenes(options, listener);
  if (options.scene.path.empty() && !entries.empty() && options.scene.mask) {
    throw ConfigError("--mask " + *options.scene.mask +
                      " belongs to SCENE; several scenes have their masks in --scene or --scenes");
  }
  auto scenes = mapped<TrainingScene>(entries, [&](const auto& entry) { return scene_of_entry(entry, options); });
  // Without a scene among the arguments, the first one of the list takes its place and decides on the bands.
  if (options.scene.path.empty() && !scenes.empty()) {
    options.scene = scenes.front().scene;
    options.labels = scenes.front().labels;
    scenes.erase(scenes.begin());
  }
  add_all(options.further_scenes, scenes);
  if (options.other_scenes && options.further_scenes.empty()) {
    throw ConfigError("--other-scenes leaves out whole scenes, and there is one; --scene or --scenes name more");
  }
  if (options.other_scenes && options.labels.options.group_field) {
    throw ConfigError("--other-scenes and --group-field " + *options.labels.options.group_field +
                      " contradict each other: the one leaves out scenes, the other groups of labels");
  }
  library.beside_scene = library.beside_scene || !options.scene.path.empty();
  return options;
}

void check_library_options(const TrainOptions& options) {
  if (options.library.files.empty()) {
    return;
  }
  if (options.validation.folds && options.validation.buffer.value_or(0) > 0) {
    throw ConfigError("--buffer needs to know where samples lie, which is not known of the spectra of --library");
  }
  if (!options.scene.path.empty()) {
    return;
  }
  const LabelOptions& labels = options.labels.options;
  const std::vector<std::pair<bool, std::string>> given = {{options.scene.mask.has_value(), "mask"},
                                                           {options.scene.region.has_value(), "region"},
                                                           {options.scene.variable.has_value(), "variable"},
                                                           {options.scene.quality.has_value(), "quality"},
                                                           {!options.labels.files.empty(), "labels"},
                                                           {options.labels.variable.has_value(), "label-variable"},
                                                           {labels.where.has_value(), "where"},
                                                           {labels.layer.has_value(), "layer"},
                                                           {labels.x_field.has_value(), "x"},
                                                           {labels.epsg.has_value(), "crs"}};
  for (const auto& [is_given, name] : given) {
    if (is_given) {
      throw ConfigError("--" + name + " belongs to SCENE or LABELS, which --library stands in for");
    }
  }
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
    // A model stores the options of its training as texts. They are read back through the same description that the
    // command line uses; numbers, flags and lists are not needed by the callers and keep their defaults.
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

static void run_train(const TrainOptions& options, CommandListener& listener) {
  keep_free_memory(options.ram_bytes ? kKeptMemory : 1 << 30);  // what a fold of a class has used, the next one uses
  if (options.dry_run) {
    const DryRunRecord record = preview_training(options, listener);
    listener.result(listener.json() ? dry_run_json(record) : dry_run_text(record));
    return;
  }
  const TrainResult result = train_scene(options, listener);
  listener.result(listener.json() ? training_json(result.model, result.record)
                                  : training_text(result.model, result.record, options.verbose));
}

CommandSyntax describe(TrainOptions& options) {
  ArgumentSyntax scene = scene_argument(options.scene.path);
  ArgumentSyntax labels = labels_argument(options.labels, has_scene_argument(options));
  scene.instead = labels.instead = {"scene", "scenes", "library"};
  return {
      .name = "train",
      .summary = "Learn a model from the labelled pixels of scenes, or from spectral libraries",
      .details =
          "Trains a classifier on the labelled pixels of scenes, or on the spectra of a library, and writes a model\n"
          "file.\n"
          "A support vector machine is trained for every class against the rest, with a kernel in a metric of the\n"
          "class. The metric is chosen by the accuracy on pixels whose region was left out of training.",
      .arguments = {scene,
                    labels,
                    {.name = "MODEL",
                     .help = "Model file to write",
                     .field = bound(options.model),
                     .file = {{FileContent::document}, true, {".parsimap"}}}},
      .options = train_syntax(options)};
}

Command train_command() { return command_of<TrainOptions>(run_train); }

}  // namespace parsimap
