#include "parsimap/commands/map_scene.hpp"

#include "parsimap/core/error.hpp"

#include "job_frame.hpp"
#include "map_files.hpp"
#include "map_job.hpp"
#include "map_report.hpp"
#include "segment_outlines.hpp"
#include "stopwatch.hpp"

namespace parsimap {
namespace {

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

// A map in memory has nothing beside it.
void refuse_files(const MapOptions& options) {
  std::vector<std::string> given;
  for (const auto& [layer, path] : options.layers) {
    given.push_back("--" + map_layer(layer).option + " " + path);
  }
  if (options.segments_out) {
    given.push_back("--segments-out " + *options.segments_out);
  }
  if (options.report) {
    given.push_back("--report " + *options.report);
  }
  if (!given.empty()) {
    throw ConfigError(given.front() + " is a file beside the map, which is not written to a file");
  }
}

}  // namespace

MappingRecord map_scene(const MapOptions& asked, Listener& listener) {
  Stopwatch watch;
  begin_job(asked, listener);
  MapWork work = open_work(asked, listener);
  const MapOptions& options = work.options;
  MapFiles files(options, work.scene, with_progress(options.format, listener));
  // Before outputs are made.
  prepare(work, listener);
  SceneSource& scene = *work.scene.source;
  const ClassTable& classes = work.model.classes;
  MapOutputs outputs = files.create(scene.grid(), classes);
  std::optional<MapReport> report;
  if (options.report) {
    report.emplace(scene, outputs, options.reject_novelty.has_value());
    outputs = report->watched();
  }
  const MappingSummary summary = classify(work, outputs, listener);
  if (files.segments() != nullptr) {
    write_segment_outlines(*files.segments(), scene.grid(), *work.segments, classes, summary.segments);
  }
  MappingRecord record = record_of(options, work.model, summary);
  record.resampled = work.resampled;
  record.seconds = watch.total();
  if (report) {
    files.write_report(listener.with_names(report->html(record, classes, inputs_of(options), settings(asked))));
  }
  watch.lap();
  files.publish();
  record.stages.back().second += watch.lap();
  record.seconds = watch.total();
  warn_of_empty_map(record, listener);
  return record;
}

MappingRecord map_into(const MapOptions& asked, const MakeMapOutputs& make, Listener& listener) {
  Stopwatch watch;
  refuse_files(asked);
  begin_job(asked, listener);
  MapWork work = open_work(asked, listener);
  prepare(work, listener);
  const MappingSummary summary = classify(work, make(work.scene.source->grid(), work.model.classes), listener);
  MappingRecord record = record_of(work.options, work.model, summary);
  record.resampled = work.resampled;
  record.seconds = watch.total();
  warn_of_empty_map(record, listener);
  return record;
}

}  // namespace parsimap
