#include "map_files.hpp"

#include "parsimap/gdal/vector/vector_output.hpp"

#include "job_frame.hpp"

namespace parsimap {

MapFiles::MapFiles(const MapOptions& options, const InputScene& scene, const OutputOptions& format)
    : set_(options.overwrite), format_(format) {
  add_inputs(set_, scene);
  stage_rasters(options);
  if (options.segments_out) {
    staged_segments_ = &stage_vector(set_, "--segments-out", *options.segments_out);
  }
  if (options.report) {
    staged_report_ = &set_.stage("--report", *options.report);
  }
}

MapFiles::MapFiles(const MapOptions& options, const OutputOptions& format) : set_(options.overwrite), format_(format) {
  stage_rasters(options);
}

void MapFiles::stage_rasters(const MapOptions& options) {
  add_inputs_of(set_, options);
  staged_map_ = &stage_raster(set_, "MAP", options.map, format_);
  for (const auto& [layer, path] : options.layers) {
    staged_layers_[layer] = &stage_raster(set_, "--" + map_layer(layer).option, path, format_);
  }
}

MapOutputs MapFiles::create(const RasterGrid& grid, const ClassTable& classes) {
  map_ = create_class_map(*staged_map_, grid, classes, format_);
  MapOutputs outputs{map_.get(), {}};
  for (const auto& [layer, staged] : staged_layers_) {
    layers_.push_back(create_field(*staged, grid, map_layer(layer).bands(classes), format_));
    outputs.layers[layer] = layers_.back().get();
  }
  return outputs;
}

void MapFiles::publish() {
  for (const auto& layer : layers_) {
    layer->close();
  }
  map_->close();
  set_.publish();
}

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

}  // namespace parsimap
