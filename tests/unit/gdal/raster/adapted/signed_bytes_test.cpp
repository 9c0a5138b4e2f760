#include "gdal/raster/adapted/signed_bytes.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/scene.hpp"

#include "../raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

// Bands of bytes: -128 + band, -1, 0, 1 and 127, as the driver stores them.
void write_signed(const std::string& path, const std::vector<std::string>& options, int bands = 3, bool mark = true) {
  std::vector<std::string> all = options;
  if (mark) {
    all.emplace_back("PIXELTYPE=SIGNEDBYTE");
  }
  const DatasetPtr dataset = create_raster(path, 5, 2, bands, GDT_Byte, "GTiff", all);
  for (int band = 1; band <= bands; ++band) {
    fill_band(*dataset, band, [&](int column, int) {
      return std::vector<int>{128 + band, 255, 0, 1, 127}[static_cast<std::size_t>(column)];
    });
  }
}

Spectra read_row(SceneSource& scene, const Indices& bands) {
  Spectra values;
  scene.read({0, 1, 5, 1}, bands, values);
  return values;
}

void check_values(const std::string& path) {
  CAPTURE(path);
  const OpenScene scene = open_scene(path);
  CHECK(scene.description.data_type == "Int8");
  const Spectra values = read_row(*scene.source, {2, 0});
  CHECK(values(0, 0) == -125);
  CHECK(values(0, 1) == -127);
  for (const Index band : {0, 1}) {
    CHECK(values(1, band) == -1);
    CHECK(values(2, band) == 0);
    CHECK(values(3, band) == 1);
    CHECK(values(4, band) == 127);
  }
}

}  // namespace

TEST_CASE("bands of signed bytes keep their names") {
  const TemporaryFolder folder;
  write_signed(folder.file("a.tif"), {});
  const DatasetPtr raw(GDALDataset::Open(folder.file("a.tif").c_str(), GDAL_OF_RASTER | GDAL_OF_UPDATE));
  for (int band = 1; band <= 3; ++band) {
    raw->GetRasterBand(band)->SetDescription(("A0" + std::to_string(band)).c_str());
  }
  raw->FlushCache(false);
  const BandTable bands = open_scene(folder.file("a.tif")).source->bands();
  CHECK(mapped<std::string>(bands, &Band::name) == std::vector<std::string>{"A01", "A02", "A03"});
}

TEST_CASE("signed bytes are signed for every layout, and in mosaics") {
  const TemporaryFolder folder;
  write_signed(folder.file("band.tif"), {"INTERLEAVE=BAND"});
  check_values(folder.file("band.tif"));
  write_signed(folder.file("pixel.tif"), {"INTERLEAVE=PIXEL", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"});
  check_values(folder.file("pixel.tif"));
  std::string bands;
  for (const char* number : {"1", "2", "3"}) {
    bands += std::string("<VRTRasterBand dataType=\"Byte\" band=\"") + number +
             "\"><SimpleSource><SourceFilename relativeToVRT=\"1\">pixel.tif</SourceFilename><SourceBand>" + number +
             "</SourceBand></SimpleSource></VRTRasterBand>";
  }
  write_file(folder.file("mosaic.vrt"), "<VRTDataset rasterXSize=\"5\" rasterYSize=\"2\">" + bands + "</VRTDataset>");
  check_values(folder.file("mosaic.vrt"));
  // What depends on the format is done as for other values.
  CHECK(open_raster(folder.file("mosaic.vrt"))->GetDriverName() == std::string("VRT"));
  CHECK(open_raster(folder.file("band.tif"))->GetDriverName() == std::string("GTiff"));
}

TEST_CASE("the nodata value of signed bytes is compared as a signed one") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  write_signed(path, {});
  {
    const DatasetPtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_UPDATE));
    for (GDALRasterBand* band : dataset->GetBands()) {
      band->SetNoDataValue(-1);
    }
  }
  const Spectra values = read_row(*open_scene(path).source, {0});
  CHECK(values(0, 0) == -127);
  CHECK(std::isnan(values(1, 0)));
  CHECK(values(4, 0) == 127);
}

TEST_CASE("a map of signed bytes has no code above 127, and a mosaic of signed and other bytes is refused") {
  const TemporaryFolder folder;
  write_signed(folder.file("map.tif"), {}, 1);
  CHECK(contains(message_of<DataError>([&] { open_class_map(folder.file("map.tif")); }), "is -127"));
  write_signed(folder.file("plain.tif"), {}, 1, false);
  CHECK(open_scene(folder.file("plain.tif")).description.data_type == "Byte");
  std::string bands;
  for (const char* file : {"map.tif", "plain.tif"}) {
    bands += std::string("<VRTRasterBand dataType=\"Byte\"><SimpleSource><SourceFilename relativeToVRT=\"1\">") + file +
             "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>";
  }
  write_file(folder.file("mixed.vrt"), "<VRTDataset rasterXSize=\"5\" rasterYSize=\"2\">" + bands + "</VRTDataset>");
  CHECK(contains(message_of<DataError>([&] { open_scene(folder.file("mixed.vrt")); }), "mixes signed bytes"));
}
