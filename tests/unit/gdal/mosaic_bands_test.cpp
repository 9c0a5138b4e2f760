#include "gdal/mosaic_bands.hpp"

#include <doctest/doctest.h>

#include "parsimap/gdal/scene.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

void write_source(const std::string& path, const std::vector<std::string>& wavelengths,
                  const std::vector<std::string>& bad = {}) {
  const DatasetPtr source = create_raster(path, 4, 3, static_cast<int>(wavelengths.size()), GDT_Int16);
  for (std::size_t b = 0; b < wavelengths.size(); ++b) {
    GDALRasterBand& band = *source->GetRasterBand(static_cast<int>(b) + 1);
    band.SetMetadataItem("wavelength", wavelengths[b].c_str());
    band.SetMetadataItem("wavelength_units", "Nanometers");
    band.SetDescription(("band at " + wavelengths[b]).c_str());
    if (!bad.empty()) {
      band.SetMetadataItem("bbl", bad[b].c_str());
    }
  }
}

// A mosaic without any word about its bands, the second of which is the first of the sources.
std::string write_mosaic(const std::string& path, const std::vector<std::string>& sources) {
  std::string text = "<VRTDataset rasterXSize=\"4\" rasterYSize=\"3\">";
  for (const char* band : {"2", "1"}) {
    text += "<VRTRasterBand dataType=\"Int16\" band=\"" + std::string(band[0] == '2' ? "1" : "2") + "\">";
    for (const std::string& source : sources) {
      text += "<SimpleSource><SourceFilename relativeToVRT=\"1\">" + source + "</SourceFilename><SourceBand>" + band +
              "</SourceBand></SimpleSource>";
    }
    text += "</VRTRasterBand>";
  }
  write_file(path, text + "</VRTDataset>");
  return path;
}

}  // namespace

TEST_CASE("a mosaic has the widths of bands from its sources, where they agree") {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const char* width) {
    write_source(folder.file(name), {"450", "850"});
    const DatasetPtr source(GDALDataset::Open(folder.file(name).c_str(), GDAL_OF_UPDATE));
    source->GetRasterBand(1)->SetMetadataItem("fwhm", width);
    source->GetRasterBand(2)->SetMetadataItem("fwhm", "7");
  };
  write("a.tif", "5");
  write("b.tif", "5.001");
  const OpenScene scene = open_scene(write_mosaic(folder.file("m.vrt"), {"a.tif", "b.tif"}));
  CHECK(*scene.source->bands()[0].fwhm == doctest::Approx(7));
  CHECK(*scene.source->bands()[1].fwhm == doctest::Approx(5));
  CHECK(scene.description.note.find("the wavelengths, widths and names of its bands") != std::string::npos);
  write("b.tif", "6");
  const OpenScene disputed = open_scene(write_mosaic(folder.file("m.vrt"), {"a.tif", "b.tif"}));
  CHECK_FALSE(disputed.source->bands()[1].fwhm.has_value());
  CHECK(disputed.description.note.find("its sources do not agree in the widths") != std::string::npos);
}

TEST_CASE("a mosaic without wavelengths has those of its sources, band by band, and says so") {
  const TemporaryFolder folder;
  write_source(folder.file("a.tif"), {"450", "850"}, {"1", "0"});
  write_source(folder.file("b.tif"), {"450", "850"}, {"1", "0"});
  const std::string path = write_mosaic(folder.file("m.vrt"), {"a.tif", "b.tif"});
  const OpenScene scene = open_scene(path);
  REQUIRE(scene.source->bands().size() == 2);
  CHECK(scene.source->bands()[0].wavelength == 850);
  CHECK(scene.source->bands()[0].name == "band at 850");
  CHECK(scene.source->bands()[0].bad);
  CHECK(scene.source->bands()[1].wavelength == 450);
  CHECK_FALSE(scene.source->bands()[1].bad);
  CHECK(scene.description.note == path + " does not keep the wavelengths, names and marks of bad bands of its bands: " +
                                      "they are taken from its sources");
  // Also from the sources of a mosaic that is a source.
  const OpenScene outer = open_scene(write_mosaic(folder.file("outer.vrt"), {"m.vrt"}));
  CHECK(outer.source->bands()[0].wavelength == 450);
}

TEST_CASE("sources that do not agree leave the wavelengths unknown, which is told") {
  const TemporaryFolder folder;
  write_source(folder.file("a.tif"), {"450", "850"});
  write_source(folder.file("b.tif"), {"460", "850"});
  const std::string path = write_mosaic(folder.file("m.vrt"), {"a.tif", "b.tif"});
  const OpenScene scene = open_scene(path);
  CHECK_FALSE(scene.source->bands()[0].wavelength);
  CHECK_FALSE(scene.source->bands()[1].wavelength);
  CHECK(scene.description.note ==
        path + ": its sources do not agree in the wavelengths and names of bands, which stay unknown");
}

TEST_CASE("a source that knows nothing does not object, and what the mosaic knows itself stays") {
  const TemporaryFolder folder;
  write_source(folder.file("a.tif"), {"450", "850"});
  create_raster(folder.file("bare.tif"), 4, 3, 2, GDT_Int16);
  CHECK(open_scene(write_mosaic(folder.file("m.vrt"), {"bare.tif", "a.tif"})).source->bands()[0].wavelength == 850);
  CHECK(open_scene(write_mosaic(folder.file("none.vrt"), {"bare.tif"})).description.note.empty());
  {
    const DatasetPtr mosaic(GDALDataset::Open(folder.file("m.vrt").c_str(), GDAL_OF_RASTER | GDAL_OF_UPDATE));
    mosaic->GetRasterBand(1)->SetMetadataItem("wavelength", "700");
  }
  const OpenScene own = open_scene(folder.file("m.vrt"));
  CHECK(own.source->bands()[0].wavelength == 700);
  CHECK_FALSE(own.source->bands()[1].wavelength);
}
