#include "parsimap/product/product.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "product_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("a product is the same scene by each of its names, also in an archive") {
  const TemporaryFolder folder;
  for (const bool enmap : {true, false}) {
    const std::string product = folder.file(enmap ? "enmap" : "desis");
    const std::string metadata = enmap ? write_enmap(product, {}) : write_desis(product, {});
    const std::string image = replaced(metadata, enmap ? "METADATA.XML" : "METADATA.xml",
                                       enmap ? "SPECTRAL_IMAGE.TIF" : "SPECTRAL_IMAGE.tif");
    pack(product, product + ".zip", "inside");
    const Spectra expected = all_values(*open_product(product)->source);
    CHECK(expected(7, 1) == static_cast<float>(2011 * 1e-4));
    for (const std::string& path :
         {product, product + "/", metadata, image, product + ".zip", "/vsizip/" + product + ".zip",
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
      CHECK(all_values(*scene->source) == expected);
      CHECK(scene->quality.size() == (enmap ? 7 : 8));
      const bool archive = path.find(".zip") != std::string::npos;
      CHECK(scene->description.files.size() == (archive ? 1 : enmap ? 8 : 3));
      CHECK(scene->description.files.front() == (archive ? product + ".zip" : image));
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
  CHECK(contains(refusal(folder.file("in")), "found notes.txt, below/"));
  pack(folder.file("in"), folder.file("a.zip"), "x");
  CHECK(contains(refusal(folder.file("a.zip")), "is an archive without a product"));
  write_file(folder.file("in/a-METADATA.XML"), "<root><mission>Other</mission></root>");
  CHECK(contains(refusal(folder.file("in")), "found a-METADATA.XML, notes.txt, below/"));
}
