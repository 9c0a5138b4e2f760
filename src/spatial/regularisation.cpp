#include "parsimap/spatial/regularisation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

// The share a of pixels whose neighbours contain no information about them: such neighbours must not rule out a class.
constexpr float kSilent = 0.1F;

// Neighbours whose weights sum up to less than this are too far away to count.
constexpr float kLeastWeight = 1e-4F;

// The number `text` of the rule, between `smallest` and `largest`.
template <typename Number>
static Number number_within(const std::string& rule, const std::string& text, Number smallest, Number largest) {
  const std::optional<Number> value = parse_number<Number>(text);
  if (!value || *value < smallest || *value > largest) {
    throw ConfigError("regularisation '" + rule + "': '" + text + "' must be a number from " +
                      number_text(smallest, 6) + " to " + number_text(largest, 6));
  }
  return *value;
}

// Bayes' rule: the pixel's own probabilities times the prior factors of its neighbours, which then sum up to 1 again.
static void bayes(const float* own, const float* factors, Index classes, float* probabilities) {
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
static Indices first_of_rows(const PixelBlock& block, const Window& inner) {
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
                      "' is unknown; it must be none, auto, gaussian:SIGMA[:KEEP] or neighbours:SIGMA[:STRENGTH], as "
                      "in neighbours:1:2");
  }
  std::string sigma = text.substr(colon + 1);
  const bool gaussian = method == "gaussian";
  Regularisation regularisation{gaussian ? RegularisationMethod::gaussian : RegularisationMethod::neighbours};
  if (const auto second = sigma.find(':'); second != std::string::npos) {
    const std::string number = sigma.substr(second + 1);
    if (gaussian) {
      regularisation.keep = number_within(text, number, 0.5, 1.0);
    } else {
      regularisation.strength = number_within(text, number, 1, 8);
    }
    sigma.resize(second);
  }
  regularisation.sigma = number_within(text, sigma, 0.3, 20.0);
  return regularisation;
}

// What parse_regularisation() reads again.
std::string to_string(const Regularisation& regularisation) {
  const std::string sigma = number_text(regularisation.sigma, 6);
  switch (regularisation.method) {
    case RegularisationMethod::none:
      return "none";
    case RegularisationMethod::automatic:
      return "auto";
    case RegularisationMethod::gaussian:
      return "gaussian:" + sigma + (regularisation.keep < 1 ? ":" + number_text(regularisation.keep, 6) : "");
    case RegularisationMethod::neighbours:
      return "neighbours:" + sigma + ":" + std::to_string(regularisation.strength);
  }
  return "";
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
  const auto keep = static_cast<float>(regularisation.keep);
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
        // An object smaller than the window cannot win a mean. Where its spectra leave no doubt, it need not.
        if (!(*std::max_element(own, own + classes) > keep)) {
          // p'_i = sum_j g_ij p_j / sum_j g_ij, the pixel itself included.
          std::transform(sums, sums + classes, result, [weight](float sum) { return sum / weight; });
        }
      } else if (neighbour_factors(own, sums, weight, classes, regularisation.strength, factors.data())) {
        bayes(own, factors.data(), classes, result);
      }
    }
  });
}

// Rows are added up in whole vectors of this many numbers. Where a compiler treats the rest of a row differently from
// its beginning (a fused multiply-add here, two operations there), a pixel's sum would depend on where its window ends.
constexpr Index kLane = 16;

static Index padded(Index numbers) { return (numbers + kLane - 1) / kLane * kLane; }

// exp(-d^2 / (2 sigma^2)) of the distances d = 0, 1, .. reach.
static std::vector<float> gaussian_weights(double sigma) {
  std::vector<float> weights;
  for (Index distance = 0; distance <= gaussian_reach(sigma); ++distance) {
    const double ratio = static_cast<double>(distance) / sigma;
    weights.push_back(static_cast<float>(std::exp(-0.5 * ratio * ratio)));
  }
  return weights;
}

// to += weight * from, over a padded row.
static void add(float weight, const float* from, float* to, Index padded_count) {
  for (Index start = 0; start < padded_count; start += kLane) {
    for (Index i = start; i < start + kLane; ++i) {
      to[i] += weight * from[i];
    }
  }
}

PixelBlock::PixelBlock(Index largest_width, Index largest_height, Index values, Index reach)
    : channels_(values + 1),
      reach_(reach),
      numbers_(largest_height, padded((largest_width + 2 * reach) * channels_) + kLane) {}

std::int64_t PixelBlock::bytes(Index largest_width, Index largest_height, Index values, Index reach) {
  const Index numbers = padded((largest_width + 2 * reach) * (values + 1)) + kLane;
  return 2 * largest_height * numbers * static_cast<Index>(sizeof(float));
}

void PixelBlock::reset(const Window& window) {
  window_ = window;
  numbers_.topRows(window.height).setZero();
}

void PixelBlock::fill(const ValidPixels& pixels, const Spectra& values) {
  for (Index i = 0; i < values.rows(); ++i) {
    const Index position = pixels.position(i);
    float* to = pixel(pixels.window.column + position % pixels.window.width,
                      pixels.window.row + position / pixels.window.width);
    std::copy_n(values.row(i).data(), values.cols(), to);
    to[values.cols()] = 1;
  }
}

ValidPixels PixelBlock::valid_pixels(const Window& inner) const {
  // First the smallest window around the pixels that have values.
  PixelBounds bounds;
  Index count = 0;
  for (Index row = inner.row; row < inner.row + inner.height; ++row) {
    for (Index column = inner.column; column < inner.column + inner.width; ++column) {
      if (has_value(column, row)) {
        bounds.add(column, row);
        ++count;
      }
    }
  }
  // Then the positions inside that window; none are listed where all of its pixels have values.
  if (count == 0) {
    return {{inner.column, inner.row, 0, 0}, {}};
  }
  ValidPixels pixels{bounds.window(), {}};
  for (Index position = 0; count < pixels.window.pixels() && position < pixels.window.pixels(); ++position) {
    if (has_value(bounds.left + position % pixels.window.width, bounds.top + position / pixels.window.width)) {
      pixels.positions.push_back(position);
    }
  }
  return pixels;
}

Index gaussian_reach(double sigma) { return static_cast<Index>(std::ceil(3 * sigma)); }

void gaussian_sums(const PixelBlock& block, const Window& inner, double sigma, int threads,
                   const std::function<void(Index row, const float* sums)>& use) {
  // The weight of a pixel is a product of one factor along the row and one along the column. So the sum over a square
  // of (2 reach + 1)^2 pixels is done in two passes of 2 reach + 1 each: first along the rows, then along the columns.
  const std::vector<float> weights = gaussian_weights(sigma);
  const auto reach = static_cast<Index>(weights.size()) - 1;
  const Index first = std::max(block.window().row, inner.row - reach);
  const Index last = std::min(block.window().row + block.window().height, inner.row + inner.height + reach);
  const Index count = padded(inner.width * block.channels());
  const auto weight = [&](Index distance) { return weights[static_cast<std::size_t>(std::abs(distance))]; };

  // First pass, for every row of the block that a row of `inner` can see. Zeros around the picture save the border
  // cases.
  Spectra along_rows = Spectra::Zero(last - first, count);
  parallel_for(last - first, threads, [&](Index i) {
    for (Index distance = -reach; distance <= reach; ++distance) {
      add(weight(distance), block.pixel(inner.column, first + i) + distance * block.channels(),
          along_rows.row(i).data(), count);
    }
  });
  // Second pass. Every sum adds its rows from top to bottom, whichever thread does it, so that rounding is the same.
  parallel_for(inner.height, threads, [&](Index i) {
    const Index row = inner.row + i;
    std::vector<float> sums(static_cast<std::size_t>(count), 0.0F);
    for (Index from = std::max(first, row - reach); from < std::min(last, row + reach + 1); ++from) {
      add(weight(from - row), along_rows.row(from - first).data(), sums.data(), count);
    }
    use(row, sums.data());
  });
}

void calibrate(Spectra& probabilities, double exponent) {
  if (exponent == 1) {
    return;
  }
  // One number at a time, so that a row is rounded in the same way at every place of a block.
  const auto power = static_cast<float>(exponent);
  for (Index i = 0; i < probabilities.rows(); ++i) {
    const float most = probabilities.row(i).maxCoeff();  // its power is 1, so that not all of them vanish
    float sum = 0;
    for (Index c = 0; c < probabilities.cols(); ++c) {
      float& value = probabilities(i, c);
      value = std::pow(value / most, power);
      sum += value;
    }
    for (Index c = 0; c < probabilities.cols(); ++c) {
      probabilities(i, c) /= sum;
    }
  }
}

}  // namespace parsimap
