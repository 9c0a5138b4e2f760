#include "parsimap/scene/sensor_geometry.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "parsimap/core/error.hpp"

#include "support/memory_scene.hpp"
#include "unit/scene/toy_lookup.hpp"

namespace parsimap::test {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

RasterGrid map_grid(Index width, Index height) {
  return {width, height, std::array<double, 6>{0, 1, 0, 0, 0, -1}, "", {}};
}

// A lookup of a scene of 3 x 2 pixels from a table in one row.
std::unique_ptr<GeometryLookup> lookup_of(const std::vector<std::array<float, 2>>& entries) {
  Spectra values(static_cast<Index>(entries.size()), 2);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    values.row(static_cast<Index>(i)) << entries[i][0], entries[i][1];
  }
  return table_lookup(std::make_unique<MemoryScene>("table", map_grid(values.rows(), 1), BandTable(2), values), 3, 2);
}

}  // namespace

TEST_CASE("entries of a lookup table count from 1, 0 shows nothing, negative ones fill gaps") {
  const auto lookup = lookup_of({{1, 1}, {3, 2}, {0, 2}, {3, 0}, {kNone, 1}, {2, kNone}, {-2, -2}, {0, 0}});
  CHECK(lookup->name() == "table");
  std::vector<std::int64_t> pixels;
  lookup->read({0, 0, 8, 1}, pixels);
  CHECK(pixels == std::vector<std::int64_t>{0, 5, -1, -1, -1, -1, 4, -1});
  lookup->read({6, 0, 1, 1}, pixels);
  CHECK(pixels == std::vector<std::int64_t>{4});
  CHECK_NOTHROW(lookup->check_unchanged());
}

TEST_CASE("entries outside of the scene, or between pixels, are refused") {
  std::vector<std::int64_t> pixels;
  for (const std::array<float, 2>& wrong :
       {std::array<float, 2>{4, 1}, {1, 3}, {-4, 1}, {1.5F, 1}, {1, -1.5F}, {1e30F, 1}}) {
    const auto lookup = lookup_of({{1, 1}, wrong});
    CHECK_THROWS_WITH_AS(lookup->read({0, 0, 2, 1}, pixels), doctest::Contains("table is wrong at column 1, row 0"),
                         DataError);
  }
}

TEST_CASE("a lookup table has two bands and lies on a map") {
  CHECK_THROWS_WITH_AS(
      table_lookup(std::make_unique<MemoryScene>("t", map_grid(1, 1), BandTable(1), Spectra::Zero(1, 1)), 3, 2),
      doctest::Contains("fewer than two bands"), DataError);
  CHECK_THROWS_WITH_AS(
      table_lookup(std::make_unique<MemoryScene>("t", RasterGrid{1, 1, {}, ""}, BandTable(2), Spectra::Zero(1, 2)), 3,
                   2),
      doctest::Contains("where its pixels lie on the map"), DataError);
}

TEST_CASE("control points are a regular choice of pixel centres with the outermost") {
  const auto positions = [](Index width) {
    return [width](Index row, std::vector<double>& x, std::vector<double>& y) {
      x.resize(static_cast<std::size_t>(width));
      y.resize(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = 10 + static_cast<double>(i);
        y[i] = 50 - static_cast<double>(row);
      }
    };
  };
  const std::vector<ControlPoint> few = control_points(3, 2, positions(3));
  REQUIRE(few.size() == 6);
  CHECK(few.front() == ControlPoint{0.5, 0.5, 10, 50});
  CHECK(few.back() == ControlPoint{2.5, 1.5, 12, 49});
  const std::vector<ControlPoint> many = control_points(1000, 1, positions(1000));
  REQUIRE(many.size() == 20);
  CHECK(many.front().column == 0.5);
  CHECK(many.back().column == 999.5);
  CHECK(control_points(4, 4, [](Index, std::vector<double>& x, std::vector<double>& y) {
          x.assign(4, std::nan(""));
          y.assign(4, 1);
        }).empty());
}

TEST_CASE("a scene with a lookup is the scene otherwise") {
  Spectra values(6, 1);
  values << 1, 2, 3, 4, 5, 6;
  auto source = std::make_unique<MemoryScene>("scene", RasterGrid{3, 2, {}, ""}, BandTable(1), values);
  CHECK(source->lookup() == nullptr);
  source->set_block_size(2, 2);
  const auto scene = scene_with_lookup(std::move(source), std::make_unique<ToyLookup>(turned_lookup(3, 2)));
  REQUIRE(scene->lookup() != nullptr);
  CHECK(scene->lookup()->name() == "lookup");
  CHECK(scene->name() == "scene");
  CHECK(scene->grid().width == 3);
  CHECK(scene->bands().size() == 1);
  CHECK(scene->block_width() == 2);
  CHECK(scene->block_height() == 2);
  CHECK_FALSE(scene->known_empty({0, 0, 1, 1}));
  Spectra found;
  scene->read({1, 0, 2, 2}, {0}, found);
  CHECK(found.sum() == 2 + 3 + 5 + 6);
  CHECK_NOTHROW(scene->check_unchanged());
}

namespace {

constexpr Index kSensorWidth = 13;
constexpr Index kSensorHeight = 9;

Spectra spectra() {
  Spectra values(kSensorWidth * kSensorHeight, 3);
  for (Index pixel = 0; pixel < values.rows(); ++pixel) {
    values.row(pixel) << static_cast<float>(pixel), static_cast<float>(2 * pixel), 7;
  }
  values(20, 1) = std::nanf("");
  return values;
}

std::unique_ptr<MemoryScene> sensor_scene() {
  return std::make_unique<MemoryScene>("scene", RasterGrid{kSensorWidth, kSensorHeight, {}, ""}, BandTable(3),
                                       spectra());
}

}  // namespace

TEST_CASE("every pixel of the map has the spectrum of the pixel that it shows") {
  for (const auto& [block_width, block_height] :
       {std::pair<Index, Index>{kSensorWidth, 1}, {4, 4}, {1, 1}, {kSensorWidth, kSensorHeight}}) {
    auto source = sensor_scene();
    source->set_block_size(block_width, block_height);
    const ToyLookup table = turned_lookup(kSensorWidth, kSensorHeight);
    const auto scene = orthorectify(std::move(source), std::make_unique<ToyLookup>(table));
    CHECK(scene->name() == "scene");
    CHECK(scene->grid().geotransform.has_value());
    CHECK(scene->bands().size() == 3);
    CHECK(scene->block_width() == table.grid().width);
    const Spectra expected = spectra();
    for (const Window& window : {Window{0, 0, table.grid().width, table.grid().height}, Window{3, 2, 5, 7}}) {
      Spectra values;
      scene->read(window, {2, 1}, values);
      REQUIRE(values.rows() == window.pixels());
      for (Index i = 0; i < values.rows(); ++i) {
        const std::int64_t shown = table.shown(window.column + i % window.width, window.row + i / window.width);
        if (shown < 0) {
          CHECK((std::isnan(values(i, 0)) && std::isnan(values(i, 1))));
        } else {
          CHECK(values(i, 0) == 7);
          CHECK((values(i, 1) == expected(shown, 1) || (shown == 20 && std::isnan(values(i, 1)))));
        }
      }
    }
    CHECK_NOTHROW(scene->check_unchanged());
  }
}

TEST_CASE("no more of a scene is read than its storage blocks that are shown") {
  auto source = sensor_scene();
  source->set_block_size(4, 4);
  MemoryScene& scene = *source;
  const auto map =
      orthorectify(std::move(source), std::make_unique<ToyLookup>(turned_lookup(kSensorWidth, kSensorHeight)));
  Spectra values;
  map->read({0, 0, map->grid().width, map->grid().height}, {0}, values);
  CHECK(scene.values_read() <= kSensorWidth * kSensorHeight);
  CHECK(scene.largest_read() <= 16);
}

namespace {

using Entry = std::array<std::int64_t, 3>;  // pixel, label, region

std::vector<Entry> entries(const LabelledPixels& labels) {
  std::vector<Entry> list;
  for (const LabelledPixel& label : labels.pixels) {
    list.push_back({label.pixel, label.label, label.region});
  }
  return list;
}

LabelledPixels labels_of_entries(const std::vector<Entry>& list) {
  LabelledPixels labels;
  labels.classes = {{1, "a", {}}, {2, "b", {}}};
  labels.has_regions = true;
  for (const auto& [pixel, label, region] : list) {
    labels.pixels.push_back({pixel, static_cast<int>(label), region});
  }
  return labels;
}

}  // namespace

TEST_CASE("a pixel of the scene has the label of the map's pixels that show it") {
  // Pixel 5 is shown three times, 2 twice, 7 once; the rest of the map shows nothing.
  ToyLookup lookup(4, 2, {5, 5, -1, 2, 7, 5, 2, -1});
  LabelledPixels carried =
      carry_labels(labels_of_entries({{0, 0, 4}, {1, 0, 3}, {2, 1, 9}, {4, 1, 6}, {5, 0, 3}}), lookup);
  CHECK(entries(carried) == std::vector<Entry>{{5, 0, 4}, {7, 1, 6}});
  CHECK(carried.conflicting == 0);
  CHECK(carried.outside == 1);  // region 9; region 3 is shown, where region 4 was first
  CHECK(carried.classes.size() == 2);
}

TEST_CASE("pixels that show different classes are dropped") {
  ToyLookup lookup(4, 2, {5, 5, -1, 2, 7, 5, 2, -1});
  const LabelledPixels carried = carry_labels(labels_of_entries({{0, 0, 1}, {1, 1, 2}, {3, 1, 2}, {6, 1, 3}}), lookup);
  CHECK(entries(carried) == std::vector<Entry>{{2, 1, 2}});
  CHECK(carried.conflicting == 1);
  CHECK(carried.outside == 0);
}

TEST_CASE("labels that the map does not show are refused") {
  ToyLookup lookup(2, 1, {-1, 0});
  CHECK_THROWS_WITH_AS(carry_labels(labels_of_entries({{0, 0, 1}}), lookup),
                       doctest::Contains("no label lies where the map"), DataError);
}

TEST_CASE("carried labels agree with a slow obvious loop") {
  ToyLookup lookup = turned_lookup(30, 20);
  std::vector<Entry> list;
  std::map<std::int64_t, std::set<std::int64_t>> expected;
  for (Index row = 0; row < lookup.grid().height; ++row) {
    for (Index column = 0; column < lookup.grid().width; ++column) {
      if ((row * 7 + column * 3) % 11 < 4) {
        const std::int64_t label = column < 26 ? 0 : 1;
        list.push_back({row * lookup.grid().width + column, label, label});
        if (lookup.shown(column, row) >= 0) {
          expected[lookup.shown(column, row)].insert(label);
        }
      }
    }
  }
  const LabelledPixels carried = carry_labels(labels_of_entries(list), lookup);
  std::int64_t conflicting = 0;
  std::vector<Entry> agreed;
  for (const auto& [pixel, labels] : expected) {
    if (labels.size() > 1) {
      ++conflicting;
    } else {
      agreed.push_back({pixel, *labels.begin(), *labels.begin()});
    }
  }
  CHECK(entries(carried) == agreed);
  CHECK(carried.conflicting == conflicting);
}

}  // namespace parsimap::test
