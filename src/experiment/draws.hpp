// The draws of an experiment. A draw is made when the first of its runs needs it and is dropped after the last one, so
// that hardly more than one draw per thread is held at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/experiment_spec.hpp"
#include "parsimap/experiment/run_experiment.hpp"

namespace parsimap {

// The draw of a data set for a seed. `loaded` is what its files hold, null for simulated data; it is the draw itself
// where nothing is random.
std::shared_ptr<const Dataset> make_draw(const DataSpec& data, const std::shared_ptr<const Dataset>& loaded,
                                         std::uint64_t seed);

// The rules for the dimension of the signal subspace that the methods have, each once.
std::vector<DimensionRule> dimension_rules(const std::vector<Method>& methods);

// DataError unless the draw has at least two classes, a training sample of each, samples in every test set, and a
// rank of the covariance of the classes to be trained (indices `classes`) that is larger than every fixed dimension.
void check_draw(const Dataset& dataset, const std::vector<int>& classes, const std::vector<Method>& methods,
                ScalingRule scaling);

// One draw, shared by its runs. A slot may be used from several threads at a time.
class DrawSlot {
 public:
  void add_run() { ++runs_; }
  // The draw, made by `make` unless it is there. The others wait for it.
  template <typename Make>
  std::shared_ptr<const Dataset> take(const Make& make) {
    const std::lock_guard lock(mutex_);
    if (!draw_) {
      draw_ = make();
    }
    return draw_;
  }
  // To be called after every run.
  void finish_run() {
    const std::lock_guard lock(mutex_);
    if (--runs_ == 0) {
      draw_.reset();
    }
  }

 private:
  std::mutex mutex_;
  Index runs_ = 0;
  std::shared_ptr<const Dataset> draw_;
};

// What all runs on a data set have in common: the names of test sets and of trained classes, in their order. Data that
// have changed between two runs show by it.

struct RunShape {
  std::vector<std::string> tests;
  std::vector<std::string> classes;
  bool operator==(const RunShape&) const = default;
};

// The shape of runs on a draw that train the classes of these indices.
RunShape shape_of(const Dataset& draw, const std::vector<int>& classes);
RunShape shape_of(const ExperimentRun& run);

// "data set 'hills': repeat 3 of hdda, leave-one-out, fixed:2"
std::string run_title(const ExperimentRun& run);

}  // namespace parsimap
