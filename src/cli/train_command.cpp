#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/app/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/io/text/scene_list.hpp"
#include "parsimap/report/training_report.hpp"

#include "command_options.hpp"
#include "commands.hpp"
#include "heap.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

const std::string kKernelWithProfiles = "hdda+emp";

KernelFamily parse_kernel(const std::string& text) {
  if (text == kKernelWithProfiles) {
    return KernelFamily::hdda;
  }
  try {
    return parse_kernel_family(text);
  } catch (const ConfigError& error) {
    throw ConfigError(std::string(error.what()) + ", or " + kKernelWithProfiles);
  }
}

Index parse_folds(const std::string& text) {
  constexpr Index kMostFolds = 1000;
  const std::string prefix = "folds:";
  const auto folds = text.starts_with(prefix) ? parse_number<Index>(text.substr(prefix.size())) : std::nullopt;
  if (!folds || *folds < 2 || *folds > kMostFolds) {
    throw ConfigError("validation '" + text + "' is unknown; it must be folds:K with K from 2 to " +
                      std::to_string(kMostFolds) + ", as in folds:5");
  }
  return *folds;
}

double parse_buffer(const std::string& text) {
  const auto metres = parse_number<double>(text);
  if (!metres || !std::isfinite(*metres) || *metres < 0) {
    throw ConfigError("'" + text + "' must be a distance, 0 or more");
  }
  return *metres;
}

std::vector<OptionSyntax> sample_option_syntax() {
  return {
      {.name = "labels",
       .kind = OptionKind::list,
       .value_name = "FILE",
       .help =
           "A further file of labels, but no raster, read like LABELS; its classes are those of LABELS with the same "
           "name, or code. Of several scenes, the labels of those that name none of their own",
       .label = "Further labels",
       .file = {{FileContent::vector}}},
      {.name = "group-field",
       .kind = OptionKind::text,
       .value_name = "NAME",
       .help = "Field of vector labels, such as a plot: features of equal value are left out together where training "
               "is judged, also by --validate",
       .names_field = true},
      {.name = "sampling",
       .kind = OptionKind::text,
       .value_name = "RULE",
       .help = "Which labelled pixels to train on, at random: all, constant:N, smallest, percent:P, total:N or "
               "byclass:FILE (lines CLASS,COUNT); unset: all",
       .choices = {"all", "constant:", "smallest", "percent:", "total:", "byclass:"},
       .check = [](const std::string& text) { parse_sampling_rule(text); }},
      {.name = "samples-per-class",
       .kind = OptionKind::integer,
       .value_name = "N",
       .help = "The same as --sampling constant:N: N random pixels of every class, all of a smaller one",
       .least = kLeastSamples,
       .basic = true},
      {.name = "min-samples",
       .kind = OptionKind::integer,
       .value_name = "N",
       .help = "Drop classes of fewer labelled pixels that can be used, with a warning; unset: a class without any is "
               "an error",
       .least = 1,
       .label = "Least pixels of a class"},
      colour_option()};
}

std::vector<OptionSyntax> train_scenes_syntax() {
  return {{.name = "scene",
           .kind = OptionKind::list,
           .value_name = "SCENE,LABELS",
           .help = "A scene with its labels and, if wanted, its mask behind another comma, beside SCENE and LABELS or "
                   "instead of them; bands are those of the first scene",
           .label = "Several scenes with their labels"},
          {.name = "scenes",
           .kind = OptionKind::text,
           .value_name = "FILE",
           .help = "Table (.csv) of several scenes with the columns scene, labels and, where there are masks, mask",
           .label = "Table of scenes",
           .file = {{FileContent::document}, false, {".csv", ".txt"}}},
          {.name = "resample",
           .help = "Where a further scene lacks bands of the first, compute them from its own by their wavelengths and "
                   "widths (FWHM), instead of leaving them out",
           .label = "Resample to the bands of the first scene"}};
}

std::vector<OptionSyntax> library_option_syntax() {
  return {
      {.name = "library",
       .kind = OptionKind::list,
       .value_name = "FILE",
       .help = "Spectral library, instead of SCENE and LABELS or beside them: ENVI .sli, .asd, .sig, .sed, a table of "
               "spectra, the file of an earlier --samples-out, or a folder of single spectra; --class-field names the "
               "attribute that holds the class",
       .label = "Spectral libraries",
       .file = {{FileContent::document, FileContent::vector}, false, {".sli", ".gpkg", ".csv"}}},
      {.name = "library-classes",
       .kind = OptionKind::text,
       .value_name = "FILE",
       .help = "Classes of the spectra of --library by their names: a table (.csv) with the columns name and class; "
               "spectra that it does not name are left out",
       .label = "Table of the classes of spectra",
       .file = {{FileContent::document}, false, {".csv", ".txt"}}}};
}

std::vector<OptionSyntax> method_option_syntax() {
  return {
      {.name = "kernel",
       .kind = OptionKind::text,
       .value_name = "NAME",
       .help = "hdda (class directions and the rest), pca (class directions alone) or gaussian; hdda+emp: hdda, and a "
               "second kernel of extended morphological profiles, whatever --spatial says of them",
       .default_value = "hdda",
       .choices = {"hdda", "pca", "gaussian", "hdda+emp"},
       .check = [](const std::string& text) { parse_kernel(text); }},
      {.name = "spatial",
       .kind = OptionKind::text,
       .value_name = "HOW",
       .help = "What may look at the surroundings of a pixel: none; profiles (of shape, a second kernel); neighbours "
               "(in maps: classify regularises by itself); or auto: what gains on training pixels that are left out "
               "with a buffer. Unset: none",
       .choices = {"auto", "none", "profiles", "neighbours"},
       .check = [](const std::string& text) { parse_spatial_rule(text); },
       .label = "Surroundings of pixels",
       .basic = true},
      {.name = "radii",
       .kind = OptionKind::text,
       .value_name = "LIST",
       .help =
           "Radii of the discs of the profiles, ascending, in pixels as in 2,4,8 or in metres as in 30m,60m; unset: "
           "1,4,8",
       .check = [](const std::string& text) { parse_profile_radii(text); },
       .label = "Radii of profiles"},
      {.name = "criterion",
       .kind = OptionKind::text,
       .value_name = "NAME",
       .help = "leave-one-out: one class metric for all, chosen by left-out regions; or radius-margin: the kernel "
               "and the bound as the paper prints them, class by class",
       .default_value = "leave-one-out",
       .choices = {"leave-one-out", "radius-margin"},
       .check = [](const std::string& text) { parse_criterion(text); }},
      {.name = "support",
       .kind = OptionKind::text,
       .value_name = "RULE",
       .help = "reduced: fewer support spectra, for faster maps, where left-out pixels lose at most 0.1 points by "
               "it; or all",
       .default_value = "reduced",
       .choices = {"reduced", "all"},
       .check = [](const std::string& text) { parse_support_rule(text); }},
      {.name = "class-weights",
       .kind = OptionKind::text,
       .value_name = "RULE",
       .help = "none, or balanced: every class counts the same in training, however few its pixels are",
       .default_value = "none",
       .choices = {"none", "balanced"},
       .check = [](const std::string& text) { parse_class_weights(text); }},
      {.name = "dimension",
       .kind = OptionKind::text,
       .value_name = "RULE",
       .help = "Dimension of a class's subspace: scree:S, bic, ml, variance:F or fixed:P",
       .default_value = "scree:0.01",
       .choices = {"scree:", "bic", "ml", "variance:", "fixed:"},
       .check = [](const std::string& text) { parse_dimension_rule(text); }},
      {.name = "centres",
       .kind = OptionKind::text,
       .value_name = "N",
       .help = "Train the machines of all classes on N spectra that they share, as centres of their kernels, by all "
               "training pixels; or none: exact machines. Unset: 1000 where there are more than 50000 training "
               "pixels, else none",
       .choices = {"none"},
       .check = [](const std::string& text) { parse_centres(text); }},
      {.name = "seed",
       .kind = OptionKind::integer,
       .value_name = "N",
       .help = "Seed of all random draws",
       .default_value = "0"},
      {.name = "scaling",
       .kind = OptionKind::text,
       .value_name = "RULE",
       .help = "none, global (centre bands, one factor for all) or standardise (each band by itself)",
       .default_value = "global",
       .choices = {"none", "global", "standardise"},
       .check = [](const std::string& text) { parse_scaling_rule(text); }},
      ram_option("Memory for reading and for training, in megabytes; unset: 512 for reading, and for training what "
                 "the machine has"),
      {.name = "bands",
       .kind = OptionKind::list,
       .value_name = "LIST",
       .help = "Use only these bands, even those marked as bad: 7,10-25 or 1350-1450nm or names; unset: all that "
               "are not marked"},
      {.name = "exclude-bands",
       .kind = OptionKind::list,
       .value_name = "LIST",
       .help = "Do not use these bands, written as for --bands",
       .label = "Bands to leave out"}};
}

std::vector<OptionSyntax> validation_option_syntax() {
  constexpr std::int64_t kMostRepeats = 1000;
  return {
      {.name = "validate",
       .kind = OptionKind::text,
       .value_name = "folds:K",
       .help = "Also estimate the accuracy by K folds: train without each fold of the regions in turn, and test on it",
       .choices = {"folds:"},
       .check = [](const std::string& text) { parse_folds(text); },
       .label = "Validation",
       .basic = true},
      {.name = "groups",
       .kind = OptionKind::text,
       .value_name = "WHAT",
       .help = "What --validate never divides between training and test: regions (polygons, or connected areas of a "
               "label raster) or single pixels; unset: regions, or the groups of --group-field",
       .choices = {"regions", "pixels"},
       .label = "What validation keeps together"},
      {.name = "buffer",
       .kind = OptionKind::text,
       .value_name = "METRES",
       .help = "Distance that --validate keeps between training and test pixels, in metres, or in pixels where the "
               "scene has no CRS",
       .check = [](const std::string& text) { parse_buffer(text); },
       .label = "Buffer of validation (metres)"},
      {.name = "repeats",
       .kind = OptionKind::integer,
       .value_name = "R",
       .help = "How often --validate shares out the folds anew; unset: once",
       .least = 1,
       .most = kMostRepeats,
       .label = "Repeats of validation"}};
}

std::vector<OptionSyntax> file_option_syntax() {
  return {report_option(),
          mask_option(),
          quality_option(),
          orthorectify_option(),
          variable_option(),
          verbose_option(),
          OptionSyntax{.name = "samples-out",
                       .kind = OptionKind::text,
                       .value_name = "FILE",
                       .help = "Also write the pixels trained on with their spectra, for QGIS and for --library: as "
                               "points (.gpkg, .geojson), as a table (.csv) or as an ENVI spectral library (.sli)",
                       .label = "Pixels trained on",
                       .file = {{FileContent::vector}, true, {".gpkg", ".geojson", ".csv", ".sli"}}}};
}

CommandSyntax train_syntax() {
  return {
      .name = "train",
      .summary = "Learn a model from the labelled pixels of scenes, or from spectral libraries",
      .details =
          "Learns to tell classes apart from the labelled pixels of scenes, or from the spectra of a library, and\n"
          "writes a model file.\n"
          "Every class gets a support vector machine that tells it from the rest, with a kernel in a metric of\n"
          "the class. The metric is chosen by how well pixels are told apart whose region was left out of training.",
      .arguments =
          {{.name = "SCENE",
            .help = "Product of EnMAP, DESIS, PRISMA or EMIT, raster that GDAL opens (for ENVI the data file or its "
                    ".hdr), or MATLAB file",
            .file = {{FileContent::raster}},
            .instead = {"scene", "scenes", "library"}},
           {.name = "LABELS",
            .help =
                "Class raster (0 = unlabelled) or MATLAB file, vector file or table of points with --class-field, or "
                "regions of interest of ENVI (.xml, .txt)",
            .file = {{FileContent::raster, FileContent::vector}},
            .instead = {"scene", "scenes", "library"}},
           {.name = "MODEL", .help = "Model file to write", .file = {{FileContent::document}, true, {".parsimap"}}}},
      .options =
          joined(joined(joined(joined(joined(label_option_syntax(), sample_option_syntax()), train_scenes_syntax()),
                               library_option_syntax()),
                        method_option_syntax()),
                 joined(validation_option_syntax(), file_option_syntax()))};
}

SamplingRule sampling_rule(const OptionValues& values) {
  const auto text = values.text("sampling");
  const auto per_class = values.integer("samples-per-class");
  if (text && per_class) {
    throw ConfigError("--sampling " + *text + " and --samples-per-class " + std::to_string(*per_class) +
                      " both say how many pixels to train on; give one of them");
  }
  return parse_sampling_rule(per_class ? "constant:" + std::to_string(*per_class) : text.value_or("all"));
}

std::optional<FoldDesign> validation_design(const OptionValues& values, std::uint64_t seed) {
  const auto folds = values.text("validate");
  const auto groups = values.text("groups");
  const auto field = values.text("group-field");
  const auto buffer = values.text("buffer");
  const auto repeats = values.integer("repeats");
  if (!folds) {
    const std::string given = groups ? "groups" : buffer ? "buffer" : repeats ? "repeats" : "";
    if (!given.empty()) {
      throw ConfigError("--" + given + " belongs to --validate, which is not given");
    }
    return std::nullopt;
  }
  if (groups == "pixels" && field) {
    throw ConfigError("--groups pixels and --group-field " + *field + " contradict each other");
  }
  FoldDesign design;
  design.folds = parse_folds(*folds);
  design.repeats = repeats.value_or(1);
  design.buffer = buffer ? parse_buffer(*buffer) : 0;
  design.seed = seed;
  design.grouping = field ? "field " + *field : groups.value_or("regions");
  return design;
}

SpatialOptions spatial_options(const OptionValues& values) {
  SpatialOptions spatial;
  spatial.rule = parse_spatial_rule(values.text("spatial").value_or("none"));
  spatial.profiles_always = values.text("kernel") == kKernelWithProfiles;
  if (const auto radii = values.text("radii")) {
    if (!spatial.wants_profiles()) {
      throw ConfigError("--radii belongs to profiles, which neither --spatial auto or profiles nor --kernel " +
                        kKernelWithProfiles + " asks for");
    }
    spatial.radii = parse_profile_radii(*radii);
  }
  return spatial;
}

// Options on which the model depends: the others must not make two models of the same training differ.
std::vector<std::pair<std::string, std::string>> model_options(const OptionValues& values) {
  std::vector<std::pair<std::string, std::string>> result;
  const std::vector<OptionSyntax> options = train_syntax().options;
  for (auto& [name, value] : values.as_text()) {
    const bool own =
        name != "ram" && name != "samples-out" && name != "report" && name != "verbose" &&
        std::any_of(options.begin(), options.end(), [&name = name](const auto& option) { return option.name == name; });
    if (own || name == "config") {
      result.emplace_back(name, value);
    }
  }
  return result;
}

// The scenes that --scene and --scenes name.
std::vector<SceneListEntry> listed_scenes(const OptionValues& values, const Warn& warn) {
  std::vector<SceneListEntry> entries;
  for (const std::string& text : values.list("scene")) {
    entries.push_back(parse_scene_entry(text));
  }
  if (const auto list = values.text("scenes")) {
    const std::vector<SceneListEntry> more = read_scene_list(*list, warn);
    entries.insert(entries.end(), more.begin(), more.end());
  }
  return entries;
}

// SCENE with LABELS, then the others. --variable and --label-variable are for those of them that are MATLAB files.
std::vector<TrainingScene> training_scenes(const OptionValues& values, CommandListener& listener) {
  const Warn warn = [&](const std::string& text) { listener.message(text); };
  std::vector<std::string> common = values.list("labels");
  const bool positional = values.has_argument("SCENE");
  std::vector<TrainingScene> scenes;
  const auto labels_in = [&](const std::vector<std::string>& files) {
    LabelInput labels = label_input(values, files, scenes.empty() ? warn : Warn());
    labels.options.group_field = values.text("group-field");
    return labels;
  };
  const std::vector<SceneListEntry> listed = listed_scenes(values, warn);
  if (positional) {
    common.insert(common.begin(), values.argument("LABELS"));
    scenes.push_back({scene_input(values), labels_in(common)});
  } else if (listed.empty()) {
    return {{scene_input(values), labels_in(common)}};  // without a path, where --library is all there is
  } else if (const auto mask = values.text("mask")) {
    throw ConfigError("--mask " + *mask + " belongs to SCENE; several scenes have their masks in --scene or --scenes");
  }
  for (const SceneListEntry& entry : listed) {
    if (!entry.labels && common.empty()) {
      throw ConfigError("the scene '" + entry.scene +
                        "' has no labels; name them beside it, or those of all such scenes by --labels");
    }
    const std::vector<std::string> files = entry.labels ? std::vector{*entry.labels} : common;
    TrainingScene scene{scene_input(values, entry.scene), labels_in(files)};
    scene.scene.mask = entry.mask;
    scene.scene.variable = is_matlab_file(entry.scene) ? scene.scene.variable : std::nullopt;
    scene.labels.variable = is_matlab_file(files.front()) ? scene.labels.variable : std::nullopt;
    scenes.push_back(std::move(scene));
  }
  return scenes;
}

void run_train(const OptionValues& values, CommandListener& listener) {
  keep_free_memory();
  const TrainResult result = train_scene(train_options(values, listener), listener);
  listener.result(listener.json() ? training_json(result.model, result.record)
                                  : training_text(result.model, result.record, values.flag("verbose")));
}

}  // namespace

TrainOptions train_options(const OptionValues& values, CommandListener& listener) {
  TrainOptions options;
  const std::vector<TrainingScene> scenes = training_scenes(values, listener);
  options.scene = scenes.front().scene;
  options.labels = scenes.front().labels;
  options.further_scenes.assign(scenes.begin() + 1, scenes.end());
  options.resample = values.flag("resample");
  options.library = {values.list("library"),         values.text("class-field"),   values.text("group-field"),
                     values.text("library-classes"), options.labels.options.rules, !options.scene.path.empty()};
  options.bands = {values.list("bands"), values.list("exclude-bands")};
  options.training.family = parse_kernel(*values.text("kernel"));
  options.training.criterion = parse_criterion(*values.text("criterion"));
  options.training.class_weights = parse_class_weights(*values.text("class-weights"));
  options.training.support = parse_support_rule(*values.text("support"));
  options.training.dimension = parse_dimension_rule(*values.text("dimension"));
  options.training.scaling = parse_scaling_rule(*values.text("scaling"));
  if (const auto centres = values.text("centres")) {
    options.training.centres = parse_centres(*centres);
  }
  options.training.seed = static_cast<std::uint64_t>(*values.integer("seed"));
  options.training.threads = thread_count(values);
  options.colours = colour_rules(values, listener);
  options.sampling = sampling_rule(values);
  options.min_samples = values.integer("min-samples");
  options.spatial = spatial_options(values);
  options.validation = validation_design(values, options.training.seed);
  options.reading_bytes = share_memory(values);
  options.training_bytes = ram_bytes(values);
  options.model = values.argument("MODEL");
  options.samples_out = values.text("samples-out");
  options.report = values.text("report");
  options.overwrite = values.flag("overwrite");
  options.option_files = option_files(values);
  options.record = model_options(values);
  return options;
}

Command train_command() { return {train_syntax(), run_train}; }

}  // namespace parsimap
