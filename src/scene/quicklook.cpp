#include "parsimap/scene/quicklook.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parsimap {
namespace {

Index nearest_band(const BandTable& bands, double wavelength) {
  const auto distance = [&](const Band& band) { return std::abs(*band.wavelength - wavelength); };
  return std::min_element(bands.begin(), bands.end(),
                          [&](const Band& a, const Band& b) { return distance(a) < distance(b); }) -
         bands.begin();
}

// The value below which `fraction` of `values` lie; they are reordered.
float percentile(std::vector<float>& values, double fraction) {
  const auto rank = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

// Values of three bands at the quicklook's pixels, NaN where there is none.
Spectra sampled(SceneSource& scene, const std::array<Index, 3>& bands, const QuicklookGrid& grid) {
  Spectra values = Spectra::Constant(grid.width() * grid.height(), 3, std::numeric_limits<float>::quiet_NaN());
  const Indices wanted(bands.begin(), bands.end());
  Spectra row;
  for (Index r = 0; r < grid.height(); ++r) {
    const Window window{0, grid.source_row(r), scene.grid().width, 1};
    if (scene.known_empty(window)) {
      continue;
    }
    scene.read(window, wanted, row);
    for (Index c = 0; c < grid.width(); ++c) {
      values.row(r * grid.width() + c) = row.row(grid.source_column(c));
    }
  }
  return values;
}

}  // namespace

QuicklookGrid::QuicklookGrid(const RasterGrid& grid) : source_width_(grid.width), source_height_(grid.height) {
  const Index longest = std::max(grid.width, grid.height);
  const double factor = std::min(1.0, static_cast<double>(kLongestSide) / static_cast<double>(longest));
  width_ = std::max<Index>(1, std::lround(factor * static_cast<double>(grid.width)));
  height_ = std::max<Index>(1, std::lround(factor * static_cast<double>(grid.height)));
}

ClassMapQuicklook::ClassMapQuicklook(const RasterGrid& grid, ClassMapSink& target)
    : grid_(grid), target_(target), codes_(static_cast<std::size_t>(grid_.width() * grid_.height()), 0) {}

void ClassMapQuicklook::write(const Window& window, const std::vector<std::uint16_t>& codes) {
  target_.write(window, codes);
  for (Index r = 0; r < grid_.height(); ++r) {
    const Index row = grid_.source_row(r) - window.row;
    if (row < 0 || row >= window.height) {
      continue;
    }
    for (Index c = 0; c < grid_.width(); ++c) {
      const Index column = grid_.source_column(c) - window.column;
      if (column >= 0 && column < window.width) {
        codes_[static_cast<std::size_t>(r * grid_.width() + c)] =
            codes[static_cast<std::size_t>(row * window.width + column)];
      }
    }
  }
}

std::array<Index, 3> picture_bands(const BandTable& bands) {
  constexpr std::array<double, 3> kWavelengths = {650, 550, 470};
  constexpr double kFarthest = 100;
  std::array<Index, 3> chosen{};
  bool visible = std::all_of(bands.begin(), bands.end(), [](const Band& band) { return band.wavelength.has_value(); });
  for (std::size_t i = 0; visible && i < chosen.size(); ++i) {
    chosen[i] = nearest_band(bands, kWavelengths[i]);
    visible = std::abs(*bands[static_cast<std::size_t>(chosen[i])].wavelength - kWavelengths[i]) <= kFarthest;
  }
  if (!visible) {
    const auto count = static_cast<Index>(bands.size());
    chosen = {5 * count / 6, count / 2, count / 6};
  }
  return chosen;
}

std::vector<std::uint8_t> scene_picture(SceneSource& scene, const std::array<Index, 3>& bands) {
  constexpr double kCut = 0.02;
  const Spectra values = sampled(scene, bands, QuicklookGrid(scene.grid()));
  std::vector<std::uint8_t> picture(static_cast<std::size_t>(4 * values.rows()), 0);
  for (Index b = 0; b < 3; ++b) {
    std::vector<float> known;
    for (Index i = 0; i < values.rows(); ++i) {
      if (std::isfinite(values(i, b))) {
        known.push_back(values(i, b));
      }
    }
    if (known.empty()) {
      return picture;
    }
    const float low = percentile(known, kCut);
    const float high = percentile(known, 1 - kCut);
    const float span = high > low ? high - low : 1;
    for (Index i = 0; i < values.rows(); ++i) {
      if (values.row(i).allFinite()) {
        const float share = std::clamp((values(i, b) - low) / span, 0.0F, 1.0F);
        picture[static_cast<std::size_t>(4 * i + b)] = static_cast<std::uint8_t>(std::lround(255 * share));
        picture[static_cast<std::size_t>(4 * i + 3)] = 255;
      }
    }
  }
  return picture;
}

void FieldHistogram::write(const Window& window, const Spectra& values) {
  if (target_ != nullptr) {
    target_->write(window, values);
  }
  for (Index i = 0; i < values.rows(); ++i) {
    if (!std::isnan(values(i, 0))) {
      const auto bin = static_cast<Index>(values(i, 0) * static_cast<float>(kBins));
      ++counts_[static_cast<std::size_t>(std::clamp<Index>(bin, 0, kBins - 1))];
    }
  }
}

void FieldHistogram::close() {
  if (target_ != nullptr) {
    target_->close();
  }
}

}  // namespace parsimap
