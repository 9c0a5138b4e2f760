// Labelled samples that are left out in turn, and judged by machines that have seen neither them nor their region.
//
// Regions are shared out to five folds (samples/folds.hpp), several times over with other seeds, and the machines of a
// model (refitted_machines.hpp) are trained anew on the complement of every fold. Unlike in the selection of a metric,
// regions are left out as wholes whatever their number: a region with a wrong label would vote for itself. A class that
// lies in a single region is then unknown to the machines that judge it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/inspection/refitted_machines.hpp"
#include "parsimap/selection/metric_selection.hpp"

namespace parsimap {

struct LeftOutOptions {
  Index repeats = 4;     // of sharing the regions out to folds, >= 1
  Index samples = 1500;  // that machines are trained on at most, drawn anew for every repeat
  std::uint64_t seed = 0;
  int threads = 1;
  Progress progress = {};  // may throw to stop
};

struct LeftOutFold {
  Indices training;  // rows, ascending; none is of a group in `held`
  Indices held;      // rows, ascending
};

// The folds of all repeats, one repeat after the other; every sample is held out once in each. `untrusted` are rows
// that no machine is trained on, such as bad values.
std::vector<LeftOutFold> left_out_folds(const LabelledSpectra& samples, const Indices& untrusted,
                                        const LeftOutOptions& options);

// Trains the machines of every fold and calls `judge` with them, from several threads at a time, in any order.
void for_each_fold(const LabelledSpectra& samples, const std::vector<LeftOutFold>& folds, const MachineDesign& design,
                   const LeftOutOptions& options,
                   const std::function<void(std::size_t fold, const RefittedMachines& machines)>& judge);

// The decision values of all samples, n x K, each the mean over the repeats in which machines know the class; -infinity
// where none does. The result does not depend on the number of threads.
Matrix left_out_decisions(const LabelledSpectra& samples, const std::vector<LeftOutFold>& folds,
                          const MachineDesign& design, const LeftOutOptions& options);

}  // namespace parsimap
