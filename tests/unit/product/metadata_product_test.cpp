#include "product/metadata_product.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/product/product.hpp"

#include "product_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("other files are no products") {
  const TemporaryFolder folder;
  create_raster(folder.file("scene.tif"), 2, 2, 1, GDT_Byte);
  write_file(folder.file("a-METADATA.XML"), "<root><mission>Other</mission></root>");
  CHECK_FALSE(open_metadata_product(folder.file("scene.tif")).has_value());
  CHECK_FALSE(open_metadata_product(folder.file("a-METADATA.XML")).has_value());
  CHECK_FALSE(open_metadata_product(folder.file("absent")).has_value());
  CHECK_FALSE(open_metadata_product("").has_value());
}

TEST_CASE("an image that has lost its metadata is a raster, and that is said") {
  const TemporaryFolder folder;
  const std::string metadata = write_enmap(folder.file("p"), {});
  std::filesystem::remove(metadata);
  const std::string path = folder.file("p/" + kEnmapStem + "-SPECTRAL_IMAGE.TIF");
  const std::optional<OpenScene> scene = open_metadata_product(path);
  REQUIRE(scene.has_value());
  CHECK(scene->description.product.empty());
  CHECK(all_values(*scene->source)(0, 0) == 1000);
  CHECK(contains(scene->description.note, kEnmapStem + "-METADATA.XML is not beside it"));
  CHECK(contains(message_of<DataError>([&] { open_product(folder.file("p")); }), "without a product"));
}
