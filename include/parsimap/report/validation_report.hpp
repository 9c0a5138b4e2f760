// The accuracies of a validation by folds, and their text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/confusion_matrix.hpp"
#include "parsimap/classifier/validation.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// Over the folds in which a measure is defined; without value where there is none, or only one for the deviation.
struct FoldSpread {
  std::optional<double> mean;
  std::optional<double> deviation;  // sample standard deviation
};

struct ValidationScores {
  ConfusionMatrix pooled;  // all folds of all repeats: rows are reference, columns are predicted
  FoldSpread overall_accuracy;
  FoldSpread average_accuracy;
  FoldSpread kappa;
};

// In the order of the table.
std::vector<std::string> class_names(const ClassTable& classes);

// `classes` are those of the validation's matrices.
ValidationScores validation_scores(const Validation& validation, const ClassTable& classes);

// "5 folds of whole regions, 2 repeats"
std::string validation_title(const Validation& validation);

// How it was done, the pooled matrix with producer's and user's accuracies, and the overall measures.
std::string validation_text(const Validation& validation, const ClassTable& classes);

}  // namespace parsimap
