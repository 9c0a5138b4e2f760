// A run of an experiment with values that shortest decimals must get right.
#pragma once

#include <cmath>
#include <limits>

#include "parsimap/experiment/experiment_record.hpp"

namespace parsimap {

inline ExperimentRun toy_run() {
  ConfusionMatrix confusion({"one", "two"});
  confusion.add(0, 0, 4);
  confusion.add(1, 0, 2);
  confusion.add(1, 1, 2);
  ExperimentRun run;
  run.data = "toy";
  run.method = {"hdda", "radius-margin", "scree:0.2"};
  run.repeat = 3;
  run.seed = std::numeric_limits<std::uint64_t>::max();
  run.tests = {{"test", 8, 0.75, 0.1, confusion}, {"other", 5, std::nullopt, 1.0 / 3, std::nullopt}};
  ClassRun one;
  one.name = "one";
  one.dimension = 2;
  one.criterion_value = 0.1 + 0.2;
  one.C = 1e4;
  one.support_vectors = 17;
  one.evaluations = 42;
  one.stop_reason = "converged";
  one.seconds = 1.0 / 7;
  one.trace = {3.5, 2.0 / 3, std::numeric_limits<double>::denorm_min()};
  one.weights = {1e-300, std::nextafter(1.0, 2.0)};
  one.rest_weight = 5;
  one.binary_accuracy = {0.25, 0.5};
  ClassRun two = one;
  two.name = "two";
  two.dimension = 0;
  two.trivial = true;
  two.weights.clear();
  run.classes = {one, two};
  return run;
}

}  // namespace parsimap
