// One method on one draw of a data set: training and tests.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "parsimap/experiment/dataset.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/experiment_spec.hpp"

namespace parsimap {

struct MethodTask {
  std::string data;  // name of the data set
  Index repeat = 0;
  std::uint64_t seed = 0;    // of selection subsets and folds
  std::vector<int> classes;  // indices of those to train, in this order
  Method method;
  ScalingRule scaling = ScalingRule::global;
};

// `on_step` is called with 0 before every evaluation of the
// criterion and with 1 after every class; it may throw to stop.
ExperimentRun run_method(const Dataset& dataset, const MethodTask& task, const std::function<void(int)>& on_step);

}  // namespace parsimap
