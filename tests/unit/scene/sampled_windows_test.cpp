#include "parsimap/scene/sampled_windows.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "parsimap/scene/memory_scene.hpp"

#include "unit/scene/plain_scene.hpp"

using namespace parsimap;

namespace {

MemoryScene even_scene(Index width, Index height, float value) {
  return test::plain_scene("scene", width, height, Spectra::Constant(width * height, 2, value));
}

std::vector<ValidSpectra> sample_of(SceneSource& scene) {
  std::vector<ValidSpectra> drawn;
  for_sampled_windows(scene, {0, 1}, [&](ValidSpectra&& input) { drawn.push_back(std::move(input)); });
  return drawn;
}

}  // namespace

TEST_CASE("sampled windows: all of a small scene, enough of a large one, and the same each time") {
  MemoryScene small = even_scene(150, 100, 1);
  Index pixels = 0;
  for (const ValidSpectra& input : sample_of(small)) {
    pixels += input.spectra.rows();
    CHECK(input.window.width <= 64);
    CHECK(input.window.height <= 64);
  }
  CHECK(pixels == 150 * 100);

  MemoryScene large = even_scene(600, 500, 1);
  const std::vector<ValidSpectra> drawn = sample_of(large);
  pixels = 0;
  std::set<std::pair<Index, Index>> corners;
  for (const ValidSpectra& input : drawn) {
    pixels += input.spectra.rows();
    corners.emplace(input.window.column, input.window.row);
  }
  CHECK(corners.size() == drawn.size());
  CHECK(pixels >= 65536);
  CHECK(pixels < 65536 + 64 * 64);
  large.set_block_size(100, 100);
  const std::vector<ValidSpectra> again = sample_of(large);
  REQUIRE(again.size() == drawn.size());
  CHECK(again.back().window == drawn.back().window);
}

TEST_CASE("sampled windows: a scene without values is looked at here and there, and windows known to be empty never") {
  MemoryScene empty = even_scene(64 * 30, 64 * 20, std::numeric_limits<float>::quiet_NaN());
  CHECK(sample_of(empty).empty());
  CHECK(empty.values_read() == 512 * 64 * 64);
  const std::int64_t before = empty.values_read();
  empty.add_known_empty({0, 0, 64 * 30, 64 * 20});
  CHECK(sample_of(empty).empty());
  CHECK(empty.values_read() == before);
}
