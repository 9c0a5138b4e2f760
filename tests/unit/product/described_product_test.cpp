#include "product/described_product.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/product/product.hpp"

#include "product_fixture.hpp"
#include "support/memory_scene.hpp"
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

TEST_CASE("a product that lacks its image is refused, with what was looked for and what is there") {
  const TemporaryFolder folder;
  const std::string metadata = write_enmap(folder.file("p"), {});
  std::filesystem::remove(folder.file("p/" + kEnmapStem + "-SPECTRAL_IMAGE.TIF"));
  const std::string refusal = message_of<DataError>([&] { open_product(metadata); });
  CHECK(contains(refusal, "is of a product (EnMAP L2A) whose image is not beside it: looked for " + kEnmapStem +
                              "-SPECTRAL_IMAGE with the extension .tif"));
  CHECK(contains(refusal, "found " + kEnmapStem + "-QL_QUALITY_CIRRUS.TIF, "));
  CHECK(contains(refusal, "and 1 more"));
}

TEST_CASE("missing quality layers are reported, and damaged ones refused") {
  const TemporaryFolder folder;
  const std::string begin = folder.file("p/" + kEnmapStem);
  write_enmap(folder.file("p"), {});
  std::filesystem::remove(begin + "-QL_QUALITY_CLOUD.TIF");
  std::filesystem::remove(begin + "-QL_QUALITY_CLASSES.TIF");
  const std::optional<OpenScene> scene = open_product(folder.file("p"));
  CHECK(scene->quality.size() == 4);
  CHECK(scene->description.note ==
        folder.file("p") + " lacks files of quality layers (names that end in -QL_QUALITY_CLOUD, " +
            "-QL_QUALITY_CLASSES), so that these pixels cannot be left out: cloud, land, water");
  write_file(begin + "-QL_QUALITY_CLOUD.TIF", "");
  const std::string refusal = message_of<DataError>([&] { open_product(folder.file("p")); });
  CHECK(contains(refusal, "-QL_QUALITY_CLOUD.TIF cannot be opened as a raster"));
  CHECK(contains(refusal, "it is the quality layer 'cloud' of a product, which can be used without this file"));
}

TEST_CASE("an image of another number of bands than are described is refused") {
  const TemporaryFolder folder;
  const std::string metadata = write_enmap(folder.file("p"), {});
  ProductSpec other;
  other.bands = 3;
  write_file(metadata, enmap_metadata(other));
  CHECK(contains(message_of<DataError>([&] { open_product(metadata); }),
                 "-SPECTRAL_IMAGE.TIF has 4 bands, but 3 are described"));
}

TEST_CASE("nodata of the image comes before that of the metadata") {
  const TemporaryFolder folder;
  ProductSpec spec;
  spec.background = "1000";
  spec.nodata = 1001;
  const std::optional<OpenScene> own = open_product(write_enmap(folder.file("own"), spec));
  CHECK(own->description.nodata == 1001);
  CHECK(all_values(*own->source)(0, 0) == static_cast<float>(1000 * 1e-4));
  CHECK(std::isnan(all_values(*own->source)(1, 0)));
  spec.nodata.reset();
  const std::optional<OpenScene> described = open_product(write_enmap(folder.file("described"), spec));
  CHECK(described->description.nodata == 1000);
  CHECK(std::isnan(all_values(*described->source)(0, 0)));
  CHECK(all_values(*described->source)(1, 0) == static_cast<float>(1001 * 1e-4));
}

TEST_CASE("all files that begin as a product does belong to it") {
  const TemporaryFolder folder;
  write_enmap(folder.file("p"), {});
  const std::string begin = folder.file("p/" + kEnmapStem);
  write_file(begin + "-QL_PIXELMASK.TIF", "x");
  write_file(begin + "X-other.TIF", "x");
  const SceneDescription description = open_product(folder.file("p"))->description;
  CHECK(lists(description, begin + "-QL_PIXELMASK.TIF"));
  CHECK_FALSE(lists(description, begin + "X-other.TIF"));
}
