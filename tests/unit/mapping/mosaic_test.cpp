#include "parsimap/mapping/mosaic.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "parsimap/scene/memory_scene.hpp"

#include "support/memory_scene.hpp"

namespace parsimap::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Part {
  Spectra codes;
  Spectra confidence;
  Window window;
  int opened = 0;
};

std::unique_ptr<SceneSource> source(const RasterGrid& grid, const Spectra& values) {
  return std::make_unique<MemoryScene>("part", grid, BandTable(1), values);
}

std::vector<MosaicPart> parts_of(const RasterGrid& grid, std::vector<Part>& parts) {
  std::vector<MosaicPart> result;
  for (Part& part : parts) {
    result.push_back({part.window, [&grid, &part] {
                        ++part.opened;
                        return MosaicLayers{source(grid, part.codes), source(grid, part.confidence)};
                      }});
  }
  return result;
}

// Parts that have a class at about half of the pixels of a random window, some of them without confidence. Confidences
// are few, so that there are ties.
std::vector<Part> random_parts(const RasterGrid& grid, std::size_t count) {
  std::mt19937 random(7);
  const auto below = [&](Index most) { return static_cast<Index>(random() % static_cast<std::uint32_t>(most)); };
  std::vector<Part> parts(count);
  for (Part& part : parts) {
    part.window = {below(grid.width), below(grid.height), 0, 0};
    part.window.width = 1 + below(grid.width - part.window.column);
    part.window.height = 1 + below(grid.height - part.window.row);
    part.codes = Spectra::Constant(grid.pixels(), 1, kNan);
    part.confidence = part.codes;
    for (Index row = part.window.row; row < part.window.row + part.window.height; ++row) {
      for (Index column = part.window.column; column < part.window.column + part.window.width; ++column) {
        const Index pixel = row * grid.width + column;
        part.codes(pixel, 0) = static_cast<float>(below(6)) - 2;  // half of them are no class
        part.codes(pixel, 0) = std::max(part.codes(pixel, 0), 0.0F);
        part.confidence(pixel, 0) = below(9) == 0 ? kNan : static_cast<float>(below(4)) / 4;
      }
    }
  }
  return parts;
}

}  // namespace

TEST_CASE("a mosaic has the most confident class of every pixel, as a loop over all parts finds it") {
  const RasterGrid grid{700, 1100, std::nullopt, ""};
  std::vector<Part> parts = random_parts(grid, 9);
  MemoryClassMapSink map(grid);
  std::vector<double> fractions;
  const MosaicSummary summary =
      mosaic_maps(grid, parts_of(grid, parts), map, [&](double fraction) { fractions.push_back(fraction); });
  MosaicSummary expected;
  expected.part_pixels.assign(parts.size(), 0);
  expected.code_pixels.assign(4, 0);
  for (Index pixel = 0; pixel < grid.pixels(); ++pixel) {
    int claims = 0;
    int best = -1;
    const auto rank = [&](int p) {
      const float value = parts[static_cast<std::size_t>(p)].confidence(pixel, 0);
      return std::isnan(value) ? -1.0F : value;
    };
    for (int p = 0; p < static_cast<int>(parts.size()); ++p) {
      if (parts[static_cast<std::size_t>(p)].codes(pixel, 0) > 0) {
        ++claims;
        best = best < 0 || rank(p) > rank(best) ? p : best;
      }
    }
    const auto code = best < 0 ? 0 : static_cast<int>(parts[static_cast<std::size_t>(best)].codes(pixel, 0));
    REQUIRE(map.codes()[static_cast<std::size_t>(pixel)] == code);
    if (best >= 0) {
      ++expected.classified;
      ++expected.part_pixels[static_cast<std::size_t>(best)];
      ++expected.code_pixels[static_cast<std::size_t>(code)];
      expected.contested += claims > 1 ? 1 : 0;
    }
  }
  CHECK(expected.contested > 1000);
  CHECK(summary.classified == expected.classified);
  CHECK(summary.contested == expected.contested);
  CHECK(summary.part_pixels == expected.part_pixels);
  for (std::size_t code = 0; code < 4; ++code) {
    CHECK(summary.code_pixels[code] == expected.code_pixels[code]);
  }
  for (const Part& part : parts) {
    CHECK(part.opened == 1);
  }
  CHECK(fractions.back() == 1);
}

TEST_CASE("a part without a window is never opened, and a mosaic of nothing is empty") {
  const RasterGrid grid{4, 3, std::nullopt, ""};
  std::vector<Part> parts = {{Spectra::Ones(12, 1), Spectra::Ones(12, 1), Window{}}};
  MemoryClassMapSink map(grid);
  const MosaicSummary summary = mosaic_maps(grid, parts_of(grid, parts), map, {});
  CHECK(parts.front().opened == 0);
  CHECK(summary.classified == 0);
  CHECK(map.pixels_written() == 0);
}

}  // namespace parsimap::test
