#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/scene/open_scene.hpp"

#include "support/memory_scene.hpp"

namespace parsimap::test {
namespace {

// Eight bands, 400, 500, ... 1100 nm; the fourth and fifth are bad.
BandTable eight_bands() {
  BandTable table;
  for (int i = 0; i < 8; ++i) {
    table.push_back({"", 400.0 + 100.0 * i});
  }
  table[0].name = "blue";
  table[2].name = "red, wide";
  table[5].name = "twin";
  table[6].name = "twin";
  table[7].name = "3";
  table[3].bad = true;
  table[4].bad = true;
  return table;
}

template <typename Error, typename Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("band lists: numbers, ranges, wavelengths and names") {
  const BandTable table = eight_bands();
  const auto bands = [&](const std::string& entry) { return bands_of_list(entry, table, "s.tif"); };
  CHECK(bands("1") == Indices{0});
  CHECK(bands("8, 2-4,3") == Indices{1, 2, 3, 7});
  CHECK(bands("2 - 2") == Indices{1});
  CHECK(bands("450-700nm") == Indices{1, 2, 3});
  CHECK(bands("500nm-700nm") == Indices{1, 2, 3});
  CHECK(bands("0.5-.7um,1") == Indices{0, 1, 2, 3});
  CHECK(bands("0.5-0.7 µm") == Indices{1, 2, 3});
  CHECK(bands("900nm-1.1um") == Indices{5, 6, 7});
  CHECK(bands("blue") == Indices{0});
  CHECK(bands("blue,8") == Indices{0, 7});
  CHECK(bands("red, wide") == Indices{2});
  CHECK(bands("3") == Indices{2});  // a number before the name of another band
}

TEST_CASE("band lists: what is refused, and why") {
  BandTable table = eight_bands();
  const auto refusal = [&](const std::string& entry) {
    return error_of<ConfigError>([&] { static_cast<void>(bands_of_list(entry, table, "s.tif")); });
  };
  CHECK(refusal("7-9") == "the list of bands '7-9' has '7-9', but bands of s.tif count from 1 to 8, and ranges ascend");
  CHECK(refusal("1,0") == "the list of bands '1,0' has '0', but bands of s.tif count from 1 to 8, and ranges ascend");
  CHECK(refusal("5-4") == "the list of bands '5-4' has '5-4', but bands of s.tif count from 1 to 8, and ranges ascend");
  CHECK(refusal("green") ==
        "the list of bands 'green' has 'green', which is no band of s.tif; bands are given by number (7), range "
        "(10-25), range of wavelengths (1350-1450nm, 1.35-1.45um) or name");
  CHECK(refusal("1,,2").find("has ''") != std::string::npos);
  CHECK(refusal("-3").find("has '-3', which is no band") != std::string::npos);
  CHECK(refusal("600nm").find("has '600nm', which is no band") != std::string::npos);
  CHECK(refusal("") == "the list of bands '' names no band");
  CHECK(refusal("twin") == "the list of bands 'twin' has 'twin', which is the name of several bands of s.tif");
  CHECK(refusal("410-490nm") ==
        "the list of bands '410-490nm' has '410-490nm', but no band of s.tif lies in this range");
  for (Band& band : table) {
    band.wavelength.reset();
  }
  CHECK(refusal("410-490nm") ==
        "the list of bands '410-490nm' has '410-490nm', but s.tif does not say the wavelengths of its bands");
}

TEST_CASE("band lists: what is too long for a number or a range is no band") {
  const BandTable table = eight_bands();
  const std::string digits(400, '9');
  for (const std::string& list : {digits + "nm-1000nm", "400-" + digits + "nm", std::string(1 << 20, '1'),
                                  "400" + std::string(1 << 20, ' ') + "- 500nm"}) {
    CHECK_THROWS_AS(bands_of_list(list, table, "scene"), ConfigError);
  }
}

TEST_CASE("bad bands are left out unless they are named") {
  const BandTable table = eight_bands();
  const ChosenBands usual = choose_bands(table, {}, "s.tif");
  CHECK(usual.bands == Indices{0, 1, 2, 5, 6, 7});
  CHECK(usual.dropped == std::vector<DroppedBand>{{3, "marked as bad"}, {4, "marked as bad"}});
  CHECK(usual.bad.empty());

  const ChosenBands named = choose_bands(table, {{"1-2", "700-900nm"}, {"2", "6"}}, "s.tif");
  CHECK(named.bands == Indices{0, 3, 4});
  CHECK(named.dropped ==
        std::vector<DroppedBand>{
            {1, "excluded"}, {2, "not chosen"}, {5, "excluded"}, {6, "not chosen"}, {7, "not chosen"}});
  CHECK(named.bad == Indices{3, 4});

  const ChosenBands excluded = choose_bands(table, {{}, {"1,4"}}, "s.tif");
  CHECK(excluded.bands == Indices{1, 2, 5, 6, 7});
  CHECK(excluded.dropped.front() == DroppedBand{0, "excluded"});
}

TEST_CASE("a choice that leaves nothing, and a list that marks everything") {
  BandTable table = eight_bands();
  CHECK(error_of<ConfigError>([&] {
          choose_bands(table, {{"1-3"}, {"1-5"}}, "s.tif");
        }) == "no band of s.tif is left to use: all 8 are bad, excluded or not chosen");
  for (Band& band : table) {
    band.bad = true;
  }
  CHECK(error_of<DataError>([&] {
          choose_bands(table, {{}, {"1"}}, "s.tif");
        }) ==
        "s.tif: its list of bad bands marks every one of its 8 bands as bad; correct the list, or name the bands to "
        "use");
  CHECK(choose_bands(table, {{"2-3"}, {}}, "s.tif").bands == Indices{1, 2});
}

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Three bands from four: 2 * b0 + 3 * b3, b1, and b1 + b2.
SpectralResampling three_of_four() {
  SpectralResampling plan;
  plan.weights = {{{0, 2.0}, {3, 3.0}}, {{1, 1.0}}, {{1, 1.0}, {2, 1.0}}};
  return plan;
}

std::unique_ptr<MemoryScene> scene_in_blocks(const RasterGrid& grid, const Spectra& values) {
  auto scene = std::make_unique<MemoryScene>("s.tif", grid, BandTable(static_cast<std::size_t>(values.cols())), values);
  scene->set_block_size(16, 8);
  return scene;
}

}  // namespace

TEST_CASE("bands are weighted sums of those behind, and only those that count are read") {
  RasterGrid grid;
  grid.width = 2;
  grid.height = 2;
  Spectra values(4, 4);
  values << 1, 2, 3, 4, 5, 6, 7, 8, kNaN, 10, 11, 12, 13, 14, kNaN, 16;
  std::unique_ptr<MemoryScene> behind = scene_in_blocks(grid, values);
  const MemoryScene& counter = *behind;
  const std::unique_ptr<SceneSource> scene =
      resample_scene(std::move(behind), three_of_four(), {{"a"}, {"b"}, {"c", {}, true}});
  CHECK(scene->name() == "s.tif");
  CHECK(scene->bands().size() == 3);
  CHECK(scene->bands()[2].name == "c");
  CHECK_FALSE(scene->bands()[2].bad);
  Spectra read;
  scene->read({0, 0, 2, 2}, {0, 1, 2}, read);
  REQUIRE(read.rows() == 4);
  CHECK(read(0, 0) == 14);
  CHECK(read(1, 1) == 6);
  CHECK(read(1, 2) == 13);
  // A band without a value spoils what is computed from it, and nothing else.
  CHECK(std::isnan(read(2, 0)));
  CHECK(read(2, 1) == 10);
  CHECK(std::isnan(read(3, 2)));
  CHECK(read(3, 0) == 74);
  const std::int64_t before = counter.values_read();
  scene->read({1, 0, 1, 2}, {1}, read);
  CHECK(counter.values_read() == before + 2);
  REQUIRE(read.cols() == 1);
  CHECK(read(1, 0) == 14);
}

TEST_CASE("large windows are read in parts, with the same values") {
  RasterGrid grid;
  grid.width = 500;
  grid.height = 300;
  constexpr Index kBands = 120;
  Spectra values(grid.pixels(), kBands);
  Random random(5);
  for (Index i = 0; i < values.size(); ++i) {
    values.data()[i] = static_cast<float>(random.uniform());
  }
  std::unique_ptr<MemoryScene> behind = scene_in_blocks(grid, values);
  const MemoryScene& counter = *behind;
  SpectralResampling plan;
  for (Index band = 0; band < kBands; ++band) {
    plan.weights.push_back({{band, 0.25}, {(band + 1) % kBands, 0.75}});
  }
  const std::unique_ptr<SceneSource> scene =
      resample_scene(std::move(behind), plan, BandTable(static_cast<std::size_t>(kBands)));
  Indices all;
  for (Index band = 0; band < kBands; ++band) {
    all.push_back(band);
  }
  Spectra whole;
  scene->read({0, 0, 500, 300}, all, whole);
  CHECK(counter.largest_read() <= (std::int64_t{32} << 20U) / 4);
  Spectra part;
  for (const Window& window : {Window{0, 0, 500, 1}, Window{17, 139, 60, 3}, Window{499, 299, 1, 1}}) {
    scene->read(window, all, part);
    for (Index row = 0; row < window.height; ++row) {
      CHECK(part.middleRows(row * window.width, window.width) ==
            whole.middleRows((window.row + row) * grid.width + window.column, window.width));
    }
  }
}

}  // namespace parsimap::test
