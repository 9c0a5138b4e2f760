#include "product/described_product.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/product/product.hpp"

#include "product_fixture.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

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
  CHECK(values_of(*own->source)(0, 0) == static_cast<float>(1000 * 1e-4));
  CHECK(std::isnan(values_of(*own->source)(1, 0)));
  spec.nodata.reset();
  const std::optional<OpenScene> described = open_product(write_enmap(folder.file("described"), spec));
  CHECK(described->description.nodata == 1000);
  CHECK(std::isnan(values_of(*described->source)(0, 0)));
  CHECK(values_of(*described->source)(1, 0) == static_cast<float>(1001 * 1e-4));
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
