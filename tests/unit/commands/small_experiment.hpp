// An experiment that takes a second or less.
#pragma once

#include <nlohmann/json.hpp>

#include "parsimap/commands/experiments/experiment.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

using Json = nlohmann::ordered_json;

// Two classes, two methods, two repeats; a second or less.
inline Json small_experiment() {
  return Json::parse(R"({
    "title": "Small & quick", "repeats": 2, "seed": 4,
    "methods": [{"kernel": ["gaussian", "hdda"], "criterion": "leave-one-out", "dimension": "fixed:2"}],
    "data": [{"name": "toy", "simulated": {"train": 40, "test": 60, "scene": {"width": 10, "height": 10, "bands": 12,
      "layout": {"kind": "blocks", "block_size": 1}, "snr": 200,
      "classes": [{"name": "one", "dimension": 2}, {"name": "two", "dimension": 2}]}}}],
    "published": [{"source": "us", "quantity": "overall_accuracy", "data": "toy", "kernel": "hdda",
                   "dimension": "fixed:2", "value": 0.5}]})");
}

// Options of a run of `config` whose outputs go to "out".
inline ExperimentOptions options_of(const TemporaryFolder& folder, const Json& config) {
  write_file(folder.file("small.json"), config.dump());
  ExperimentOptions options;
  options.configuration = folder.file("small.json");
  options.output_folder = folder.file("out");
  return options;
}

inline ExperimentResult run_small(const ExperimentOptions& options) {
  Listener silent;
  return run_experiment_file(options, silent);
}

// Results without what differs from run to run.
inline Json without_times(Json json) {
  if (json.is_object()) {
    json.erase("seconds");
    json.erase("mean_seconds");
  }
  for (auto& entry : json) {
    if (entry.is_structured()) {
      entry = without_times(entry);
    }
  }
  return json;
}

}  // namespace parsimap::test
