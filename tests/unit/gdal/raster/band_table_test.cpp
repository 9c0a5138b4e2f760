#include "gdal/raster/band_table.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <tuple>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/scene.hpp"

#include "gdal/raster/dataset.hpp"
#include "raster_fixture.hpp"
#include "support/scene_values.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("wavelengths are found in ENVI headers and in band metadata, and an empty list is none") {
  const TemporaryFolder folder;
  const auto envi = [&](const std::string& lines) {
    create_raster(folder.file("a.img"), 2, 2, 3, GDT_Byte, "ENVI");
    write_file(folder.file("a.hdr"),
               "ENVI\nsamples = 2\nlines = 2\nbands = 3\nheader offset = 0\ndata type = 1\ninterleave = bsq\n"
               "byte order = 0\n" +
                   lines);
    const DatasetPtr dataset(GDALDataset::Open(folder.file("a.img").c_str()));
    return band_table(*dataset);
  };
  CHECK(envi("wavelength units = Nanometers\nwavelength = {}\n")[0] == Band{});
  const BandTable micro =
      envi("wavelength units = Micrometers\nwavelength = {0.4, 0.5,\n 0.6}\nband names = {x, y, z}\n");
  CHECK(*micro[2].wavelength == doctest::Approx(600));
  CHECK(micro[1].name == "y");
  CHECK(*envi("wavelength = {400, 500, 600}\n")[1].wavelength == doctest::Approx(500));
  CHECK_FALSE(envi("wavelength = {400, 500}\n")[1].wavelength.has_value());
  // Reflectances are the values divided by the factor, as those of a library of ENVI are.
  CHECK(envi("reflectance scale factor = 10000\n")[1].scale == 1e-4);
  CHECK(envi("reflectance scale factor = 0\n")[1].scale == 1);

  const DatasetPtr tiff = create_raster(folder.file("b.tif"), 2, 2, 2, GDT_Byte);
  tiff->GetRasterBand(1)->SetMetadataItem("wavelength", "650,5 nm");
  CHECK(*band_table(*tiff)[0].wavelength == 650.5);
  tiff->GetRasterBand(1)->SetMetadataItem("wavelength", nullptr);
  tiff->GetRasterBand(2)->SetMetadataItem("wavelength", "0.7");
  tiff->GetRasterBand(2)->SetMetadataItem("wavelength_units", "um");
  tiff->GetRasterBand(2)->SetDescription("red edge");
  const BandTable table = band_table(*tiff);
  CHECK_FALSE(table[0].wavelength.has_value());
  CHECK(*table[1].wavelength == doctest::Approx(700));
  CHECK(table[1].name == "red edge");
}

TEST_CASE("wavelengths of bands are found by other keys and in the domain ENVI, and lists may be in brackets") {
  const TemporaryFolder folder;
  const auto table_with = [&](const char* key, const char* value, const char* domain) {
    const DatasetPtr dataset = create_raster(folder.file("a.tif"), 2, 2, 2, GDT_Byte);
    dataset->GetRasterBand(2)->SetMetadataItem(key, value, domain);
    dataset->GetRasterBand(2)->SetMetadataItem("fwhm", "9", domain);
    return band_table(*dataset);
  };
  for (const auto& item :
       {std::pair("center_wavelength", ""), std::pair("CENTRAL_WAVELENGTH", ""), std::pair("wavelength", "ENVI")}) {
    CAPTURE(std::string(item.first));
    const BandTable table = table_with(item.first, "650", item.second);
    CHECK_FALSE(table[0].wavelength.has_value());
    CHECK(table[1].wavelength == 650);
    CHECK(table[1].fwhm == 9);
  }
  for (const char* list : {"[450, 650]", "(450, 650)", "{450, 650}", "450, 650"}) {
    CAPTURE(std::string(list));
    const DatasetPtr dataset = create_raster(folder.file("b.tif"), 2, 2, 2, GDT_Byte);
    dataset->SetMetadataItem("wavelengths", list);
    CHECK(band_table(*dataset)[0].wavelength == 450);
    CHECK(band_table(*dataset)[1].wavelength == 650);
  }
}

TEST_CASE("wavelengths that names alone state with their unit are found") {
  const TemporaryFolder folder;
  const auto wavelength_in = [&](const char* name) {
    const DatasetPtr dataset = create_raster(folder.file("a.tif"), 2, 2, 2, GDT_Byte);
    dataset->GetRasterBand(2)->SetDescription(name);
    return band_table(*dataset)[1].wavelength;
  };
  CHECK(wavelength_in("650.5 Nanometers") == 650.5);
  CHECK(wavelength_in("Band 2 (650 nm)") == 650.0);
  CHECK(wavelength_in("refl_650nm") == 650.0);
  CHECK(*wavelength_in("0.65 \xc2\xb5m") == doctest::Approx(650));
  CHECK(*wavelength_in("Band 2 (0.65 Micrometers)") == doctest::Approx(650));
  for (const char* name : {"B650", "650", "nm", "650 nm of May", "x650nmy", "B4, central wavelength 665 mm"}) {
    CAPTURE(name);
    CHECK_FALSE(wavelength_in(name).has_value());
  }
  const DatasetPtr stated = create_raster(folder.file("b.tif"), 2, 2, 2, GDT_Byte);
  stated->GetRasterBand(1)->SetDescription("650 nm");
  stated->GetRasterBand(1)->SetMetadataItem("wavelength", "651");
  CHECK(band_table(*stated)[0].wavelength == 651.0);
}

TEST_CASE("wavelengths of all bands in one item of a copy of HDF5 are found, at the dataset or at each band") {
  const TemporaryFolder folder;
  const DatasetPtr whole = create_raster(folder.file("a.tif"), 2, 2, 3, GDT_Byte);
  whole->SetMetadataItem("HDFEOS_SWATHS_HYP_Data_Fields_toa_radiance_wavelengths", "376.5 381.25 386");
  const DatasetPtr bands = create_raster(folder.file("b.tif"), 2, 2, 3, GDT_Byte);
  for (GDALRasterBand* band : bands->GetBands()) {
    band->SetMetadataItem("wavelength", "{376.5, 381.25, 386}");
  }
  for (GDALDataset* dataset : {whole.get(), bands.get()}) {
    const BandTable table = band_table(*dataset);
    CHECK(table[0].wavelength == 376.5);
    CHECK(table[1].wavelength == 381.25);
    CHECK(table[2].wavelength == 386);
  }
  whole->SetMetadataItem("HDFEOS_SWATHS_HYP_Data_Fields_toa_radiance_wavelengths", "376.5 381.25");
  CHECK_FALSE(band_table(*whole)[0].wavelength.has_value());
}

TEST_CASE("widths of bands are in the unit of the wavelengths, and a list of another length is none") {
  const TemporaryFolder folder;
  const auto envi = [&](const std::string& lines) {
    create_raster(folder.file("a.img"), 2, 2, 3, GDT_Byte, "ENVI");
    write_file(folder.file("a.hdr"),
               "ENVI\nsamples = 2\nlines = 2\nbands = 3\nheader offset = 0\ndata type = 1\ninterleave = bsq\n"
               "byte order = 0\n" +
                   lines);
    const DatasetPtr dataset(GDALDataset::Open(folder.file("a.img").c_str()));
    return band_table(*dataset);
  };
  for (const std::string lines :
       {"wavelength units = Nanometers\nwavelength = {400, 500, 600}\nfwhm = {5, 6.5, 7}\n",
        "wavelength units = Micrometers\nwavelength = {0.4, 0.5, 0.6}\nfwhm = {0.005, 0.0065, 0.007}\n",
        "wavelength = {400, 500, 600}\nfwhm = {5, 6.5, 7}\n",
        "wavelength = {0.4, 0.5, 0.6}\nfwhm = {0.005, 0.0065, 0.007}\n"}) {
    CAPTURE(lines);
    const BandTable table = envi(lines);
    REQUIRE(table[1].fwhm.has_value());
    CHECK(*table[1].fwhm == doctest::Approx(6.5));
    CHECK(*table[2].fwhm == doctest::Approx(7));
  }
  for (const std::string lines :
       {"wavelength = {400, 500, 600}\nfwhm = {5, 6.5}\n", "wavelength = {400, 500, 600}\nfwhm = {5, 6, 7, 8}\n",
        "wavelength = {400, 500, 600}\nfwhm = {}\n", "fwhm = {5, 6, 7}\n", "wavelength = {400, 500, 600}\n",
        "wavelength = {400, 500, 600}\nfwhm = {0, -1, x}\n"}) {
    CAPTURE(lines);
    for (const Band& band : envi(lines)) {
      CHECK_FALSE(band.fwhm.has_value());
    }
  }
}

TEST_CASE("only what GDAL adds to an ENVI band's name is taken off") {
  const TemporaryFolder folder;
  const auto names = [&](const std::string& lines) {
    create_raster(folder.file("a.img"), 2, 2, 3, GDT_Byte, "ENVI");
    write_file(folder.file("a.hdr"),
               "ENVI\nsamples = 2\nlines = 2\nbands = 3\nheader offset = 0\ndata type = 1\ninterleave = bsq\n"
               "byte order = 0\nband names = {red, nir (800 nm), swir (1600)}\n" +
                   lines);
    std::vector<std::string> found;
    for (const Band& band : band_table(*DatasetPtr(GDALDataset::Open(folder.file("a.img").c_str())))) {
      found.push_back(band.name);
    }
    return found;
  };
  const std::vector<std::string> plain{"red", "nir (800 nm)", "swir (1600)"};
  CHECK(names("") == plain);
  CHECK(names("wavelength = {650, 800, 1600}\n") == plain);
  CHECK(names("wavelength units = nm\nwavelength = {650, 800, 1600}\n") == plain);
  CHECK(names("wavelength = {650, 800}\n") == plain);

  const DatasetPtr tiff = create_raster(folder.file("b.tif"), 2, 2, 1, GDT_Byte);
  tiff->GetRasterBand(1)->SetMetadataItem("wavelength", "650");
  tiff->GetRasterBand(1)->SetDescription("red (650)");
  CHECK(band_table(*tiff)[0].name == "red (650)");
}

TEST_CASE("bad bands: the band's own mark, then ENVI's list, then good") {
  const TemporaryFolder folder;
  const auto bad = [](GDALDataset& dataset) {
    Indices bands;
    const BandTable table = band_table(dataset);
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (table[i].bad) {
        bands.push_back(static_cast<Index>(i));
      }
    }
    return bands;
  };
  const auto envi = [&](const std::string& list) {
    create_raster(folder.file("a.img"), 2, 2, 4, GDT_Byte, "ENVI");
    write_file(folder.file("a.hdr"),
               "ENVI\nsamples = 2\nlines = 2\nbands = 4\nheader offset = 0\ndata type = 1\ninterleave = bsq\n"
               "byte order = 0\nbbl = {" +
                   list + "}\n");
    return DatasetPtr(GDALDataset::Open(folder.file("a.img").c_str(), GDAL_OF_UPDATE));
  };
  CHECK(bad(*envi("1, 0,1,\n 0")) == Indices{1, 3});
  CHECK(bad(*envi("1.0, 0.0, 1, 1")) == Indices{1});
  CHECK(bad(*envi("")).empty());
  CHECK(bad(*envi("0, 0, 0")).empty());
  CHECK(bad_band_entries(*envi("0, 0, 0")) == 3);
  CHECK(bad_band_entries(*envi("1, 1, 1, 1")) == 4);
  const DatasetPtr both = envi("1, 0, 1, 0");
  both->GetRasterBand(1)->SetMetadataItem("bbl", "0");
  both->GetRasterBand(2)->SetMetadataItem("bbl", "1");
  CHECK(bad(*both) == Indices{0, 3});

  const DatasetPtr tiff = create_raster(folder.file("b.tif"), 2, 2, 3, GDT_Byte);
  CHECK(bad_band_entries(*tiff) == 0);
  tiff->GetRasterBand(3)->SetMetadataItem("bbl", "0");
  CHECK(bad(*tiff) == Indices{2});
}

TEST_CASE("scale and offset of bands") {
  const TemporaryFolder folder;
  const DatasetPtr tiff = create_raster(folder.file("a.tif"), 2, 2, 2, GDT_Int16);
  tiff->GetRasterBand(2)->SetScale(1e-4);
  tiff->GetRasterBand(2)->SetOffset(-0.1);
  const BandTable table = band_table(*tiff);
  CHECK(table[0] == Band{});
  CHECK(table[1].scale == 1e-4);
  CHECK(table[1].offset == -0.1);
}

TEST_CASE("a scale that makes one value of all is refused, unless the band is bad") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  const DatasetPtr tiff = create_raster(path, 2, 2, 2, GDT_Int16);
  GDALRasterBand& second = *tiff->GetRasterBand(2);
  const auto message = [&] { return message_of<DataError>([&] { (void)band_table(*tiff); }); };
  for (const auto& [scale, offset, text] :
       {std::tuple{0.0, 0.5, "scale 0 and the offset 0.5"}, std::tuple{std::nan(""), 0.0, "scale nan and the offset 0"},
        std::tuple{1.0, HUGE_VAL, "scale 1 and the offset inf"}}) {
    second.SetScale(scale);
    second.SetOffset(offset);
    CHECK(message().find(path + ": band 2 has the " + text) == 0);
  }
  second.SetMetadataItem("bbl", "0");
  CHECK(message().empty());
}

TEST_CASE("written wavelengths read back") {
  const TemporaryFolder folder;
  const BandTable bands{{"", 430.25}, {"", 2500}};
  for (const auto& [name, driver] : {std::pair{"a.img", "ENVI"}, std::pair{"b.tif", "GTiff"}}) {
    const std::string path = folder.file(name);
    set_wavelengths(*create_raster(path, 2, 2, 2, GDT_Byte, driver), bands);
    const DatasetPtr dataset(GDALDataset::Open(path.c_str()));
    const BandTable table = band_table(*dataset);
    CAPTURE(path);
    CHECK(table[0].wavelength == 430.25);
    CHECK(table[1].wavelength == 2500.0);
  }
}

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

TEST_CASE("sources that do not agree leave the wavelengths unknown, and a note says so") {
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

TEST_CASE("sources of a mosaic that cannot be opened are named beside what the others state") {
  const TemporaryFolder folder;
  for (const char* name : {"a.tif", "b.tif"}) {
    const DatasetPtr dataset = create_raster(folder.file(name), 2, 2, 1, GDT_Byte);
    dataset->GetRasterBand(1)->SetMetadataItem("wavelength", "850");
  }
  const std::string path = folder.file("m.vrt");
  const auto source = [](const std::string& file) {
    return "<SimpleSource><SourceFilename relativeToVRT=\"1\">" + file +
           "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>";
  };
  write_file(path, "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\"><VRTRasterBand dataType=\"Byte\" band=\"1\">" +
                       source("a.tif") + "<VRTRasterBand dataType=\"Byte\" band=\"2\">" + source("b.tif") +
                       "</VRTDataset>");
  CHECK(!contains(open_scene(path).description.note, "cannot be opened"));
  std::filesystem::remove(folder.file("b.tif"));
  CHECK(contains(open_scene(path).description.note, "sources that cannot be opened: " + folder.file("b.tif")));
  std::filesystem::remove(folder.file("a.tif"));
  CHECK(contains(open_scene(path).description.note, path + ": sources that cannot be opened: " + folder.file("a.tif")));
}

TEST_CASE("sources of a mosaic that states neither yes nor no for relative paths are found") {
  // GDAL 3.6 throws a std::logic_error when a band of such a mosaic is asked for its sources.
  const TemporaryFolder folder;
  write_source(folder.file("a.tif"), {"450", "850"});
  write_file(folder.file("m.vrt"),
             "<VRTDataset rasterXSize='4' rasterYSize='3'><VRTRasterBand dataType='Int16' band='1'><SimpleSource>"
             "<SourceFilename relativeToVRT='-1'>a.tif</SourceFilename><SourceBand>2</SourceBand></SimpleSource>"
             "</VRTRasterBand></VRTDataset>");
  CHECK(open_scene(folder.file("m.vrt")).source->bands()[0].wavelength == 850);
}

TEST_CASE("the bands of a stack are called by what distinguishes its files") {
  const TemporaryFolder folder;
  const auto names_of = [&](const std::vector<std::string>& files) {
    std::string text = "<VRTDataset rasterXSize='2' rasterYSize='2'>";
    for (const std::string& file : files) {
      create_raster(folder.file(file), 2, 2, 1, GDT_Byte);
      text += "<VRTRasterBand dataType='Byte' band='" + std::to_string(&file - files.data() + 1) +
              "'><SimpleSource><SourceFilename>" + folder.file(file) +
              "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>";
    }
    std::vector<std::string> names;
    const std::string path = folder.file("stack.vrt");
    std::ofstream(path) << text << "</VRTDataset>";
    const OpenScene scene = open_scene(path);
    for (const Band& band : scene.source->bands()) {
      names.push_back(band.name);
    }
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(names_of({"T33_2020_B02_10m.tif", "T33_2020_B8A_10m.tif"}) == Names{"B02", "B8A"});
  CHECK(names_of({"B1.tif", "B10.tif", "B2.tif"}) == Names{"B1", "B10", "B2"});
  CHECK(names_of({"a_b.tif", "a_b_2.tif"}) == Names{"b", "b_2"});
  CHECK(names_of({"red.tif"}) == Names{"red"});
  CHECK(names_of({"red.tif", "red.tif"}) == Names{"", ""});
}

TEST_CASE("the offset of Sentinel-2 since its baseline 04.00 is taken off, also in mosaics of its images") {
  const TemporaryFolder folder;
  const auto image = [&](const std::string& baseline, const std::string& name) {
    const std::string images = "S2A_MSIL2A_20230601T100000_" + baseline + "_R122_T33UVU_20230601T120000.SAFE/IMG_DATA";
    std::filesystem::create_directories(folder.file(images));
    const std::string path = folder.file(images + "/T33UVU_20230601T100000_" + name);
    const DatasetPtr dataset = create_raster(path, 2, 1, 1, GDT_UInt16);
    fill_band(*dataset, 1, [](int column, int) { return column == 0 ? 0 : 1500; });
    return path;
  };
  const auto first_values = [](const std::string& path) { return values_of(*open_scene(path).source); };
  const Spectra of_image = first_values(image("N0509", "B8A_20m.jp2"));
  CHECK(std::isnan(of_image(0, 0)));
  CHECK(of_image(1, 0) == 500);
  CHECK(first_values(image("N0400", "B02.jp2"))(1, 0) == 500);
  CHECK(first_values(image("N0300", "B02_10m.jp2"))(1, 0) == 1500);
  CHECK(first_values(image("N0300", "B02_10m.jp2"))(0, 0) == 0);
  CHECK(first_values(image("N0509", "SCL_20m.jp2"))(1, 0) == 1500);
  // An offset that the image states itself is the only one, and its scale is that of numbers without the offset.
  const std::string stated = image("N0509", "B03_10m.jp2");
  DatasetPtr(GDALDataset::Open(stated.c_str(), GDAL_OF_UPDATE))->GetRasterBand(1)->SetOffset(-900);
  CHECK(first_values(stated)(1, 0) == 600);
  const std::string scaled = image("N0509", "B04_10m.jp2");
  DatasetPtr(GDALDataset::Open(scaled.c_str(), GDAL_OF_UPDATE))->GetRasterBand(1)->SetScale(0.5);
  CHECK(first_values(scaled)(1, 0) == 250);
  // In the folder of the product, its name may be left out.
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(stated).parent_path());
  CHECK(first_values(std::filesystem::path(scaled).filename().string())(1, 0) == 250);
  std::filesystem::current_path(before);

  std::string text = "<VRTDataset rasterXSize='2' rasterYSize='1'>";
  for (const char* name : {"B02_10m.jp2", "AOT_10m.jp2"}) {
    text += "<VRTRasterBand dataType='UInt16'><SimpleSource><SourceFilename>" + image("N0509", name) +
            "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>";
  }
  write_file(folder.file("stack.vrt"), text + "</VRTDataset>");
  const OpenScene stack = open_scene(folder.file("stack.vrt"));
  CHECK(values_of(*stack.source)(1, 0) == 500);
  CHECK(values_of(*stack.source)(1, 1) == 1500);
  CHECK(stack.description.note.find("1000 is subtracted from its values") != std::string::npos);
}
