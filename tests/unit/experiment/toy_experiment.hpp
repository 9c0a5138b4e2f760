// A small experiment on samples made by hand.
#pragma once

#include "parsimap/experiment/run_experiment.hpp"

#include "support/toy_samples.hpp"

namespace parsimap::toy {

inline Dataset three_class_dataset(Index per_class = 20) {
  Dataset dataset;
  dataset.train = three_classes(per_class, 1);
  dataset.tests = {{"near", three_classes(15, 2)}, {"far", three_classes(10, 3)}};
  return dataset;
}

// A data set that somebody loads from files, with the test sets of three_class_dataset().
inline DataSpec loaded_data(const std::string& name) {
  DataSpec data;
  data.name = name;
  data.source = SceneData{{}, {}, {{"near", {}}, {"far", {}}}};
  return data;
}

inline Method method(ExperimentKernel kernel, ExperimentCriterion criterion, const std::string& rule = "fixed:2") {
  return {kernel, criterion, parse_dimension_rule(rule)};
}

// 30 x 20 pixels of three classes on eight bands.
inline SimulatedData small_simulation() {
  SimulatedData data;
  data.scene.width = 30;
  data.scene.height = 20;
  data.scene.bands = 8;
  data.scene.layout.kind = "blocks";
  data.scene.layout.block_size = 1;
  data.scene.classes.resize(3);
  data.scene.classes[0].name = "soil";
  data.scene.classes[1].name = "water";
  data.scene.classes[2].name = "forest";
  data.scene.snr = 1;
  data.train = 90;
  data.test = 510;
  return data;
}

}  // namespace parsimap::toy
