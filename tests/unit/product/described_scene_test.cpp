#include "product/described_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/scene/memory_scene.hpp"

#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

// One pixel with these values in its bands.
std::unique_ptr<SceneSource> pixel_of(const std::vector<float>& values, BandTable bands) {
  Spectra spectra(1, static_cast<Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    spectra(0, static_cast<Index>(i)) = values[i];
  }
  return std::make_unique<MemoryScene>("image", RasterGrid{1, 1, std::nullopt, ""}, std::move(bands),
                                       std::move(spectra));
}

Spectra read_pixel(SceneSource& scene, const Indices& bands) {
  Spectra values;
  scene.read({0, 0, 1, 1}, bands, values);
  return values;
}

}  // namespace

TEST_CASE("a described scene has the bands of the description and scaled values") {
  const BandDescription description{{{.name = "a", .scale = 1e-4}, {.name = "b", .scale = 2, .offset = 1}}, -9999.0};
  const auto scene = describe_scene(pixel_of({1234, 3}, BandTable(2)), description, "product");
  CHECK(scene->name() == "product");
  CHECK(scene->bands() == description.bands);
  const Spectra values = read_pixel(*scene, {1, 0});
  CHECK(values(0, 0) == 7);
  CHECK(values(0, 1) == static_cast<float>(1234 * 1e-4));
}

TEST_CASE("nodata of the description, what was missing, and what is not finite have no value") {
  const BandDescription description{{{}, {}, {.scale = 1e300}, {}}, 0.0};
  const auto scene = describe_scene(pixel_of({0, NAN, 5, 1}, BandTable(4)), description, "product");
  const Spectra values = read_pixel(*scene, {0, 1, 2, 3});
  CHECK(std::isnan(values(0, 0)));
  CHECK(std::isnan(values(0, 1)));
  CHECK(std::isnan(values(0, 2)));
  CHECK(values(0, 3) == 1);
}

TEST_CASE("a band that the scene scales itself is not scaled again") {
  const BandDescription description{{{.scale = 1e-4}, {.scale = 1e-4}}, 0.5};
  const auto scene = describe_scene(pixel_of({0.5F, 2}, {{.scale = 0.01, .offset = 3}, {}}), description, "product");
  const Spectra values = read_pixel(*scene, {0, 1});
  CHECK(values(0, 0) == 0.5F);
  CHECK(values(0, 1) == static_cast<float>(2e-4));
  CHECK(scene->bands()[0].scale == 0.01);
  CHECK(scene->bands()[0].offset == 3);
}

TEST_CASE("a description of another number of bands is refused") {
  CHECK(message_of<std::runtime_error>([] {
          describe_scene(pixel_of({1, 2}, BandTable(2)), {BandTable(3), {}}, "product");
        }).find("has 2 bands, but 3 are described") != std::string::npos);
}
