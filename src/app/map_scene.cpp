#include "parsimap/app/map_scene.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/segments.hpp"

#include "map_files.hpp"
#include "map_job.hpp"
#include "map_report.hpp"
#include "model_bands.hpp"
#include "segment_outlines.hpp"
#include "stopwatch.hpp"

namespace parsimap {
namespace {

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

}  // namespace

MappingRecord map_scene(const MapOptions& asked, Listener& listener) {
  Stopwatch watch;
  check_segment_options(asked);
  repair_files(files_of(asked), listener);
  InputScene scene = open_input_scene(asked.scene, listener);
  Model model = load_or_explain(asked.model);
  const MapOptions options = following_model(asked, model, listener);
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
  const MappingSummary summary = classify_scene(*scene.source, model, outputs, mapping_of(options, scene, model),
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
