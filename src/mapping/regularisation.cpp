#include "parsimap/mapping/regularisation.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

// The share a of pixels whose neighbours say nothing about them: such neighbours must not rule out a class.
constexpr float kSilent = 0.1F;

// Neighbours whose weights sum up to less than this are too far away to say anything.
constexpr float kLeastWeight = 1e-4F;

// The number `text` of the rule, between `smallest` and `largest`.
template <typename Number>
Number number_within(const std::string& rule, const std::string& text, Number smallest, Number largest) {
  const std::optional<Number> value = parse_number<Number>(text);
  if (!value || *value < smallest || *value > largest) {
    std::ostringstream message;
    message << "regularisation '" << rule << "': '" << text << "' must be a number from " << smallest << " to "
            << largest;
    throw ConfigError(message.str());
  }
  return *value;
}

// p'_i = sum_j g_ij p_j / sum_j g_ij, the pixel itself included.
void gaussian_mean(const float* sums, float weight, Index classes, float* probabilities) {
  for (Index c = 0; c < classes; ++c) {
    probabilities[c] = sums[c] / weight;
  }
}

// Bayes' rule: the pixel's own probabilities times the prior factors of its neighbours, which then sum up to 1 again.
void bayes(const float* own, const float* factors, Index classes, float* probabilities) {
  float total = 0;
  for (Index c = 0; c < classes; ++c) {
    probabilities[c] = own[c] * factors[c];
    total += probabilities[c];
  }
  for (Index c = 0; c < classes; ++c) {
    probabilities[c] /= total;
  }
}

// How many valid pixels lie before each row of `inner`. With it, rows can be filled by several threads in any order.
Indices first_of_rows(const PixelBlock& block, const Window& inner) {
  Indices first;
  Index count = 0;
  for (Index row = inner.row; row < inner.row + inner.height; ++row) {
    first.push_back(count);
    for (Index column = inner.column; column < inner.column + inner.width; ++column) {
      count += block.has_value(column, row) ? 1 : 0;
    }
  }
  return first;
}

}  // namespace

Regularisation parse_regularisation(const std::string& text) {
  if (text == "none") {
    return {};
  }
  if (text == "auto") {
    return {.method = RegularisationMethod::automatic};
  }
  const auto colon = text.find(':');
  const std::string method = text.substr(0, colon);
  if (colon == std::string::npos || (method != "gaussian" && method != "neighbours")) {
    throw ConfigError("regularisation '" + text +
                      "' is unknown; it must be none, auto, gaussian:SIGMA or neighbours:SIGMA[:STRENGTH], as in "
                      "neighbours:1:2");
  }
  std::string sigma = text.substr(colon + 1);
  Regularisation regularisation{.method = RegularisationMethod::gaussian};
  if (method == "neighbours") {
    regularisation.method = RegularisationMethod::neighbours;
    if (const auto second = sigma.find(':'); second != std::string::npos) {
      regularisation.strength = number_within(text, sigma.substr(second + 1), 1, 8);
      sigma.resize(second);
    }
  }
  regularisation.sigma = number_within(text, sigma, 0.3, 20.0);
  return regularisation;
}

std::string to_string(const Regularisation& regularisation) {
  std::ostringstream text;
  switch (regularisation.method) {
    case RegularisationMethod::none:
      return "none";
    case RegularisationMethod::automatic:
      return "auto";
    case RegularisationMethod::gaussian:
      text << "gaussian:" << regularisation.sigma;
      break;
    case RegularisationMethod::neighbours:
      text << "neighbours:" << regularisation.sigma << ':' << regularisation.strength;
      break;
  }
  return text.str();
}

bool neighbour_factors(const float* own, const float* sums, float weight, Index classes, int strength, float* factors) {
  if (weight - 1 < kLeastWeight) {
    return false;
  }
  // `sums` and `weight` hold the pixel itself with weight 1; without it they are the neighbours' mean q_i. The prior is
  // r = (1 - a) K q + a, one factor for each class, to the power of the strength.
  const float scale = (1 - kSilent) * static_cast<float>(classes) / (weight - 1);
  for (Index c = 0; c < classes; ++c) {
    // What rounding leaves of a difference can be negative.
    const float ratio = scale * std::max(0.0F, sums[c] - own[c]) + kSilent;
    factors[c] = ratio;
    for (int power = 1; power < strength; ++power) {
      factors[c] *= ratio;
    }
  }
  return true;
}

void regularise(const PixelBlock& block, const Window& inner, Index classes, const Regularisation& regularisation,
                int threads, ValidPixels& pixels, Spectra& values) {
  // The sums come row by row from several threads, so every row must know where its valid pixels begin in the result.
  const bool gaussian = regularisation.method == RegularisationMethod::gaussian;
  pixels = block.valid_pixels(inner);
  const Indices first = first_of_rows(block, inner);
  values.resize(pixels.positions.empty() ? pixels.window.pixels() : static_cast<Index>(pixels.positions.size()),
                block.values());
  gaussian_sums(block, inner, regularisation.sigma, threads, [&](Index row, const float* sums) {
    Index i = first[static_cast<std::size_t>(row - inner.row)];
    std::vector<float> factors(static_cast<std::size_t>(classes));
    for (Index column = inner.column; column < inner.column + inner.width; ++column, sums += block.channels()) {
      if (!block.has_value(column, row)) {
        continue;
      }
      // Values behind the probabilities, such as novelty, are handed on as they are.
      const float* own = block.pixel(column, row);
      const float weight = sums[block.values()];
      float* result = values.row(i++).data();
      std::copy_n(own, block.values(), result);
      if (gaussian) {
        gaussian_mean(sums, weight, classes, result);
      } else if (neighbour_factors(own, sums, weight, classes, regularisation.strength, factors.data())) {
        bayes(own, factors.data(), classes, result);
      }
    }
  });
}

}  // namespace parsimap
