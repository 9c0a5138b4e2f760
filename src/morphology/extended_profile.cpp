#include "parsimap/morphology/extended_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"

namespace parsimap {
namespace {

void require(bool holds, const std::string& broken) {
  if (!holds) {
    throw DataError("profile: " + broken);
  }
}

void check_radii(const std::vector<double>& radii) {
  double previous = 0;
  for (const double radius : radii) {
    require(std::isfinite(radius) && radius > previous, "radius " + std::to_string(radius) + " follows " +
                                                            std::to_string(previous) +
                                                            "; radii must be positive and ascend");
    previous = radius;
  }
}

}  // namespace

Index ProfileDesign::features() const { return components() * (2 * static_cast<Index>(radii.size()) + 1); }

Indices pixel_radii(const ProfileDesign& design, const double* pixel_metres) {
  if (design.metres && pixel_metres == nullptr) {
    throw DataError("the radii of the profile are in metres, and the scene does not say how large its pixels are");
  }
  Indices pixels;
  for (const double radius : design.radii) {
    // A radius of less than half a pixel becomes one pixel, the smallest disc that changes an image.
    const double rounded = std::round(design.metres ? radius / *pixel_metres : radius);
    pixels.push_back(std::max<Index>(1, static_cast<Index>(rounded)));
  }
  return pixels;
}

void check_profile_design(const ProfileDesign& design, Index bands) {
  require(design.mean.size() == bands && design.directions.rows() == bands,
          "it is of " + std::to_string(design.directions.rows()) + " bands; it must be of " + std::to_string(bands));
  require(design.components() >= 1, "it has no components; it must have 1 or more");
  require(design.deviations.size() == design.components(), "it has " + std::to_string(design.deviations.size()) +
                                                               " deviations of " + std::to_string(design.components()) +
                                                               " components; it must have one of each");
  require(design.mean.allFinite() && design.directions.allFinite(), "it holds a value that is not finite");
  require(design.deviations.allFinite() && design.deviations.minCoeff() > 0, "deviations must be positive");
  check_radii(design.radii);
  require(design.steps >= 0, "steps is " + std::to_string(design.steps) + "; it must be 0 or more");
}

ComponentValues::ComponentValues(const ProfileDesign& design) : bands_(design.directions.rows()) {
  // f_p = q_p'(x - mean) / s_p = w_p'x - o_p with the weights w_p = q_p / s_p and the offsets o_p = w_p'mean, so that a
  // pixel needs no centred copy. Weights are stored for groups of kGroup components, band by band: one pass over the
  // spectrum then computes the sums of a group at once. The last group is filled up with components of weight 0.
  const Matrix weights = design.directions * design.deviations.cwiseInverse().asDiagonal();
  const Vector offsets = weights.transpose() * design.mean;
  offsets_.assign(offsets.begin(), offsets.end());
  for (Index first = 0; first < weights.cols(); first += kGroup) {
    for (Index band = 0; band < bands_; ++band) {
      for (Index p = first; p < first + kGroup; ++p) {
        weights_.push_back(p < weights.cols() ? weights(band, p) : 0);
      }
    }
  }
}

void ComponentValues::of(const float* spectrum, float* values) const {
  const double* weights = weights_.data();
  for (Index first = 0; first < count(); first += kGroup) {
    // Sums of one pixel in double precision, in the order of the bands: the result depends on the spectrum only, not on
    // where in a block the pixel lies.
    std::array<double, kGroup> sums{};
    for (Index band = 0; band < bands_; ++band, weights += kGroup) {
      const auto value = static_cast<double>(spectrum[band]);
      for (std::size_t p = 0; p < kGroup; ++p) {
        sums[p] += value * weights[p];
      }
    }
    for (Index p = first; p < std::min(first + kGroup, count()); ++p) {
      values[p] = static_cast<float>(sums[static_cast<std::size_t>(p - first)] - offsets_[static_cast<std::size_t>(p)]);
    }
  }
}

PartialOpening ProfileBuffers::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) {
    return {};
  }
  PartialOpening opening = std::move(idle_.back());
  idle_.pop_back();
  return opening;
}

void ProfileBuffers::put(PartialOpening opening) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(opening));
}

Index profile_reach(const Indices& radii, Index steps) {
  return radii.empty() ? 0 : opening_reach(*std::max_element(radii.begin(), radii.end()), steps);
}

void extended_profile(const std::vector<Image>& components, Index border, const Indices& radii, Index steps,
                      int threads, ProfileBuffers& buffers, Spectra& features) {
  const auto count = static_cast<Index>(components.size());
  const auto sizes = static_cast<Index>(radii.size());
  const Index rows = components.front().rows() - 2 * border;
  const Index columns = components.front().cols() - 2 * border;
  // Features of one component: closings from the largest radius down, the component itself, and openings from the
  // smallest radius up. The component is in the middle, at `sizes`; closing and opening of radius number i are i + 1
  // places before and after it.
  features.resize(rows * columns, count * (2 * sizes + 1));
  const auto put = [&](const auto& image, Index feature) {
    for (Index row = 0; row < rows; ++row) {
      features.col(feature).segment(row * columns, columns) = image.row(row).transpose();
    }
  };
  for (Index p = 0; p < count; ++p) {
    put(components[static_cast<std::size_t>(p)].block(border, border, rows, columns), p * (2 * sizes + 1) + sizes);
  }
  // Tasks are numbered by radius, then component, then opening or closing. Large radii come first because they take
  // longest, so that no thread is left with a long task at the end.
  parallel_for(2 * count * sizes, threads, [&](Index i) {
    const Index size = sizes - 1 - i / (2 * count);
    const Index p = i / 2 % count;
    const Index itself = p * (2 * sizes + 1) + sizes;
    const Index radius = radii[static_cast<std::size_t>(size)];
    PartialOpening opening = buffers.take();
    if (i % 2 == 0) {
      put(opening.open(components[static_cast<std::size_t>(p)], border, radius, steps), itself + 1 + size);
    } else {
      put(opening.close(components[static_cast<std::size_t>(p)], border, radius, steps), itself - 1 - size);
    }
    buffers.put(std::move(opening));
  });
}

std::int64_t extended_profile_bytes(Index rows, Index columns, int threads) {
  return threads * PartialOpening::bytes(rows, columns);
}

}  // namespace parsimap
