#include "train_syntax.hpp"

#include <cmath>
#include <optional>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/library/library_file.hpp"
#include "parsimap/text/text_tables.hpp"

#include "../common_options.hpp"
#include "../job_frame.hpp"
#include "spatial_training.hpp"
#include "training_samples.hpp"

namespace parsimap {

double test_block_size(const std::string& text) {
  const std::string prefix = "block:";
  if (text == "polygon" || text == "field") {
    return 0;
  }
  const auto size = text.starts_with(prefix) ? parse_number<double>(text.substr(prefix.size())) : std::nullopt;
  if (!size || !std::isfinite(*size) || *size <= 0) {
    throw ConfigError("'" + text + "' is unknown; it must be polygon, field or block:SIZE with a SIZE above 0");
  }
  return *size;
}

const std::string kKernelWithProfiles = "hdda+emp";

static KernelFamily parse_kernel(const std::string& text) {
  // The name stands for the HDDA kernel with an additional kernel of profiles, which is not a family of its own.
  if (text == kKernelWithProfiles) {
    return KernelFamily::hdda;
  }
  try {
    return parse_kernel_family(text);
  } catch (const ConfigError& error) {
    throw ConfigError(std::string(error.what()) + ", or " + kKernelWithProfiles);
  }
}

// A former name also says that there is a second kernel of profiles.
static Field kernel_field(TrainOptions& options) {
  return {.kind = OptionKind::text,
          .store =
              [&options](const OptionValue& value) {
                const std::string& name = std::get<std::string>(value);
                options.training.family = parse_kernel(name);
                options.spatial.former_name = name == kKernelWithProfiles;
              },
          .value = [&options]() -> std::optional<OptionValue> {
            return options.spatial.former_name ? kKernelWithProfiles : to_string(options.training.family);
          },
          .check = [](const std::string& text) { parse_kernel(text); },
          .optional = false};
}

// The rules, and two names of rules with which profiles are used without a test.
static Field spatial_field(SpatialOptions& spatial) {
  const auto rule_of = [](const std::string& text) {
    return parse_spatial_rule(text == "always" ? "none" : text == "always+neighbours" ? "neighbours" : text);
  };
  Field field = bound(spatial.asked, rule_of);
  field.store = [&spatial, rule_of](const OptionValue& value) {
    const std::string& text = std::get<std::string>(value);
    spatial.asked = rule_of(text);
    spatial.profiles_always = text.starts_with("always");
  };
  field.value = [&spatial]() -> std::optional<OptionValue> {
    return spatial.asked ? std::optional<OptionValue>(spatial_name(spatial)) : std::nullopt;
  };
  return field;
}

static Index parse_folds(const std::string& text) {
  constexpr Index kMostFolds = 1000;
  const std::string prefix = "folds:";
  const auto folds = text.starts_with(prefix) ? parse_number<Index>(text.substr(prefix.size())) : std::nullopt;
  if (!folds || *folds < 2 || *folds > kMostFolds) {
    throw ConfigError("validation '" + text + "' is unknown; it must be folds:K with K from 2 to " +
                      std::to_string(kMostFolds) + ", as in folds:5");
  }
  return *folds;
}

static std::string centres_text(Index centres) { return centres == 0 ? "none" : std::to_string(centres); }

std::function<bool()> has_scene_argument(const TrainOptions& options) {
  return [&options] { return !options.scene.path.empty(); };
}

// The files that entries "SCENE,LABELS[,MASK]" name.
static std::vector<std::string> files_of_entries(const std::vector<std::string>& entries) {
  std::vector<std::string> files;
  for (const std::string& text : entries) {
    const SceneListEntry entry = parse_scene_entry(text);
    files.push_back(entry.scene);
    for (const auto& file : {entry.labels, entry.mask}) {
      if (file) {
        files.push_back(*file);
      }
    }
  }
  return files;
}

static std::vector<std::string> files_of_libraries(const std::vector<std::string>& libraries) {
  std::vector<std::string> files;
  for (const std::string& library : libraries) {
    add_all(files, library_files(library));
  }
  return files;
}

static std::vector<OptionSyntax> sample_options(TrainOptions& options) {
  return {
      further_labels_option(options.labels, has_scene_argument(options),
                            "A further file of labels, but no raster, read like LABELS; its classes are those of "
                            "LABELS with the same name, or code. Of several scenes, the labels of those that name none "
                            "of their own"),
      group_field_option(options.labels,
                         "Field of vector labels, such as a plot: features of equal value are left out together where "
                         "the accuracy is estimated, also by --validate"),
      {.name = "sampling",
       .value_name = "RULE",
       .help =
           "Which labelled pixels to train on, at random: all, constant:N (N of every class, all of a smaller one), "
           "smallest, percent:P, total:N or byclass:FILE (lines CLASS,COUNT); unset: all",
       .field = bound(options.sampling, parse_sampling_rule),
       .choices = {"all", "constant:", "smallest", "percent:", "total:", "byclass:"},
       .label = "Which pixels to train on",
       .files =
           [&options] {
             // Only the rule byclass names a file, which then counts as an input of the command.
             const bool table = options.sampling && options.sampling->strategy == SamplingStrategy::by_class;
             return table ? std::vector{options.sampling->file} : std::vector<std::string>();
           },
       .basic = true},
      {.name = "samples-per-class",
       .help = "The same as --sampling constant:N",
       .field = bound(options.samples_per_class),
       .least = kLeastSamples,
       .former = "--sampling constant:N"},
      {.name = "min-samples",
       .help = "Drop classes of fewer labelled pixels that can be used, with a warning; unset: a class without any is "
               "an error",
       .field = bound(options.min_samples),
       .least = 1,
       .label = "Least pixels of a class"},
      colour_option(options.colours)};
}

static std::vector<OptionSyntax> several_scenes_options(TrainOptions& options) {
  return {{.name = "scene",
           .value_name = "SCENE,LABELS",
           .help = "A scene with its labels and, if wanted, its mask behind another comma, beside SCENE and LABELS or "
                   "instead of them; bands are those of the first scene",
           .field = bound(options.scene_entries),
           .label = "Several scenes with their labels",
           .files = [&options] { return files_of_entries(options.scene_entries); }},
          {.name = "scenes",
           .help = "Table (.csv) of several scenes with the columns scene, labels and, where there are masks, mask",
           .field = bound(options.scene_table),
           .label = "Table of scenes",
           .file = {{FileContent::document}, false, {".csv", ".txt"}}},
          {.name = "resample",
           .help = "Where a further scene lacks bands of the first, compute them from its own by their wavelengths and "
                   "widths (FWHM), instead of leaving them out",
           .field = bound(options.resample),
           .label = "Resample to the bands of the first scene"},
          {.name = "other-scenes",
           .help = "The model is for other scenes than these: whole scenes are left out together where settings are "
                   "chosen and accuracy is estimated",
           .field = bound(options.other_scenes),
           .label = "For other scenes"}};
}

static std::vector<OptionSyntax> library_options(LibraryInput& library) {
  return {
      {.name = "library",
       .help = "Spectral library, instead of SCENE and LABELS or beside them: ENVI .sli, .asd, .sig, .sed, a table of "
               "spectra, the file of an earlier --samples-out, or a folder of single spectra; --class-field names the "
               "attribute that holds the class",
       .field = bound(library.files),
       .label = "Spectral libraries",
       .file = {{FileContent::document, FileContent::vector}, false, {".sli", ".gpkg", ".csv"}},
       .files = [&library] { return files_of_libraries(library.files); },
       .basic = true},
      {.name = "library-classes",
       .help = "Classes of the spectra of --library by their names: a table (.csv) with the columns name and class; "
               "spectra that it does not name are left out",
       .field = bound(library.classes),
       .label = "Table of the classes of spectra",
       .file = {{FileContent::document}, false, {".csv", ".txt"}}}};
}

static std::vector<OptionSyntax> kernel_options(TrainOptions& options) {
  return {
      {.name = "kernel",
       .value_name = "NAME",
       .help = "hdda (class directions and the rest), pca (class directions alone) or gaussian",
       .field = kernel_field(options),
       .choices = {"hdda", "pca", "gaussian"}},
      {.name = "spatial",
       .value_name = "HOW",
       .help = "How the surroundings of a pixel are used: none; profiles (of shape, a second kernel); neighbours "
               "(in maps: classify regularises by itself); auto: what gains on training pixels that are left "
               "out; always: profiles, also where left-out pixels gain nothing; or always+neighbours: both. Unset: "
               "auto",
       .field = spatial_field(options.spatial),
       .choices = {"auto", "none", "profiles", "neighbours", "always", "always+neighbours"},
       .label = "Surroundings of pixels",
       .basic = true},
      {.name = "radii",
       .value_name = "LIST",
       .help =
           "Radii of the discs of the profiles, ascending, in pixels as in 2,4,8 or in metres as in 30m,60m; unset: "
           "1,4,8",
       .field = bound(options.spatial.radii, parse_profile_radii),
       .label = "Radii of profiles"}};
}

static std::vector<OptionSyntax> method_options(TrainOptions& options) {
  TrainingOptions& training = options.training;
  return {
      {.name = "criterion",
       .value_name = "NAME",
       .help = "leave-one-out: one class metric for all, chosen by left-out regions; or radius-margin: the kernel "
               "and the bound as the paper prints them, class by class",
       .field = bound(training.criterion, parse_criterion),
       .choices = {"leave-one-out", "radius-margin"}},
      {.name = "support",
       .value_name = "RULE",
       .help =
           "reduced: in maps some of the support spectra decide most pixels, where that makes maps at least twice as "
           "fast and no compared pixel of the scene gets another label; or all",
       .field = bound(options.support, parse_support_rule),
       .choices = {"reduced", "all"}},
      {.name = "class-weights",
       .value_name = "RULE",
       .help = "none, balanced: every class counts the same in training, however few its pixels are, or auto: balanced "
               "where "
               "left-out pixels show that it raises the average accuracy and not at the cost of the overall accuracy",
       .field = bound(training.class_weights, parse_class_weights_choice),
       .choices = {"auto", "none", "balanced"},
       .basic = true},
      {.name = "effort",
       .value_name = "N",
       .help =
           "How much work the comparison of metrics on more than 1000 pixels may take, in units of 10^11 operations",
       .field = bound(training.effort, NumberRange{.least = 0, .most = 1000})},
      {.name = "dimension",
       .value_name = "RULE",
       .help = "Dimension of a class's subspace: scree:S, bic, ml, variance:F or fixed:P",
       .field = bound(training.dimension, parse_dimension_rule),
       .choices = {"scree:", "bic", "ml", "variance:", "fixed:"}},
      {.name = "centres",
       .value_name = "N",
       .help =
           "Train the classifiers of all classes with N shared spectra as centres of their kernels, on all training "
           "pixels; or none: exact classifiers. Unset: 1000 if there are more than 50000 training pixels, else none",
       .field = bound(training.centres, parse_centres, centres_text),
       .choices = {"none"}},
      seed_option(training.seed, "Seed of all random draws"),
      {.name = "scaling",
       .value_name = "RULE",
       .help =
           "none, global (centre bands, one factor for all), standardise (each band by itself), within-classes "
           "(each band by its deviation within classes) or auto: global or within-classes, chosen by left-out pixels, "
           "after bands that are strongly skewed within classes were compressed",
       .field = bound(training.scaling, parse_scaling_choice),
       .choices = {"auto", "none", "global", "standardise", "within-classes"}},
      ram_option(options,
                 "Memory for reading and for training, in megabytes; unset: 512 for reading, and for training the "
                 "memory of the computer"),
      {.name = "bands",
       .value_name = "LIST",
       .help = "Use only these bands, even those marked as bad: 7,10-25 or 1350-1450nm or names; unset: all that "
               "are not marked",
       .field = bound(options.bands.use),
       .basic = true},
      {.name = "exclude-bands",
       .value_name = "LIST",
       .help = "Do not use these bands, written as for --bands",
       .field = bound(options.bands.exclude),
       .label = "Bands to leave out"}};
}

static std::vector<OptionSyntax> validation_options(ValidationOptions& validation) {
  constexpr std::int64_t kMostRepeats = 1000;
  return {
      {.name = "validate",
       .value_name = "folds:K",
       .help = "Also estimate the accuracy by K folds: train without each fold in turn, and test on it",
       .field = bound(validation.folds, parse_folds, [](Index folds) { return "folds:" + std::to_string(folds); }),
       .choices = {"folds:"},
       .label = "Validation",
       .basic = true},
      {.name = "groups",
       .value_name = "WHAT",
       .help = "What --validate never divides between training and test: regions (polygons, or connected areas of a "
               "label raster) or single pixels; unset: the groups of --group-field, or what lies as far from the other "
               "training pixels as the map does, and regions where positions are not known",
       .field = bound(validation.groups),
       .choices = {"regions", "pixels"},
       .label = "What validation keeps together"},
      {.name = "buffer",
       .value_name = "METRES",
       .help = "Distance that --validate keeps between training and test pixels, in metres, or in pixels where the "
               "scene has no CRS",
       .field = bound(validation.buffer, kDistances),
       .label = "Buffer of validation (metres)"},
      {.name = "repeats",
       .value_name = "R",
       .help = "How often --validate shares out the folds anew; unset: once",
       .field = bound(validation.repeats),
       .least = 1,
       .most = kMostRepeats,
       .label = "Repeats of validation"}};
}

static std::vector<OptionSyntax> test_options(TestOptions& test) {
  return {
      {.name = "test-share",
       .value_name = "SHARE",
       .help = "Keep this share of the units of every class, such as 0.3, out of training, to test the map with",
       .field = bound(test.share, NumberRange{.least = 0, .most = 0.9, .above = true}),
       .label = "Share kept for testing",
       .basic = true},
      {.name = "test-by",
       .value_name = "UNIT",
       .help = "Units that --test-share never divides: polygon (features, or connected areas of a label raster), "
               "block:SIZE (squares of a grid, in metres, or in pixels where the scene has no CRS) or field (groups "
               "of --group-field); unset: polygon",
       .field = bound(
           test.by,
           [](const std::string& text) {
             test_block_size(text);
             return text;
           },
           [](const std::string& text) { return text; }),
       .choices = {"polygon", "field", "block:"},
       .label = "Units kept for testing"},
      {.name = "test-out",
       .help = "File for the pixels of --test-share, as points with the fields class and test_unit, which "
               "'parsimap assess' reads",
       .field = bound(test.out),
       .label = "Pixels kept for testing",
       .file = {{FileContent::vector}, true, {".gpkg", ".geojson"}},
       .effect = Effect::run}};
}

static OptionSyntax samples_out_option(std::optional<std::string>& samples_out) {
  return {.name = "samples-out",
          .help =
              "Also write the pixels trained on with their spectra, for QGIS and for --library: as "
              "points (.gpkg, .geojson), as a table (.csv) or as an ENVI spectral library (.sli)",
          .field = bound(samples_out),
          .label = "Pixels trained on",
          .file = {{FileContent::vector}, true, {".gpkg", ".geojson", ".csv", ".sli"}},
          .effect = Effect::run};
}

std::vector<OptionSyntax> train_syntax(TrainOptions& options) {
  std::vector<OptionSyntax> all;
  for (const std::vector<OptionSyntax>& some :
       {grouped("Labels", joined(label_options(options.labels), sample_options(options))),
        grouped("Several scenes", several_scenes_options(options)),
        grouped("Spectral libraries", library_options(options.library)),
        grouped("Method", joined(kernel_options(options), method_options(options))),
        grouped("Validation", validation_options(options.validation)),
        grouped("Test pixels", test_options(options.test)),
        grouped("Outputs", {report_option(options.report), dry_run_option(options)}),
        grouped("Scene", {region_option(options.scene, "Train on the labels in a part of each scene alone")}),
        grouped("Scene", scene_options(options.scene)),
        grouped("Outputs", {verbose_option(options.verbose), samples_out_option(options.samples_out)})}) {
    all = joined(all, some);
  }
  return all;
}

}  // namespace parsimap
