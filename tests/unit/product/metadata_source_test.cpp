#include "product/metadata_source.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "product_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("names of images tell the product") {
  CHECK(prefix_of_image("a-SPECTRAL_IMAGE.TIF") == "a");
  CHECK(prefix_of_image("a-spectral_image_cog.tif") == "a");
  CHECK_FALSE(prefix_of_image("a-SPECTRAL_IMAGE_VNIR.TIF").has_value());
  CHECK_FALSE(prefix_of_image("scene.tif").has_value());
}

TEST_CASE("a product is found by metadata, image, header and folder") {
  initialise_gdal();
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("order/product"));
  const std::string begin = folder.file("order/product/a");
  for (const char* ending : {"-METADATA.xml", "-SPECTRAL_IMAGE.tif", "-SPECTRAL_IMAGE.hdr", "-QL_VNIR.tif"}) {
    write_file(begin + ending, "x");
  }
  for (const std::string& path : {begin + "-METADATA.xml", begin + "-SPECTRAL_IMAGE.tif", begin + "-SPECTRAL_IMAGE.hdr",
                                  folder.file("order/product"), folder.file("order"), folder.file("")}) {
    CAPTURE(path);
    const auto source = find_metadata_source(path);
    REQUIRE(source.has_value());
    CHECK(source->asked == path);
    CHECK(std::filesystem::equivalent(source->metadata, begin + "-METADATA.xml"));
    CHECK(source->prefix == "a");
    CHECK(source->folder.files.size() == 4);
    const bool by_image = path.find("SPECTRAL") != std::string::npos;
    CHECK(source->image == (by_image ? std::optional(begin + "-SPECTRAL_IMAGE.tif") : std::nullopt));
  }
  CHECK_FALSE(find_metadata_source(begin + "-QL_VNIR.tif").has_value());
  CHECK_FALSE(find_metadata_source(folder.file("absent")).has_value());
  CHECK_FALSE(find_metadata_source(folder.file("absent-SPECTRAL_IMAGE.tif")).has_value());
}

TEST_CASE("a folder of several products is refused, and products that lie deep are not searched") {
  initialise_gdal();
  const TemporaryFolder folder;
  for (const char* name : {"a", "b"}) {
    std::filesystem::create_directories(folder.file(name));
    write_file(folder.file(name) + "/" + name + "-METADATA.XML", "x");
  }
  CHECK(message_of<DataError>([&] { find_metadata_source(folder.file("")); }) ==
        folder.file("") + " holds 2 products; name one of them by its metadata: " + folder.file("a/a-METADATA.XML") +
            ", " + folder.file("b/b-METADATA.XML"));
  std::filesystem::create_directories(folder.file("c/d/e/f/g"));
  write_file(folder.file("c/d/e/f/g/x-METADATA.XML"), "x");
  CHECK_FALSE(find_metadata_source(folder.file("c")).has_value());
  CHECK(find_metadata_source(folder.file("c/d")).has_value());
}
