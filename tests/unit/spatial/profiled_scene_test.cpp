#include "parsimap/spatial/profiled_scene.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "profiled_values.hpp"
#include "support/memory_scene.hpp"

namespace parsimap::test {
namespace {

constexpr std::int64_t kPlentyForFeatures = std::int64_t{64} << 20U;

// Windows of some size over all of the grid, row by row.
std::vector<Window> windows_of(Index width, Index height) {
  std::vector<Window> windows;
  for (Index row = 0; row < kProfiledHeight; row += height) {
    for (Index column = 0; column < kProfiledWidth; column += width) {
      windows.push_back(
          {column, row, std::min(width, kProfiledWidth - column), std::min(height, kProfiledHeight - row)});
    }
  }
  return windows;
}

}  // namespace

TEST_CASE("profiled scene: its bands are those behind it and the features") {
  MemoryScene behind = profiled_scene_of(profiled_values());
  const ProfiledScene scene(behind, toy_bands(), toy_design(), {}, kPlentyForFeatures, 1);
  REQUIRE(scene.bands().size() == 15);
  CHECK(scene.first_feature() == 5);
  CHECK(scene.features() == 10);
  CHECK(scene.bands()[5].name == "closing 2 of component 1");
  CHECK(scene.bands()[7].name == "component 1");
  CHECK(scene.bands()[14].name == "opening 2 of component 2");
  CHECK(scene.with_features({4, 1}) == Indices{4, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
  CHECK(scene.name() == "scene");
  CHECK(scene.grid().width == kProfiledWidth);
  CHECK(scene.block_width() == kProfiledWidth);
  CHECK(scene.block_height() == 1);
  CHECK(scene.known_empty({41, 11, 3, 3}));
  CHECK_FALSE(scene.known_empty({0, 0, 3, 3}));
}

TEST_CASE("profiled scene: features are the definition's for any windows, storage blocks, memory and threads") {
  const Spectra values = profiled_values();
  const Spectra features = expected_features(values, toy_design(), toy_bands());
  // Nothing is missing but pixels without a value in a band of the design.
  for (Index i = 0; i < values.rows(); ++i) {
    REQUIRE(features.row(i).allFinite() == values(i, toy_bands()).allFinite());
  }
  for (const auto& block :
       {std::pair<Index, Index>{kProfiledWidth, 1}, {16, 16}, {kProfiledWidth, kProfiledHeight}, {300, 40}}) {
    for (const std::int64_t ram : {std::int64_t{0}, (std::int64_t{4} << 20U) + 60000, kPlentyForFeatures}) {
      for (const auto& size :
           {std::pair<Index, Index>{kProfiledWidth, 3}, {17, 20}, {kProfiledWidth, kProfiledHeight}, {60, 2}}) {
        const Index width = size.first;
        const Index height = size.second;
        MemoryScene behind = profiled_scene_of(values);
        behind.set_block_size(block.first, block.second);
        ProfiledScene scene(behind, toy_bands(), toy_design(), {}, ram, width == 17 ? 3 : 1);
        const Indices bands = scene.with_features(height == 2 ? Indices{1} : toy_bands());
        bool right = true;
        for (const Window& window : windows_of(width, height)) {
          Spectra found;
          scene.read(window, bands, found);
          right = right && same_values(found.rightCols(10), pixels_of(features, window)) &&
                  same_values(found.leftCols(bands.size() - 10),
                              pixels_of(values(Eigen::all, Indices(bands.begin(), bands.end() - 10)), window));
        }
        CAPTURE(block.first);
        CAPTURE(ram);
        CAPTURE(width);
        CHECK(right);
      }
    }
  }
}

TEST_CASE("profiled scene: some features in any order, and its own bands alone") {
  const Spectra values = profiled_values();
  const Spectra features = expected_features(values, toy_design(), toy_bands());
  MemoryScene behind = profiled_scene_of(values);
  ProfiledScene scene(behind, toy_bands(), toy_design(), {}, kPlentyForFeatures, 2);
  const Window window{5, 30, 40, 20};
  Spectra found;
  scene.read(window, {9, 1, 5}, found);
  CHECK(same_values(found.col(0), pixels_of(features.col(4), window)));
  CHECK(same_values(found.col(1), pixels_of(values.col(1), window)));
  CHECK(same_values(found.col(2), pixels_of(features.col(0), window)));
  const std::int64_t before = behind.values_read();
  scene.read(window, {4}, found);
  CHECK(same_values(found, pixels_of(values.col(4), window)));
  CHECK(behind.values_read() == before + window.pixels());
}

TEST_CASE("profiled scene: windows that follow each other read little twice") {
  const Spectra values = profiled_values();
  const auto read_by = [&](Index height, std::int64_t ram) {
    MemoryScene behind = profiled_scene_of(values);
    ProfiledScene scene(behind, toy_bands(), toy_design(), {}, ram, 1);
    Spectra found;
    for (const Window& window : windows_of(kProfiledWidth, height)) {
      scene.read(window, scene.with_features(toy_bands()), found);
    }
    return behind.values_read();
  };
  const std::int64_t once = std::int64_t{3} * kProfiledWidth * kProfiledHeight;
  CHECK(read_by(kProfiledHeight, kPlentyForFeatures) == once);
  CHECK(read_by(24, kPlentyForFeatures) < 2 * once);
  CHECK(read_by(1, kPlentyForFeatures) < 2.5 * once);
  CHECK(read_by(1, 0) > 5 * once);
}

TEST_CASE("profiled scene: of rows that will not be read, only those around the others are") {
  const Spectra values = profiled_values();
  const Spectra features = expected_features(values, toy_design(), toy_bands());
  const auto read_by = [&](const std::optional<ItemRange>& rows) {
    MemoryScene behind = profiled_scene_of(values);
    ProfiledScene scene(behind, toy_bands(), toy_design(), {}, kPlentyForFeatures, 1, rows);
    for (const Window& window : {Window{0, 0, kProfiledWidth, 2}, {0, 2, kProfiledWidth, 1}}) {
      Spectra found;
      scene.read(window, scene.with_features({0}), found);
      CHECK(same_values(found.rightCols(10), pixels_of(features, window)));
    }
    return behind.values_read();
  };
  CHECK(2 * read_by(ItemRange{0, 3}) < read_by({}));
}

TEST_CASE("profiled scene: what lies where nothing to be is not read") {
  const Spectra values = Spectra::Constant(kProfiledWidth * kProfiledHeight, 5, kNothing);
  MemoryScene behind = profiled_scene_of(values);
  behind.add_known_empty({0, 0, kProfiledWidth, kProfiledHeight});
  ProfiledScene scene(behind, toy_bands(), toy_design(), {}, kPlentyForFeatures, 1);
  Spectra found;
  scene.read({3, 3, 20, 20}, {5, 6}, found);
  CHECK(found.array().isNaN().all());
  CHECK(behind.values_read() == 0);
}

TEST_CASE("profiled scene: radii in metres are those of the scene's pixels, which must be known") {
  const Spectra values = profiled_values();
  MemoryScene behind = profiled_scene_of(values);
  ProfileDesign metres = toy_design();
  metres.radii = {7, 14.5};
  metres.metres = true;
  ProfiledScene scene(behind, toy_bands(), metres, 7, kPlentyForFeatures, 1);
  CHECK(scene.bands()[5].name == "closing 14.5 m of component 1");
  Spectra found;
  scene.read({0, 0, kProfiledWidth, kProfiledHeight}, scene.with_features({}), found);
  CHECK(same_values(found, expected_features(values, toy_design(), toy_bands())));
  CHECK_THROWS_AS(ProfiledScene(behind, toy_bands(), metres, {}, kPlentyForFeatures, 1), DataError);
  CHECK(ProfiledScene::useful_bytes(behind, metres, 7, 20) < ProfiledScene::useful_bytes(behind, metres, 7, 40));
  CHECK(ProfiledScene::working_bytes(metres, 7, 1) < ProfiledScene::working_bytes(metres, 7, 2));
}

}  // namespace parsimap::test
