// A trained model, for people.
#pragma once

#include <string>

#include "parsimap/report/run_record.hpp"

namespace parsimap {

// One line per class (samples, dimension p, C, support vectors, criterion, evaluations, KKT violation, stop reasons of
// final fit and selection), the leave-one-out accuracy of the training pixels, and the validation if there is one.
std::string machines_text(const Model& model);

// What `train` did: what was dropped and why, machines_text(), and where the time went.
std::string training_text(const Model& model, const TrainingRecord& record);

}  // namespace parsimap
