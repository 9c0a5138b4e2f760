#include "map_work.hpp"

#include <algorithm>
#include <filesystem>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/gdal/vector/class_polygons.hpp"
#include "parsimap/gdal/vector/segments.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/window_reader.hpp"

#include "../job_frame.hpp"
#include "stac_item.hpp"

namespace parsimap {

static void check_segment_options(const MapOptions& options) {
  if (options.least_pixels && !options.polygonise) {
    throw ConfigError("--least-pixels needs --polygonise, whose areas it joins");
  }
  if (options.set_level && !options.layers.contains(MapLayer::sets)) {
    throw ConfigError("--sets needs --sets-out, the file of the prediction sets");
  }
  if (options.segments_out && !options.segments) {
    throw ConfigError("--segments-out needs --segments, which says what the segments are");
  }
  if (options.segments && options.scene.region) {
    throw ConfigError("--segments does not go with --region: a segment may go beyond the region");
  }
  if (options.segments && options.regularise && options.regularise->method != RegularisationMethod::none) {
    throw ConfigError(
        "--segments does not go with --regularise: the pixels of a segment are classified together already");
  }
}

// Segments exclude the rule of the model, because they combine pixels in another way.
static void regularise(const MapOptions& options, const Model& model, MappingOptions& mapping) {
  if (options.regularise || !options.segments) {
    set_regularisation(model, options.regularise, mapping);
  }
}

Model load_or_explain(const std::string& path) {
  try {
    return load_model(path);
  } catch (const DataError&) {
    refuse_other_kind(path, Argument::model);
    throw;
  }
}

Regularisation regularisation_of(const MapOptions& options, const Model& model) {
  MappingOptions mapping;
  regularise(options, model, mapping);
  return mapping.regularisation;
}

void warn_of_neighbours(const MapOptions& options, const Model& model, Listener& listener) {
  MappingOptions mapping;
  if (options.regularise && options.regularise->method == RegularisationMethod::automatic &&
      !(model.spatial && !model.spatial->scores.empty())) {
    listener.note(
        "not-calibrated",
        "--regularise auto rests on how alike neighbours are in this scene; no training pixels that were left out show "
        "that it raises the accuracy of this model, and it may lower it (train --spatial auto tests it)");
    return;
  }
  set_regularisation(model, options.regularise, mapping);
  if (!options.segments && !is_calibrated(model, mapping)) {
    listener.note("not-calibrated",
                  "probabilities after '" + to_string(mapping.regularisation) +
                      "' are not calibrated on left-out pixels (train --spatial auto calibrates those "
                      "of the rule that it keeps)");
  }
  if (options.regularise || mapping.regularisation.method == RegularisationMethod::none) {
    return;
  }
  listener.message(
      options.segments
          ? "the model asks for neighbours in its maps (train --spatial); segments are classified as wholes instead"
          : "pixels are classified together with their neighbours, as the model asks for (train --spatial); "
            "--regularise none leaves them out");
}

void note_mask(const MapOptions& options, const Model& model, Listener& listener) {
  const bool trained =
      std::ranges::any_of(model.provenance.options, [](const auto& one) { return one.first == "mask"; });
  if (trained != options.scene.mask.has_value()) {
    listener.note("mask-not-as-in-training",
                  trained ? "the model was trained with a mask (--mask), and the map is made without one: pixels like "
                            "those that the mask left out of training get a class, too"
                          : "the map is made with a mask (--mask), and the model was trained without one: the mask "
                            "leaves pixels without a class, and changes nothing for the others");
  }
}

MapWork open_work(const MapOptions& asked, Listener& listener) {
  check_segment_options(asked);
  InputScene scene = open_input_scene(asked.scene, listener);
  Model model = load_or_explain(asked.model);
  check_layers(model, asked.layers);
  warn_of_neighbours(asked, model, listener);
  note_mask(asked, model, listener);
  return {asked, std::move(scene), std::move(model)};
}

constexpr std::int64_t kLeastShare = 4;  // of the memory for work is for windows: smaller ones read blocks repeatedly

// What GDAL's cache gets of the memory for windows, so that windows that are parts of a storage block decode it once:
// the block, or nothing where the memory does not hold it in any case.
static std::int64_t block_share(const MapWork& work) {
  const std::int64_t block = work.scene.description.block_bytes;
  const std::int64_t bytes = work_bytes(work.options);
  return block <= bytes - bytes / kLeastShare ? block : 0;
}

void prepare(MapWork& work, Listener& listener) {
  set_gdal_cache(cache_bytes(work.options) + block_share(work));
  work.resampled = fit_bands(work.scene, work.model, work.options.resample, listener);
  if (work.options.segments) {
    work.segments = open_segments(*work.options.segments, work.scene.source->grid(), work.scene.source->name());
    if (const std::int64_t lost = work.segments->lost(); lost > 0) {
      listener.warn("overlapping-segments", work.segments->name() + ": segments overlap: " + std::to_string(lost) +
                                                " pixels count to an earlier segment in the file only");
    }
  }
  apply_colours(read_colour_rules(work.options.colours, listener), work.model.classes, listener);
}

MappingOptions mapping_of(const MapWork& work) {
  const MapOptions& options = work.options;
  MappingOptions mapping;
  // Decoded data that the source or GDAL keeps are subtracted from the memory of the windows.
  const std::int64_t bytes = work_bytes(options);
  mapping.ram_bytes = std::max(bytes / kLeastShare, bytes - work.scene.description.kept_bytes - block_share(work));
  mapping.threads = thread_count(options);
  mapping.reject = options.reject;
  mapping.reject_novelty = options.reject_novelty;
  mapping.reject_outside = options.reject_outside;
  mapping.set_level = options.set_level.value_or(mapping.set_level);
  if (work.scene.region) {
    mapping.rows = {work.scene.region->row, work.scene.region->row + work.scene.region->height};
  }
  regularise(options, work.model, mapping);
  if (work.model.profile && work.model.profile->metres) {
    mapping.pixel_metres = pixel_metres(work.scene.source->grid());
  }
  return mapping;
}

MappingSummary classify(MapWork& work, const MappingOptions& mapping, const MapOutputs& outputs, Listener& listener) {
  NodataScreen* const screen = work.scene.screen;
  Window window = work.scene.window();
  if (mapping.rows) {
    window.row = mapping.rows->first;
    window.height = mapping.rows->size();
  }
  MappingOptions counted = mapping;
  counted.begin = [&] {
    if (screen != nullptr) {
      screen->count(window);
    }
  };
  MappingSummary summary = classify_scene(*work.scene.source, work.model, outputs, counted,
                                          listener.progress("classifying"), work.segments.get());
  summary.pixels = window.pixels();  // without the columns beside a region
  summary.undeclared = screen != nullptr ? screen->left_out() : 0;
  tell_nodata(work.scene, listener);
  return summary;
}

std::vector<LayerFile> layer_files(const std::map<MapLayer, std::string>& layers) {
  return mapped<LayerFile>(map_layers(), [&](const MapLayerDescription& layer) {
    LayerFile file{layer.option, std::nullopt};
    std::ranges::replace(file.name, '-', ' ');
    if (const auto asked = layers.find(layer.layer); asked != layers.end()) {
      file.file = asked->second;
    }
    return file;
  });
}

static std::vector<DecidingFeature> deciding_features(const Model& model, const MappingSummary& summary) {
  std::vector<DecidingFeature> features;
  for (std::size_t f = 0; f < summary.deciding.size(); ++f) {
    const SupportOrigins& origins = *model.origins;
    features.push_back({origins.files[static_cast<std::size_t>(origins.file[f])], origins.number[f], origins.part[f],
                        model.classes[static_cast<std::size_t>(origins.label[f])].name, summary.deciding[f].pixels,
                        summary.deciding[f].hanging});
  }
  return features;
}

static std::optional<SetSizes> set_sizes(const MapOptions& options, const Model& model, const MappingSummary& summary) {
  if (summary.set_sizes.empty()) {
    return std::nullopt;
  }
  SetSizes sets{options.set_level.value_or(MappingOptions().set_level), summary.set_sizes};
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    const OwnProbabilities& own = model.own_probabilities[c];
    sets.classes.push_back({model.classes[c].name, own.unit_count(), set_threshold(own, sets.level)});
  }
  return sets;
}

MapCounts counts_of(const MapWork& work, const MappingSummary& summary) {
  MapCounts counts;
  counts.classified = summary.classified;
  counts.rejected = summary.rejected;
  counts.undeclared = summary.undeclared;
  counts.deciding = deciding_features(work.model, summary);
  counts.sets = set_sizes(work.options, work.model, summary);
  counts.stages = {
      {"read", summary.read_seconds}, {"compute", summary.compute_seconds}, {"write", summary.write_seconds}};
  counts.peak_memory_bytes = peak_memory_bytes();
  return counts;
}

MapOrigin origin_of(const MapWork& work, const Regularisation& regularisation) {
  const MapOptions& options = work.options;
  return {options.scene.path,        options.model,
          options.scene.region,      to_string(regularisation_of(options, work.model)),
          to_string(regularisation), work.resampled};
}

MappingRecord record_of(const MapWork& work, const MappingSummary& summary) {
  const MapOptions& options = work.options;
  const Model& model = work.model;
  MappingRecord record;
  static_cast<MapCounts&>(record) = counts_of(work, summary);
  static_cast<MapOrigin&>(record) = origin_of(work, summary.regularisation);
  record.map = options.map;
  record.layers = layer_files(options.layers);
  record.segments = options.segments;
  record.segments_out = options.segments_out;
  record.segment_count = static_cast<std::int64_t>(summary.segments.size());
  record.polygons = options.polygonise;
  record.stac = options.stac;
  record.report = options.report;
  record.pixels = summary.pixels;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    record.classes.push_back({model.classes[c].code, model.classes[c].name, summary.class_pixels[c]});
  }
  if (regularisation_of(options, model).method == RegularisationMethod::automatic) {
    record.stages.insert(record.stages.begin(), {"choose", summary.choice_seconds});
  }
  return record;
}

void warn_of_empty_map(const MappingRecord& record, Listener& listener) {
  if (record.segments && record.segment_count == 0) {
    listener.warn("nothing-classified",
                  "no segment of " + *record.segments + " has a pixel with a value in every band used");
  }
  // An empty map is a valid result, but rarely the intended one. The two reasons need different remedies.
  if (record.classified + record.rejected == 0) {
    listener.warn("nothing-classified", "no pixel of " + record.scene +
                                            " has a value in every band used; the map is empty. A mask or "
                                            "a nodata value may leave out all of them, and bands that have no values "
                                            "can be left out of training (--exclude-bands)");
  } else if (record.classified == 0) {
    listener.warn("all-pixels-rejected", "every pixel of " + record.scene +
                                             " was rejected; the map is empty. Reject fewer "
                                             "(--reject, --reject-novelty, --reject-outside)");
  }
}

void warn_of_missing_values(MapWork& work, const MappingRecord& record, Listener& listener) {
  // Below this share missing pixels are the edges of a scene.
  constexpr double kFew = 0.02;
  const std::int64_t missing = record.pixels - record.classified - record.rejected;
  if (static_cast<double>(missing) < kFew * static_cast<double>(record.pixels)) {
    return;
  }
  SceneSource& scene = whole_scene(*work.scene.source);
  const PartialPixels partial = partial_pixels(scene, match_bands(scene, work.model));
  if (static_cast<double>(partial.count) >= kFew * static_cast<double>(partial.looked_at)) {
    listener.note(
        "bands-without-value",
        "about " + percent(static_cast<double>(partial.count) / static_cast<double>(partial.looked_at)) +
            " % of the pixels of " + record.scene +
            " have a value in some bands and none in others, and so get no class: " + missing_bands_text(partial));
  }
  const bool known = is_of_training(work.model, record.scene, scene.grid());
  if (work.model.profile && !known && !work.options.scene.mask && !work.scene.region) {
    listener.note("surroundings-missing",
                  std::to_string(missing) + " pixels of " + record.scene +
                      " have no class, most of them for want of a value: the profiles of pixels near them are not "
                      "those of a complete scene. A mask in place of missing values (--mask) leaves profiles as they "
                      "are");
  }
}

void warn_of_names(const MappingRecord& record, Listener& listener) {
  const std::string& map = record.map;
  const auto names = names_held_otherwise(map, mapped<std::string>(record.classes, &ClassPixels::name));
  if (!names.empty()) {
    listener.warn("names-in-side-file",
                  map + ": its format cannot hold the class names " + quoted_names({names.begin(), names.end()}) +
                      "; other characters stand for their commas and braces, and the .aux.xml beside it has the names "
                      "as they are: keep both together, or write a GeoTIFF");
  }
}

MapFiles::MapFiles(OutputSet& outputs, const MapOptions& options, const OutputOptions& format) : format_(format) {
  staged_map_ = &stage_raster(outputs, "MAP", options.map, format_);
  for (const auto& [layer, path] : options.layers) {
    staged_layers_[layer] = &stage_raster(outputs, "--" + map_layer(layer).option, path, format_);
  }
  if (options.segments_out) {
    staged_segments_ = &stage_vector(outputs, "--segments-out", *options.segments_out);
  }
  if (options.polygonise) {
    staged_polygons_ = &stage_pixel_layers(outputs, "--polygonise", *options.polygonise);
  }
  if (options.stac) {
    staged_item_ = &outputs.stage("--stac", *options.stac);
  }
}

MapOutputs MapFiles::create(const RasterGrid& grid, const ClassTable& classes) {
  map_ = create_class_map(*staged_map_, grid, classes, format_);
  MapOutputs outputs{map_.get(), {}};
  // Layers may lie elsewhere than the map, from whose folder paths are given.
  OutputOptions of_layer = format_;
  std::erase_if(of_layer.metadata, [](const auto& item) { return item.first != kModelDigestItem; });
  for (const auto& [layer, staged] : staged_layers_) {
    layers_.push_back(create_field(*staged, grid, map_layer(layer).bands(classes), of_layer));
    // The sinks belong to this object; the outputs refer to them.
    outputs.layers[layer] = layers_.back().get();
  }
  return outputs;
}

void MapFiles::close() {
  for (const auto& layer : layers_) {
    layer->close();
  }
  map_->close();
}

void MapFiles::polygonise(const MapOptions& options, const ClassTable& classes) const {
  if (staged_polygons_ != nullptr) {
    write_class_polygons(*staged_polygons_, staged_map_->path, classes, options.least_pixels.value_or(1));
  }
}

void MapFiles::describe(const RasterGrid& grid, const ClassTable& classes, const MappingRecord& record) const {
  if (staged_item_ == nullptr) {
    return;
  }
  std::vector<StacRaster> rasters = {{"map", staged_map_->target, staged_map_->path, {}}};
  for (const auto& [layer, staged] : staged_layers_) {
    rasters.push_back({map_layer(layer).option, staged->target, staged->path, map_layer(layer).bands(classes)});
  }
  write_text(*staged_item_, stac_item(staged_item_->target, grid, classes, rasters, record));
}

std::vector<PlannedPhase> mapping_stages(const MapOptions& options, Index scenes) {
  std::vector<PlannedPhase> of_scene = {{"classifying", 9}, {"writing", 0.1}};
  for (const auto& [layer, path] : options.layers) {
    of_scene.push_back({"writing", map_layer(layer).each_class ? 0.8 : 0.15});
  }
  std::vector<PlannedPhase> stages;
  for (Index i = 0; i < scenes; ++i) {
    add_all(stages, of_scene);
  }
  return stages;
}

OutputOptions with_origin(OutputOptions format, const std::string& map, const std::string& model,
                          const std::string& digest, const std::string& scene) {
  // Relative to the map, paths remain true in a folder that is moved with all its files. What is in memory has no path
  // that would be there later (Python passes the descriptors of open files).
  const auto relative = [&](const std::string& path) -> std::string {
    namespace fs = std::filesystem;
    if (path.empty() || path.starts_with("/proc/self/fd/")) {
      return "";
    }
    return fs::absolute(path).lexically_normal().lexically_relative(fs::absolute(map).lexically_normal().parent_path());
  };
  format.metadata = {{kModelItem, relative(model)}, {kModelDigestItem, digest}, {kSceneItem, relative(scene)}};
  std::erase_if(format.metadata, [](const auto& item) { return item.second.empty(); });
  return format;
}

static std::vector<FieldValue> values_of(const ClassifiedSegment& segment, const ClassTable& classes) {
  const ClassEntry* const entry = segment.rejected ? nullptr : &classes[static_cast<std::size_t>(segment.label)];
  return {segment.number, entry != nullptr ? FieldValue(entry->name) : FieldValue(),
          entry != nullptr ? FieldValue(std::int64_t{entry->code}) : FieldValue(),
          static_cast<double>(segment.confidence), segment.pixels};
}

void write_segment_outlines(const StagedOutput& output, const RasterGrid& grid, SegmentSource& segments,
                            const ClassTable& classes, const std::vector<ClassifiedSegment>& classified) {
  const auto sink = create_features(output, grid, PixelGeometry::outline,
                                    {{"segment", FieldKind::integer},
                                     {"class", FieldKind::text},
                                     {"code", FieldKind::integer},
                                     {"confidence", FieldKind::real},
                                     {"pixels", FieldKind::integer}});
  std::vector<std::int64_t> numbers;
  for (const ClassifiedSegment& segment : classified) {
    // The window is the bounding box of the segment and may contain other segments, which the mask removes before the
    // outline is traced.
    segments.read(segment.window, numbers);
    const auto mask = mapped<std::uint8_t>(
        numbers, [&](std::int64_t number) { return static_cast<std::uint8_t>(number == segment.number); });
    sink->add_outline(segment.window, mask, values_of(segment, classes));
  }
  sink->close();
}

}  // namespace parsimap
