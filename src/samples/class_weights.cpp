#include "parsimap/samples/class_weights.hpp"

#include <algorithm>

#include "parsimap/core/text.hpp"

namespace parsimap {

static const Names<ClassWeights> kWeightChoices = {
    {ClassWeights::automatic, "auto"}, {ClassWeights::none, "none"}, {ClassWeights::balanced, "balanced"}};
constexpr const char* kUnknown = "are unknown; they must be";

ClassWeights parse_class_weights(const std::string& text) {
  const Names<ClassWeights> names(kWeightChoices.begin() + 1, kWeightChoices.end());
  return parse_name("class weights", text, names, kUnknown);
}

ClassWeights parse_class_weights_choice(const std::string& text) {
  return parse_name("class weights", text, kWeightChoices, kUnknown);
}

std::string to_string(ClassWeights weights) { return name_among(weights, kWeightChoices); }

Vector sample_weights(ClassWeights weights, const std::vector<int>& labels, const Vector& own) {
  const auto n = static_cast<Index>(labels.size());
  if (own.size() > 0) {
    return own.cwiseProduct(sample_weights(weights, labels));
  }
  if (weights != ClassWeights::balanced || labels.empty()) {
    return Vector::Ones(n);
  }
  Vector counts = Vector::Zero(*std::max_element(labels.begin(), labels.end()) + 1);
  for (const int label : labels) {
    counts(label) += 1;
  }
  // n / (K n_c) for the samples of class c, with K the number of classes that have samples: the mean of the weights is
  // 1.
  const auto classes = static_cast<double>((counts.array() > 0).count());
  return static_cast<double>(n) / (classes * counts(labels).array());
}

}  // namespace parsimap
