#include "parsimap/gdal/raster/map_output.hpp"

#include <cpl_string.h>
#include <cpl_vsi.h>
#include <doctest/doctest.h>
#include <gdal_priv.h>
#include <gdal_rat.h>

#include <chrono>
#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/scene.hpp"

#include "gdal/raster/raster_file.hpp"
#include "raster_fixture.hpp"
#include "support/single_output.hpp"

namespace parsimap::test {

using Names = std::vector<std::string>;

namespace {

const ClassTable three{
    {1, "Water", Colour{0, 0, 255}}, {2, "Trees, tall {old}", std::nullopt}, {4, "Soil", std::nullopt}};

// Codes 0, 1, 2, 4 in turn.
std::vector<std::uint16_t> codes_in_turn(const RasterGrid& grid) {
  std::vector<std::uint16_t> codes;
  for (std::int64_t i = 0; i < grid.pixels(); ++i) {
    codes.push_back(std::vector<std::uint16_t>{0, 1, 2, 4}[static_cast<std::size_t>(i % 4)]);
  }
  return codes;
}

void write_map(const std::string& path, const RasterGrid& grid, const ClassTable& classes, const OutputOptions& options,
               bool overwrite = false) {
  SingleRaster single(path, options, overwrite);
  const auto sink = create_class_map(single.staged, grid, classes, options);
  sink->write({0, 0, grid.width, grid.height}, codes_in_turn(grid));
  sink->close();
  single.outputs.publish();
}

}  // namespace

TEST_CASE("side files of ERDAS go with the map that they belonged to") {
  const TemporaryFolder folder;
  write_file(folder.file("a.aux"), "EHFA_HEADER_TAG" + std::string(20, '\0'));
  write_file(folder.file("a.tif.aux"), "EHFA_HEADER_TAG");
  write_file(folder.file("b.aux"), "\\relax");  // of LaTeX
  CHECK(contains(message_of<ConfigError>([&] { SingleRaster(folder.file("a.tif"), {}, false); }), "a.tif.aux"));
  const RasterGrid grid{2, 1, std::array<double, 6>{0, 1, 0, 0, 0, -1}, {}};
  for (const char* name : {"a.tif", "b.tif"}) {
    SingleRaster single(folder.file(name), {}, true);
    const auto sink = create_class_map(single.staged, grid, {{1, "a", {}}}, {});
    sink->write({0, 0, 2, 1}, {1, 1});
    sink->close();
    single.outputs.publish();
  }
  CHECK(folder.names() == Names{"a.qml", "a.tif", "a.tif.aux.xml", "b.aux", "b.qml", "b.tif", "b.tif.aux.xml"});
}

TEST_CASE("a class map keeps codes, names, colours, place and nodata") {
  const TemporaryFolder folder;
  const RasterGrid grid = utm_grid(21, 13);
  for (const char* name : {"a.tif", "b.img", "c.hdr"}) {
    const std::string path = folder.file(name);
    write_map(path, grid, three, {});
    CAPTURE(path);
    const auto map = open_class_map(path);
    std::vector<std::uint16_t> codes;
    map->read({0, 0, 21, 13}, codes);
    CHECK(codes == codes_in_turn(grid));
    CHECK(map->has_names());
    REQUIRE(map->classes().size() == 3);
    CHECK(map->classes()[0] == three[0]);
    CHECK(map->classes()[1].name == "Trees, tall {old}");
    CHECK(map->classes()[1].colour.has_value());
    CHECK(map->classes()[2].code == 4);
    CHECK(map->grid().geotransform == grid.geotransform);
    CHECK(contains(map->grid().crs, "UTM zone 17N"));
    CHECK(names_held_otherwise(path, class_names(three)) ==
          (path.ends_with(".tif") ? Names{} : Names{"Trees, tall {old}"}));
  }
  const DatasetPtr dataset(GDALDataset::Open(folder.file("a.tif").c_str()));
  CHECK(dataset->GetRasterBand(1)->GetRasterDataType() == GDT_Byte);
  CHECK(dataset->GetRasterBand(1)->GetNoDataValue() == 0);
  CHECK(std::string(dataset->GetRasterBand(1)->GetCategoryNames()[0]) == "Unclassified");
  CHECK(std::string(dataset->GetMetadataItem("COMPRESSION", "IMAGE_STRUCTURE")) == "DEFLATE");
  CHECK(folder.names() == Names{"a.qml", "a.tif", "a.tif.aux.xml", "b.hdr", "b.img", "b.img.aux.xml", "b.qml", "c.hdr",
                                "c.img", "c.img.aux.xml", "c.qml"});
  std::ifstream file(folder.file("b.hdr"));
  const std::string header((std::istreambuf_iterator<char>(file)), {});
  CHECK(contains(header, "file type = ENVI Classification"));
  CHECK(contains(header, "classes = 5"));
  CHECK_FALSE(contains(header, ".parsimap-"));
  CHECK(contains(header, "Unclassified, Water, Trees; tall (old), unused 3, Soil}"));
}

TEST_CASE("codes above 255 make a UInt16 map") {
  const TemporaryFolder folder;
  const ClassTable classes{{7, "a", std::nullopt}, {300, "b", Colour{1, 2, 3}}};
  for (const char* name : {"a.tif", "b.img", "c.png"}) {  // of which a PNG has no palette
    SingleRaster single(folder.file(name));
    const auto sink = create_class_map(single.staged, utm_grid(2, 1), classes, {});
    sink->write({0, 0, 2, 1}, {7, 300});
    sink->close();
    single.outputs.publish();
    CAPTURE(name);
    const auto map = open_class_map(folder.file(name));
    REQUIRE(map->classes().size() == 2);
    CHECK(map->classes()[1] == classes[1]);
    CHECK(map->classes()[0].name == "a");
  }
}

TEST_CASE("formats for pictures are refused by their name") {
  const TemporaryFolder folder;
  CHECK(contains(message_of<ConfigError>([&] { write_map(folder.file("a.jpg"), utm_grid(9, 9), three, {}); }),
                 "a.jpg: the format JPEG is for pictures, whose values it changes to save room; GTiff"));
  CHECK(folder.names().empty());
}

TEST_CASE("a large sparse map is small and quick, and reads as 0 where nothing was written") {
  const TemporaryFolder folder;
  const RasterGrid grid = utm_grid(20000, 15000);
  const auto start = std::chrono::steady_clock::now();
  {
    SingleRaster single(folder.file("a.tif"));
    const auto sink = create_class_map(single.staged, grid, three, {});
    const std::vector<std::uint16_t> nothing(512 * 512, 0);
    for (Index row = 0; row + 512 <= grid.height; row += 512) {
      for (Index column = 0; column + 512 <= grid.width; column += 512) {
        sink->write({column, row, 512, 512}, nothing);
      }
    }
    sink->write({10000, 7000, 2, 1}, {4, 1});
    sink->close();
    single.outputs.publish();
  }
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  CHECK(std::filesystem::file_size(folder.file("a.tif")) < 200000);
  const auto map = open_class_map(folder.file("a.tif"));
  REQUIRE(map->classes().size() == 2);
  std::vector<std::uint16_t> codes;
  map->read({9999, 6999, 4, 3}, codes);
  CHECK(codes == std::vector<std::uint16_t>{0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0});
  map->read({0, 0, 100, 100}, codes);
  CHECK(codes == std::vector<std::uint16_t>(10000, 0));
}

TEST_CASE("a field keeps names and values, and is NaN where nothing was written") {
  const TemporaryFolder folder;
  for (const char* name : {"a.tif", "b.img"}) {
    {
      SingleRaster single(folder.file(name));
      const auto sink = create_field(single.staged, utm_grid(600, 300), {"Water", "Trees, tall"}, {});
      Spectra values(2, 2);
      values << 0.25F, 0.75F, std::nanf(""), std::nanf("");
      sink->write({598, 299, 2, 1}, values);
      sink->write({0, 0, 1, 1}, Spectra::Constant(1, 2, std::nanf("")));
      sink->close();
      single.outputs.publish();
    }
    CAPTURE(name);
    const auto field = open_scene(folder.file(name)).source;
    REQUIRE(field->bands().size() == 2);
    CHECK(field->bands()[0].name == "Water");
    CHECK(field->bands()[1].name == (name[0] == 'a' ? "Trees, tall" : "Trees; tall"));
    Spectra values;
    field->read({0, 0, 600, 300}, {0, 1}, values);
    CHECK(values(299 * 600 + 598, 1) == 0.75F);
    CHECK(values.array().isNaN().count() == 2 * 600 * 300 - 2);
    const DatasetPtr dataset(GDALDataset::Open(folder.file(name).c_str()));
    CHECK(dataset->GetRasterBand(1)->GetRasterDataType() == GDT_Float32);
    int present = 0;
    CHECK(std::isnan(dataset->GetRasterBand(2)->GetNoDataValue(&present)));
    CHECK(present == 1);
  }
}

TEST_CASE("a scene keeps wavelengths; values are rounded and clamped") {
  const TemporaryFolder folder;
  const BandTable bands{{"blue", 450.5}, {"red", 650}};
  for (const char* name : {"a.tif", "b.img"}) {
    {
      SingleRaster single(folder.file(name));
      const auto sink = create_scene(single.staged, utm_grid(2, 2), bands, {});
      Spectra values(4, 2);
      values << 1.4F, 2.6F, -3.0F, 70000.0F, std::nanf(""), 5.0F, 6.0F, 7.0F;
      sink->write({0, 0, 2, 2}, values);
      sink->close();
      single.outputs.publish();
    }
    CAPTURE(name);
    const auto scene = open_scene(folder.file(name)).source;
    CHECK(scene->bands()[0].wavelength == 450.5);
    CHECK(scene->bands()[1].wavelength == 650.0);
    CHECK(contains(scene->bands()[1].name, "red"));
    Spectra values;
    scene->read({0, 0, 2, 2}, {0, 1}, values);
    Spectra expected(4, 2);
    expected << 1, 3, 0, 65535, 0, 5, 6, 7;
    CHECK(values == expected);
  }
}

TEST_CASE("outputs are checked before anything is computed") {
  const TemporaryFolder folder;
  const auto refused = [](const std::string& path, bool overwrite) {
    return message_of<ConfigError>([&] { SingleRaster(path, {}, overwrite); });
  };
  CHECK(contains(refused(folder.file("absent/a.tif"), false), "does not exist"));
  CHECK(contains(refused(folder.file("a.unknown"), false), "is not that of a raster format"));
  CHECK(refused(folder.file("a.tif"), false).empty());
  write_map(folder.file("a.tif"), utm_grid(4, 4), three, {});
  CHECK(contains(refused(folder.file("a.tif"), false), " exists; use --overwrite"));
  CHECK(refused(folder.file("a.tif"), true).empty());
  write_file(folder.file("b.hdr"), "of another data file");
  CHECK(contains(refused(folder.file("b.img"), false), "b.hdr', which exists"));
  write_map(folder.file("a.tif"), utm_grid(5, 5), three, {}, true);
  CHECK(open_class_map(folder.file("a.tif"))->grid().width == 5);
}

TEST_CASE("the attribute table counts the pixels of the map, in every format, also after copying") {
  const TemporaryFolder folder;
  const RasterGrid grid = utm_grid(21, 13);
  for (const auto& [name, format] : std::vector<std::pair<std::string, std::string>>{
           {"a.tif", "GTiff"}, {"b.img", "ENVI"}, {"c.tif", "COG"}, {"d.png", "PNG"}}) {
    {
      SingleRaster single(folder.file(name), {format, {}});
      const auto sink = create_class_map(single.staged, grid, three, {format, {}});
      const std::vector<std::uint16_t> codes = codes_in_turn(grid);
      sink->write({0, 6, 21, 7}, {codes.begin() + 6 * 21, codes.end()});
      sink->write({0, 0, 21, 6}, {codes.begin(), codes.begin() + 6 * 21});
      sink->close();
      single.outputs.publish();
    }
    const std::string path = folder.file(name);
    CAPTURE(path);
    const DatasetPtr dataset(GDALDataset::Open(path.c_str()));
    const GDALRasterAttributeTable* table = dataset->GetRasterBand(1)->GetDefaultRAT();
    REQUIRE(table != nullptr);
    REQUIRE(table->GetRowCount() == 3);
    // 273 pixels are 0, 1, 2 and 4 in turn.
    for (int row = 0; row < 3; ++row) {
      CHECK(table->GetValueAsInt(row, table->GetColOfUsage(GFU_PixelCount)) == 68);
    }
    CHECK(table->GetValueAsInt(2, table->GetColOfUsage(GFU_MinMax)) == 4);
    CHECK(std::string(table->GetValueAsString(1, table->GetColOfUsage(GFU_Name))) == "Trees, tall {old}");
    CHECK(std::filesystem::exists(folder.file(name.substr(0, 1) + ".qml")));
    CHECK(open_class_map(folder.file(name))->classes()[1].name == "Trees, tall {old}");
  }
}

TEST_CASE("names and colours of an Erdas map stay those of its codes") {
  const TemporaryFolder folder;
  write_map(folder.file("a.img"), utm_grid(21, 13), three, {"HFA", {}});
  const auto map = open_class_map(folder.file("a.img"));
  REQUIRE(map->classes().size() == 3);
  CHECK(map->classes()[0] == three[0]);
  CHECK(map->classes()[2].name == "Soil");
}

TEST_CASE("ENVI's header has a name and a colour for each code up to the largest") {
  const TemporaryFolder folder;
  const ClassTable sparse{{10, "ten", Colour{1, 2, 3}}, {20, "twenty", std::nullopt}, {200, "last", Colour{7, 8, 9}}};
  {
    SingleRaster single(folder.file("a.img"));
    const auto sink = create_class_map(single.staged, utm_grid(3, 1), sparse, {});
    sink->write({0, 0, 3, 1}, {10, 20, 200});
    sink->close();
    single.outputs.publish();
  }
  const DatasetPtr dataset(GDALDataset::Open(folder.file("a.img").c_str()));
  CHECK(std::string(dataset->GetMetadataItem("file_type", "ENVI")) == "ENVI Classification");
  CHECK(std::string(dataset->GetMetadataItem("classes", "ENVI")) == "201");
  const auto length = [&](const char* key) {
    const std::string list = dataset->GetMetadataItem(key, "ENVI");
    return std::count(list.begin(), list.end(), ',') + 1;
  };
  CHECK(length("class_lookup") == 603);
  CHECK(length("class_names") == 201);
  std::filesystem::remove(folder.file("a.img.aux.xml"));
  const auto map = open_class_map(folder.file("a.img"));
  REQUIRE(map->classes().size() == 3);
  CHECK(map->classes()[0] == sparse[0]);
  CHECK(map->classes()[1].name == "twenty");
  CHECK(map->classes()[2] == sparse[2]);
}

TEST_CASE("a cloud-optimised map has overviews by mode, and keeps names, palette and nodata") {
  const TemporaryFolder folder;
  const RasterGrid grid = utm_grid(1100, 700);
  // Of every 2 x 2 pixels three are 2: the nearest, the first, would be 1.
  std::vector<std::uint16_t> codes(static_cast<std::size_t>(grid.pixels()), 2);
  for (Index row = 0; row < grid.height; row += 2) {
    for (Index column = 0; column < grid.width; column += 2) {
      codes[static_cast<std::size_t>(row * grid.width + column)] = row < 350 ? 1 : 0;
    }
  }
  {
    SingleRaster single(folder.file("a.tif"), {"COG", {"COMPRESS=LZW"}});
    const auto sink = create_class_map(single.staged, grid, three, {"COG", {"COMPRESS=LZW"}});
    sink->write({0, 0, grid.width, grid.height}, codes);
    sink->close();
    single.outputs.publish();
  }
  CHECK(folder.names() == Names{"a.qml", "a.tif", "a.tif.aux.xml"});
  const auto map = open_class_map(folder.file("a.tif"));
  REQUIRE(map->classes().size() == 2);
  CHECK(map->classes()[0] == three[0]);
  CHECK(map->grid().geotransform == grid.geotransform);
  std::vector<std::uint16_t> read;
  map->read({0, 0, grid.width, grid.height}, read);
  CHECK(read == codes);
  const DatasetPtr dataset(GDALDataset::Open(folder.file("a.tif").c_str()));
  CHECK(std::string(dataset->GetMetadataItem("COMPRESSION", "IMAGE_STRUCTURE")) == "LZW");
  CHECK(std::string(dataset->GetMetadataItem("LAYOUT", "IMAGE_STRUCTURE")) == "COG");
  GDALRasterBand& band = *dataset->GetRasterBand(1);
  CHECK(band.GetNoDataValue() == 0);
  REQUIRE(band.GetOverviewCount() == 2);
  GDALRasterBand& half = *band.GetOverview(0);
  std::vector<std::uint8_t> small(550 * 350);
  REQUIRE(half.RasterIO(GF_Read, 0, 0, 550, 350, small.data(), 550, 350, GDT_Byte, 0, 0, nullptr) == CE_None);
  CHECK(std::count(small.begin(), small.end(), 2) == 550 * 350);
}

TEST_CASE("a cloud-optimised field has overviews by average, without the pixels that have no value") {
  const TemporaryFolder folder;
  const RasterGrid grid = utm_grid(1030, 600);
  for (const bool nearest : {false, true}) {
    const std::string path = folder.file(nearest ? "b.tif" : "a.tif");
    const std::vector<std::string> chosen =
        nearest ? std::vector<std::string>{"OVERVIEW_RESAMPLING=NEAREST"} : std::vector<std::string>{};
    {
      SingleRaster single(path, {"COG", chosen});
      const auto sink = create_field(single.staged, grid, {"Water", "Soil"}, {"COG", chosen});
      Spectra values(grid.pixels(), 2);
      for (Index i = 0; i < grid.pixels(); ++i) {
        const Index row = i / grid.width;
        const Index column = i % grid.width;
        const bool none = column >= 1000 || (row % 2 == 1 && column % 2 == 1);
        values(i, 0) = none ? std::nanf("") : static_cast<float>(row % 2 + column % 2 * 2);
        values(i, 1) = none ? std::nanf("") : 5.0F;
      }
      sink->write({0, 0, grid.width, grid.height}, values);
      sink->close();
      single.outputs.publish();
    }
    CAPTURE(path);
    const DatasetPtr dataset(GDALDataset::Open(path.c_str()));
    CHECK(std::string(dataset->GetMetadataItem("LAYOUT", "IMAGE_STRUCTURE")) == "COG");
    CHECK(std::string(dataset->GetRasterBand(2)->GetDescription()) == "Soil");
    CHECK(std::isnan(dataset->GetRasterBand(2)->GetNoDataValue()));
    REQUIRE(dataset->GetRasterBand(1)->GetOverviewCount() > 0);
    GDALRasterBand& half = *dataset->GetRasterBand(1)->GetOverview(0);
    std::vector<float> small(515 * 300);
    REQUIRE(half.RasterIO(GF_Read, 0, 0, 515, 300, small.data(), 515, 300, GDT_Float32, 0, 0, nullptr) == CE_None);
    CHECK(small[0] == (nearest ? 0.0F : 1.0F));  // of 0, 2, 1 and nothing
    CHECK(std::isnan(small[510]));
  }
}

TEST_CASE("a map whose codes the format or its options do not keep is refused and leaves nothing") {
  const TemporaryFolder folder;
  struct Case {
    const char* name;
    OutputOptions options;
    bool kept;
  };
  const std::vector<Case> cases = {{"a.tif", {{}, {"NBITS=2"}}, false},
                                   {"b.tif", {{}, {"NBITS=3"}}, true},
                                   {"c.png", {{}, {"NBITS=1"}}, false},
                                   {"d.tif", {{}, {"COMPRESS=LERC", "MAX_Z_ERROR=2"}}, false},
                                   {"e.tif", {{}, {"COMPRESS=LERC", "MAX_Z_ERROR=0"}}, true},
                                   {"f.tif", {"COG", {"COMPRESS=LERC", "MAX_Z_ERROR=2"}}, false},
                                   {"g.mrf", {"MRF", {"COMPRESS=JPEG"}}, false}};
  for (const Case& one : cases) {
    const std::string path = folder.file(one.name);
    CAPTURE(path);
    const std::string message = message_of<ConfigError>([&] { write_map(path, utm_grid(64, 48), three, one.options); });
    CHECK(message.empty() == one.kept);
    if (!one.kept) {
      CHECK(contains(message, one.options.creation_options.back() + " do not keep the class codes of " + path));
      CHECK_FALSE(exists(path));
    }
  }
}

TEST_CASE("a map whose place the format does not keep is refused and leaves nothing") {
  const TemporaryFolder folder;
  RasterGrid grid = utm_grid(64, 48);
  const auto refusal = [&](const std::string& name, const std::string& format) {
    return message_of<IoError>([&] { write_map(folder.file(name), grid, three, {format, {}}); });
  };
  // Its driver loses the reference system.
  for (const std::string format : {"MRF", "FITS"}) {
    CHECK(contains(refusal("a." + format, format),
                   "the format " + format + " does not keep its place on the map; GTiff, COG and ENVI do"));
  }
  CHECK(folder.names().empty());
  CHECK(refusal("a.tif", "GTiff").empty());
  CHECK(refusal("b.img", "ENVI").empty());
  CHECK(refusal("c.png", "PNG").empty());
  grid.crs.clear();
  CHECK(refusal("d.mrf", "MRF").empty());
  // A format that loses a sheared place only is not among those that keep all.
  (*grid.geotransform)[2] = 0.3;
  (*grid.geotransform)[4] = 0.1;
  CHECK(contains(refusal("e.img", "ENVI"), "the format ENVI does not keep its place on the map; GTiff and COG do"));
}

TEST_CASE("numbers may be rounded where creation options are given, and not otherwise") {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const OutputOptions& options) {
    SingleRaster single(folder.file(name), options);
    const auto sink = create_field(single.staged, utm_grid(40, 30), {"p"}, options);
    sink->write({0, 0, 40, 30}, Spectra::Random(1200, 1));
    sink->close();
    single.outputs.publish();
  };
  CHECK_NOTHROW(write("a.tif", {}));
  CHECK_NOTHROW(write("b.tif", {{}, {"NBITS=16"}}));
  CHECK_NOTHROW(write("c.tif", {{}, {"COMPRESS=LERC", "MAX_Z_ERROR=0.01"}}));
  // A text of two decimals.
  CHECK(contains(message_of<IoError>([&] { write("d.grd", {"ZMap", {}}); }), "may not keep them"));
}

TEST_CASE("the height of storage blocks is that of the format, or what the user has chosen") {
  CHECK(storage_rows("a.tif", {}) == 256);
  CHECK(storage_rows("a.tif", {{}, {"BLOCKYSIZE=64"}}) == 64);
  CHECK(storage_rows("a.tif", {"COG", {}}) == 512);
  CHECK(storage_rows("a.tif", {"COG", {"BLOCKSIZE=128"}}) == 128);
  CHECK(storage_rows("a.img", {}) == 256);
  CHECK_THROWS_AS(storage_rows("a.unknown", {}), ConfigError);
}

TEST_CASE("a picture comes back pixel by pixel") {
  std::vector<std::uint8_t> rgba;
  for (int i = 0; i < 5 * 3 * 4; ++i) {
    rgba.push_back(static_cast<std::uint8_t>(7 * i));
  }
  const std::string head = "data:image/png;base64,";
  std::string text = png_data_uri(5, 3, rgba);
  CHECK(text == png_data_uri(5, 3, rgba));
  REQUIRE(text.starts_with(head));
  text.erase(0, head.size());
  const int bytes = CPLBase64DecodeInPlace(reinterpret_cast<GByte*>(text.data()));
  const char* name = "/vsimem/png_test.png";
  VSIFCloseL(
      VSIFileFromMemBuffer(name, reinterpret_cast<GByte*>(text.data()), static_cast<vsi_l_offset>(bytes), FALSE));
  auto* dataset = GDALDataset::Open(name);
  REQUIRE(dataset != nullptr);
  CHECK(dataset->GetRasterCount() == 4);
  std::vector<std::uint8_t> found(rgba.size());
  CHECK(dataset->RasterIO(GF_Read, 0, 0, 5, 3, found.data(), 5, 3, GDT_Byte, 4, nullptr, 4, 20, 1, nullptr) == CE_None);
  GDALClose(dataset);
  VSIUnlink(name);
  CHECK(found == rgba);
}

namespace {

std::string driver(const std::string& path, const OutputOptions& options = {}) {
  return raster_format(path, options).driver->GetDescription();
}

}  // namespace

TEST_CASE("the extension names the format, an explicit format comes first") {
  CHECK(driver("a.tif") == "GTiff");
  CHECK(driver("a.TIFF") == "GTiff");
  for (const char* path : {"a.img", "a.dat", "a.bil", "a.bsq", "a.envi", "a.hdr"}) {
    CHECK(driver(path) == "ENVI");
  }
  CHECK(driver("a.png") == "PNG");
  CHECK(driver("a.rst") == "RST");  // by GDAL's own list
  CHECK(driver("a.tif", {"COG", {}}) == "COG");
  CHECK(driver("a", {"envi", {}}) == "ENVI");
  CHECK(raster_format("a.tif", {"COG", {}}).copies);
  CHECK(raster_format("a.tif", {}).copies);
  CHECK_FALSE(raster_format("a.img", {}).copies);
}

TEST_CASE("an ENVI header as target means the data file beside it") {
  const OutputFormat format = raster_format("/x/map.hdr", {});
  CHECK(format.main == "/x/map.img");
  for (const char* file : {"/x/map.hdr", "/x/map.qml", "/x/map.img.aux.xml", "/x/map.img.vat.dbf"}) {
    CHECK(std::ranges::count(format.files, file) == 1);
  }
  // A file without an extension would be read by the same header.
  const TemporaryFolder folder;
  write_file(folder.file("map"), "a model");
  CHECK(contains(message_of<ConfigError>([&] { raster_format(folder.file("map.hdr"), {}); }), "the header of"));
  CHECK_NOTHROW(raster_format(folder.file("map.img"), {}));
}

TEST_CASE("what readers take for parts of a raster belongs to it") {
  const auto has = [](const OutputFormat& format, const std::string& file) {
    return std::ranges::find(format.files, file) != format.files.end();
  };
  const OutputFormat png = raster_format("/x/map.png", {});
  for (const char* file : {"/x/map.pgw", "/x/map.pngw", "/x/map.wld", "/x/map.qml", "/x/map.png.ovr"}) {
    CAPTURE(file);
    CHECK(has(png, file));
  }
  CHECK_FALSE(has(png, "/x/map.prj"));
  CHECK(has(raster_format("/x/map.asc", {"AAIGrid", {}}), "/x/map.prj"));
  CHECK(has(raster_format("/x/map.img", {}), "/x/map.HDR"));
}

TEST_CASE("unknown formats and options are refused, with the usual ones") {
  const auto refused = [](const std::string& path, const OutputOptions& options) {
    return message_of<ConfigError>([&] { raster_format(path, options); });
  };
  CHECK(contains(refused("a.xyzzy", {}), "'xyzzy'"));
  CHECK(contains(refused("a.map", {"netCDF", {}}), "if its name ends in .nc"));
  CHECK_NOTHROW(raster_format("a.NC", {"netCDF", {}}));
  CHECK(contains(refused("a.xyzzy", {}), ".tif (GTiff)"));
  CHECK(contains(refused("a", {}), "''"));
  CHECK(contains(refused("a.tif", {"Nothing", {}}), "Nothing is unknown"));
  CHECK(contains(refused("a.tif", {"GPX", {}}), "cannot be written"));
  CHECK(contains(refused("a.tif", {{}, {"COMPRESS"}}), "'COMPRESS' is not of the form"));
  CHECK(contains(refused("a.tif", {{}, {"COMPRESS=TAR"}}), "TAR"));
  CHECK(contains(refused("a.tif", {{}, {"COLOUR=RED"}}), "COLOUR"));
  CHECK(refused("a.tif", {{}, {"COMPRESS=LZW"}}).empty());
  CHECK(contains(refused("a.qml", {"GTiff", {}}), "style beside a map"));
}

TEST_CASE("vector formats") {
  CHECK(std::string(vector_driver("a.gpkg").GetDescription()) == "GPKG");
  CHECK(std::string(vector_driver("a.geojson").GetDescription()) == "GeoJSON");
  CHECK(std::string(vector_driver("a.shp").GetDescription()) == "ESRI Shapefile");
  // The last two would hold no such fields, or lose the reference system.
  for (const char* name : {"a.tif", "a.dxf", "a.xml"}) {
    CHECK(contains(message_of<ConfigError>([&] { vector_driver(name); }), "not that of a vector format"));
  }
}

TEST_CASE("metadata of a raster that cannot be read is no metadata that is missing") {
  const TemporaryFolder folder;
  const std::string map = folder.file("map.tif");
  create_raster(map, 2, 2, 1, GDT_Byte);
  CHECK(raster_metadata(map, kModelItem).empty());
  const std::string item = R"(<MDI key="PARSIMAP_MODEL">a.model</MDI>)";
  write_file(map + ".aux.xml", "<PAMDataset><Metadata>" + item + "</Metadata></PAMDataset>");
  CHECK(raster_metadata(map, kModelItem) == "a.model");
  // GDAL takes what it cannot read of a side file for nothing.
  write_file(map + ".aux.xml", "<PAMDataset><Metadata>" + item);
  CHECK_THROWS_WITH_AS(raster_metadata(map, kModelItem), doctest::Contains("map.tif.aux.xml could not be read by GDAL"),
                       IoError);
  CHECK_THROWS_AS(raster_metadata(map, kSceneItem), IoError);
  CHECK_THROWS_AS(raster_metadata(folder.file("absent.tif"), kModelItem), DataError);
}

}  // namespace parsimap::test
