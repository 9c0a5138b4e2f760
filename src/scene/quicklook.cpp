#include "parsimap/scene/quicklook.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

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

// Calls visit(i, column, row) for the pixels of the picture that show a pixel of the window: i in the picture, column
// and row counted from the corner of the window.
template <typename Visit>
void visit_shown(const PictureLayout& layout, const Window& window, const Visit& visit) {
  for (const PictureTile& tile : layout.tiles) {
    for (Index y = 0; y < tile.height; ++y) {
      const Index row = tile.source_row(y) - window.row;
      if (row < 0 || row >= window.height) {
        continue;
      }
      for (Index x = 0; x < tile.width; ++x) {
        const Index column = tile.source_column(x) - window.column;
        if (column >= 0 && column < window.width) {
          visit((tile.top + y) * layout.width + tile.left + x, column, row);
        }
      }
    }
  }
}

// The rows of the raster that the picture shows, each as wide as its tile.
std::vector<Window> shown_rows(const PictureLayout& layout) {
  // Reading single rows bounds memory by the width of the raster. Rows that the picture leaves out are not read.
  std::vector<Window> rows;
  for (const PictureTile& tile : layout.tiles) {
    for (Index y = 0; y < tile.height; ++y) {
      rows.push_back({tile.source.column, tile.source_row(y), tile.source.width, 1});
    }
  }
  return rows;
}

// Values of three bands at the pixels of the picture, NaN where there is none.
Spectra sampled(SceneSource& scene, const std::array<Index, 3>& bands, const PictureLayout& layout) {
  Spectra values = Spectra::Constant(layout.pixels(), 3, kMissingValue);
  const Indices wanted(bands.begin(), bands.end());
  Spectra row;
  for (const Window& window : shown_rows(layout)) {
    if (!scene.known_empty(window)) {
      scene.read(window, wanted, row);
      visit_shown(layout, window, [&](Index i, Index column, Index) { values.row(i) = row.row(column); });
    }
  }
  return values;
}

std::vector<bool> rows_with_values(const Spectra& values) {
  std::vector<bool> known(static_cast<std::size_t>(values.rows()));
  for (Index i = 0; i < values.rows(); ++i) {
    known[static_cast<std::size_t>(i)] = values.row(i).allFinite();
  }
  return known;
}

// Red, green, blue and opacity.
std::vector<std::uint8_t> stretched(const Spectra& values) {
  // A pixel is opaque where all three bands have a value.
  constexpr double kCut = 0.02;
  std::vector<std::uint8_t> picture(static_cast<std::size_t>(4 * values.rows()), 0);
  for (Index b = 0; b < 3; ++b) {
    std::vector<float> known;
    for (Index i = 0; i < values.rows(); ++i) {
      if (std::isfinite(values(i, b))) {
        known.push_back(values(i, b));
      }
    }
    // Without any value in a band the picture is fully transparent.
    if (known.empty()) {
      return picture;
    }
    // The stretch leaves out 2 % at both ends, so that a few very bright or dark pixels do not make the rest flat.
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

std::vector<std::uint16_t> codes_shown(ClassMapSource& map, const PictureLayout& layout) {
  std::vector<std::uint16_t> codes(static_cast<std::size_t>(layout.pixels()), 0);
  std::vector<std::uint16_t> row;
  for (const Window& window : shown_rows(layout)) {
    map.read(window, row);
    visit_shown(layout, window, [&](Index i, Index column, Index) {
      codes[static_cast<std::size_t>(i)] = row[static_cast<std::size_t>(column)];
    });
  }
  return codes;
}

PictureLayout whole(const RasterGrid& grid) { return picture_of({0, 0, grid.width, grid.height}); }

}  // namespace

ClassMapQuicklook::ClassMapQuicklook(PictureLayout layout, ClassMapSink& target)
    : layout_(std::move(layout)), target_(target), codes_(static_cast<std::size_t>(layout_.pixels()), 0) {}

void ClassMapQuicklook::write(const Window& window, const std::vector<std::uint16_t>& codes) {
  target_.write(window, codes);
  visit_shown(layout_, window, [&](Index i, Index column, Index row) {
    codes_[static_cast<std::size_t>(i)] = codes[static_cast<std::size_t>(row * window.width + column)];
  });
}

FieldQuicklook::FieldQuicklook(PictureLayout layout, FieldSink* target)
    : layout_(std::move(layout)), target_(target), values_(static_cast<std::size_t>(layout_.pixels()), kMissingValue) {}

void FieldQuicklook::write(const Window& window, const Spectra& values) {
  if (target_ != nullptr) {
    target_->write(window, values);
  }
  visit_shown(layout_, window, [&](Index i, Index column, Index row) {
    values_[static_cast<std::size_t>(i)] = values(row * window.width + column, 0);
  });
}

void FieldQuicklook::close() {
  if (target_ != nullptr) {
    target_->close();
  }
}

std::array<Index, 3> picture_bands(const BandTable& bands) {
  // The bands nearest to red, green and blue where the scene has such; otherwise three that are spread over its
  // bands.
  constexpr std::array<double, 3> kWavelengths = {650, 550, 470};
  // Nanometres: a band farther away shows another colour.
  constexpr double kFarthest = 100;
  std::array<Index, 3> chosen{};
  bool visible = std::all_of(bands.begin(), bands.end(), [](const Band& band) { return band.wavelength.has_value(); });
  for (std::size_t i = 0; visible && i < chosen.size(); ++i) {
    chosen[i] = nearest_band(bands, kWavelengths[i]);
    visible = std::abs(*bands[static_cast<std::size_t>(chosen[i])].wavelength - kWavelengths[i]) <= kFarthest;
  }
  if (!visible) {
    const auto count = static_cast<Index>(bands.size());
    // The middles of the last, the second and the first third of the bands, as wavelengths usually ascend.
    chosen = {5 * count / 6, count / 2, count / 6};
  }
  return chosen;
}

ScenePicture scene_picture(SceneSource& scene, const std::array<Index, 3>& bands,
                           const std::vector<std::int64_t>& preferred) {
  // A coarse picture of the whole scene shows where data are. Where these fill little of it, the picture is drawn
  // again of the part, or of the places, that have some.
  const PictureLayout coarse = whole(scene.grid());
  Spectra values = sampled(scene, bands, coarse);
  // A pixel of the coarse picture stands for many of the scene: choose_layout() asks again for the exact pixels of
  // small windows.
  const DataTest has_data = [&](const Window& window) {
    Spectra inside;
    scene.read(window, {bands.begin(), bands.end()}, inside);
    return rows_with_values(inside);
  };
  ScenePicture picture{choose_layout(scene.grid(), coarse, rows_with_values(values), has_data, preferred), {}};
  if (picture.layout != coarse) {
    values = sampled(scene, bands, picture.layout);
  }
  picture.rgba = stretched(values);
  return picture;
}

std::vector<std::uint8_t> scene_picture_in(const PictureLayout& layout, SceneSource& scene,
                                           const std::array<Index, 3>& bands) {
  return stretched(sampled(scene, bands, layout));
}

ClassMapPicture class_map_picture(ClassMapSource& map, const std::vector<std::int64_t>& preferred) {
  const auto classified = [](const std::vector<std::uint16_t>& codes) {
    std::vector<bool> has_data(codes.size());
    std::transform(codes.begin(), codes.end(), has_data.begin(), [](std::uint16_t code) { return code != 0; });
    return has_data;
  };
  const DataTest has_data = [&](const Window& window) {
    std::vector<std::uint16_t> inside;
    map.read(window, inside);
    return classified(inside);
  };
  const PictureLayout coarse = whole(map.grid());
  ClassMapPicture picture{coarse, codes_shown(map, coarse)};
  picture.layout = choose_layout(map.grid(), coarse, classified(picture.codes), has_data, preferred);
  if (picture.layout != coarse) {
    picture.codes = codes_shown(map, picture.layout);
  }
  return picture;
}

void FieldHistogram::write(const Window& window, const Spectra& values) {
  if (target_ != nullptr) {
    target_->write(window, values);
  }
  for (Index i = 0; i < values.rows(); ++i) {
    if (!std::isnan(values(i, 0))) {
      // Bins are equal parts of [0, 1]; a value at an end, or beyond it by rounding, counts in the outermost one.
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

double FieldHistogram::share_from(Index bin) const {
  const auto all = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
  const auto above = std::accumulate(counts_.begin() + bin, counts_.end(), std::int64_t{0});
  return all == 0 ? 0 : static_cast<double>(above) / static_cast<double>(all);
}

}  // namespace parsimap
