// What left-out pixels and the folds of a validation say of a model, as values and as text.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/validation/expected_accuracy.hpp"

namespace parsimap {

// Over the folds in which a measure is defined; without value where there is none, or only one for the deviation.
struct FoldSpread {
  std::optional<double> mean;
  std::optional<double> deviation;  // sample standard deviation
};

struct ValidationScores {
  ConfusionMatrix pooled;                // all folds of all repeats: rows are reference, columns are predicted
  std::array<FoldSpread, 3> over_folds;  // of overall accuracy, average accuracy and kappa
};

// `classes` are those of the validation's matrices.
ValidationScores validation_scores(const Validation& validation, const ClassTable& classes);

// "5 folds of whole regions, 2 repeats"
std::string validation_title(const Validation& validation);

// How it was done, the pooled matrix with producer's and user's accuracies, and the overall measures.
std::string validation_text(const Validation& validation, const ClassTable& classes);

// What the left-out pixels say of the map, as the model records it (validation/expected_accuracy.hpp). Of models of
// earlier versions the share of left-out pixels that were right, with the classes weighted by their training pixels.
ExpectedAccuracy expected_accuracy(const Model& model);
// False where single pixels of regions were left out beside others that were trained on: the accuracy is then none for
// other places.
bool left_out_elsewhere(const Model& model);
// How many of the pixels that were left out in turn were right, and what was left out together.
std::string left_out_text(const Model& model);

}  // namespace parsimap
