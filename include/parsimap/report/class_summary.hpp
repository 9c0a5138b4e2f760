// What a user wants to know first of a trained class: how much it was learnt from, and how well it is told apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/classifier/model.hpp"

namespace parsimap {

struct ClassSummary {
  std::string name;
  Index pixels = 0;                // trained on
  std::optional<Index> regions;    // that they come from; unset in models that do not tell
  std::optional<double> accuracy;  // the fraction of its left-out pixels that were right; unset without such pixels
  // The class that most of its other left-out pixels were taken for (the first of equals), and the fraction of all its
  // left-out pixels that were; unset where none was wrong.
  std::optional<std::string> confused_with;
  double confused_share = 0;
};

// Of every class of a model, in their order.
std::vector<ClassSummary> class_summaries(const Model& model);

}  // namespace parsimap
