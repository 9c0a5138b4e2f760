#include "map_job.hpp"

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/json/model_file.hpp"

#include "argument_kinds.hpp"
#include "job_frame.hpp"
#include "memory.hpp"
#include "model_bands.hpp"

namespace parsimap {
namespace {

void check_segment_options(const MapOptions& options) {
  if (options.segments_out && !options.segments) {
    throw ConfigError("--segments-out needs --segments, which says what the segments are");
  }
  if (options.segments && options.regularise && options.regularise->method != RegularisationMethod::none) {
    throw ConfigError("--segments does not go with --regularise: the pixels of a segment are judged together already");
  }
}

void regularise(const MapOptions& options, const Model& model, MappingOptions& mapping) {
  if (options.regularise) {
    mapping.regularisation = *options.regularise;
  } else if (!options.segments) {
    regularise_as_trained(model, mapping);
  }
}

}  // namespace

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

MappingOptions mapping_of(const MapOptions& options, const InputScene& scene, const Model& model) {
  constexpr std::int64_t kLeastShare = 4;
  MappingOptions mapping;
  const std::int64_t bytes = work_bytes(options);
  mapping.ram_bytes = std::max(bytes / kLeastShare, bytes - scene.description.kept_bytes);
  mapping.threads = thread_count(options);
  mapping.reject = options.reject;
  mapping.reject_novelty = options.reject_novelty;
  regularise(options, model, mapping);
  if (model.profile && model.profile->metres) {
    mapping.pixel_metres = pixel_metres(scene.source->grid());
  }
  return mapping;
}

void tell_of_neighbours(const MapOptions& options, const Model& model, Listener& listener) {
  MappingOptions mapping;
  if (options.regularise || !regularise_as_trained(model, mapping)) {
    return;
  }
  if (options.segments) {
    listener.message("the model asks for neighbours in its maps (train --spatial); segments are judged instead");
  } else {
    listener.message(
        "pixels are judged together with their neighbours, as the model asks for (train --spatial); "
        "--regularise none leaves them out");
  }
}

MapWork open_work(const MapOptions& asked, Listener& listener) {
  check_segment_options(asked);
  InputScene scene = open_input_scene(asked.scene, listener);
  Model model = load_or_explain(asked.model);
  tell_of_neighbours(asked, model, listener);
  return {asked, std::move(scene), std::move(model)};
}

void prepare(MapWork& work, Listener& listener) {
  work.resampled = fit_bands(work.scene, work.model, work.options.resample);
  if (work.options.segments) {
    work.segments = open_segments(*work.options.segments, work.scene.source->grid(), work.scene.source->name());
  }
  apply_colours(read_colour_rules(work.options.colours, listener), work.model.classes, listener);
}

MappingSummary classify(MapWork& work, const MapOutputs& outputs, Listener& listener) {
  return classify_scene(*work.scene.source, work.model, outputs, mapping_of(work.options, work.scene, work.model),
                        listener.progress("classifying"), work.segments.get());
}

std::vector<LayerFile> layer_files(const std::map<MapLayer, std::string>& layers) {
  std::vector<LayerFile> files;
  for (const MapLayerDescription& layer : map_layers()) {
    LayerFile file{layer.option, std::nullopt};
    std::replace(file.name.begin(), file.name.end(), '-', ' ');
    if (const auto asked = layers.find(layer.layer); asked != layers.end()) {
      file.file = asked->second;
    }
    files.push_back(std::move(file));
  }
  return files;
}

MappingRecord record_of(const MapOptions& options, const Model& model, const MappingSummary& summary) {
  MappingRecord record;
  record.scene = options.scene.path;
  record.model = options.model;
  record.map = options.map;
  record.layers = layer_files(options.layers);
  record.segments = options.segments;
  record.segments_out = options.segments_out;
  record.segment_count = static_cast<std::int64_t>(summary.segments.size());
  record.report = options.report;
  record.regularise = to_string(regularisation_of(options, model));
  record.regularisation = to_string(summary.regularisation);
  record.pixels = summary.pixels;
  record.classified = summary.classified;
  record.rejected = summary.rejected;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    record.classes.push_back({model.classes[c].code, model.classes[c].name, summary.class_pixels[c]});
  }
  if (regularisation_of(options, model).method == RegularisationMethod::automatic) {
    record.stages.emplace_back("choose", summary.choice_seconds);
  }
  record.stages.emplace_back("read", summary.read_seconds);
  record.stages.emplace_back("compute", summary.compute_seconds);
  record.stages.emplace_back("write", summary.write_seconds);
  record.peak_memory_bytes = peak_memory_bytes();
  return record;
}

void warn_of_empty_map(const MappingRecord& record, Listener& listener) {
  if (record.segments && record.segment_count == 0) {
    listener.warning("no segment of " + *record.segments + " has a pixel with a value in every band used");
  }
  if (record.classified + record.rejected == 0) {
    listener.warning("no pixel of " + record.scene +
                     " has a value in every band used; the map is empty. Bands "
                     "that have no values can be left out of training (--exclude-bands)");
  } else if (record.classified == 0) {
    listener.warning("every pixel of " + record.scene +
                     " was rejected; the map is empty. Reject fewer "
                     "(--reject, --reject-novelty)");
  }
}

}  // namespace parsimap
