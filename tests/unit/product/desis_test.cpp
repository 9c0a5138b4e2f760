#include "product/desis.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/product/product.hpp"

#include "product_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("bands of DESIS have wavelength, width and scale by their numbers") {
  const TemporaryFolder folder;
  const std::optional<OpenScene> scene = open_product(write_desis(folder.file("p"), {}));
  const BandTable& bands = scene->source->bands();
  REQUIRE(bands.size() == 4);
  CHECK(bands[0] == Band{.wavelength = 400.0, .scale = 1e-4, .fwhm = 3.5});
  CHECK(bands[3] == Band{.wavelength = 407.5, .scale = 1e-4, .fwhm = 3.5});
}

TEST_CASE("values of L1C of DESIS are radiance, and have no quality layers") {
  const TemporaryFolder folder;
  ProductSpec spec;
  spec.level = "L1C";
  const std::optional<OpenScene> scene =
      open_product(write_desis(folder.file("p"), spec, "DESIS-HSI-L1C-DT0000000001_001-20230704T102020-V0220"));
  CHECK(scene->description.product == "DESIS L1C");
  CHECK(scene->description.quantity == "radiance, mW/(cm2 sr um)");
  CHECK(scene->quality.empty());
  CHECK(scene->description.note.empty());
  Spectra values;
  scene->source->read({0, 0, 1, 1}, {0, 3}, values);
  CHECK(values(0, 0) == static_cast<float>(1000 * 1e-3 + 0.5));
  CHECK(values(0, 1) == static_cast<float>(4000 * 4e-3 + 0.5));
}

TEST_CASE("clouds and haze of DESIS are those over land and over water") {
  const TemporaryFolder folder;
  ProductSpec spec;
  // Each band marks the column of its number; those of aerosol and vapour hold other numbers.
  spec.grid = utm_grid(10, 1);
  spec.quality = [](const std::string& band, int column, int) {
    return band == "8" || band == "9" ? 1 : band == std::to_string(column) ? 1 : 0;
  };
  write_desis(folder.file("p"), spec);
  const auto left = [&](const std::string& name) {
    OpenScene scene = std::move(*open_product(folder.file("p")));
    auto source = leave_out_marked(std::move(scene.source),
                                   choose_quality(scene.quality, std::vector<std::string>{name}, "scene"));
    Spectra values;
    source->read({0, 0, 10, 1}, {0}, values);
    std::string shown;
    for (Index pixel = 0; pixel < values.rows(); ++pixel) {
      shown += std::isnan(values(pixel, 0)) ? '-' : 'x';
    }
    return shown;
  };
  CHECK(left("cloud") == "xxxxx--xxx");
  CHECK(left("haze") == "xxx--xxxxx");
  CHECK(left("shadow") == "-xxxxxxxxx");
  CHECK(left("land") == "x-xxxxxxxx");
  CHECK(left("snow") == "xx-xxxxxxx");
  CHECK(left("water") == "xxxxxxx-xx");
}

TEST_CASE("a product of DESIS without its quality raster says so, and one with too few bands is refused") {
  const TemporaryFolder folder;
  const std::string metadata = write_desis(folder.file("p"), {});
  const std::string quality = folder.file("p/" + kDesisStem + "-QL_QUALITY-2.tif");
  std::filesystem::remove(quality);
  CHECK(
      contains(open_product(metadata)->description.note,
               "names that end in -QL_QUALITY-2), so that these pixels cannot be left out: cloud, shadow, haze, snow"));
  create_raster(quality, 6, 5, 5, GDT_Byte, "GTiff", {"PHOTOMETRIC=MINISBLACK"});
  CHECK(message_of<DataError>([&] { open_product(metadata); }) ==
        quality + " has 5 bands, but band 6 should be there; it is the quality layer 'cloud' of a " +
            "product, which can be used without this file, but not with a damaged one");
}

TEST_CASE("damaged metadata of DESIS are refused") {
  const TemporaryFolder folder;
  const std::string metadata = write_desis(folder.file("p"), {});
  replace_in_file(metadata, "<gainOfBand>0.0001", "<gainOfBand>");
  CHECK(contains(message_of<DataError>([&] { open_product(metadata); }),
                 "gainOfBand of the band at place 1 is ''; it must be a number"));
  replace_in_file(metadata, "bandCharacterisation>", "bands>");
  replace_in_file(metadata, "/bandCharacterisation>", "/bands>");
  CHECK(contains(message_of<DataError>([&] { open_product(metadata); }), "describes no band"));
}
