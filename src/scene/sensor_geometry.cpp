#include "parsimap/scene/sensor_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

constexpr Index kMostAcross = 20;  // control points of a row or a column

class TableLookup final : public GeometryLookup {
 public:
  TableLookup(std::unique_ptr<SceneSource> table, Index width, Index height)
      : table_(std::move(table)), width_(width), height_(height) {
    if (table_->bands().size() < 2 || !table_->grid().geotransform) {
      throw DataError(table_->name() + " is no geometry lookup table: " +
                      (table_->bands().size() < 2 ? "it has fewer than two bands, columns and rows"
                                                  : "it does not say where its pixels lie on the map"));
    }
  }

  [[nodiscard]] const std::string& name() const override { return table_->name(); }
  [[nodiscard]] const RasterGrid& grid() const override { return table_->grid(); }

  void read(const Window& window, std::vector<std::int64_t>& pixels) override {
    // Band 0 has the column and band 1 the row of the pixel to be shown, counted from 1 as ENVI does. The result has
    // the number of that pixel in the scene, or -1.
    table_->read(window, {0, 1}, values_);
    pixels.resize(static_cast<std::size_t>(values_.rows()));
    for (Index i = 0; i < values_.rows(); ++i) {
      pixels[static_cast<std::size_t>(i)] = pixel_of(values_(i, 0), values_(i, 1), window, i);
    }
  }
  void check_unchanged() const override { table_->check_unchanged(); }

 private:
  [[nodiscard]] std::int64_t pixel_of(float column, float row, const Window& window, Index i) const {
    // 0 and nodata stand for a pixel of the map that shows nothing.
    if (std::isnan(column) || std::isnan(row) || column == 0 || row == 0) {
      return -1;
    }
    // A negative number fills a gap with the pixel of the number without its sign. Numbers are floats, which hold
    // every whole number up to 2^24.
    const float c = std::abs(column);
    const float r = std::abs(row);
    if (c != std::floor(c) || r != std::floor(r) || c > static_cast<float>(width_) || r > static_cast<float>(height_)) {
      throw DataError("the geometry lookup table " + name() + " is wrong at column " +
                      std::to_string(window.column + i % window.width) + ", row " +
                      std::to_string(window.row + i / window.width) + ": it shows the pixel in column " + text_of(c) +
                      ", row " + text_of(r) + " (from 1) of a scene of " + std::to_string(width_) + " x " +
                      std::to_string(height_) + " pixels");
    }
    return (static_cast<std::int64_t>(r) - 1) * width_ + static_cast<std::int64_t>(c) - 1;
  }

  static std::string text_of(float number) {
    return number == std::floor(number) && number < 1e9F ? std::to_string(static_cast<std::int64_t>(number))
                                                         : std::to_string(number);
  }

  std::unique_ptr<SceneSource> table_;
  Index width_;
  Index height_;
  Spectra values_;
};

// At most kMostAcross numbers from 0 to length - 1, evenly spread, with the first and the last.
std::vector<Index> spread(Index length) {
  const Index count = std::min(length, kMostAcross);
  return mapped<Index>(consecutive(count), [&](Index i) { return count == 1 ? 0 : i * (length - 1) / (count - 1); });
}

}  // namespace

std::unique_ptr<GeometryLookup> table_lookup(std::unique_ptr<SceneSource> table, Index width, Index height) {
  return std::make_unique<TableLookup>(std::move(table), width, height);
}

std::vector<ControlPoint> control_points(Index width, Index height, const ReadPositions& read) {
  std::vector<ControlPoint> points;
  std::vector<double> x;
  std::vector<double> y;
  // A point of the grid lies in the middle of its pixel, half a pixel from the corner that columns and rows are
  // counted from.
  for (const Index row : spread(height)) {
    read(row, x, y);
    for (const Index column : spread(width)) {
      const double own_x = x.at(static_cast<std::size_t>(column));
      const double own_y = y.at(static_cast<std::size_t>(column));
      if (std::isfinite(own_x) && std::isfinite(own_y)) {
        points.push_back({static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5, own_x, own_y});
      }
    }
  }
  return points;
}

namespace {

class SceneWithLookup final : public SceneDecorator {
 public:
  SceneWithLookup(std::unique_ptr<SceneSource> scene, std::unique_ptr<GeometryLookup> lookup)
      : SceneDecorator(std::move(scene)), lookup_(std::move(lookup)) {}

  [[nodiscard]] GeometryLookup* lookup() override { return lookup_.get(); }
  void check_unchanged() const override {
    SceneDecorator::check_unchanged();
    lookup_->check_unchanged();
  }

 private:
  std::unique_ptr<GeometryLookup> lookup_;
};

// The side of the blocks of the map. Square windows touch few storage blocks of a scene that is rotated on the map.
constexpr Index kBlock = 256;
// Values of the scene that are read at once.
constexpr Index kMostValues = Index{1} << 22;

class OrthorectifiedScene final : public DescribedScene {
 public:
  OrthorectifiedScene(std::unique_ptr<SceneSource> scene, std::unique_ptr<GeometryLookup> lookup)
      : DescribedScene(scene->name(), lookup->grid(), scene->bands()),
        scene_(std::move(scene)),
        lookup_(std::move(lookup)) {
    block_width_ = std::min(kBlock, grid_.width);
    block_height_ = std::min(kBlock, grid_.height);
  }

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    values.setConstant(window.pixels(), static_cast<Index>(bands.size()), kMissingValue);
    // Pixels of the map take the spectrum of the pixel of the scene that the lookup names; nothing is interpolated. A
    // pixel of the scene may be shown several times, and others not at all.
    lookup_->read(window, shown_);
    // All pixels of one storage block are read together, whatever their order on the map.
    list_places();
    for (auto first = places_.begin(); first != places_.end();) {
      const auto next =
          std::find_if(first, places_.end(), [&](const Place& place) { return place.block != first->block; });
      read_block(first, next, bands, values);
      first = next;
    }
  }
  void check_unchanged() const override {
    scene_->check_unchanged();
    lookup_->check_unchanged();
  }

 private:
  // A pixel of the window that shows something.
  struct Place {
    std::int64_t block;  // storage block of the scene
    std::int64_t pixel;  // of the scene
    Index position;      // in the window
  };
  using Places = std::vector<Place>::const_iterator;

  // Sorted such that each storage block of the scene is read once, from above to below.
  void list_places() {
    const Index width = scene_->grid().width;
    const Index block_width = std::max<Index>(1, scene_->block_width());
    const Index block_height = std::max<Index>(1, scene_->block_height());
    const Index across = (width + block_width - 1) / block_width;
    places_.clear();
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      if (shown_[i] >= 0) {
        const std::int64_t row = shown_[i] / width;
        const std::int64_t column = shown_[i] % width;
        places_.push_back({row / block_height * across + column / block_width, shown_[i], static_cast<Index>(i)});
      }
    }
    std::ranges::sort(places_, [](const Place& a, const Place& b) {
      return std::tie(a.block, a.pixel, a.position) < std::tie(b.block, b.pixel, b.position);
    });
  }

  // Reads the smallest windows that hold the pixels of one storage block, which are ascending, in pieces of few rows.
  void read_block(Places first, Places last, const Indices& bands, Spectra& values) {
    const Index width = scene_->grid().width;
    const auto by_column = [&](const Place& a, const Place& b) { return a.pixel % width < b.pixel % width; };
    // Pixels of a block are ascending, so that pieces of rows follow each other; all pieces have the columns of the
    // block that are needed.
    const auto [left, right] = std::minmax_element(first, last, by_column);
    Window piece;
    piece.column = left->pixel % width;
    piece.width = right->pixel % width - piece.column + 1;
    const auto count = std::max<Index>(1, static_cast<Index>(bands.size()));
    const Index rows = std::max<Index>(1, kMostValues / (piece.width * count));
    while (first != last) {
      piece.row = first->pixel / width;
      const std::int64_t end = (piece.row + rows) * width;
      const auto next = std::find_if(first, last, [&](const Place& place) { return place.pixel >= end; });
      piece.height = std::prev(next)->pixel / width - piece.row + 1;
      scene_->read(piece, bands, read_);
      for (; first != next; ++first) {
        values.row(first->position) =
            read_.row((first->pixel / width - piece.row) * piece.width + first->pixel % width - piece.column);
      }
    }
  }

  std::unique_ptr<SceneSource> scene_;
  std::unique_ptr<GeometryLookup> lookup_;
  std::vector<std::int64_t> shown_;
  std::vector<Place> places_;
  Spectra read_;
};

}  // namespace

std::unique_ptr<SceneSource> scene_with_lookup(std::unique_ptr<SceneSource> scene,
                                               std::unique_ptr<GeometryLookup> lookup) {
  return std::make_unique<SceneWithLookup>(std::move(scene), std::move(lookup));
}

std::unique_ptr<SceneSource> orthorectify(std::unique_ptr<SceneSource> scene, std::unique_ptr<GeometryLookup> lookup) {
  return std::make_unique<OrthorectifiedScene>(std::move(scene), std::move(lookup));
}

// Every label of the map whose pixel shows one of the scene, as a label of that, in the order of the map.
// Training uses the scene as the sensor recorded it: labels on the map are carried back to the pixels of the scene that
// are shown under them. Several pixels of the map may show the same pixel; settle_claims() decides then.
static std::vector<LabelledPixel> carried(const std::vector<LabelledPixel>& labels, GeometryLookup& lookup) {
  constexpr Index kStripPixels = Index{1} << 20;
  const RasterGrid& grid = lookup.grid();
  // The lookup is read in strips of the map that hold labels; strips without a label are passed over.
  const Index rows = std::max<Index>(1, kStripPixels / grid.width);
  std::vector<LabelledPixel> claims;
  std::vector<std::int64_t> shown;
  for (auto first = labels.begin(); first != labels.end();) {
    // A strip begins in the row of the next label: the map may be labelled in few places.
    const Index row = first->pixel / grid.width;
    const Window strip{0, row, grid.width, std::min(rows, grid.height - row)};
    const std::int64_t begin = row * grid.width;
    lookup.read(strip, shown);
    for (; first != labels.end() && first->pixel < begin + strip.pixels(); ++first) {
      const std::int64_t pixel = shown[static_cast<std::size_t>(first->pixel - begin)];
      if (pixel >= 0) {
        claims.push_back({pixel, first->label, first->region});
      }
    }
  }
  std::ranges::stable_sort(claims, [](const auto& a, const auto& b) { return a.pixel < b.pixel; });
  return claims;
}

static std::int64_t region_count(const std::vector<LabelledPixel>& labels) {
  return std::ssize(distinct(mapped<std::int64_t>(labels, &LabelledPixel::region)));
}

LabelledPixels carry_labels(LabelledPixels labels, GeometryLookup& lookup) {
  const std::vector<LabelledPixel> claims = carried(labels.pixels, lookup);
  if (claims.empty()) {
    throw DataError("no label lies where the map of " + lookup.name() + " shows a pixel of the scene");
  }
  // A region none of whose pixels the scene shows lies outside of it.
  if (labels.has_regions) {
    labels.outside += region_count(labels.pixels) - region_count(claims);
  }
  labels.pixels.clear();
  settle_claims(claims, labels);
  return labels;
}

std::string lookup_misfit(SceneSource& table, Index width, Index height) {
  // The map shows nearly all of a scene. A table that goes beyond it, or not nearly so far, is of another scene.
  constexpr Index kRows = 64;
  constexpr double kLeastShare = 0.8;
  const RasterGrid& grid = table.grid();
  if (table.bands().size() < 2) {
    return "it has fewer than two bands";
  }
  double columns = 0;
  double rows = 0;
  Spectra values;
  for (Index k = 0; k < std::min(kRows, grid.height); ++k) {
    table.read({0, k * grid.height / std::min(kRows, grid.height), grid.width, 1}, {0, 1}, values);
    for (Index i = 0; i < values.rows(); ++i) {
      columns = std::isnan(values(i, 0)) ? columns : std::max<double>(columns, std::abs(values(i, 0)));
      rows = std::isnan(values(i, 1)) ? rows : std::max<double>(rows, std::abs(values(i, 1)));
    }
  }
  const auto fits = [](double last, Index size) {
    return last <= static_cast<double>(size) && last >= kLeastShare * static_cast<double>(size);
  };
  return fits(columns, width) && fits(rows, height)
             ? std::string()
             : "it shows pixels up to column " + std::to_string(std::llround(columns)) + " and row " +
                   std::to_string(std::llround(rows)) + " of a scene, which has " + std::to_string(width) + " x " +
                   std::to_string(height);
}

std::vector<std::int64_t> map_pixels(GeometryLookup& lookup, const std::vector<std::int64_t>& pixels) {
  const RasterGrid& grid = lookup.grid();
  std::vector<std::int64_t> found(pixels.size(), -1);
  std::vector<std::int64_t> shown;
  for (const Window& strip : row_strips(grid)) {
    lookup.read(strip, shown);
    for (std::size_t k = 0; k < shown.size(); ++k) {
      const auto pixel = std::ranges::lower_bound(pixels, shown[k]);
      if (pixel != pixels.end() && *pixel == shown[k]) {
        std::int64_t& on_map = found[static_cast<std::size_t>(pixel - pixels.begin())];
        on_map = on_map < 0 ? strip.row * grid.width + static_cast<std::int64_t>(k) : on_map;
      }
    }
  }
  return found;
}

}  // namespace parsimap
