#include "parsimap/scene/quicklook.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace parsimap {

static Index nearest_band(const BandTable& bands, double wavelength) {
  const auto distance = [&](const Band& band) { return std::abs(*band.wavelength - wavelength); };
  return std::ranges::min_element(bands, [&](const Band& a, const Band& b) { return distance(a) < distance(b); }) -
         bands.begin();
}

// The value below which `fraction` of `values` lie; they are reordered.
static float percentile(std::vector<float>& values, double fraction) {
  const auto rank = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

// Calls visit(i, column, row) for the pixels of the picture that show a pixel of the window: i in the picture, column
// and row counted from the corner of the window.
template <typename Visit>
static void visit_shown(const PictureLayout& layout, const Window& window, const Visit& visit) {
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
static std::vector<Window> shown_rows(const PictureLayout& layout) {
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
static Spectra sampled(SceneSource& scene, const std::array<Index, 3>& bands, const PictureLayout& layout) {
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

static std::vector<bool> rows_with_values(const Spectra& values) {
  return mapped<bool>(values.rowwise(), [](const auto& pixel) { return pixel.allFinite(); });
}

// Red, green, blue and opacity.
static std::vector<std::uint8_t> stretched(const Spectra& values) {
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

static std::vector<std::uint16_t> codes_shown(ClassMapSource& map, const PictureLayout& layout) {
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

static PictureLayout whole(const RasterGrid& grid) { return picture_of({0, 0, grid.width, grid.height}); }

ClassMapQuicklook::ClassMapQuicklook(PictureLayout layout, ClassMapSink& target)
    : layout_(std::move(layout)), target_(target), codes_(static_cast<std::size_t>(layout_.pixels()), 0) {}

void ClassMapQuicklook::write(const Window& window, const std::vector<std::uint16_t>& codes) {
  target_.write(window, codes);
  visit_shown(layout_, window, [&](Index i, Index column, Index row) {
    codes_[static_cast<std::size_t>(i)] = codes[static_cast<std::size_t>(row * window.width + column)];
  });
}

FieldQuicklook::FieldQuicklook(PictureLayout layout, FieldSink* target)
    : layout_(std::move(layout)),
      target_(target),
      values_(static_cast<std::size_t>(layout_.pixels()), kMissingValue),
      counts_(kBins, 0) {}

void FieldQuicklook::write(const Window& window, const Spectra& values) {
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
  visit_shown(layout_, window, [&](Index i, Index column, Index row) {
    values_[static_cast<std::size_t>(i)] = values(row * window.width + column, 0);
  });
}

void FieldQuicklook::close() {
  if (target_ != nullptr) {
    target_->close();
  }
}

double FieldQuicklook::share_from(Index bin) const {
  const auto all = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
  const auto above = std::accumulate(counts_.begin() + bin, counts_.end(), std::int64_t{0});
  return all == 0 ? 0 : static_cast<double>(above) / static_cast<double>(all);
}

std::array<Index, 3> picture_bands(const BandTable& bands) {
  // The bands nearest to red, green and blue where the scene has such; otherwise three that are spread over its
  // bands.
  constexpr std::array<double, 3> kWavelengths = {650, 550, 470};
  // Nanometres: a band farther away shows another colour.
  constexpr double kFarthest = 100;
  std::array<Index, 3> chosen{};
  bool visible = std::ranges::all_of(bands, has_wavelength);
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

namespace {

constexpr double kSparse = 0.05;    // share of data below which a picture would be all but empty
constexpr Index kSmallestTile = 8;  // pixels of the raster along a side
constexpr Index kLargestTile = 96;
constexpr Index kGutter = 2;          // pixels of the picture between tiles
constexpr Index kTrimmed = 1 << 16U;  // pixels of a window that are looked at for a close fit

// Places where data lie together, in the pixels of the coarse picture.
struct Place {
  PixelBounds box;
  std::int64_t cells = 0;
  std::int64_t preferred = 0;
};

PixelBounds box_of(const std::vector<bool>& has_data, Index width) {
  return bounds_of(indices_where(std::ssize(has_data), [&](Index i) { return has_data[static_cast<std::size_t>(i)]; }),
                   width);
}

// The part of the raster that a box of the coarse picture stands for; where that is reduced, with a pixel of it more
// on every side, since data may begin before its middle.
Window window_of(const PixelBounds& box, const PictureLayout& coarse, const RasterGrid& grid) {
  // Pixel i of `count` in the coarse picture stands for the pixels from i size / count to (i + 1) size / count of the
  // raster, the first rounded down and the second rounded up.
  const auto along = [](Index first, Index last, Index count, Index size) {
    const Index margin = count < size ? 1 : 0;
    const Index begin = std::max<Index>(0, first - margin) * size / count;
    const Index end = std::min(size, ((std::min(count, last + 1 + margin)) * size + count - 1) / count);
    return std::pair(begin, end - begin);
  };
  const auto [column, width] = along(box.left, box.right, coarse.width, grid.width);
  const auto [row, height] = along(box.top, box.bottom, coarse.height, grid.height);
  return {column, row, width, height};
}

// Numbers the places, which are connected over edges and corners, in `place_of`; -1 without data.
std::vector<Place> places_of(const PictureLayout& coarse, const std::vector<bool>& has_data, Indices& place_of) {
  std::vector<Place> places;
  place_of.assign(has_data.size(), -1);
  Indices waiting;
  const auto take = [&](Index x, Index y) {
    const auto at = static_cast<std::size_t>(y * coarse.width + x);
    if (x >= 0 && x < coarse.width && y >= 0 && y < coarse.height && has_data[at] && place_of[at] < 0) {
      place_of[at] = static_cast<Index>(places.size()) - 1;
      places.back().box.add(x, y);
      ++places.back().cells;
      waiting.push_back(y * coarse.width + x);
    }
  };
  // Connected areas are found by filling: from every pixel with data that has no place yet, all that is reached over
  // edges and corners belongs to the same place.
  for (Index i = 0; i < coarse.pixels(); ++i) {
    if (!has_data[static_cast<std::size_t>(i)] || place_of[static_cast<std::size_t>(i)] >= 0) {
      continue;
    }
    places.emplace_back();
    take(i % coarse.width, i / coarse.width);
    while (!waiting.empty()) {
      const Index x = waiting.back() % coarse.width;
      const Index y = waiting.back() / coarse.width;
      waiting.pop_back();
      for (Index step = 0; step < 9; ++step) {
        take(x + step % 3 - 1, y + step / 3 - 1);
      }
    }
  }
  return places;
}

void count_preferred(const RasterGrid& grid, const PictureLayout& coarse, const std::vector<std::int64_t>& preferred,
                     const Indices& place_of, std::vector<Place>& places) {
  for (const std::int64_t pixel : preferred) {
    const Index x = pixel % grid.width * coarse.width / grid.width;
    const Index y = pixel / grid.width * coarse.height / grid.height;
    // A place may begin in the pixel of the picture beside it.
    std::optional<Index> found;
    // The nine pixels of a 3 x 3 neighbourhood in an order that begins with the middle one.
    for (Index step = 0; step < 9 && !found; ++step) {
      const Index near_x = x + (step + 1) % 3 - 1;
      const Index near_y = y + (step / 3 + 1) % 3 - 1;
      if (near_x >= 0 && near_x < coarse.width && near_y >= 0 && near_y < coarse.height) {
        const Index place = place_of[static_cast<std::size_t>(near_y * coarse.width + near_x)];
        found = place < 0 ? found : std::optional(place);
      }
    }
    if (found) {
      ++places[static_cast<std::size_t>(*found)].preferred;
    }
  }
}

// The rectangle around the data in the window, or the window where it is large or holds none.
Window fitted_to_data(const Window& window, const DataTest& test) {
  if (window.pixels() > kTrimmed) {
    return window;
  }
  const PixelBounds box = box_of(test(window), window.width);
  if (box.empty()) {
    return window;
  }
  const Window part = box.window();
  return {window.column + part.column, window.row + part.row, part.width, part.height};
}

// A square of `side` pixels about the middle of the window, inside of the grid.
// Smaller than `side` where the grid is smaller.
Window square_about(const Window& window, Index side, const RasterGrid& grid) {
  // Centred on the window, and moved back into the grid where it would leave it.
  const auto begin = [side](Index first, Index length, Index size) {
    return std::clamp<Index>(first + (length - side) / 2, 0, std::max<Index>(0, size - side));
  };
  return {begin(window.column, window.width, grid.width), begin(window.row, window.height, grid.height),
          std::min(side, grid.width), std::min(side, grid.height)};
}

PictureLayout sheet_of(std::vector<Window> windows, Index side, const RasterGrid& grid) {
  for (Window& window : windows) {
    window = square_about(window, side, grid);
  }
  std::ranges::sort(windows, [](const Window& a, const Window& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  const auto count = static_cast<Index>(windows.size());
  // About 1.5 times as many tiles in a row as in a column make a sheet of the shape of a screen.
  const auto columns = static_cast<Index>(std::ceil(std::sqrt(1.5 * static_cast<double>(count))));
  const Index rows = (count + columns - 1) / columns;
  PictureLayout layout;
  for (Index i = 0; i < count; ++i) {
    const Window& window = windows[static_cast<std::size_t>(i)];
    layout.tiles.push_back(
        {window, i % columns * (side + kGutter), i / columns * (side + kGutter), window.width, window.height});
  }
  layout.width = std::min(count, columns) * (side + kGutter) - kGutter;
  layout.height = rows * (side + kGutter) - kGutter;
  return layout;
}

}  // namespace

std::vector<Index> PictureLayout::positions_of(std::int64_t pixel, Index raster_width) const {
  // A pixel may be shown by several tiles, which may overlap, and by none.
  std::vector<Index> positions;
  const Index column = pixel % raster_width;
  const Index row = pixel / raster_width;
  for (const PictureTile& tile : tiles) {
    const Index x = column - tile.source.column;
    const Index y = row - tile.source.row;
    if (x >= 0 && x < tile.source.width && y >= 0 && y < tile.source.height) {
      positions.push_back((tile.top + y * tile.height / tile.source.height) * width + tile.left +
                          x * tile.width / tile.source.width);
    }
  }
  return positions;
}

PictureLayout picture_of(const Window& window) {
  const Index longest = std::max(window.width, window.height);
  // A picture is never larger than the raster, and its longer side has at most kLongestPictureSide pixels.
  // Both sides are reduced by the same factor, and have at least one pixel.
  const double factor = std::min(1.0, static_cast<double>(kLongestPictureSide) / static_cast<double>(longest));
  const auto reduced = [factor](Index size) {
    return std::max<Index>(1, std::lround(factor * static_cast<double>(size)));
  };
  PictureLayout layout;
  layout.width = reduced(window.width);
  layout.height = reduced(window.height);
  layout.tiles = {{window, 0, 0, layout.width, layout.height}};
  return layout;
}

PictureLayout choose_layout(const RasterGrid& grid, const PictureLayout& coarse, const std::vector<bool>& has_data,
                            const DataTest& test, const std::vector<std::int64_t>& preferred) {
  const PixelBounds box = box_of(has_data, coarse.width);
  const auto cells = std::ranges::count(has_data, true);
  if (cells == 0) {
    return coarse;
  }
  // Two cases remain: data that fill enough of their bounding box for one picture of it, and data in few small places,
  // which would be lost in a picture of the whole.
  if (static_cast<double>(cells) >= kSparse * static_cast<double>(box.window().pixels())) {
    const Window window = window_of(box, coarse, grid);
    return picture_of(coarse.width < grid.width ? fitted_to_data(window, test) : window);
  }
  // Data in few places: each connected place becomes a tile, those first that hold most of what is preferred, then
  // the largest.
  Indices place_of;
  std::vector<Place> places = places_of(coarse, has_data, place_of);
  count_preferred(grid, coarse, preferred, place_of, places);
  std::ranges::stable_sort(places, [](const Place& a, const Place& b) {
    return std::pair(a.preferred, a.cells) > std::pair(b.preferred, b.cells);
  });
  std::vector<Window> windows;
  // All tiles have the side of the largest place, up to kLargestTile, and one pixel of the picture is one of the
  // raster.
  Index side = kSmallestTile;
  for (std::size_t i = 0; i < std::min(places.size(), kMostPictureTiles); ++i) {
    windows.push_back(fitted_to_data(window_of(places[i].box, coarse, grid), test));
    side = std::max({side, windows.back().width, windows.back().height});
  }
  PictureLayout layout = sheet_of(windows, std::min(side, kLargestTile), grid);
  layout.places = static_cast<Index>(places.size());
  return layout;
}

}  // namespace parsimap
