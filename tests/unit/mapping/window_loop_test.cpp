#include "mapping/window_loop.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "parsimap/scene/memory_scene.hpp"

using namespace parsimap;

namespace {

MemoryScene scene_of_rows() {
  Spectra values(12, 1);
  for (Index i = 0; i < 12; ++i) {
    values(i, 0) = static_cast<float>(i);
  }
  RasterGrid grid;
  grid.width = 4;
  grid.height = 3;
  return {"scene", grid, BandTable(1), values};
}

}  // namespace

TEST_CASE("windows come in their order, with their pixels and the share done so far") {
  MemoryScene scene = scene_of_rows();
  std::vector<float> firsts;
  std::vector<double> shares;
  const double seconds = for_each_window(
      scene, {0}, {{0, 2, 4, 1}, {0, 0, 4, 2}},
      [&](const ValidSpectra& input) {
        CHECK(input.spectra.rows() == input.window.pixels());
        firsts.push_back(input.spectra(0, 0));
      },
      [&](double share) { shares.push_back(share); });
  CHECK(firsts == std::vector<float>{8, 0});
  CHECK(shares == std::vector<double>{4.0 / 12, 1});
  CHECK(seconds >= 0);
}

TEST_CASE("what is thrown on the way ends the loop") {
  MemoryScene scene = scene_of_rows();
  int used = 0;
  const auto fail = [&](const ValidSpectra&) {
    ++used;
    throw std::runtime_error("enough");
  };
  CHECK_THROWS_WITH(for_each_window(scene, {0}, {{0, 0, 4, 1}, {0, 1, 4, 1}}, fail, {}), "enough");
  CHECK(used == 1);
}
