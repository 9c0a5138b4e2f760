// One method on one draw of a data set: training and tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/experiment_spec.hpp"
#include "parsimap/experiment/run_experiment.hpp"

namespace parsimap {

struct MethodTask {
  std::string data;  // name of the data set
  Index repeat = 0;
  std::uint64_t seed = 0;    // of selection subsets and folds
  std::vector<int> classes;  // indices of those to train, in this order
  Method method;
  ScalingRule scaling = ScalingRule::global;
};

ExperimentRun run_method(const Dataset& dataset, const MethodTask& task, const Work& work);

// About how many operations that takes.
double method_work(const Dataset& dataset, const MethodTask& task);

}  // namespace parsimap
