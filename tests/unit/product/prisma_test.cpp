#include "product/prisma.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "parsimap/core/error.hpp"
#include "parsimap/product/product.hpp"

#include "support/hdf5_file.hpp"
#include "support/memory_scene.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {
namespace {

constexpr hsize_t kLines = 4;
constexpr hsize_t kSamples = 3;
// In descending order; the last of SWIR was not acquired.
const std::vector<double> kVnir{960, 700, 0, 500};
const std::vector<double> kSwir{1600, 950, 0};

std::uint16_t number(hsize_t detector, hsize_t line, hsize_t band, hsize_t sample) {
  if (line == 1 && sample == 2) {
    return 0;  // nothing at all
  }
  return static_cast<std::uint16_t>(
      line == 2 && sample == 0 && detector == 0 ? 0 : 1000 * (detector + 1) + 100 * line + 10 * band + sample);
}

std::vector<std::uint16_t> cube(hsize_t detector, hsize_t bands) {
  std::vector<std::uint16_t> values;
  for (hsize_t line = 0; line < kLines; ++line) {
    for (hsize_t band = 0; band < bands; ++band) {
      for (hsize_t sample = 0; sample < kSamples; ++sample) {
        values.push_back(number(detector, line, band, sample));
      }
    }
  }
  return values;
}

using Change = std::function<void(Hdf5Writer&)>;

void write(
    const std::string& path, const std::string& level, const Change& change = [](Hdf5Writer&) {}) {
  Hdf5Writer file(path);
  const std::string swath = "/HDFEOS/SWATHS/PRS_" + level + "_HCO/";
  file.array(swath + "Data Fields/VNIR_Cube", {kLines, 4, kSamples}, cube(0, 4));
  file.array(swath + "Data Fields/SWIR_Cube", {kLines, 3, kSamples}, cube(1, 3), {2, 3, 3});
  file.numbers("/", "List_Cw_Vnir", kVnir);
  file.numbers("/", "List_Cw_Swir", kSwir);
  file.numbers("/", "List_Fwhm_Vnir", {11, 12, 0, 13});
  file.numbers("/", "List_Fwhm_Swir", {14, 15, 0});
  for (const std::string detector : {"Vnir", "Swir"}) {
    file.numbers("/", "L2Scale" + detector + "Min", {detector == "Vnir" ? 0.0 : 0.25});
    file.numbers("/", "L2Scale" + detector + "Max", {detector == "Vnir" ? 1.0 : 1.25});
    file.numbers("/", "ScaleFactor_" + detector, {100});
    file.numbers("/", "Offset_" + detector, {2});
  }
  file.numbers("/", "Product_ULcorner_easting", {500015});
  file.numbers("/", "Product_ULcorner_northing", {4999985});
  file.numbers("/", "Product_LRcorner_easting", {500075});
  file.numbers("/", "Product_LRcorner_northing", {4999895});
  file.numbers("/", "Epsg_Code", {32632});
  change(file);
}

OpenScene open_prisma(
    const std::string& path, const std::string& level, const Change& change = [](Hdf5Writer&) {}) {
  write(path, level, change);
  std::optional<OpenScene> scene = open_product(path);
  REQUIRE(scene);
  return std::move(*scene);
}

std::string refusal_of_prisma(const std::string& path, const Change& change) {
  write(path, "L2D", change);
  return message_of<DataError>([&] { open_product(path); });
}

}  // namespace

TEST_CASE("a pixel has an error where any of its bands has it") {
  Spectra numbers(4, 3);
  numbers << 0, 0, 0, 1, 0, 2, 0, 4, 0, 3, 3, 1;
  std::vector<QualityLayer> layers;
  add_error_matrices(std::make_unique<MemoryScene>("m", RasterGrid{2, 2, {}, ""}, BandTable(3), numbers),
                     errors_of_level_2(), layers);
  REQUIRE(layers.size() == 3);
  CHECK(layers[0].source == layers[2].source);
  CHECK(layers[1].source->bands()[1].name == "negative");
  CHECK(layers[0].source->name() == "m");
  CHECK(layers[0].source->block_width() == 2);
  CHECK(layers[0].source->block_height() == 1);
  CHECK_FALSE(layers[0].source->known_empty({0, 0, 1, 1}));
  CHECK_NOTHROW(layers[0].source->check_unchanged());
  Spectra marks;
  layers[0].source->read({0, 0, 2, 2}, {0, 1, 2}, marks);
  Spectra expected(4, 3);
  expected << 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1;
  CHECK(marks == expected);
  layers[0].source->read({1, 0, 1, 2}, {2}, marks);
  CHECK(marks == Spectra{{0.0F}, {1.0F}});
}

TEST_CASE("a scene of PRISMA L2D has its bands by wavelength, its values and its place") {
  const TemporaryFolder folder;
  const OpenScene scene = open_prisma(folder.file("PRS_L2D_STD_20200101.he5"), "L2D");
  CHECK(scene.description.product == "PRISMA L2D");
  CHECK(scene.description.data_type == "UInt16");
  CHECK(scene.quality.empty());
  CHECK(scene.geometry == nullptr);
  const BandTable& bands = scene.source->bands();
  REQUIRE(bands.size() == 5);
  const std::vector<double> wavelengths{500, 700, 950, 960, 1600};
  for (std::size_t i = 0; i < bands.size(); ++i) {
    CHECK(bands[i].wavelength == wavelengths[i]);
  }
  CHECK(bands[0].name == "VNIR 4");
  CHECK(bands[0].fwhm == 13.0);
  CHECK(bands[2].name == "SWIR 2");
  CHECK(bands[2].offset == 0.25);
  const RasterGrid& grid = scene.source->grid();
  CHECK(grid.width == kSamples);
  CHECK(grid.height == kLines);
  CHECK(grid.geotransform == std::array<double, 6>{500000, 30, 0, 5000000, 0, -30});
  CHECK(contains(grid.crs, "32632"));
  CHECK(grid.control_points.empty());
  Spectra values;
  scene.source->read({0, 0, kSamples, kLines}, {0, 2, 4}, values);
  REQUIRE(values.rows() == 12);
  CHECK(values(4, 0) == doctest::Approx(number(0, 1, 3, 1) / 65535.0));
  CHECK(values(4, 1) == doctest::Approx(0.25 + number(1, 1, 1, 1) / 65535.0));
  CHECK(values(11, 2) == doctest::Approx(0.25 + number(1, 3, 0, 2) / 65535.0));
}

TEST_CASE("a pixel of PRISMA has no values where all bands are 0, whatever bands are asked for") {
  const TemporaryFolder folder;
  const OpenScene scene = open_prisma(folder.file("a.he5"), "L2D");
  for (const Indices& bands : {Indices{0}, Indices{2}, Indices{0, 1, 2, 3, 4}}) {
    Spectra values;
    scene.source->read({0, 1, 3, 2}, bands, values);
    CHECK(std::isnan(values(2, 0)));
    CHECK_FALSE(std::isnan(values(3, 0)));  // 0 in VNIR alone
  }
}

TEST_CASE("PRISMA in the sensor's geometry has control points") {
  const TemporaryFolder folder;
  for (const std::string level : {"L2C", "L2B", "L1"}) {
    const std::string suffix = level == "L1" ? "_VNIR" : "";
    const OpenScene scene = open_prisma(folder.file("PRS_" + level + ".he5"), level, [&](Hdf5Writer& file) {
      std::vector<float> latitudes;
      std::vector<float> longitudes;
      for (int i = 0; i < 12; ++i) {
        latitudes.push_back(45.0F + static_cast<float>(i));
        longitudes.push_back(9.0F + static_cast<float>(i));
      }
      const std::string fields = "/HDFEOS/SWATHS/PRS_" + level + "_HCO/Geolocation Fields/";
      file.array(fields + "Latitude" + suffix, {kLines, kSamples}, latitudes);
      file.array(fields + "Longitude" + suffix, {kLines, kSamples}, longitudes);
    });
    CHECK(scene.description.product == "PRISMA " + level);
    const RasterGrid& grid = scene.source->grid();
    CHECK_FALSE(grid.geotransform);
    REQUIRE(grid.control_points.size() == 12);
    CHECK(grid.control_points[5] == ControlPoint{2.5, 1.5, 14, 50});
    Spectra values;
    scene.source->read({0, 0, 1, 1}, {0}, values);
    const double expected = level == "L1" ? number(0, 0, 3, 0) / 100.0 - 2 : number(0, 0, 3, 0) / 65535.0;
    CHECK(values(0, 0) == doctest::Approx(expected));
  }
}

TEST_CASE("errors in any band of PRISMA mark a pixel") {
  const TemporaryFolder folder;
  const OpenScene scene = open_prisma(folder.file("a.he5"), "L2D", [](Hdf5Writer& file) {
    const std::string fields = "/HDFEOS/SWATHS/PRS_L2D_HCO/Data Fields/";
    std::vector<std::uint8_t> vnir(kLines * 4 * kSamples, 0);
    std::vector<std::uint8_t> swir(kLines * 3 * kSamples, 0);
    vnir[0] = 1;                 // line 0, sample 0
    vnir[2 * kSamples + 1] = 1;  // a band that was not acquired
    swir[3 * kSamples + 1] = 2;  // line 1, sample 1
    swir[6 * kSamples + 2] = 4;  // line 2, sample 2
    file.array(fields + "VNIR_PIXEL_L2_ERR_MATRIX", {kLines, 4, kSamples}, vnir);
    file.array(fields + "SWIR_PIXEL_L2_ERR_MATRIX", {kLines, 3, kSamples}, swir);
  });
  REQUIRE(scene.quality.size() == 3);
  const std::vector<std::string> names{"defective", "negative", "saturated"};
  const std::vector<Index> marked{0, 4, 8};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const QualityLayer& layer = scene.quality[i];
    CHECK(layer.name == names[i]);
    Spectra values;
    layer.source->read({0, 0, kSamples, kLines}, {layer.band}, values);
    CHECK(values.sum() == 1);
    CHECK(values(marked[i], 0) == layer.marks.front());
  }
}

TEST_CASE("level 1 of PRISMA has a mask of clouds") {
  const TemporaryFolder folder;
  const OpenScene scene = open_prisma(folder.file("a.he5"), "L1", [](Hdf5Writer& file) {
    file.array<std::uint8_t>("/HDFEOS/SWATHS/PRS_L1_HCO/Data Fields/Cloud_Mask", {kLines, kSamples},
                             {0, 1, 10, 255, 0, 0, 0, 0, 0, 0, 0, 0});
  });
  REQUIRE(scene.quality.size() == 1);
  CHECK(scene.quality[0].name == "cloud");
  std::optional<OpenScene> again = open_product(folder.file("a.he5"));
  const auto screened = leave_out_marked(std::move(again->source), scene.quality);
  Spectra values;
  screened->read({0, 0, kSamples, 1}, {0}, values);
  CHECK_FALSE(std::isnan(values(0, 0)));
  CHECK(std::isnan(values(1, 0)));
  CHECK_FALSE(std::isnan(values(2, 0)));
}

TEST_CASE("what is wrong with a file of PRISMA is said with what was looked for and found") {
  const TemporaryFolder folder;
  const std::string path = folder.file("PRS_L2D_STD.he5");
  const std::string fields = "/HDFEOS/SWATHS/PRS_L2D_HCO/Data Fields/";
  CHECK(contains(
      refusal_of_prisma(path, [&](Hdf5Writer& file) { file.remove(fields + "SWIR_Cube"); }),
      "has no array " + fields + "SWIR_Cube; its group /HDFEOS/SWATHS/PRS_L2D_HCO/Data Fields holds VNIR_Cube"));
  for (const std::string attribute : {"List_Cw_Vnir", "L2ScaleSwirMax", "Epsg_Code", "Product_LRcorner_northing"}) {
    CHECK(contains(refusal_of_prisma(path, [&](Hdf5Writer& file) { file.remove_attribute("/", attribute); }),
                   "has no attribute " + attribute));
  }
  CHECK(contains(refusal_of_prisma(path,
                                   [&](Hdf5Writer& file) {
                                     file.remove_attribute("/", "List_Fwhm_Swir");
                                     file.numbers("/", "List_Fwhm_Swir", {14, 15});
                                   }),
                 "differ in their numbers of bands"));
  CHECK(contains(refusal_of_prisma(path,
                                   [&](Hdf5Writer& file) {
                                     file.remove_attribute("/", "Product_LRcorner_easting");
                                     file.numbers("/", "Product_LRcorner_easting", {400000});
                                   }),
                 "cannot be placed on the map: its upper left corner is (500015"));
  CHECK(contains(refusal_of_prisma(path,
                                   [&](Hdf5Writer& file) {
                                     file.remove_attribute("/", "Epsg_Code");
                                     file.numbers("/", "Epsg_Code", {999999});
                                   }),
                 "Epsg_Code: 999999 is not the EPSG code"));
  CHECK(contains(
      refusal_of_prisma(
          path,
          [&](Hdf5Writer& file) {
            file.remove(fields + "SWIR_Cube");
            file.array<std::uint16_t>(fields + "SWIR_Cube", {2, 3, kSamples}, std::vector<std::uint16_t>(18, 1));
          }),
      "differ in their lines or samples"));
  CHECK(contains(refusal_of_prisma(path, [&](Hdf5Writer& file) { file.remove("/HDFEOS/SWATHS/PRS_L2D_HCO"); }),
                 "or PRS_L1_HCO was looked for in /HDFEOS/SWATHS, which holds nothing"));
  write(folder.file("other.he5"), "L2D", [](Hdf5Writer& file) { file.remove("/HDFEOS/SWATHS/PRS_L2D_HCO"); });
  CHECK_FALSE(open_product(folder.file("other.he5")));
}

TEST_CASE("cubes of PRISMA whose axes are in another order are read by their number of bands") {
  const TemporaryFolder folder;
  const OpenScene scene = open_prisma(folder.file("a.he5"), "L2D", [](Hdf5Writer& file) {
    const std::string name = "/HDFEOS/SWATHS/PRS_L2D_HCO/Data Fields/SWIR_Cube";
    file.remove(name);
    std::vector<std::uint16_t> values;
    for (hsize_t line = 0; line < 5; ++line) {
      for (hsize_t sample = 0; sample < 7; ++sample) {
        for (hsize_t band = 0; band < 3; ++band) {
          values.push_back(static_cast<std::uint16_t>(100 * line + 10 * sample + band + 1));
        }
      }
    }
    const std::string other = "/HDFEOS/SWATHS/PRS_L2D_HCO/Data Fields/VNIR_Cube";
    file.remove(other);
    file.array(name, {5, 7, 3}, values);
    file.array<std::uint16_t>(other, {5, 4, 7}, std::vector<std::uint16_t>(140, 1));
  });
  CHECK(scene.source->grid().width == 7);
  Spectra values;
  scene.source->read({6, 4, 1, 1}, {4}, values);
  CHECK(values(0, 0) == doctest::Approx(0.25 + 461 / 65535.0));
}

TEST_CASE("a file of PRISMA that is cut off is refused") {
  const TemporaryFolder folder;
  const std::string path = folder.file("PRS_L2C.he5");
  write(path, "L2C");
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 100);
  CHECK_THROWS_WITH_AS((void)open_product(path), doctest::Contains("damaged or cut off"), DataError);
}

}  // namespace parsimap::test
