#include "parsimap/scene/nodata_screen.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace parsimap {
namespace {

constexpr std::size_t kFewestBands = 4;
constexpr double kLowestByte = -128;
// Numbers below all measurements that programs write for missing values.
constexpr std::array<double, 5> kUsualFill{-9999, -999, -99999, -32768, -32767};
// In widths of the known range, which is three times that of the training values: no measurement lies so far away.
constexpr double kFarthest = 100;

// Whether all values lie within the bounds, and none is 0. The loop has no exit, so that it is vectorised.
bool is_usual(const float* spectrum, Index bands, float low, float high) {
  unsigned odd = 0;
  for (Index i = 0; i < bands; ++i) {
    odd |= spectrum[i] >= low ? 0U : 1U;
    odd |= spectrum[i] <= high ? 0U : 1U;
    odd |= spectrum[i] != 0 ? 0U : 1U;
  }
  return odd == 0;
}

class DeclaredNodata final : public SceneDecorator {
 public:
  DeclaredNodata(std::unique_ptr<SceneSource> scene, double value) : SceneDecorator(std::move(scene)) {
    // The same conversion as where values are read, so that equal numbers stay equal.
    for (const Band& band : bands()) {
      values_.push_back(static_cast<float>(value * band.scale + band.offset));
    }
  }

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    SceneDecorator::read(window, bands, values);
    for (std::size_t i = 0; i < bands.size(); ++i) {
      auto column = values.col(static_cast<Index>(i)).array();
      const float nodata = values_[static_cast<std::size_t>(bands[i])];
      column = (column == nodata).select(kMissingValue, column);
    }
  }

 private:
  std::vector<float> values_;
};

}  // namespace

std::unique_ptr<SceneSource> declare_nodata(std::unique_ptr<SceneSource> scene, double value) {
  return std::make_unique<DeclaredNodata>(std::move(scene), value);
}

NodataScreen::NodataScreen(std::shared_ptr<SceneSource> scene, const ValueRange& known, bool signed_bytes)
    : SceneDecorator(std::move(scene)), known_(known), signed_bytes_(signed_bytes) {
  count({0, 0, grid().width, grid().height});
}

void NodataScreen::count(const Window& window) {
  counted_ = window;
  // Other columns have nothing left to count.
  next_.assign(static_cast<std::size_t>(grid().width), grid().height);
  std::fill_n(next_.begin() + window.column, window.width, window.row);
  left_out_ = partly_filled_ = 0;
  partly_zero_ = {};
}

// Integers are tried, since scale and offset round what floats store; fill of floats is alike after the scale as well,
// unless the bands have different scales.
bool NodataScreen::stored_alike(const float* spectrum, const Indices& bands, double& stored) const {
  const BandTable& table = this->bands();
  const Band& first = table[static_cast<std::size_t>(bands.front())];
  stored = std::round((static_cast<double>(spectrum[0]) - first.offset) / first.scale);
  return std::equal(bands.begin(), bands.end(), spectrum, [&](Index index, float value) {
    const Band& band = table[static_cast<std::size_t>(index)];
    return value == static_cast<float>(stored * band.scale + band.offset);
  });
}

bool NodataScreen::is_nodata(const float* spectrum, const Indices& bands) const {
  const float* const end = spectrum + bands.size();
  // Fill that differs from band to band, as where a resampling has mixed it with data: no measurement that is mostly
  // above 0 lies that far below in all bands, in whatever unit.
  if (known_.high > -known_.low && std::all_of(spectrum, end, [&](float value) { return value < known_.low; })) {
    return true;
  }
  const bool alike = std::all_of(spectrum, end, [&](float value) { return value == *spectrum; });
  double stored = 0;
  const bool alike_stored = stored_alike(spectrum, bands, stored);
  if (!alike && !alike_stored) {
    return false;
  }
  const auto outside = [&](float value) { return value < known_.low || value > known_.high; };
  const bool zero = (alike && *spectrum == 0) || (alike_stored && stored == 0);
  return (zero && !known_.zero) || (signed_bytes_ && alike_stored && stored == kLowestByte && !known_.lowest) ||
         std::all_of(spectrum, end, outside);
}

bool NodataScreen::has_fill(const float* spectrum, const Indices& bands) const {
  const auto is_outside = [&](float value) { return value < known_.low || value > known_.high; };
  // Where all bands lie far away, the scene is in other units than the training values.
  const bool all = std::all_of(spectrum, spectrum + bands.size(), is_outside);
  const double farthest = all ? HUGE_VAL : kFarthest * (known_.high - known_.low);
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const Band& band = this->bands()[static_cast<std::size_t>(bands[i])];
    const float value = spectrum[i];
    const auto is_usual = [&](double fill) {
      return value == static_cast<float>(fill) || value == static_cast<float>(fill * band.scale + band.offset);
    };
    if (value < known_.low - farthest || value > known_.high + farthest ||
        (is_outside(value) && std::ranges::any_of(kUsualFill, is_usual))) {
      return true;
    }
  }
  return false;
}

void NodataScreen::read(const Window& window, const Indices& bands, Spectra& values) {
  SceneDecorator::read(window, bands, values);
  if (bands.size() < std::min(kFewestBands, this->bands().size()) || bands.size() < 2) {
    return;
  }
  // Most pixels have all values in the known range, and none that is 0: nothing of what follows is true of them. Bounds
  // in single precision may lie a little inside of the known ones.
  const float low = std::nextafter(static_cast<float>(known_.low), HUGE_VALF);
  const float high = std::nextafter(static_cast<float>(known_.high), -HUGE_VALF);
  const bool simple = !signed_bytes_ && std::ranges::all_of(bands, [&](Index band) {
    return this->bands()[static_cast<std::size_t>(band)].offset == 0;
  });
  const bool positive = 2 * known_.low + known_.high > 0;  // the range is the span of the training values three times
  for (Index pixel = 0; pixel < values.rows(); ++pixel) {
    auto spectrum = values.row(pixel);
    if (simple && is_usual(spectrum.data(), spectrum.size(), low, high)) {
      continue;
    }
    const bool alike = is_nodata(spectrum.data(), bands);
    const bool filled = !alike && has_fill(spectrum.data(), bands);
    const bool zero = positive && !alike && !filled && (spectrum.array() == 0).any() && !spectrum.hasNaN();
    if (alike || filled) {
      spectrum.setConstant(kMissingValue);
    }
    const Index row = window.row + pixel / window.width;
    const auto column = static_cast<std::size_t>(window.column + pixel % window.width);
    if (row >= next_[column] && row < counted_.row + counted_.height) {
      left_out_ += alike || filled ? 1 : 0;
      partly_filled_ += filled ? 1 : 0;
      if (zero) {
        partly_zero_.bands = bands;
        count_partial((spectrum.array() == 0).select(kMissingValue, spectrum), partly_zero_);
      }
    }
  }
  for (Index column = window.column; column < window.column + window.width; ++column) {
    Index& next = next_[static_cast<std::size_t>(column)];
    next = std::max(next, window.row + window.height);
  }
}

ValueRange range_of_values(const Matrix& spectra, const BandTable& bands) {
  const double least = spectra.minCoeff();
  const double most = spectra.maxCoeff();
  ValueRange range{2 * least - most, 2 * most - least, false, false};
  for (Index i = 0; i < spectra.rows() && spectra.cols() > 1; ++i) {
    bool zero = true;
    bool lowest = true;
    for (Index b = 0; b < spectra.cols() && (zero || lowest); ++b) {
      const Band& band = bands[static_cast<std::size_t>(b)];
      const auto value = static_cast<float>(spectra(i, b));
      zero = zero && (value == 0 || value == static_cast<float>(band.offset));
      lowest = lowest && value == static_cast<float>(kLowestByte * band.scale + band.offset);
    }
    range.zero = range.zero || zero;
    range.lowest = range.lowest || lowest;
    const bool alike = spectra.row(i).minCoeff() == spectra.row(i).maxCoeff();
    range.alike_samples += zero || (alike && spectra.cols() >= static_cast<Index>(kFewestBands)) ? 1 : 0;
  }
  return range;
}

}  // namespace parsimap
