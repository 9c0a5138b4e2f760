#include "parsimap/gdal/raster/scene.hpp"

#include <doctest/doctest.h>
#include <ogrsf_frmts.h>

#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"

#include "raster_fixture.hpp"
#include "support/scene_values.hpp"
#include "support/source_folder.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

double ramp(int band, int column, int row) { return 1000 * band + 10 * row + column; }

}  // namespace

// One pixel with these values in its bands, as single precision.
static std::string one_pixel(const TemporaryFolder& folder, const std::vector<double>& values,
                             const std::function<void(GDALDataset&)>& change = {}) {
  const DatasetPtr dataset = create_raster(folder.file("p.tif"), 1, 1, static_cast<int>(values.size()), GDT_Float32);
  for (std::size_t i = 0; i < values.size(); ++i) {
    fill_band(*dataset, static_cast<int>(i) + 1, [&](int, int) { return values[i]; });
  }
  if (change) {
    change(*dataset);
  }
  return folder.file("p.tif");
}

TEST_CASE("a described scene has the bands of the description and scaled values") {
  const TemporaryFolder folder;
  const BandDescription description{{{.name = "a", .scale = 1e-4}, {.name = "b", .scale = 2, .offset = 1}}, -9999.0};
  const OpenScene scene = open_scene(one_pixel(folder, {1234, 3}), description, "product");
  CHECK(scene.source->name() == "product");
  CHECK(scene.source->bands() == description.bands);
  CHECK(scene.description.nodata == -9999);
  const Spectra values = values_of(*scene.source);
  CHECK(values(0, 0) == static_cast<float>(1234 * 1e-4));
  CHECK(values(0, 1) == 7);
}

TEST_CASE("nodata of a description, what was missing, and what is not finite have no value") {
  const TemporaryFolder folder;
  const BandDescription description{{{}, {}, {.scale = 1e300}, {}}, 0.0};
  const Spectra values = values_of(*open_scene(one_pixel(folder, {0, NAN, 5, 1}), description, "product").source);
  CHECK(std::isnan(values(0, 0)));
  CHECK(std::isnan(values(0, 1)));
  CHECK(std::isnan(values(0, 2)));
  CHECK(values(0, 3) == 1);
  const std::string path = one_pixel(folder, {0, 3}, [](GDALDataset& raster) {
    raster.GetRasterBand(1)->SetNoDataValue(3);  // of all bands of a GeoTIFF
  });
  const OpenScene own = open_scene(path, {BandTable(2), 0.0}, "product");
  CHECK(own.description.nodata == 3);
  CHECK(values_of(*own.source)(0, 0) == 0);
  CHECK(std::isnan(values_of(*own.source)(0, 1)));
}

TEST_CASE("a band that the raster scales itself is not scaled again by its description") {
  const TemporaryFolder folder;
  const std::string path = one_pixel(folder, {50, 2}, [](GDALDataset& raster) {
    raster.GetRasterBand(1)->SetScale(0.01);
    raster.GetRasterBand(1)->SetOffset(3);
  });
  const OpenScene scene = open_scene(path, {{{.scale = 1e-4}, {.scale = 1e-4}}, 50.0}, "product");
  const Spectra values = values_of(*scene.source);
  CHECK(values(0, 0) == 3.5F);
  CHECK(values(0, 1) == static_cast<float>(2e-4));
  CHECK(scene.source->bands()[0].scale == 0.01);
  CHECK(scene.source->bands()[0].offset == 3);
}

TEST_CASE("a description of another number of bands is refused") {
  const TemporaryFolder folder;
  const std::string path = one_pixel(folder, {1, 2});
  CHECK(message_of<DataError>([&] {
          open_scene(path, {BandTable(3), {}}, "product");
        }).starts_with(path + " has 2 bands, but 3 are described"));
}

TEST_CASE("a window's spectra are in pixel order, for any storage and band list") {
  const TemporaryFolder folder;
  struct Storage {
    const char* file;
    const char* driver;
    std::vector<std::string> options;
    GDALDataType type;
    std::int64_t pixel_bytes;  // of all bands in GDAL's cache
  };
  for (const Storage& storage :
       {Storage{"bip.img", "ENVI", {"INTERLEAVE=BIP"}, GDT_Int16, 0},
        Storage{"bil.img", "ENVI", {"INTERLEAVE=BIL"}, GDT_UInt16, 0},
        Storage{"bsq.img", "ENVI", {"INTERLEAVE=BSQ"}, GDT_Float64, 32},
        Storage{"tiles.tif", "GTiff", {"TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"}, GDT_Int32, 16},
        Storage{"pixel.tif", "GTiff", {"INTERLEAVE=PIXEL"}, GDT_Float32, 16}}) {
    const std::string path = folder.file(storage.file);
    {
      const DatasetPtr dataset = create_raster(path, 37, 29, 4, storage.type, storage.driver, storage.options);
      for (int band = 1; band <= 4; ++band) {
        fill_band(*dataset, band, [&](int column, int row) { return ramp(band, column, row); });
      }
    }
    const OpenScene opened = open_scene(path);
    const auto& scene = opened.source;
    CAPTURE(path);
    // Files of ENVI that are interleaved by pixel or line are read past GDAL's cache.
    CHECK(opened.description.block_bytes == storage.pixel_bytes * scene->block_width() * scene->block_height());
    REQUIRE(scene->grid().width == 37);
    REQUIRE(scene->grid().height == 29);
    REQUIRE(scene->bands().size() == 4);
    Spectra values;
    scene->read({5, 7, 20, 11}, {3, 0}, values);
    REQUIRE(values.rows() == 220);
    REQUIRE(values.cols() == 2);
    bool right = true;
    for (int row = 0; row < 11; ++row) {
      for (int column = 0; column < 20; ++column) {
        right = right && static_cast<double>(values(row * 20 + column, 0)) == ramp(4, column + 5, row + 7) &&
                static_cast<double>(values(row * 20 + column, 1)) == ramp(1, column + 5, row + 7);
      }
    }
    CHECK(right);
  }
}

TEST_CASE("nodata is compared per band as it is stored") {
  const TemporaryFolder folder;
  const auto check = [&](GDALDataType type, double nodata, double neighbour) {
    const std::string path = folder.file(std::string(GDALGetDataTypeName(type)) + ".tif");
    {
      const DatasetPtr dataset = create_raster(path, 3, 1, 1, type);
      dataset->GetRasterBand(1)->SetNoDataValue(nodata);
      fill_band(*dataset, 1, [&](int column, int) { return column == 0 ? nodata : column == 1 ? neighbour : 5; });
    }
    const Spectra values = values_of(path);
    CAPTURE(GDALGetDataTypeName(type));
    CHECK(std::isnan(values(0, 0)));
    CHECK(values(1, 0) == static_cast<float>(neighbour));
    CHECK(values(2, 0) == 5);
  };
  check(GDT_Int16, -9999, -9998);
  check(GDT_Byte, 0, 1);
  check(GDT_Int32, 16777217, 16777216);  // equal in float32
  check(GDT_Float32, -3.4e38, -3.3e38);
  check(GDT_Float32, 0.1, 0.2);
  check(GDT_Float64, 1e-3, 1e-3 + 1e-14);
}

TEST_CASE("nodata of 64 bits is not rounded") {
  const TemporaryFolder folder;
  const std::string path = folder.file("wide.tif");
  constexpr std::int64_t nodata = (std::int64_t{1} << 53) + 1;
  {
    const DatasetPtr dataset = create_raster(path, 3, 1, 1, GDT_Int64);
    dataset->GetRasterBand(1)->SetNoDataValueAsInt64(nodata);
    std::vector<std::int64_t> line{nodata, nodata - 1, -7};
    REQUIRE(dataset->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 3, 1, line.data(), 3, 1, GDT_Int64, 0, 0, nullptr) ==
            CE_None);
  }
  const Spectra values = values_of(path);
  CHECK(std::isnan(values(0, 0)));
  CHECK(values(1, 0) == 9007199254740992.0F);
  CHECK(values(2, 0) == -7);
}

TEST_CASE("scaled integers are the values of the same scene in float32") {
  const TemporaryFolder folder;
  const std::string scaled = folder.file("scaled.tif");
  const std::string plain = folder.file("plain.tif");
  for (const GDALDataType type : {GDT_Int16, GDT_Int32}) {
    {
      const DatasetPtr integers = create_raster(scaled, 50, 20, 2, type);
      const DatasetPtr floats = create_raster(plain, 50, 20, 2, GDT_Float32);
      for (int band = 1; band <= 2; ++band) {
        const double scale = band == 1 ? 1e-4 : 0.02;
        const double offset = band == 1 ? 0 : -3;
        integers->GetRasterBand(band)->SetScale(scale);
        integers->GetRasterBand(band)->SetOffset(offset);
        integers->GetRasterBand(band)->SetNoDataValue(-9999);
        floats->GetRasterBand(band)->SetNoDataValue(-9999);
        fill_band(*integers, band, [](int column, int row) { return column == row ? -9999 : 37 * column - row; });
        fill_band(*floats, band,
                  [&](int column, int row) { return column == row ? -9999 : (37 * column - row) * scale + offset; });
      }
    }
    CHECK(same_values(values_of(scaled), values_of(plain)));
  }
}

TEST_CASE("alpha bands and a mask hide pixels together") {
  const TemporaryFolder folder;
  const std::string path = folder.file("both.tif");
  {
    const DatasetPtr dataset = create_raster(path, 3, 1, 2, GDT_Byte);
    dataset->GetRasterBand(2)->SetColorInterpretation(GCI_AlphaBand);
    fill_band(*dataset, 1, [](int, int) { return 9; });
    fill_band(*dataset, 2, [](int column, int) { return column == 0 ? 0 : 255; });
    dataset->CreateMaskBand(GMF_PER_DATASET);
    std::vector<std::uint8_t> line{255, 0, 255};
    REQUIRE(dataset->GetRasterBand(1)->GetMaskBand()->RasterIO(GF_Write, 0, 0, 3, 1, line.data(), 3, 1, GDT_Byte, 0, 0,
                                                               nullptr) == CE_None);
  }
  const Spectra values = values_of(path);
  CHECK(std::isnan(values(0, 0)));
  CHECK(std::isnan(values(1, 0)));
  CHECK(values(2, 0) == 9);
}

TEST_CASE("a list of bad bands that does not fit is reported") {
  const TemporaryFolder folder;
  create_raster(folder.file("a.img"), 2, 2, 4, GDT_Byte, "ENVI");
  const auto misfit = [&](const std::string& line) {
    write_file(folder.file("a.hdr"),
               "ENVI\nsamples = 2\nlines = 2\nbands = 4\nheader offset = 0\ndata type = 1\ninterleave = bsq\n"
               "byte order = 0\n" +
                   line);
    return open_scene(folder.file("a.img")).description.misfit_bad_band_entries;
  };
  CHECK_FALSE(misfit(""));
  CHECK_FALSE(misfit("bbl = {1,0,1,1}\n"));
  CHECK(misfit("bbl = {1,0,1}\n") == 3);
}

TEST_CASE("nodata NaN, infinities and values beyond float32 are missing") {
  const TemporaryFolder folder;
  const std::string path = folder.file("odd.tif");
  {
    const DatasetPtr dataset = create_raster(path, 4, 1, 1, GDT_Float64);
    const double infinity = std::numeric_limits<double>::infinity();
    dataset->GetRasterBand(1)->SetNoDataValue(std::nan(""));
    fill_band(*dataset, 1, [&](int column, int) {
      return std::vector<double>{std::nan(""), -infinity, 1e300, 7}[static_cast<std::size_t>(column)];
    });
  }
  const Spectra values = values_of(path);
  CHECK(std::isnan(values(0, 0)));
  CHECK(std::isnan(values(1, 0)));
  CHECK(std::isnan(values(2, 0)));
  CHECK(values(3, 0) == 7);
}

TEST_CASE("alpha bands and masks hide pixels and are not spectral bands") {
  const TemporaryFolder folder;
  const auto left_hidden = [](int column, int) { return column == 0 ? 0 : 255; };
  const std::string alpha = folder.file("alpha.tif");
  {
    const DatasetPtr dataset = create_raster(alpha, 2, 1, 3, GDT_Byte);
    dataset->GetRasterBand(3)->SetColorInterpretation(GCI_AlphaBand);
    dataset->GetRasterBand(1)->SetNoDataValue(77);  // hides the alpha band from GDAL's own mask
    fill_band(*dataset, 1, [](int, int) { return 9; });
    fill_band(*dataset, 3, left_hidden);
  }
  const std::string mask = folder.file("mask.tif");
  {
    const DatasetPtr dataset = create_raster(mask, 2, 1, 2, GDT_Byte);
    fill_band(*dataset, 1, [](int, int) { return 9; });
    dataset->CreateMaskBand(GMF_PER_DATASET);
    std::vector<std::uint8_t> line{0, 255};
    REQUIRE(dataset->GetRasterBand(1)->GetMaskBand()->RasterIO(GF_Write, 0, 0, 2, 1, line.data(), 2, 1, GDT_Byte, 0, 0,
                                                               nullptr) == CE_None);
  }
  for (const std::string& path : {alpha, mask}) {
    const auto scene = open_scene(path).source;
    const Spectra values = values_of(*scene);
    CAPTURE(path);
    CHECK(scene->bands().size() == 2);
    CHECK(std::isnan(values(0, 0)));
    CHECK(std::isnan(values(0, 1)));
    CHECK(values(1, 0) == 9);
  }
}

TEST_CASE("a band that is an alpha band by its name alone holds values, with a message") {
  const TemporaryFolder folder;
  const OpenScene scene = open_scene(
      one_pixel(folder, {1, 2}, [](GDALDataset& dataset) { dataset.GetRasterBand(2)->SetDescription("Alpha"); }));
  CHECK(scene.source->bands().size() == 2);
  CHECK(scene.description.note.find("its band 'alpha' counts as values") != std::string::npos);
}

TEST_CASE("a mask or a side file that is cut short is an error") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  create_raster(path, 8, 8, 2, GDT_Byte)->CreateMaskBand(GMF_PER_DATASET);
  CHECK_NOTHROW(open_scene(path));
  for (const std::uintmax_t bytes : {100U, 0U}) {
    std::filesystem::resize_file(path + ".msk", bytes);
    CHECK(contains(message_of<IoError>([&] { open_scene(path); }),
                   "a.tif.msk could not be read by GDAL as the mask of " + path));
  }
  std::filesystem::remove(path + ".msk");
  write_file(path + ".aux.xml", "<PAMDataset><PAMRasterBand band=\"1\"><NoDat");
  CHECK(contains(message_of<IoError>([&] { open_scene(path); }), "a.tif.aux.xml could not be read by GDAL: "));
  write_file(path + ".aux.xml", "");
  CHECK_NOTHROW(open_scene(path));
}

TEST_CASE("the mask of one band hides the values of this band") {
  const TemporaryFolder folder;
  fill_band(*create_raster(folder.file("one.tif"), 2, 1, 1, GDT_Byte), 1, [](int column, int) { return 7 * column; });
  const std::string source =
      "<SimpleSource><SourceFilename relativeToVRT=\"1\">one.tif</SourceFilename></SimpleSource>";
  const auto band = [&](int number, const std::string& more) {
    return "<VRTRasterBand dataType=\"Byte\" band=\"" + std::to_string(number) + "\">" + source + more +
           "</VRTRasterBand>";
  };
  write_file(folder.file("own.vrt"),
             "<VRTDataset rasterXSize=\"2\" rasterYSize=\"1\">" + band(1, "") +
                 band(2, "<MaskBand><VRTRasterBand dataType=\"Byte\">" + source + "</VRTRasterBand></MaskBand>") +
                 "</VRTDataset>");
  const auto scene = open_scene(folder.file("own.vrt")).source;
  const Spectra values = values_of(*scene);
  CHECK(values(0, 0) == 0);
  CHECK(std::isnan(values(0, 1)));
  CHECK(values(1, 0) == 7);
  CHECK(values(1, 1) == 7);
  Spectra last;
  scene->read({0, 0, 2, 1}, {1}, last);
  CHECK(std::isnan(last(0, 0)));
  CHECK(last(1, 0) == 7);
}

TEST_CASE("an ENVI scene is named by its header or its data file, whatever its extension") {
  const TemporaryFolder folder;
  for (const char* name : {"a.img", "b.bil", "c.dat", "d", "e.raw", "g.rfl", "h.hyspex"}) {
    const std::string path = folder.file(name);
    fill_band(*create_raster(path, 3, 2, 1, GDT_Byte, "ENVI"), 1, [](int column, int row) { return column + 3 * row; });
    const std::string header = folder.file(std::string(1, name[0]) + ".hdr");
    CAPTURE(header);
    REQUIRE(std::filesystem::exists(header));
    CHECK(same_values(values_of(path), values_of(header)));
  }
  fill_band(*create_raster(folder.file("f.img"), 3, 2, 1, GDT_Byte, "ENVI", {"SUFFIX=ADD"}), 1,
            [](int, int) { return 4; });
  CHECK(values_of(folder.file("f.img.hdr"))(0, 0) == 4);
  std::filesystem::remove(folder.file("a.img"));
  CHECK(contains(message_of<DataError>([&] { open_scene(folder.file("a.hdr")); }), "without a data file"));
}

TEST_CASE("virtual file systems are scenes too") {
  const std::string path = "/vsimem/parsimap_scene_test.tif";
  fill_band(*create_raster(path, 2, 2, 1, GDT_Byte), 1, [](int column, int row) { return column + 2 * row + 1; });
  const Spectra values = values_of(path);
  VSIUnlink(path.c_str());
  CHECK(values(3, 0) == 4);
}

TEST_CASE("a sparse mosaic reads the same around its holes, and knows them") {
  const TemporaryFolder folder;
  const std::string tile = folder.file("tile.tif");
  for (const char* name : {"tile.tif", "other.tif"}) {
    const DatasetPtr dataset = create_raster(folder.file(name), 20, 20, 2, GDT_Int16);
    for (int band = 1; band <= 2; ++band) {
      dataset->GetRasterBand(band)->SetNoDataValue(-9999);
      fill_band(*dataset, band, [&](int column, int row) { return ramp(band, column, row); });
    }
  }
  const auto source = [](const char* name, int band, int x, int y) {
    return std::string("<SimpleSource><SourceFilename relativeToVRT=\"1\">") + name + "</SourceFilename><SourceBand>" +
           std::to_string(band) +
           "</SourceBand><SrcRect xOff=\"0\" yOff=\"0\" xSize=\"20\" ySize=\"20\"/><DstRect xOff=\"" +
           std::to_string(x) + "\" yOff=\"" + std::to_string(y) + "\" xSize=\"20\" ySize=\"20\"/></SimpleSource>";
  };
  const auto mosaic = [&](int second_x, bool nodata) {
    std::string text = "<VRTDataset rasterXSize=\"500\" rasterYSize=\"300\">";
    for (int band = 1; band <= 2; ++band) {
      text += "<VRTRasterBand dataType=\"Int16\" band=\"" + std::to_string(band) + "\">" +
              (nodata ? "<NoDataValue>-9999</NoDataValue>" : "") + source("tile.tif", band, 100, 50) +
              source("other.tif", band, band == 1 ? 400 : second_x, 250) + "</VRTRasterBand>";
    }
    return text + "</VRTDataset>";
  };
  write_file(folder.file("mosaic.vrt"), mosaic(400, true));
  const auto scene = open_scene(folder.file("mosaic.vrt")).source;
  const Spectra values = values_of(*scene);
  std::int64_t valid = 0;
  bool right = true;
  for (int row = 0; row < 300; ++row) {
    for (int column = 0; column < 500; ++column) {
      const bool first = column >= 100 && column < 120 && row >= 50 && row < 70;
      const bool second = column >= 400 && column < 420 && row >= 250 && row < 270;
      const float value = values(row * 500 + column, 1);
      valid += std::isfinite(value) ? 1 : 0;
      const double expected = first ? ramp(2, column - 100, row - 50) : ramp(2, column - 400, row - 250);
      right = right && (first || second ? static_cast<double>(value) == expected : std::isnan(value));
    }
  }
  CHECK(right);
  CHECK(valid == 800);
  CHECK(scene->known_empty({0, 0, 100, 300}));
  CHECK_FALSE(scene->known_empty({0, 0, 101, 300}));
  CHECK_FALSE(scene->known_empty({110, 60, 1, 1}));

  write_file(folder.file("uneven.vrt"), mosaic(200, true));
  const auto uneven = open_scene(folder.file("uneven.vrt")).source;
  CHECK_FALSE(uneven->known_empty({200, 250, 20, 20}));  // empty in band 1 only
  CHECK(uneven->known_empty({0, 0, 90, 300}));

  write_file(folder.file("zeros.vrt"), mosaic(400, false));
  const auto zeros = open_scene(folder.file("zeros.vrt")).source;
  CHECK_FALSE(zeros->known_empty({0, 0, 90, 300}));  // without nodata a hole is a value
  CHECK(values_of(*zeros)(0, 0) == 0);

  // A source that is missing is no hole.
  std::filesystem::remove(folder.file("other.tif"));
  const auto incomplete = open_scene(folder.file("mosaic.vrt")).source;
  CHECK(contains(message_of<IoError>([&] {
                   std::ignore = incomplete->known_empty({0, 0, 500, 300});
                 }),
                 "mosaic.vrt cannot be read: " + folder.file("other.tif") + ": No such file or directory"));
}

TEST_CASE("what is no scene is refused with GDAL's words") {
  const TemporaryFolder folder;
  CHECK(contains(message_of<DataError>([&] { open_scene(folder.file("absent.tif")); }), "No such file or directory"));
  write_file(folder.file("text.tif"), "no raster at all");
  CHECK(contains(message_of<DataError>([&] { open_scene(folder.file("text.tif")); }), "not recognized"));
  create_raster(folder.file("complex.tif"), 2, 2, 1, GDT_CFloat32);
  CHECK(contains(message_of<DataError>([&] { open_scene(folder.file("complex.tif")); }), "CFloat32"));
  CHECK(dataset_files(folder.file("text.tif")).empty());
  CHECK(dataset_files(folder.file("complex.tif")) == std::vector{folder.file("complex.tif")});
}

TEST_CASE("the files of a data set include what lies beside them, in mosaics of mosaics too") {
  const TemporaryFolder folder;
  create_raster(folder.file("source.img"), 2, 2, 1, GDT_Byte, "ENVI");
  const auto mosaic_of = [&](const std::string& name, const std::string& source) {
    write_file(folder.file(name),
               "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\"><VRTRasterBand dataType=\"Byte\" "
               "band=\"1\"><SimpleSource><SourceFilename>" +
                   folder.file(source) +
                   "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>"
                   "</VRTDataset>");
  };
  mosaic_of("inner.vrt", "source.img");
  mosaic_of("outer.vrt", "inner.vrt");
  std::vector<std::string> names = {"outer.vrt", "inner.vrt", "source.img", "source.hdr"};
  std::transform(names.begin(), names.end(), names.begin(), [&](const auto& name) { return folder.file(name); });
  CHECK(dataset_files(folder.file("outer.vrt")) == names);
  CHECK(dataset_files(folder.file("source.hdr")) == std::vector{names[2], names[3]});

  GDALDriver& shapes = *GetGDALDriverManager()->GetDriverByName("ESRI Shapefile");
  DatasetPtr labels(shapes.Create(folder.file("labels.shp").c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  OGRFieldDefn field("class", OFTInteger);
  labels->CreateLayer("labels", nullptr, wkbPoint)->CreateField(&field);
  labels.reset();
  const std::vector<std::string> files = dataset_files(folder.file("labels.shp"));
  for (const char* name : {"labels.shp", "labels.shx", "labels.dbf"}) {
    CHECK(std::find(files.begin(), files.end(), folder.file(name)) != files.end());
  }
}

TEST_CASE("a file cut short fails while reading, not silently") {
  const TemporaryFolder folder;
  const std::string path = folder.file("cut.tif");
  fill_band(*create_raster(path, 200, 200, 1, GDT_UInt16), 1, [](int column, int) { return column + 1; });
  std::filesystem::resize_file(path, 30000);
  CHECK(contains(message_of<std::runtime_error>([&] { values_of(path); }), "cut.tif"));
  const std::string envi = folder.file("cut.img");
  fill_band(*create_raster(envi, 200, 200, 1, GDT_UInt16, "ENVI"), 1, [](int column, int) { return column + 1; });
  std::filesystem::resize_file(envi, 30000);
  CHECK(contains(message_of<std::runtime_error>([&] { values_of(envi); }), "cut.img"));
}

TEST_CASE("a raw scene that becomes shorter while it is read is an IoError, also behind a mosaic") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.img");
  for (const std::string& scene_path : {path, folder.file("a.vrt")}) {
    for (const char* interleave : {"INTERLEAVE=BSQ", "INTERLEAVE=BIL", "INTERLEAVE=BIP"}) {
      CAPTURE(scene_path);
      CAPTURE(interleave);
      fill_band(*create_raster(path, 300, 400, 3, GDT_UInt16, "ENVI", {interleave}), 3, [](int, int) { return 7; });
      if (scene_path != path) {
        const DatasetPtr source(GDALDataset::Open(path.c_str()));
        GDALClose(GetGDALDriverManager()->GetDriverByName("VRT")->CreateCopy(scene_path.c_str(), source.get(), FALSE,
                                                                             nullptr, nullptr, nullptr));
      }
      const auto scene = open_scene(scene_path).source;
      Spectra values;
      scene->read({0, 0, 300, 2}, {2}, values);
      CHECK((values.array() == 7).all());
      CHECK_NOTHROW(scene->check_unchanged());
      std::filesystem::resize_file(path, 1000);
      CHECK(contains(message_of<IoError>([&] { scene->read({0, 390, 300, 10}, {2}, values); }), "a.img failed"));
      CHECK(contains(message_of<IoError>([&] { scene->check_unchanged(); }), "a.img changed while it was read"));
    }
  }
}

TEST_CASE("a mosaic of a raw scene that is cut short is no zeros") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.img");
  fill_band(*create_raster(path, 30, 40, 1, GDT_UInt16, "ENVI"), 1, [](int, int) { return 7; });
  const DatasetPtr source(GDALDataset::Open(path.c_str()));
  GDALClose(GetGDALDriverManager()->GetDriverByName("VRT")->CreateCopy(folder.file("a.vrt").c_str(), source.get(),
                                                                       FALSE, nullptr, nullptr, nullptr));
  std::filesystem::resize_file(path, 2000);
  CHECK(contains(message_of<DataError>([&] { open_scene(folder.file("a.vrt")); }), "a.img is cut short"));
}

TEST_CASE("the same scene as ENVI and as GeoTIFF has the same bands") {
  const std::string sample = source_folder() + "/sample_data/";
  const BandTable envi = open_scene(sample + "scene.img").source->bands();
  REQUIRE(envi.size() == 60);
  CHECK(envi[1] == Band{"454.4 nm", 454.4067797});
  CHECK(envi == open_scene(sample + "scene.tif").source->bands());
}

TEST_CASE("a description names driver, type, files and bytes") {
  const TemporaryFolder folder;
  create_raster(folder.file("a.img"), 4, 3, 2, GDT_UInt16, "ENVI");
  const SceneDescription description = open_scene(folder.file("a.hdr")).description;
  CHECK(description.driver == "ENVI");
  CHECK(description.data_type == "UInt16");
  REQUIRE(description.files.size() == 2);
  CHECK(description.files[0] == folder.file("a.img"));
  CHECK(description.bytes == static_cast<std::int64_t>(48 + std::filesystem::file_size(folder.file("a.hdr"))));
}

TEST_CASE("a description gives the nodata value that all bands share") {
  const TemporaryFolder folder;
  const auto description = [&](const std::string& first, const std::string& second, const std::string& colour) {
    const auto band = [](const std::string& number, const std::string& nodata, const std::string& interpretation) {
      return "<VRTRasterBand dataType=\"Float32\" band=\"" + number + "\">" +
             (nodata.empty() ? "" : "<NoDataValue>" + nodata + "</NoDataValue>") + "<ColorInterp>" + interpretation +
             "</ColorInterp></VRTRasterBand>";
    };
    write_file(folder.file("a.vrt"), "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\">" +
                                         band("1", first, "Undefined") + band("2", second, colour) + "</VRTDataset>");
    return open_scene(folder.file("a.vrt")).description;
  };
  const auto shared = [&](const std::string& first, const std::string& second, const std::string& colour) {
    const SceneDescription found = description(first, second, colour);
    CHECK_FALSE(found.nodata_differs);
    return found.nodata;
  };
  CHECK_FALSE(shared("", "", "Undefined").has_value());
  CHECK(shared("-9999", "-9999", "Undefined") == -9999.0);
  CHECK(std::isnan(shared("nan", "nan", "Undefined").value()));
  CHECK(shared("0", "", "Alpha") == 0.0);
  for (const char* second : {"", "1", "nan"}) {
    const SceneDescription differing = description("0", second, "Undefined");
    CAPTURE(second);
    CHECK(differing.nodata_differs);
    CHECK_FALSE(differing.nodata.has_value());
  }
}

TEST_CASE("the real scenes read as they should") {
  const auto salinas = data_path("salinasA/salinasA.hdr");
  if (!salinas) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  const auto scene = open_scene(*salinas).source;
  REQUIRE(scene->bands().size() == 204);
  CHECK(scene->grid().width == 86);
  CHECK(scene->grid().height == 83);
  CHECK_FALSE(scene->bands()[0].wavelength.has_value());
  CHECK(values_of(*scene).array().isFinite().all());

  const auto envi = open_scene(*data_path("pavia_university/paviau_sub50.hdr")).source;
  const auto tiff = open_scene(*data_path("pavia_university/paviau_sub50.tif")).source;
  CHECK(same_values(values_of(*envi), values_of(*tiff)));
  CHECK(envi->bands()[0].wavelength == 430.0);
  CHECK(envi->bands()[102].wavelength == 860.0);

  const auto mosaic = open_scene(*data_path("idtrees_osbs/mosaic.vrt")).source;
  const auto plot = open_scene(*data_path("idtrees_osbs/hsi/OSBS_1.tif")).source;
  Spectra from_mosaic;
  mosaic->read({2400, 3494, 100, 20}, consecutive(369), from_mosaic);
  const Spectra from_plot = values_of(*plot);
  bool same = true;
  for (Index row = 0; row < 20; ++row) {
    same = same && same_values(from_mosaic.middleRows(row * 100 + 70, 20), from_plot.middleRows(row * 20, 20));
  }
  CHECK(same);
  CHECK(std::isnan(from_mosaic(0, 0)));
  CHECK(mosaic->known_empty({0, 0, 512, 512}));
}
