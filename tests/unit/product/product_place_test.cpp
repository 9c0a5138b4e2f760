#include "product/product_place.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/product/product.hpp"

#include "product_fixture.hpp"

namespace parsimap::test {

TEST_CASE("names are compared without regard to case") {
  CHECK(ends_in("a-METADATA.xml", "-metadata.XML"));
  CHECK_FALSE(ends_in("XML", "a.XML"));
  CHECK(folder_of("a/b/c.tif") == "a/b");
  CHECK(folder_of("/c.tif") == "/");
  CHECK(folder_of("c.tif") == ".");
  CHECK(name_of("a/b/c.tif") == "c.tif");
  CHECK(in_folder(".", "c.tif") == "c.tif");
  CHECK(in_folder("/", "c.tif") == "/c.tif");
  CHECK(in_folder("a", "c.tif") == "a/c.tif");
  CHECK(without_extension("a.b.tif") == "a.b");
  CHECK(without_extension("a") == "a");
}

TEST_CASE("some of many names are listed") {
  CHECK(some_of({}) == "nothing");
  CHECK(some_of({"a", "b"}) == "a, b");
  CHECK(some_of({"a", "b", "c", "d", "e", "f", "g"}) == "a, b, c, d, e and 2 more");
}

TEST_CASE("folders and archives are looked into alike") {
  initialise_gdal();
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("in"));
  write_file(folder.file("in/X.TIF"), "x");
  write_file(folder.file("in/a.txt"), "a");
  pack(folder.file("in"), folder.file("all.zip"), "in");
  CHECK(as_folder(folder.file("in/")) == folder.file("in"));
  CHECK_FALSE(as_folder(folder.file("in/a.txt")).has_value());
  CHECK_FALSE(as_folder(folder.file("absent.zip")).has_value());
  const auto archive = as_folder(folder.file("all.zip"));
  REQUIRE(archive.has_value());
  CHECK(content_of_folder(*archive).folders == std::vector<std::string>{"in"});
  for (const std::string& path : {folder.file("in"), in_folder(*archive, "in")}) {
    CAPTURE(path);
    const FolderContent content = content_of_folder(path);
    CHECK(content.files == std::vector<std::string>{"X.TIF", "a.txt"});
    CHECK(raster_called(content, "x") == path + "/X.TIF");
    CHECK(file_called(content, "A.TXT") == path + "/a.txt");
    CHECK_FALSE(raster_called(content, "a").has_value());
    CHECK(is_file(path + "/X.TIF"));
    CHECK_FALSE(is_file(path));
  }
  CHECK(content_of_folder(folder.file("absent")).files.empty());
}

TEST_CASE("a raster is found by the name of its copy for networks, after its own") {
  FolderContent content{"f", {"a_COG.tif"}, {}};
  CHECK(raster_called(content, "a") == "f/a_COG.tif");
  content.files.push_back("a.bsq");
  CHECK(raster_called(content, "a") == "f/a.bsq");
}

TEST_CASE("the archive of a path") {
  CHECK(archive_of("/vsizip/{/data/a.zip}/x/y") == "/data/a.zip");
  CHECK(archive_of("/vsizip//data/a.zip/x/y") == "/data/a.zip");
  CHECK(archive_of("/vsizip/a.ZIP") == "a.ZIP");
  CHECK(archive_of("/vsizip/nothing/of/it").empty());
  CHECK(archive_of("/vsitar/b/a.tar.gz/x/y") == "b/a.tar.gz");
  CHECK(archive_of("/data/a.zip").empty());
}

TEST_CASE("the name of an image gives that of its product") {
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

TEST_CASE("a product is the same scene by each of its names, also in an archive") {
  const TemporaryFolder folder;
  for (const bool enmap : {true, false}) {
    const std::string product = folder.file(enmap ? "enmap" : "desis");
    const std::string metadata = enmap ? write_enmap(product, {}) : write_desis(product, {});
    const std::string image = replaced(metadata, enmap ? "METADATA.XML" : "METADATA.xml",
                                       enmap ? "SPECTRAL_IMAGE.TIF" : "SPECTRAL_IMAGE.tif");
    pack(product, product + ".zip", "inside");
    const std::string name = std::filesystem::path(product).filename().string();
    REQUIRE(std::system(("tar -C '" + folder.file("") + "' -czf '" + product + ".tar.gz' " + name).c_str()) == 0);
    const Spectra expected = values_of(*open_product(product)->source);
    CHECK(expected(7, 1) == static_cast<float>(2011 * 1e-4));
    for (const std::string& path :
         {product, product + "/", metadata, image, product + ".zip", product + ".tar.gz", "/vsizip/" + product + ".zip",
          "/vsizip/" + product + ".zip/inside",
          "/vsizip/" + product + ".zip/inside/" + std::filesystem::path(metadata).filename().string()}) {
      CAPTURE(path);
      std::optional<OpenScene> scene = open_product(path);
      REQUIRE(scene.has_value());
      CHECK(scene->source->name() == path);
      CHECK(scene->source->bands().size() == 4);
      CHECK(scene->description.product == (enmap ? "EnMAP L2A" : "DESIS L2A"));
      CHECK(scene->description.quantity == "reflectance");
      CHECK(scene->description.note.empty());
      CHECK(scene->description.nodata == -32768);
      CHECK(scene->description.bytes > 0);
      CHECK(values_of(*scene->source) == expected);
      CHECK(scene->quality.size() == (enmap ? 7 : 8));
      const bool tar = path.find(".tar") != std::string::npos;
      const bool archive = tar || path.find(".zip") != std::string::npos;
      CHECK(scene->description.files.size() == (archive ? 1 : enmap ? 8 : 3));
      CHECK(scene->description.files.front() == (archive ? product + (tar ? ".tar.gz" : ".zip") : image));
      CHECK(lists(scene->description, metadata) == !archive);
    }
  }
}

TEST_CASE("a folder without a product is refused, with what was looked for and what is there") {
  const TemporaryFolder folder;
  const auto refusal = [](const std::string& path) { return message_of<DataError>([&] { open_product(path); }); };
  CHECK(refusal(folder.file("")) ==
        folder.file("") +
            " is a folder without a product that can be read: looked for a file "
            "*-METADATA.XML (EnMAP, DESIS) or, in an archive, *.he5 (PRISMA), found nothing");
  std::filesystem::create_directories(folder.file("in/below"));
  write_file(folder.file("in/notes.txt"), "x");
  CHECK(contains(refusal(folder.file("in")),
                 "found notes.txt, below/; gdalbuildvrt -separate makes one scene of files of bands"));
  pack(folder.file("in"), folder.file("a.zip"), "x");
  CHECK(contains(refusal(folder.file("a.zip")), "is an archive without a product"));
  write_file(folder.file("in/a-METADATA.XML"), "<root><mission>Other</mission></root>");
  CHECK(contains(refusal(folder.file("in")), "found a-METADATA.XML, notes.txt, below/"));
}

}  // namespace parsimap::test
