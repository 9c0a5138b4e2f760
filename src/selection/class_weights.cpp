#include "parsimap/selection/class_weights.hpp"

#include <algorithm>

#include "parsimap/core/error.hpp"

namespace parsimap {

ClassWeights parse_class_weights(const std::string& text) {
  if (text == "none") {
    return ClassWeights::none;
  }
  if (text == "balanced") {
    return ClassWeights::balanced;
  }
  throw ConfigError("class weights '" + text + "' are unknown; they must be none or balanced");
}

std::string to_string(ClassWeights weights) { return weights == ClassWeights::none ? "none" : "balanced"; }

Vector sample_weights(ClassWeights weights, const std::vector<int>& labels) {
  const auto n = static_cast<Index>(labels.size());
  if (weights == ClassWeights::none || labels.empty()) {
    return Vector::Ones(n);
  }
  Vector counts = Vector::Zero(*std::max_element(labels.begin(), labels.end()) + 1);
  for (const int label : labels) {
    counts(label) += 1;
  }
  const auto classes = static_cast<double>((counts.array() > 0).count());
  return static_cast<double>(n) / (classes * counts(labels).array());
}

}  // namespace parsimap
