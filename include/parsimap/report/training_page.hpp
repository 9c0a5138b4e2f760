// The page of `train`: the samples of every class, its subspace, what was learnt, options and stages.
#pragma once

#include "parsimap/report/command_page.hpp"
#include "parsimap/report/experiment_record.hpp"

namespace parsimap {

CommandPage training_page(const Model& model, const TrainingRecord& record);

// The training as one run on the data called `data`, as the figures of experiments want it; the stage "train" is not
// divided among the classes.
ExperimentRun training_run(const Model& model, const std::string& data);

}  // namespace parsimap
