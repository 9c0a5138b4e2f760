#include "parsimap/mapping/view_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "support/memory_scene.hpp"

namespace parsimap::test {
namespace {

constexpr Index kNumberedColumns = 50;
constexpr Index kNumberedRows = 40;

// Every value tells its pixel and its band.
std::shared_ptr<KeptScene> numbered_scene() {
  RasterGrid grid;
  grid.width = kNumberedColumns;
  grid.height = kNumberedRows;
  Spectra values(kNumberedColumns * kNumberedRows, 3);
  for (Index i = 0; i < values.rows(); ++i) {
    values.row(i) << static_cast<float>(i), static_cast<float>(i + 3000), static_cast<float>(i + 6000);
  }
  return std::make_shared<KeptScene>(std::make_shared<MemoryScene>("scene", grid, BandTable(3), values),
                                     Indices{0, 1, 2}, std::int64_t{1} << 30U, 1);
}

}  // namespace

TEST_CASE("a view has every so many pixels of its window, and knows which they are") {
  const auto scene = numbered_scene();
  const Window window{7, 5, 23, 18};
  ViewScene view(scene, window, 4);
  CHECK(view.grid().width == 6);
  CHECK(view.grid().height == 5);
  CHECK_FALSE(view.grid().geotransform);
  Spectra values;
  view.read({1, 2, 5, 3}, {2}, values);
  REQUIRE(values.rows() == 15);
  for (Index i = 0; i < values.rows(); ++i) {
    const std::int64_t in_view = (2 + i / 5) * 6 + 1 + i % 5;
    const std::int64_t pixel = view.pixel_of_scene(in_view);
    CHECK(pixel == (5 + 4 * (2 + i / 5)) * kNumberedColumns + 7 + 4 * (1 + i % 5));
    CHECK(values(i, 0) == static_cast<float>(pixel + 6000));
    CHECK(view.pixel_of_view(pixel) == in_view);
    CHECK(view.pixel_of_view(pixel + 1) == -1);
  }
  CHECK(view.pixel_of_view(0) == -1);
}

TEST_CASE("labelled pixels are read once and are the only ones with values") {
  const auto scene = numbered_scene();
  LabelledScene labelled(scene, {0, 2});
  labelled.add({{3, 0, 1}, {17 * kNumberedColumns + 20, 1, 2}, {17 * kNumberedColumns + 24, 1, 2}}, {});
  labelled.add({{3, 1, 1}, {39 * kNumberedColumns + 49, 1, 2}}, {});
  Spectra values;
  labelled.read({0, 0, kNumberedColumns, kNumberedRows}, {2, 0}, values);
  Index known = 0;
  for (Index i = 0; i < values.rows(); ++i) {
    if (std::isnan(values(i, 0))) {
      CHECK(std::isnan(values(i, 1)));
      continue;
    }
    ++known;
    CHECK(values(i, 0) == static_cast<float>(i + 6000));
    CHECK(values(i, 1) == static_cast<float>(i));
  }
  CHECK(known == 4);
}

}  // namespace parsimap::test
