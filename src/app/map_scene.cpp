#include "parsimap/app/map_scene.hpp"

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/segments.hpp"
#include "parsimap/io/gdal/vector_output.hpp"
#include "parsimap/io/json/model_file.hpp"

#include "argument_kinds.hpp"
#include "map_report.hpp"
#include "memory.hpp"
#include "model_bands.hpp"
#include "segment_outlines.hpp"
#include "stopwatch.hpp"

namespace parsimap {
namespace {

// The outputs of a map: staged at first, made when the classes are known.
class MapFiles {
 public:
  MapFiles(const MapOptions& options, const InputScene& scene, const OutputOptions& format)
      : set_(options.overwrite), format_(format) {
    add_inputs(set_, scene);
    set_.add_input("MODEL", options.model);
    if (options.segments) {
      add_inputs(set_, "--segments", *options.segments);
    }
    add_inputs(set_, options.option_files);
    staged_map_ = &stage_raster(set_, "MAP", options.map, format_);
    for (const auto& [layer, path] : options.layers) {
      staged_layers_[layer] = &stage_raster(set_, "--" + map_layer(layer).option, path, format_);
    }
    if (options.segments_out) {
      staged_segments_ = &stage_vector(set_, "--segments-out", *options.segments_out);
    }
    if (options.report) {
      staged_report_ = &set_.stage("--report", *options.report);
    }
  }

  // The sinks, which this keeps.
  MapOutputs create(const RasterGrid& grid, const ClassTable& classes) {
    map_ = create_class_map(*staged_map_, grid, classes, format_);
    MapOutputs outputs{map_.get(), {}};
    for (const auto& [layer, staged] : staged_layers_) {
      layers_.push_back(create_field(*staged, grid, map_layer(layer).bands(classes), format_));
      outputs.layers[layer] = layers_.back().get();
    }
    return outputs;
  }

  // Null where no file of segments is asked for.
  [[nodiscard]] const StagedOutput* segments() const { return staged_segments_; }

  void write_report(const std::string& html) { write_text(*staged_report_, html); }

  void publish() {
    for (const auto& layer : layers_) {
      layer->close();
    }
    map_->close();
    set_.publish();
  }

 private:
  OutputSet set_;
  OutputOptions format_;
  const StagedOutput* staged_map_ = nullptr;
  std::map<MapLayer, const StagedOutput*> staged_layers_;
  const StagedOutput* staged_segments_ = nullptr;
  const StagedOutput* staged_report_ = nullptr;
  std::unique_ptr<ClassMapSink> map_;
  std::vector<std::unique_ptr<FieldSink>> layers_;
};

std::vector<std::string> files_of(const MapOptions& options) {
  std::vector<std::string> files = {options.scene.path, options.model, options.map};
  for (const auto& [layer, path] : options.layers) {
    files.push_back(path);
  }
  for (const auto& file : {options.scene.mask, options.segments, options.segments_out, options.report}) {
    if (file) {
      files.push_back(*file);
    }
  }
  return files;
}

// Every output has a stage of its own, which begins when there is something to tell.
OutputOptions with_progress(OutputOptions format, Listener& listener) {
  format.progress = [&listener, stage = Progress()](double fraction) mutable {
    if (!stage) {
      stage = listener.progress("writing");
    }
    if (stage) {
      stage(fraction);
    }
  };
  return format;
}

std::vector<LayerFile> layer_files(const MapOptions& options) {
  std::vector<LayerFile> files;
  for (const MapLayerDescription& layer : map_layers()) {
    LayerFile file{layer.option, std::nullopt};
    std::replace(file.name.begin(), file.name.end(), '-', ' ');
    if (const auto asked = options.layers.find(layer.layer); asked != options.layers.end()) {
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
  record.layers = layer_files(options);
  record.segments = options.segments;
  record.segments_out = options.segments_out;
  record.segment_count = static_cast<std::int64_t>(summary.segments.size());
  record.report = options.report;
  record.regularise = to_string(options.mapping.regularisation);
  record.regularisation = to_string(summary.regularisation);
  record.pixels = summary.pixels;
  record.classified = summary.classified;
  record.rejected = summary.rejected;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    record.classes.push_back({model.classes[c].code, model.classes[c].name, summary.class_pixels[c]});
  }
  if (options.mapping.regularisation.method == RegularisationMethod::automatic) {
    record.stages.emplace_back("choose", summary.choice_seconds);
  }
  record.stages.emplace_back("read", summary.read_seconds);
  record.stages.emplace_back("compute", summary.compute_seconds);
  record.stages.emplace_back("write", summary.write_seconds);
  record.peak_memory_bytes = peak_memory_bytes();
  return record;
}

void check_segment_options(const MapOptions& options) {
  if (options.segments_out && !options.segments) {
    throw ConfigError("--segments-out needs --segments, which says what the segments are");
  }
  if (options.segments && options.mapping.regularisation.method != RegularisationMethod::none) {
    throw ConfigError("--segments does not go with --regularise: the pixels of a segment are judged together already");
  }
}

std::vector<NamedInput> inputs_of(const MapOptions& options) {
  std::vector<NamedInput> inputs = {{"scene", options.scene.path}};
  if (options.scene.mask) {
    inputs.emplace_back("mask", *options.scene.mask);
  }
  if (options.segments) {
    inputs.emplace_back("segments", *options.segments);
  }
  inputs.emplace_back("model", options.model);
  return inputs;
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

Model load_or_explain(const std::string& path) {
  try {
    return load_model(path);
  } catch (const DataError&) {
    refuse_other_kind(path, Argument::model);
    throw;
  }
}

// What the source keeps in memory by itself comes off what the windows may take.
MappingOptions mapping_of(const MapOptions& options, const InputScene& scene) {
  constexpr std::int64_t kLeastShare = 4;
  MappingOptions mapping = options.mapping;
  mapping.ram_bytes = std::max(mapping.ram_bytes / kLeastShare, mapping.ram_bytes - scene.description.kept_bytes);
  return mapping;
}

}  // namespace

MappingRecord map_scene(const MapOptions& options, Listener& listener) {
  Stopwatch watch;
  check_segment_options(options);
  repair_files(files_of(options), listener);
  InputScene scene = open_input_scene(options.scene, listener);
  Model model = load_or_explain(options.model);
  MapFiles files(options, scene, with_progress(options.format, listener));
  // Before outputs are made.
  const std::optional<ResamplingFacts> resampled = fit_bands(scene, model, options.resample);
  std::unique_ptr<SegmentSource> segments;
  if (options.segments) {
    segments = open_segments(*options.segments, scene.source->grid(), scene.source->name());
  }
  apply_colours(options.colours, model.classes, listener);
  MapOutputs outputs = files.create(scene.source->grid(), model.classes);
  std::optional<MapReport> report;
  if (options.report) {
    report.emplace(*scene.source, outputs, options.mapping.reject_novelty.has_value());
    outputs = report->watched();
  }
  const MappingSummary summary = classify_scene(*scene.source, model, outputs, mapping_of(options, scene),
                                                listener.progress("classifying"), segments.get());
  if (files.segments() != nullptr) {
    write_segment_outlines(*files.segments(), scene.source->grid(), *segments, model.classes, summary.segments);
  }
  MappingRecord record = record_of(options, model, summary);
  record.resampled = resampled;
  record.seconds = watch.total();
  if (report) {
    files.write_report(report->html(record, model.classes, inputs_of(options), options.record));
  }
  watch.lap();
  files.publish();
  record.stages.back().second += watch.lap();
  record.seconds = watch.total();
  warn_of_empty_map(record, listener);
  return record;
}

}  // namespace parsimap
