#include "parsimap/commands/input_files.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/gdal/raster/source_name.hpp"
#include "parsimap/gdal/vector/segments.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/product/product.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/sensor_geometry.hpp"
#include "parsimap/text/text_tables.hpp"

namespace parsimap {
static void refuse_variable(const std::string& path, const std::optional<std::string>& variable) {
  if (variable) {
    throw ConfigError(path + " is no MATLAB file (.mat); it has no variable '" + *variable + "' to choose");
  }
}

static OpenScene open_or_explain(const SceneInput& input) {
  try {
    return open_scene_file(input.path, {.variable = input.variable});
  } catch (const DataError&) {
    refuse_other_kind(input.path, Argument::scene);
    throw;
  }
}

static std::vector<std::string> names_of(const std::vector<QualityLayer>& layers) {
  std::vector<std::string> names;
  for (const QualityLayer& layer : layers) {
    add_new(names, layer.name);
  }
  return names;
}

static void check_lookup(const GeometryLookup* lookup, const SceneSource& scene, const std::string& note) {
  if (lookup != nullptr) {
    return;
  }
  const RasterGrid& grid = scene.grid();
  throw ConfigError("--orthorectify takes the geometry lookup table (GLT) that comes with a scene, but " +
                    scene.name() + " comes with none" +
                    (grid.geotransform ? "; it lies on a map grid already"
                     : !grid.control_points.empty()
                         ? ", only with the coordinates of its pixels: it is classified in "
                           "the sensor's own geometry, and gdalwarp puts the map in its place"
                         : "") +
                    (note.empty() ? "" : "; " + note));
}

bool is_matlab_file(const std::string& path) {
  return lower_case(std::filesystem::path(path).extension().string()) == ".mat";
}

InputFile label_file(const std::string& name) {
  const std::string path = source_name(name).file;
  return {name, bytes_of_file(path).value_or(0), is_plain_file(path) ? sha256_of_file(path) : ""};
}

OpenScene open_scene_file(const std::string& path, const MatlabSceneChoice& choice) {
  if (is_matlab_file(path)) {
    return open_matlab_scene(path, choice);
  }
  refuse_variable(path, choice.variable);
  // Products come before plain rasters: GDAL could open many of them, but without scale, bad bands and quality layers.
  std::optional<OpenScene> product = open_product(path);
  return product ? std::move(*product) : open_scene(path);
}

InputScene open_input_scene(const SceneInput& input) {
  OpenScene scene = open_or_explain(input);
  if (input.lookup) {
    const RasterGrid& grid = scene.source->grid();
    if (grid.geotransform) {
      throw ConfigError("--glt takes a scene in the sensor's own geometry, but " + scene.source->name() +
                        " lies on a map grid already");
    }
    scene.geometry = table_lookup(open_scene(*input.lookup).source, grid.width, grid.height);
    scene.description.note.clear();
  }
  // The order of the following steps matters. Quality layers lie in the geometry of the stored scene and are applied
  // first. A mask of the user lies on the grid that results, so that it is applied after orthorectification. A lookup
  // table that was not used for it stays with the scene, for labels that lie on the map. The mask is the outermost, so
  // that what looks at surroundings can look behind it.
  const std::vector<QualityLayer> quality = choose_quality(scene.quality, input.quality, scene.source->name());
  InputScene result{input, leave_out_marked(std::move(scene.source), quality), std::move(scene.description),
                    names_of(quality)};
  if (input.nodata && !std::isnan(*input.nodata)) {
    result.source = declare_nodata(std::move(result.source), *input.nodata);
  }
  if (input.orthorectify) {
    check_lookup(scene.geometry.get(), *result.source, result.description.note);
    result.lookup = scene.geometry->name();
    result.source = orthorectify(std::move(result.source), std::move(scene.geometry));
  }
  if (scene.geometry != nullptr) {
    result.source = scene_with_lookup(std::move(result.source), std::move(scene.geometry));
  }
  std::unique_ptr<SceneSource> mask;
  if (input.mask) {
    mask = open_scene(*input.mask).source;
    check_same_grid(mask->grid(), mask->name(), result.source->grid(), result.source->name(),
                    "a mask must lie on the scene's grid");
  }
  Region region;
  if (input.region) {
    region = open_region(*input.region, result.source->grid(), result.source->name());
    result.region = region.window;
  }
  if (mask != nullptr || input.region) {
    result.source = mask_scene(std::move(result.source), std::move(mask), std::move(region));
  }
  return result;
}

InputScene open_input_scene(const SceneInput& input, Listener& listener) {
  InputScene scene = open_input_scene(input);
  if (!scene.description.note.empty()) {
    listener.message(scene.description.note);
  }
  if (!scene.lookup.empty()) {
    listener.note("lookup-used", scene.input.path + " is put on the map by the geometry lookup table " + scene.lookup);
  }
  if (!scene.left_out.empty()) {
    listener.message(scene.input.path + ": pixels are left out that the product marks as " + listed(scene.left_out));
  }
  return scene;
}

void warn_of_own_output(const std::string& scene, Listener& listener) {
  try {
    if (!raster_metadata(scene, kModelDigestItem).empty()) {
      listener.warn("scene-is-output",
                    scene +
                        " is an output of 'parsimap classify', not a scene: where its model was "
                        "trained on the same labels, these agree with it by themselves, and accuracies are too high");
    }
  } catch (const DataError&) {
    // Scenes of products and of MATLAB are no rasters of GDAL.
  }
}

void repair_files(const std::vector<std::string>& files, Listener& listener) {
  for (const std::string& file : repair_outputs(files)) {
    listener.message("a command that was killed had replaced '" + file +
                     "' but not all that goes with it; the earlier file is back");
  }
}

std::vector<std::string> files_of_input(const std::string& path) {
  // Products consist of several files, of which GDAL may open one only. All of them are inputs.
  const std::optional<OpenScene> product = is_matlab_file(path) ? std::nullopt : open_product(path);
  return product ? product->description.files : dataset_files(path);
}

void add_inputs(OutputSet& outputs, const InputScene& scene) {
  add_inputs(outputs, "SCENE", scene.input.path);
  const auto add = [&](const std::string& file) { outputs.add_input("SCENE", file); };
  std::ranges::for_each(scene.description.files, add);
  if (scene.input.mask) {
    add_inputs(outputs, "--mask", *scene.input.mask);
  }
  if (scene.input.lookup) {
    add_inputs(outputs, "--glt", *scene.input.lookup);
  }
  if (scene.input.region && !is_box(*scene.input.region)) {
    add_inputs(outputs, "--region", *scene.input.region);
  }
}

void add_inputs(OutputSet& outputs, const std::string& role, const std::string& path) {
  outputs.add_input(role, path);
  std::ranges::for_each(dataset_files(path), [&](const std::string& file) { outputs.add_input(role, file); });
}

LabelledPixels read_label_input(const LabelInput& input, const RasterGrid& grid, const std::string& grid_name) {
  const std::string& first = input.files.front();
  if (input.files.size() == 1 && is_matlab_file(first)) {
    // Options for vector labels would have no effect on a MATLAB file and are refused.
    if (input.options.class_field || input.options.where || input.options.group_field || input.options.x_field ||
        input.options.layer) {
      throw ConfigError(first + " is a MATLAB file; a class field or a condition only goes with vector labels");
    }
    LabelledPixels labels = read_matlab_labels(first, input.variable, grid, grid_name, input.options.zero_class,
                                               input.options.has_zero_option);
    if (input.options.rules) {
      apply_class_rules(labels, *input.options.rules, first);
    }
    leave_out_fill(labels, first);
    return labels;
  }
  for (const std::string& path : input.files) {
    refuse_variable(path, input.variable);
  }
  try {
    return read_labels(input.files, input.options, grid, grid_name);
  } catch (const DataError&) {
    for (const std::string& path : input.files) {
      refuse_other_kind(path, Argument::labels);
    }
    throw;
  }
}

LabelledPixels read_label_input(const LabelInput& input, SceneSource& scene) {
  // Labels in MATLAB files have no georeferencing and always belong to the grid of the sensor.
  const auto on_map = [&](const std::string& path) {
    return !is_matlab_file(path) && labels_on_map(path, scene.grid());
  };
  // Labels on the map are rasterised on the grid of the lookup table and then carried to the pixels of the sensor that
  // the table shows there. This requires that all files lie on the map; labels on the grid of the sensor are read as
  // they are.
  if (scene.lookup() == nullptr || !std::ranges::all_of(input.files, on_map)) {
    return read_label_input(input, scene.grid(), scene.name());
  }
  LabelledPixels labels = carry_labels(read_label_input(input, scene.lookup()->grid(), scene.name()), *scene.lookup());
  labels.messages.push_back("labels are brought to the pixels of " + scene.name() +
                            ", which is in the sensor's own geometry, by the geometry lookup table " +
                            scene.lookup()->name());
  return labels;
}

void complete_label_options(LabelInput& input, Listener& listener) {
  if (input.options.x_field.has_value() != input.options.y_field.has_value()) {
    throw ConfigError("--x and --y go together: they name the two columns of coordinates");
  }
  if (input.class_table && !input.options.rules) {
    input.options.rules =
        read_class_rules(*input.class_table, [&](const std::string& text) { listener.message(text); });
  }
}

void tell_reading(const LabelledPixels& labels, Listener& listener) {
  std::ranges::for_each(labels.messages, [&](const std::string& message) { listener.message(message); });
}

void apply_colours(const std::vector<ColourRule>& rules, ClassTable& classes, Listener& listener) {
  // Rules that match no class are reported: usually their name is misspelt, and the class meant has its default colour.
  const std::string absent =
      separated(colour_classes(classes, rules), ", ", [](const std::string& name) { return "'" + name + "'"; });
  if (!absent.empty()) {
    listener.warn("colours-without-class",
                  "--colours names classes that do not exist: " + absent + "; correct the names in its file");
  }
}

std::vector<ColourRule> read_colour_rules(const std::optional<std::string>& path, Listener& listener) {
  if (!path) {
    return {};
  }
  if (std::filesystem::path(*path).extension() == ".json") {
    return read_colour_file(*path);
  }
  return read_colour_list(*path, [&](const std::string& text) { listener.message(text); });
}

namespace {

struct ArgumentText {
  std::vector<FileKind> kinds;  // that belong here, beside models
  bool model = false;           // a model belongs here
  std::string text;
};

ArgumentText text_of(Argument argument) {
  switch (argument) {
    case Argument::scene:
      return {{FileKind::raster}, false, "SCENE is the image with the spectra"};
    case Argument::labels:
      return {{FileKind::raster, FileKind::vector}, false, "labels are a class raster or a vector file"};
    case Argument::map:
      return {{FileKind::raster}, false, "MAP, the first argument, is a class raster; REFERENCE comes after it"};
    case Argument::model:
      return {{}, true, "MODEL is a file that 'parsimap train' has written"};
    case Argument::model_to_write:
      return {{}, true, "MODEL, the third argument, is the model file to write; SCENE and LABELS come before it"};
  }
  return {};
}

std::string name_of(FileKind kind) { return kind == FileKind::raster ? "a raster" : "a vector file"; }

}  // namespace

void refuse_other_kind(const std::string& path, Argument argument) {
  // Called after a reader has refused a file: if the file is of another known kind, arguments were probably given in
  // the wrong order, and the message says so. A model that is to be written is tested before, because it would be
  // replaced.
  const ArgumentText wanted = text_of(argument);
  if (argument == Argument::model_to_write && !is_plain_file(path)) {
    return;
  }
  const bool model = is_model_file(path);
  const FileKind kind = model ? FileKind::unknown : file_kind(path);
  // A file of unknown kind is not refused here, since the reader of the argument knows more about what is wrong with
  // it.
  // Only models are replaced by a model, and files without content.
  if (argument == Argument::model_to_write && !model && kind == FileKind::unknown && bytes_of_file(path) != 0) {
    throw ConfigError("'" + path + "' is no model of parsimap and is not replaced by one; name another file");
  }
  const bool belongs =
      model ? wanted.model : kind == FileKind::unknown || std::ranges::find(wanted.kinds, kind) != wanted.kinds.end();
  if (belongs) {
    return;
  }
  const std::string sentence = path + " is " + (model ? "a model of parsimap" : name_of(kind)) + ": " + wanted.text;
  if (argument == Argument::model_to_write) {
    throw ConfigError(sentence);
  }
  throw DataError(sentence);
}

// Puts what `change` makes of the scene in its place. A mask stays the outermost, so that what looks at surroundings
// can look behind it.
template <typename Change>
static void change_behind_mask(InputScene& scene, const Change& change) {
  if (MaskedScene* const masked = scene.source->masked()) {
    masked->change(change);
  } else {
    scene.source = change(std::move(scene.source));
  }
}

bool is_of_training(const Model& model, const std::string& scene, const RasterGrid& grid) {
  return std::ranges::any_of(model.provenance.trained, [&](const TrainedScene& one) {
    return base_name(one.path) == base_name(scene) && one.width == grid.width && one.height == grid.height;
  });
}

namespace {

// Surfaces may differ this much, and so do units of radiance.
void check_size(SceneSource& scene, const Model& model, const Indices& bands, Listener& listener) {
  constexpr double kUsual = 5;
  constexpr double kMany = 0.5;
  const auto [ratio, outside, far] = check_units(scene, model, bands);
  if (std::max(ratio, 1 / ratio) > kUsual) {
    listener.warn("unlike-size", scene.name() + ": its spectra are usually " + number_text(ratio, 2) +
                                     " times as large as those of training; if their units differ, state the scale, " +
                                     "as with gdal_translate -a_scale");
  } else if (outside > kMany || !far.empty()) {
    const std::string what = far.empty() ? number_text(100 * outside, 3) +
                                               " % of its pixels lie outside of the values of training in most bands"
                                         : "the mean of its bands " + band_list(far) +
                                               " is over 50 times the largest value of training, or under a fiftieth "
                                               "of the smallest";
    listener.warn("unlike-values", scene.name() + ": " + what +
                                       ", and their classes mean little; if units or offsets differ, state them, as " +
                                       "with gdal_translate -a_scale -a_offset, else add labels of this scene");
  }
}

std::optional<ResamplingFacts> fit_model_bands(InputScene& scene, const Model& model, bool resample,
                                               Listener& listener) {
  const BandTable& bands = scene.source->bands();
  const std::string& name = scene.source->name();
  // The bands of the model are looked for in the scene as they are. Resampling is an explicit choice, because it
  // replaces measured values by weighted sums (docs/method.md, "Resampling spectra"); the error mentions it where it is
  // possible.
  WantedBands wanted = wanted_bands(model);
  wanted.by_position = scene.input.bands_by_position;
  const BandMatch match = match_bands(wanted, bands, name);
  if (match.complete()) {
    if (!match.note.empty() && !(match.by_position && is_of_training(model, name, scene.source->grid()))) {
      listener.message(match.note);
    }
    // A band that training used in spite of its mark is used knowingly.
    const Indices bad = indices_where(match.found.size(), [&](std::size_t i) {
      return bands[static_cast<std::size_t>(match.found[i])].bad && !model.band_table[i].bad;
    });
    if (!bad.empty()) {
      listener.warn("bad-bands", name + ": the model uses bands that the scene marks as bad: " +
                                     band_list(values_at(match.found, bad)) +
                                     "; train --exclude-bands leaves them out");
    }
    if (wanted.by_position && match.by_position) {
      BandTable named = bands_by_place(bands, model);
      change_behind_mask(scene, [&](std::shared_ptr<SceneSource> source) {
        return std::make_unique<SceneDecorator>(std::move(source), std::nullopt, std::move(named));
      });
    }
    check_size(*scene.source, model, match.found, listener);
    return std::nullopt;
  }
  if (!resample) {
    try {
      plan_resampling(wanted, bands, good_bands(bands), name);
    } catch (const DataError&) {
      throw DataError(match.misfit);
    }
    throw DataError(match.misfit + "; --resample computes them from the bands that there are");
  }
  const SpectralResampling resampling = plan_resampling(wanted, bands, good_bands(bands), name);
  change_behind_mask(scene, [&](std::shared_ptr<SceneSource> source) {
    return resample_scene(std::move(source), resampling, model.band_table);
  });
  check_size(*scene.source, model, consecutive(std::ssize(model.bands)), listener);
  return resampling.facts;
}

}  // namespace

void screen_nodata(InputScene& scene, const ValueRange& known) {
  if (scene.input.nodata) {
    return;
  }
  change_behind_mask(scene, [&](std::shared_ptr<SceneSource> source) {
    auto screened = std::make_unique<NodataScreen>(std::move(source), known, scene.description.data_type == "Int8");
    scene.screen = screened.get();
    return screened;
  });
}

void tell_nodata(const InputScene& scene, Listener& listener) {
  const NodataScreen* const screen = scene.screen;
  if (screen == nullptr) {
    return;
  }
  const auto say = [&](std::int64_t pixels, const std::string& sentence, const std::string& advice) {
    if (pixels > 0) {
      listener.note("undeclared-nodata", scene.input.path + ": " + sentence + ": " + std::to_string(pixels) + advice);
    }
  };
  const std::string none = "; --nodata none takes them for data";
  say(screen->left_out() - screen->partly_filled(),
      "pixels left out as no data, because all bands are 0, one value far from all training values, or far below them",
      none);
  say(screen->partly_filled(),
      "pixels left out as no data, because some bands have a value that stands for fill, far from all training values",
      none);
  // A dark pixel here and there is measured.
  constexpr Index kFewOf = 200;
  const PartialPixels& zero = screen->partly_zero();
  if (zero.count > 0 && zero.count * kFewOf >= scene.window().pixels()) {
    say(zero.count, "pixels taken for data with 0 in some bands, although all training values are above 0",
        "; --nodata 0 leaves them out; where 0 is no value, " + missing_bands_text(zero));
  }
}

std::optional<ResamplingFacts> fit_bands(InputScene& scene, const Model& model, bool resample, Listener& listener) {
  if (model.value_range) {
    screen_nodata(scene, *model.value_range);
  } else if (!scene.input.nodata && !scene.description.nodata) {
    listener.message(
        "the model is of an earlier version, which does not know the range of its training values: fill "
        "that " +
        scene.input.path + " does not declare is taken for data (--nodata VALUE leaves it out)");
  }
  return fit_model_bands(scene, model, resample, listener);
}

}  // namespace parsimap
