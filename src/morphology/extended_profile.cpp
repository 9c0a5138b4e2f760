#include "parsimap/morphology/extended_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"

namespace parsimap {

static void require(bool holds, const std::string& broken) {
  if (!holds) {
    throw DataError("profile: " + broken);
  }
}

static void check_radii(const std::vector<double>& radii) {
  double previous = 0;
  for (const double radius : radii) {
    require(std::isfinite(radius) && radius > previous, "radius " + std::to_string(radius) + " follows " +
                                                            std::to_string(previous) +
                                                            "; radii must be positive and ascend");
    previous = radius;
  }
}

Index ProfileDesign::features() const { return components() * (2 * static_cast<Index>(radii.size()) + 1); }

Indices pixel_radii(const ProfileDesign& design, const double* pixel_metres) {
  if (design.metres && pixel_metres == nullptr) {
    throw DataError("the radii of the profile are in metres, and the scene does not say how large its pixels are");
  }
  // A radius of less than half a pixel becomes one pixel, the smallest disc that changes an image.
  return mapped<Index>(design.radii, [&](double radius) {
    return std::max<Index>(1, std::lround(design.metres ? radius / *pixel_metres : radius));
  });
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
  return radii.empty() ? 0 : opening_reach(*std::ranges::max_element(radii), steps);
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

namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();
constexpr float kHighest = std::numeric_limits<float>::infinity();

// How far a disc reaches along a row that is `dy` rows away from its centre: the largest whole number w with
// w^2 + dy^2 <= radius^2. The square root may be rounded to the wrong side of a whole number, hence the two
// corrections.
Index half_width(Index radius, Index dy) {
  auto width = static_cast<Index>(std::sqrt(static_cast<double>(radius * radius - dy * dy)));
  while (width * width + dy * dy > radius * radius) {
    --width;
  }
  while ((width + 1) * (width + 1) + dy * dy <= radius * radius) {
    ++width;
  }
  return width;
}

// The minima of `image` over discs, where they lie inside of it without its outer `edge` columns and rows. A disc is a
// stack of runs of columns, one for each of its rows. `runs` holds the minima over runs of 2 half + 1 columns. It
// grows by a column at both ends at a time, and the rows of the disc with runs of this length are then added, dy above
// and dy below the centre. Rows far from the centre have the shortest runs, so that dy descends from the radius to 0
// while half ascends from 0 to the radius: about 4 radius comparisons for a pixel in place of the 3 radius^2 pixels of
// the disc.
void disc_minima(const Image& image, Index edge, Index radius, Image& runs, Image& result) {
  const Index width = image.cols() - 2 * edge;
  const Index inner = edge + radius;
  runs = image;
  result.setConstant(image.rows(), image.cols(), kHighest);
  for (Index half = 0, dy = radius; half <= radius; ++half) {
    for (Index row = edge; half > 0 && row < image.rows() - edge; ++row) {
      auto run = runs.row(row).segment(edge + half, width - 2 * half);
      run = run.min(image.row(row)
                        .segment(edge, width - 2 * half)
                        .min(image.row(row).segment(edge + 2 * half, width - 2 * half)));
    }
    for (; dy >= 0 && half_width(radius, dy) == half; --dy) {
      for (Index row = inner; row < image.rows() - inner; ++row) {
        auto values = result.row(row).segment(inner, width - 2 * radius);
        values = values.min(runs.row(row - dy)
                                .segment(inner, width - 2 * radius)
                                .min(runs.row(row + dy).segment(inner, width - 2 * radius)));
      }
    }
  }
}

}  // namespace

Index opening_reach(Index radius, Index steps) { return 2 * radius + steps; }

std::int64_t PartialOpening::bytes(Index rows, Index columns) {
  return std::int64_t{6} * rows * columns * static_cast<std::int64_t>(sizeof(float));
}

const Image& PartialOpening::open(const Image& image, Index border, Index radius, Index steps) {
  return apply(image, border, radius, steps, 1);
}

const Image& PartialOpening::close(const Image& image, Index border, Index radius, Index steps) {
  return apply(image, border, radius, steps, -1);
}

// The buffers are as large as the image for every radius, so that they are never allocated anew.
const Image& PartialOpening::apply(const Image& image, Index border, Index radius, Index steps, float sign) {
  const Index outside = border - opening_reach(radius, steps);
  // A place without a pixel must not count in any extreme: it is the highest value where minima are taken and the
  // lowest where maxima are. Closing is opening of the negative image, hence the sign.
  next_ = image.isFinite().select(sign * image, kHighest);
  disc_minima(next_, outside, radius, runs_, eroded_);
  mask_ = (next_ == kHighest).select(kLowest, next_);
  // Maxima are those of the negative image, too.
  eroded_ = (mask_ == kLowest).select(kHighest, -eroded_);
  disc_minima(eroded_, outside + radius, radius, runs_, marker_);
  // Discs of the dilation also reach places without a pixel, from which reconstruction would spread. The minimum with
  // the mask resets these to the lowest value; elsewhere an opening is never above the image.
  marker_ = (-marker_).min(mask_);
  reconstruct(outside + 2 * radius, steps);
  const Index rows = mask_.rows() - 2 * border;
  const Index columns = mask_.cols() - 2 * border;
  result_ = (mask_.block(border, border, rows, columns) == kLowest)
                .select(std::numeric_limits<float>::quiet_NaN(), sign * marker_.block(border, border, rows, columns));
  return result_;
}

// What a step changes is what lies around the changes of the step before, so rows are left out where nothing is new,
// and when no row is left the reconstruction is complete. Each step is one column and row farther inside.
void PartialOpening::reconstruct(Index edge, Index steps) {
  next_ = marker_;
  changed_.assign(static_cast<std::size_t>(mask_.rows()), 1);
  changes_.assign(changed_.size(), 0);
  for (Index k = 1; k <= steps && step(edge + k); ++k) {
  }
}

// One step of all pixels but the outer `edge` columns and rows; false where it changes nothing.
bool PartialOpening::step(Index edge) {
  const Index width = mask_.cols() - 2 * edge;
  bool any = false;
  for (Index row = edge; row < mask_.rows() - edge; ++row) {
    const auto y = static_cast<std::size_t>(row);
    changes_[y] = 0;
    if (changed_[y - 1] == 0 && changed_[y] == 0 && changed_[y + 1] == 0) {
      // The row is in both buffers: the step before has left it as it was.
      continue;
    }
    // The maximum over 3 x 3 pixels in two passes: first of the three rows, column by column, one column more at either
    // end, then of three columns next to each other. The mask bounds the result.
    column_ = marker_.row(row - 1)
                  .segment(edge - 1, width + 2)
                  .max(marker_.row(row).segment(edge - 1, width + 2))
                  .max(marker_.row(row + 1).segment(edge - 1, width + 2))
                  .transpose();
    auto values = next_.row(row).segment(edge, width);
    values = column_.segment(0, width)
                 .max(column_.segment(1, width))
                 .max(column_.segment(2, width))
                 .transpose()
                 .min(mask_.row(row).segment(edge, width));
    const auto bytes = static_cast<std::size_t>(width) * sizeof(float);
    changes_[y] = std::memcmp(&next_(row, edge), &marker_(row, edge), bytes) != 0 ? 1 : 0;
    any = any || changes_[y] != 0;
  }
  marker_.swap(next_);
  changed_.swap(changes_);
  return any;
}

}  // namespace parsimap
