// Penalties by class, for users to whom every class counts the same, however few its training samples.
//
// In every classifier, of whichever class against the rest, the slack of sample i is penalised by C_i = C s_i. With
// ClassWeights::balanced s_i = n / (K n_c), n_c of the n samples being of the class of i and K classes having samples:
// the penalties of every class add up to the same, and C is their mean. Classes of equal sizes have s_i = 1.
#pragma once

#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

enum class ClassWeights {
  automatic,  // none or balanced, whichever left-out samples speak for; none where nothing is left out
  none,       // s_i = 1
  balanced    // s_i = n / (K n_c)
};

// "none", "balanced" and back, and as a choice "auto", too; another text is a ConfigError that lists them.
ClassWeights parse_class_weights(const std::string& text);
ClassWeights parse_class_weights_choice(const std::string& text);
std::string to_string(ClassWeights weights);

// s_i of samples with these class indices (0 or more), n, times their own weights, which may be empty.
Vector sample_weights(ClassWeights weights, const std::vector<int>& labels, const Vector& own = {});

}  // namespace parsimap
