#include "parsimap/gdal/raster/class_map.hpp"

#include <doctest/doctest.h>
#include <gdal_rat.h>

#include "parsimap/core/error.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

std::vector<std::uint16_t> all_codes(ClassMapSource& map) {
  std::vector<std::uint16_t> codes;
  map.read({0, 0, map.grid().width, map.grid().height}, codes);
  return codes;
}

}  // namespace

TEST_CASE("codes that occur are listed, sparse ones as they are, nodata as 0") {
  const TemporaryFolder folder;
  const std::string path = folder.file("codes.tif");
  {
    const DatasetPtr dataset = create_raster(path, 300, 200, 1, GDT_Int16);
    dataset->GetRasterBand(1)->SetNoDataValue(-1);
    fill_band(*dataset, 1, [](int column, int row) {
      return column == 299 && row == 199 ? 200 : row == 0 ? -1 : column < 10 ? 10 : column < 20 ? 20 : 0;
    });
  }
  const auto map = open_class_map(path);
  // Another value is nodata, so that 0 is a class.
  CHECK(map->classes() == ClassTable{{10, "10", {}}, {20, "20", {}}, {200, "200", {}}, {201, "0", {}}});
  CHECK_FALSE(map->has_names());
  const std::vector<std::uint16_t> codes = all_codes(*map);
  CHECK(codes[0] == 0);
  CHECK(codes[300] == 10);
  CHECK(codes[310] == 20);
  CHECK(codes[320] == 201);
  CHECK(codes.back() == 200);
}

TEST_CASE("an alpha band beside the codes, as of gdalwarp, is their mask") {
  const TemporaryFolder folder;
  const std::string path = folder.file("warped.tif");
  {
    const DatasetPtr dataset = create_raster(path, 4, 1, 2, GDT_Byte);
    dataset->GetRasterBand(2)->SetColorInterpretation(GCI_AlphaBand);
    fill_band(*dataset, 1, [](int column, int) { return column + 1; });
    fill_band(*dataset, 2, [](int column, int) { return column < 2 ? 255 : 0; });
  }
  const auto map = open_class_map(path);
  CHECK(all_codes(*map) == std::vector<std::uint16_t>{1, 2, 0, 0});
  CHECK(map->classes().size() == 2);
}

TEST_CASE("names and colours come from categories, palette and attribute table") {
  const TemporaryFolder folder;
  const std::string path = folder.file("named.tif");
  {
    const DatasetPtr dataset = create_raster(path, 4, 1, 1, GDT_Byte);
    GDALRasterBand* band = dataset->GetRasterBand(1);
    CPLStringList names;
    for (const char* name : {"none", "Water", "Water", ""}) {
      names.AddString(name);
    }
    band->SetCategoryNames(names.List());
    GDALColorTable colours;
    const GDALColorEntry red{255, 0, 0, 255};
    colours.SetColorEntry(1, &red);
    band->SetColorTable(&colours);
    fill_band(*dataset, 1, [](int column, int) { return column; });
  }
  const auto map = open_class_map(path);
  REQUIRE(map->classes().size() == 3);
  CHECK(map->has_names());
  CHECK(map->classes()[0].name == "Water (1)");
  CHECK(map->classes()[0].colour == Colour{255, 0, 0});
  CHECK(map->classes()[1].name == "Water (2)");
  CHECK(map->classes()[2].name == "3");
  REQUIRE(map->notes().size() == 1);
  CHECK(contains(map->notes()[0], "the codes 1, 2 are all called 'Water'"));
  {
    const DatasetPtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_UPDATE));
    dataset->GetRasterBand(1)->SetNoDataValue(255);
    CPLStringList names;
    names.AddString("soil");
    dataset->GetRasterBand(1)->SetCategoryNames(names.List());
  }
  const auto declared = open_class_map(path);
  CHECK(declared->notes().back() == path +
                                        ": the code 0, which is called 'soil', is a class; its code is 4 in what is "
                                        "made of it, where 0 stands for no class");
  CHECK(declared->classes().back() == ClassEntry{4, "soil", {}});

  const std::string table_path = folder.file("table.tif");
  {
    const DatasetPtr dataset = create_raster(table_path, 2, 1, 1, GDT_UInt16);
    GDALDefaultRasterAttributeTable table;
    table.CreateColumn("Value", GFT_Integer, GFU_MinMax);
    table.CreateColumn("Class_Name", GFT_String, GFU_Name);
    table.SetValue(0, 0, 300);
    table.SetValue(0, 1, "Forest");
    dataset->GetRasterBand(1)->SetDefaultRAT(&table);
    fill_band(*dataset, 1, [](int column, int) { return column * 300; });
  }
  CHECK(open_class_map(table_path)->classes() == ClassTable{{300, "Forest", {}}});
}

TEST_CASE("0 is a class where the raster or the caller says so, and unlabelled elsewhere") {
  const TemporaryFolder folder;
  const std::string path = folder.file("zero.tif");
  const auto open = [&](const char* name, std::optional<double> nodata, bool zero_class) {
    {
      const DatasetPtr dataset = create_raster(path, 3, 2, 1, GDT_Byte);
      fill_band(*dataset, 1, [](int column, int) { return column; });
      if (nodata) {
        dataset->GetRasterBand(1)->SetNoDataValue(*nodata);
      }
      if (name != nullptr) {
        dataset->GetRasterBand(1)->SetCategoryNames(CPLStringList().AddString(name).List());
      }
    }
    auto map = open_class_map(path, zero_class);
    std::vector<std::uint16_t> codes;
    map->read({0, 0, 3, 1}, codes);
    CHECK(std::vector<std::uint16_t>(codes.begin() + 1, codes.end()) == std::vector<std::uint16_t>{1, 2});
    CHECK(codes[0] == (map->classes().size() == 3 ? 3 : 0));
    return map;
  };
  CHECK(open(nullptr, {}, false)->unlabelled_zeros() == 2);
  // Once, also where there is no class at all.
  create_raster(folder.file("none.tif"), 3, 2, 1, GDT_Byte);
  const auto none = open_class_map(folder.file("none.tif"), false);
  std::vector<std::uint16_t> codes;
  none->read({0, 0, 3, 2}, codes);
  CHECK(none->unlabelled_zeros() == 6);
  CHECK(open(nullptr, {}, true)->classes().back() == ClassEntry{3, "0", {}});
  CHECK(open(nullptr, 255, false)->classes().size() == 3);
  CHECK(open(nullptr, 0, true)->classes().size() == 2);
  CHECK(open(nullptr, 0, false)->unlabelled_zeros() == 0);
  CHECK(open("other", {}, false)->classes().back() == ClassEntry{3, "other", {}});
  CHECK(open("other", {}, false)->unlabelled_zeros() == 0);
  for (const char* name : {"Unclassified", "background", "No data"}) {
    CHECK(open(name, 255, false)->classes().size() == 2);
  }
}

TEST_CASE("names of an ENVI header that are more than its classes are not used") {
  const TemporaryFolder folder;
  create_raster(folder.file("a.img"), 3, 1, 1, GDT_Byte, "ENVI");
  write_file(folder.file("a.img"), std::string("\0\1\2", 3));
  write_file(folder.file("a.hdr"),
             "ENVI\nsamples = 3\nlines = 1\nbands = 1\nfile type = ENVI Classification\ndata type = 1\n"
             "interleave = bsq\nclasses = 3\nclass names = {Unclassified, Roof, Open, Space}\n");
  const auto map = open_class_map(folder.file("a.img"));
  CHECK(map->classes() == ClassTable{{1, "1", {}}, {2, "2", {}}});
  CHECK(contains(map->notes().front(), "the list 'class names' has 4 entries for 3 classes and is not used"));
}

TEST_CASE("a palette of one colour is none") {
  const TemporaryFolder folder;
  for (const bool differ : {false, true}) {
    const std::string path = folder.file(differ ? "b.tif" : "a.tif");
    {
      const DatasetPtr dataset = create_raster(path, 4, 1, 1, GDT_Byte);
      GDALColorTable colours;
      const GDALColorEntry grey{9, 9, static_cast<short>(differ ? 10 : 9), 255};
      const GDALColorEntry other{9, 9, 9, 255};
      for (int code = 1; code < 4; ++code) {
        colours.SetColorEntry(code, code == 2 ? &grey : &other);
      }
      dataset->GetRasterBand(1)->SetColorTable(&colours);
      fill_band(*dataset, 1, [](int column, int) { return column; });
    }
    const auto map = open_class_map(path);
    for (const ClassEntry& entry : map->classes()) {
      CHECK(entry.colour.has_value() == differ);
    }
  }
}

TEST_CASE("whole numbers in a real-valued raster are codes, other values are refused") {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, double value, int bands = 1) {
    const std::string path = folder.file(name);
    fill_band(*create_raster(path, 3, 2, bands, GDT_Float32), 1,
              [&](int column, int row) { return column == 2 && row == 1 ? value : 1; });
    return path;
  };
  CHECK(open_class_map(write("whole.tif", 65535))->classes().size() == 2);
  const DatasetPtr codes = create_raster(folder.file("codes.tif"), 16, 16, 1, GDT_Byte);
  fill_band(*codes, 1, [](int column, int) { return column < 5 ? 20 : 10; });
  for (const auto& [driver, file] : {std::pair("JPEG", "a.jpg"), std::pair("JP2OpenJPEG", "a.jp2")}) {
    const std::string path = folder.file(file);
    CHECK(DatasetPtr(GetGDALDriverManager()->GetDriverByName(driver)->CreateCopy(
              path.c_str(), codes.get(), FALSE, nullptr, nullptr, nullptr)) != nullptr);
    CHECK(contains(message_of<DataError>([&] { open_class_map(path); }), "it is compressed with loss"));
  }
  const std::string fraction = message_of<DataError>([&] { open_class_map(write("fraction.tif", 1.5)); });
  CHECK(contains(fraction, "carries no classes"));
  CHECK(contains(fraction, "column 2, row 1 is 1.5"));
  CHECK(contains(message_of<DataError>([&] { open_class_map(write("negative.tif", -3)); }), "-3"));
  CHECK(contains(message_of<DataError>([&] { open_class_map(write("large.tif", 65536)); }), "65536"));
  CHECK(contains(message_of<DataError>([&] { open_class_map(write("bands.tif", 1, 3)); }), "3 bands"));
}

TEST_CASE("the Salinas-A maps carry six named, coloured classes") {
  const auto path = data_path("salinasA/salinasA_gt.hdr");
  if (!path) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  const auto map = open_class_map(*path);
  REQUIRE(map->classes().size() == 6);
  CHECK(map->has_names());
  CHECK(map->classes()[0] == ClassEntry{1, "Brocoli_green_weeds_1", Colour{192, 192, 192}});
  std::vector<std::int64_t> counts(7, 0);
  for (const std::uint16_t code : all_codes(*map)) {
    ++counts[code];
  }
  CHECK(counts == std::vector<std::int64_t>{86 * 83 - 5348, 391, 1343, 616, 1525, 674, 799});
  const auto train = open_class_map(*data_path("salinasA/salinasA_train_block8.img"));
  const auto test = open_class_map(*data_path("salinasA/salinasA_test_block8.tif"));
  CHECK(train->classes().size() == 6);
  CHECK(test->classes().size() == 6);
}

TEST_CASE("categories in Latin-1 are read as such, and a note says so") {
  const TemporaryFolder folder;
  const std::string path = folder.file("latin.img");
  {
    const DatasetPtr dataset = create_raster(path, 4, 1, 1, GDT_Byte, "ENVI");
    fill_band(*dataset, 1, [](int column, int) { return column % 3; });
  }
  std::string header = file_content(folder.file("latin.hdr"));
  header.replace(header.find("ENVI Standard"), 13, "ENVI Classification");
  write_file(folder.file("latin.hdr"), header + "classes = 3\nclass names = {none, for\xeat ,  eau}\n");
  const auto map = open_class_map(path);
  CHECK(map->classes() == ClassTable{{1, "for\xc3\xaat", {}}, {2, "eau", {}}});
  CHECK(map->notes() ==
        std::vector<std::string>{path +
                                 ": class names that are not UTF-8 were read as Latin-1 (ISO-8859-1): 'for\xc3\xaat'"});
}
