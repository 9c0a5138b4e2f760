// What a reader wants to know first, in sentences: how accurate, which class is weakest, what is taken for what.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/accuracy.hpp"

namespace parsimap {

// "Overall accuracy 91.2 % (95 % interval 89.0 to 93.0) on 1,234 reference pixels of 6 classes; weakest: oak (61.0 % of
// its 23 pixels found)." Classes without pixels of the reference do not count.
struct VerdictMeasure {
  std::string name;                       // the first words
  std::optional<double> accuracy;         // of all pixels; it may weigh the classes otherwise than the matrix does
  std::optional<Interval> interval = {};  // of it
  std::string pixel;                      // what was compared, such as "reference pixel"
};
std::string accuracy_verdict(const VerdictMeasure& measure, const ConfusionMatrix& confusion);

// The pairs of classes that are taken for each other most often, at most `most` of them, a sentence each: "Most
// confused are oak and pine: 12 of 40 pixels of oak are called pine, and 3 of 25 of pine are called oak." Empty where
// nothing is confused.
std::vector<std::string> confused_pairs(const ConfusionMatrix& confusion, std::size_t most);

}  // namespace parsimap
