// A validation as part of JSON documents.
#pragma once

#include "parsimap/classifier/validation.hpp"
#include "parsimap/samples/class_table.hpp"

#include "json_document.hpp"

namespace parsimap {

// null without a validation. Otherwise folds, repeats, grouping, groups, buffer, buffer_unit; of all folds together
// pixels, overall_accuracy, average_accuracy and kappa; over_folds with mean and deviation of each of the three;
// confusion, orientation and classes; and results: of every fold its repeat and fold (from 1), pixels and measures.
Json validation_document(const std::optional<Validation>& validation, const ClassTable& classes);

}  // namespace parsimap
