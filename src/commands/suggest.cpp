#include "parsimap/commands/suggest.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/vector/segments.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/mapping/label_places.hpp"
#include "parsimap/report/info_report.hpp"

#include "assessment/sample_file.hpp"
#include "common_options.hpp"
#include "inspected_samples.hpp"
#include "job_frame.hpp"
#include "maps/map_work.hpp"
#include "training/train_options.hpp"

namespace parsimap {
namespace {

// What any of several files labels.
class LabelledAnywhere final : public SegmentSource {
 public:
  LabelledAnywhere(const SuggestOptions& options, const RasterGrid& grid, const std::string& grid_name,
                   Listener& listener) {
    for (std::size_t whole = 0; const std::string& path : options.exclude) {
      // The condition is one of the labels; places of earlier rounds may lack its fields or values, and are excluded
      // whole.
      try {
        sources_.push_back(open_labelled_pixels(path, grid, grid_name, options.where));
      } catch (const ConfigError& error) {
        if (!options.where || ++whole == options.exclude.size()) {
          throw;
        }
        sources_.push_back(open_labelled_pixels(path, grid, grid_name));
        listener.message(std::string(error.what()) + "; all that it labels is excluded");
      }
    }
  }

  [[nodiscard]] const std::string& name() const override { return sources_.front()->name(); }
  void read(const Window& window, std::vector<std::int64_t>& numbers) override {
    // A pixel is labelled if any file has a number other than 0 there. Which number it is does not matter, so that the
    // largest represents all.
    numbers.assign(static_cast<std::size_t>(window.pixels()), 0);
    for (const auto& source : sources_) {
      source->read(window, one_);
      std::ranges::transform(numbers, one_, numbers.begin(), std::ranges::max);
    }
  }
  void check_unchanged() const override {
    for (const auto& source : sources_) {
      source->check_unchanged();
    }
  }

 private:
  std::vector<std::unique_ptr<SegmentSource>> sources_;
  std::vector<std::int64_t> one_;
};

LabelPlaces find_places(const SuggestOptions& options, const InputScene& scene, const Model& model,
                        std::optional<double> pixel_metres, Listener& listener) {
  std::optional<LabelledAnywhere> excluded;
  if (!options.exclude.empty()) {
    excluded.emplace(options, scene.source->grid(), scene.source->name(), listener);
  }
  PlaceOptions places{.count = options.count,
                      .ram_bytes = work_bytes(options),
                      .threads = thread_count(options),
                      .pixel_metres = pixel_metres};
  if (options.distance) {
    // The search counts in pixels. The option is in metres where the size of a pixel is known, else in pixels; the
    // record converts the distance back.
    places.least_distance = *options.distance / pixel_metres.value_or(1);
  }
  return choose_label_places(*scene.source, model, excluded ? &*excluded : nullptr, places,
                             listener.progress("searching"));
}

// The labels are read as the training of the model read them.
LabelForecastRecord forecast_of(const SuggestOptions& options, SceneSource& scene, const Model& model,
                                Listener& listener) {
  InspectOptions reading;
  static_cast<JobOptions&>(reading) = static_cast<const JobOptions&>(options);
  reading.model = options.model;
  const TrainOptions trained = trained_with(model);
  reading.labels = trained.labels;
  reading.labels.files = options.labels;
  complete_label_options(reading.labels, listener);
  const SampleSet samples = read_inspected_samples(reading, model, scene, listener).samples;
  const Matrix spectra = scaled_columns(model, samples);
  // Where the map is expected to have other shares of the classes than the labels, the overall accuracy is that of the
  // map.
  Vector shares = Vector::Zero(std::ssize(model.classes));
  if (const auto& expected = model.provenance.expected) {
    for (std::size_t c = 0; c < expected->classes.size(); ++c) {
      shares(static_cast<Index>(c)) = expected->classes[c].share.value_or(0);
    }
  }
  // Other folds than those that the numbers of the model were chosen on.
  const LeftOutOptions left_out{.seed = model.provenance.seed + 1,
                                .threads = thread_count(options),
                                .progress = listener.progress("expecting accuracy")};
  return {options.labels, class_names(model.classes),
          forecast_accuracy({spectra, samples.labels, samples.places, model.classes.size(), profile_features(model)},
                            outliers_of(samples, listener), design_with_weights(model, trained.training.dimension),
                            *options.expect, shares.sum() > 0 ? shares : Vector(), left_out)};
}

std::vector<SuggestedPlace> described(const LabelPlaces& found, const RasterGrid& grid, const ClassTable& classes) {
  return mapped<SuggestedPlace>(found.places, [&](const LabelPlace& place) {
    const std::int64_t column = place.pixel % grid.width;
    const std::int64_t row = place.pixel / grid.width;
    return SuggestedPlace{
        .column = column,
        .row = row,
        .position = map_point(grid, static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5),
        .class_name = classes[static_cast<std::size_t>(place.label)].name,
        .second_class = classes[static_cast<std::size_t>(place.second)].name,
        .probability = static_cast<double>(place.probability),
        .second_probability = static_cast<double>(place.second_probability),
        .uncertainty = static_cast<double>(place.uncertainty),
        .novelty = static_cast<double>(place.novelty)};
  });
}

PixelLayer layer_of(const LabelPlacesRecord& record, Index grid_width, const Model& model) {
  PixelLayer layer{std::filesystem::path(record.file).stem().string(), PixelGeometry::centre, {}, {}, {}};
  layer.fields = {{"rank", FieldKind::integer},     {"class", FieldKind::text},
                  {"predicted", FieldKind::text},   {"second_class", FieldKind::text},
                  {"probability", FieldKind::real}, {"second_probability", FieldKind::real},
                  {"uncertainty", FieldKind::real}, {"novelty", FieldKind::real},
                  {"row", FieldKind::integer},      {"column", FieldKind::integer}};
  // Labels that have groups need them of every file: a place without one is by itself.
  const auto& options = model.provenance.options;
  const auto group = std::ranges::find(options, "group-field", [](const auto& option) { return option.first; });
  const bool grouped = group != options.end() && std::ranges::none_of(layer.fields, [&](const VectorField& field) {
                         return lower_case(field.name) == lower_case(group->second);
                       });
  if (grouped) {
    layer.fields.push_back({group->second, FieldKind::text});
  }
  for (const SuggestedPlace& place : record.places) {
    // The field `class` stays null until the user fills it in; the layer is then given to `train` as further labels.
    const auto rank = static_cast<std::int64_t>(layer.features.size()) + 1;
    layer.features.push_back({{place.row * grid_width + place.column},
                              {rank, std::monostate(), place.class_name, place.second_class, place.probability,
                               place.second_probability, place.uncertainty, place.novelty, place.row, place.column}});
    layer.features.back().values.resize(layer.fields.size());
  }
  layer.style = order_style("Places to label", "rank", "Place", std::ssize(record.places), class_names(model.classes));
  return layer;
}

void warn_of_few_places(const LabelPlacesRecord& record, Listener& listener) {
  if (record.pixels == 0) {
    listener.warn("nothing-classified",
                  "no pixel of " + record.scene + " has a value in every band used and is not excluded" +
                      (record.excluded.empty() ? "" : "; a raster of --exclude excludes where it is not 0 or nodata"));
  } else if (static_cast<std::int64_t>(record.places.size()) < record.asked) {
    listener.warn("few-places", "only " + std::to_string(record.places.size()) + " places were found for the " +
                                    std::to_string(record.asked) + " asked for; a smaller --distance may give more");
  }
}

}  // namespace

LabelPlacesRecord suggest_places(const SuggestOptions& options, Listener& listener) {
  Job job(options, listener);
  InputScene scene = open_input_scene(options.scene, listener);
  warn_of_own_output(options.scene.path, listener);
  const Model model = load_or_explain(options.model);
  add_inputs(job.outputs(), scene);
  keep_labels("PLACES", options.places);
  const StagedOutput& staged = stage_pixel_layers(job.outputs(), "PLACES", options.places);
  if (options.expect.has_value() == options.labels.empty()) {
    throw ConfigError("--expect N and --labels FILE belong together: the labels that the model was trained on");
  }

  LabelPlacesRecord record;
  record.resampled = fit_bands(scene, model, options.resample, listener);
  const RasterGrid& grid = scene.source->grid();
  // No value for a scene without a reference system, whose distances are in pixels.
  const std::optional<double> metres = pixel_metres(grid);
  record.scene = options.scene.path;
  record.model = options.model;
  record.file = options.places;
  record.excluded = options.exclude;
  record.asked = options.count;
  record.distance_unit = metres ? "m" : "pixels";
  // Before the search, so that labels that cannot be read are found out soon.
  if (options.expect) {
    record.expected = forecast_of(options, *scene.source, model, listener);
    job.end_stage(record, "expect");
  }
  // The search computes probabilities and novelty of all pixels and then chooses places one after the other
  // (docs/suggestion.md). Distances are those of a plane with square pixels of this size.
  const LabelPlaces found = find_places(options, scene, model, metres, listener);
  tell_nodata(scene, listener);
  record.pixels = found.pixels;
  record.least_distance = found.least_distance * metres.value_or(1);
  record.places = described(found, grid, model.classes);
  job.end_stage(record, "search");
  write_pixel_layers(staged, grid, {layer_of(record, grid.width, model)});
  job.publish(record);
  warn_of_few_places(record, listener);
  return record;
}

constexpr std::int64_t kMostPlaces = 10000;
constexpr std::int64_t kMostExpected = 1000000;

static std::vector<OptionSyntax> suggest_options(SuggestOptions& options) {
  return {{.name = "count",
           .help = "How many places",
           .field = bound(options.count),
           .least = 1,
           .most = kMostPlaces,
           .basic = true},
          {.name = "exclude",
           .help = "What is labelled already and not to be suggested: raster on the scene's grid (0 = "
                   "unlabelled) or vector file",
           .field = bound(options.exclude),
           .file = {{FileContent::raster, FileContent::vector}},
           .basic = true},
          {.name = "where",
           .value_name = "SQL",
           .help = "Condition that selects features of --exclude, as in \"split = 'train'\"; a file without its fields "
                   "or without such features is excluded whole",
           .field = bound(options.where)},
          {.name = "distance",
           .value_name = "METRES",
           .help = "Least distance between two places in metres, or in pixels where the scene has no CRS; "
                   "unset: half of that of as many places spread evenly over the scene",
           .field = bound(options.distance, kDistances),
           .basic = true},
          {.name = "expect",
           .help = "Also forecast the accuracy with N more labelled features; needs --labels",
           .field = bound(options.expect),
           .least = 0,
           .most = kMostExpected},
          {.name = "labels",
           .help = "The labels that the model was trained on, for --expect; read with the fields and conditions of "
                   "its training",
           .field = bound(options.labels),
           .label = "Labels of the training",
           .file = {{FileContent::raster, FileContent::vector}}},
          resample_option(options.resample)};
}

CommandSyntax describe(SuggestOptions& options) {
  return {
      .name = "suggest",
      .summary = "Find the places that are worth labelling next",
      .details =
          "Writes the places of a scene whose labels would teach the model most, as points: undecided between\n"
          "classes or unlike all that is labelled, many pixels like them, and unlike each other. Enter the class\n"
          "of each place in the field 'class', which is empty, and train again with the file among the labels.",
      .arguments = {scene_argument(options.scene.path, "with the bands that the model uses"),
                    model_argument(options.model, "Model file of 'parsimap train', trained on what is labelled so far"),
                    {.name = "PLACES",
                     .help = "GeoPackage of points to write (.gpkg), with a style for QGIS",
                     .field = bound(options.places),
                     .file = {{FileContent::vector}, true, {".gpkg"}}}},
      .options =
          joined(joined(suggest_options(options), scene_options(options.scene)),
                 {ram_option(options, "Memory for windows of the scene and GDAL's cache, in megabytes; unset: 512")})};
}

Command suggest_command() { return command_of(suggest_places, label_places_json, label_places_text); }

}  // namespace parsimap
