// A trained model, for people: as text and as a page.
#pragma once

#include <string>

#include "parsimap/report/command_page.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

// How many of the pixels that were left out in turn were right, and what was left out together.
std::string left_out_text(const LeftOutScores& left_out, const ClassTable& classes);

// One line per class (samples, dimension p, C, support vectors, criterion, evaluations, KKT violation, stop reasons of
// final fit and selection), the metrics that were compared, the accuracy of left-out training pixels, and the
// validation if there is one.
std::string machines_text(const Model& model);

// What `train` did: what was dropped and why, machines_text(), and where the time went.
std::string training_text(const Model& model, const TrainingRecord& record);

// The page of `train`: the samples of every class, its subspace, what was learnt, options and stages.
CommandPage training_page(const Model& model, const TrainingRecord& record);

}  // namespace parsimap
