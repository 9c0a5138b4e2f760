#include "gdal/raster/legend.hpp"

#include <cpl_string.h>
#include <doctest/doctest.h>
#include <ogrsf_frmts.h>

#include <filesystem>
#include <tuple>

#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/job/output_set.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

Legend legend_of(GDALRasterBand& band) {
  ClassNameReader names;
  return read_legend(band, names);
}

const ClassTable sparse{{10, "Water", std::nullopt}, {20, "Trees, <tall> & {old}", std::nullopt}, {200, "Soil", {}}};
const std::vector<Colour> colours{{0, 0, 255}, {0, 128, 7}, {230, 159, 0}};

std::vector<std::int64_t> counts_of(std::int64_t last) {
  std::vector<std::int64_t> counts(201, 0);
  counts[10] = 5;
  counts[200] = last;
  return counts;
}

}  // namespace

TEST_CASE("what is written to a band is read from it, ENVI's spelling aside") {
  const TemporaryFolder folder;
  for (const bool envi : {false, true}) {
    const DatasetPtr dataset = create_raster(folder.file(envi ? "b.img" : "a.tif"), 3, 2, 1, GDT_Byte);
    GDALRasterBand& band = *dataset->GetRasterBand(1);
    write_legend(band, sparse, colours, envi);
    CHECK(band.GetNoDataValue() == 0);
    CHECK(band.GetColorTable()->GetColorEntry(0)->c4 == 0);
    const Legend legend = legend_of(band);
    CHECK(legend.names.at(10) == "Water");
    CHECK(legend.names.at(20) == (envi ? "Trees; <tall> & (old)" : "Trees, <tall> & {old}"));
    CHECK(legend.names.at(199) == "unused 199");
    CHECK(legend.names.at(0) == "Unclassified");
    CHECK(legend.names.size() == 201);
    CHECK(legend.colours.at(20) == colours[1]);
    // The attribute table has the name whole.
    band.SetDefaultRAT(attribute_table(sparse, colours, counts_of(7)).get());
    CHECK(legend_of(band).names.at(20) == "Trees, <tall> & {old}");
  }
}

TEST_CASE("names come from the table that programs of ESRI write beside a raster") {
  const TemporaryFolder folder;
  const DatasetPtr dataset = create_raster(folder.file("a.tif"), 3, 2, 1, GDT_Byte);
  CHECK(legend_of(*dataset->GetRasterBand(1)).names.empty());
  {
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("ESRI Shapefile");
    const DatasetPtr table(driver->Create(folder.file("a.tif.vat.dbf").c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    OGRLayer* layer = table->CreateLayer("a.tif.vat", nullptr, wkbNone);
    OGRFieldDefn value("VALUE", OFTInteger);
    OGRFieldDefn name("Class_Name", OFTString);
    layer->CreateField(&value);
    layer->CreateField(&name);
    for (const int code : {7, 3}) {
      OGRFeature feature(layer->GetLayerDefn());
      feature.SetField(0, code);
      feature.SetField(1, code == 7 ? "oak" : "elm");
      REQUIRE(layer->CreateFeature(&feature) == OGRERR_NONE);
    }
  }
  CHECK(legend_of(*dataset->GetRasterBand(1)).names == std::map<int, std::string>{{3, "elm"}, {7, "oak"}});
}

TEST_CASE("a name in the header that is not that of the attribute table stays") {
  const TemporaryFolder folder;
  const DatasetPtr dataset = create_raster(folder.file("a.img"), 3, 2, 1, GDT_Byte, "ENVI");
  GDALRasterBand& band = *dataset->GetRasterBand(1);
  write_legend(band, {{1, "corrected", {}}}, {colours[0]}, true);
  band.SetDefaultRAT(attribute_table({{1, "mistaken", {}}}, {colours[1]}, {0, 1}).get());
  CHECK(legend_of(band).names.at(1) == "corrected");
  CHECK(legend_of(band).colours.at(1) == colours[0]);
}

TEST_CASE("the attribute table has a row for each class, also for one without pixels") {
  const auto table = attribute_table(sparse, colours, counts_of(7));
  REQUIRE(table->GetRowCount() == 3);
  REQUIRE(table->GetColumnCount() == 6);
  const std::vector<std::pair<std::string, GDALRATFieldUsage>> columns{{"Value", GFU_MinMax}, {"Count", GFU_PixelCount},
                                                                       {"Class", GFU_Name},   {"Red", GFU_Red},
                                                                       {"Green", GFU_Green},  {"Blue", GFU_Blue}};
  for (int column = 0; column < 6; ++column) {
    CHECK(table->GetNameOfCol(column) == columns[static_cast<std::size_t>(column)].first);
    CHECK(table->GetUsageOfCol(column) == columns[static_cast<std::size_t>(column)].second);
  }
  CHECK(table->GetTypeOfCol(1) == GFT_Integer);
  const std::vector<std::vector<int>> rows{{10, 5, 0, 0, 0, 255}, {20, 0, 0, 0, 128, 7}, {200, 7, 0, 230, 159, 0}};
  for (int row = 0; row < 3; ++row) {
    for (const int column : {0, 1, 3, 4, 5}) {
      CHECK(table->GetValueAsInt(row, column) == rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]);
    }
    CHECK(table->GetValueAsString(row, 2) == sparse[static_cast<std::size_t>(row)].name);
  }
}

TEST_CASE("columns of an attribute table are found by their usage, their usual names, or as the only one of texts") {
  const TemporaryFolder folder;
  int number = 0;
  for (const auto& [value, found] : std::vector<std::pair<const char*, const char*>>{{"VALUE", "Class_Name"},
                                                                                     {"Value", "class name"},
                                                                                     {"code", "LABEL"},
                                                                                     {"Class", "Land-Cover"},
                                                                                     {"id", "Bezeichnung"}}) {
    const char* const name = found;
    CAPTURE(name);
    const DatasetPtr dataset = create_raster(folder.file(std::to_string(++number) + ".tif"), 3, 2, 1, GDT_Byte);
    GDALDefaultRasterAttributeTable table;
    for (const auto& [column, type] :
         {std::pair(value, GFT_Integer), std::pair("COUNT", GFT_Integer), std::pair(name, GFT_String),
          std::pair("RED", GFT_Integer), std::pair("Green", GFT_Integer), std::pair("b", GFT_Integer)}) {
      table.CreateColumn(column, type, GFU_Generic);
    }
    for (int row = 0; row < 2; ++row) {
      table.SetValue(row, 0, 7 - row);
      table.SetValue(row, 1, 9);
      table.SetValue(row, 2, row == 0 ? "oak" : "");
      table.SetValue(row, 3, 200 + row);
      table.SetValue(row, 4, 2);
      table.SetValue(row, 5, 3);
    }
    dataset->GetRasterBand(1)->SetDefaultRAT(&table);
    const Legend legend = legend_of(*dataset->GetRasterBand(1));
    CHECK(legend.names == std::map<int, std::string>{{7, "oak"}});
    CHECK(legend.colours.at(6) == Colour{201, 2, 3});
  }
}

TEST_CASE("ranges of an attribute table name the whole numbers in them") {
  const TemporaryFolder folder;
  const DatasetPtr dataset = create_raster(folder.file("a.tif"), 3, 2, 1, GDT_Byte);
  GDALDefaultRasterAttributeTable table;
  table.CreateColumn("from", GFT_Real, GFU_Min);
  table.CreateColumn("to", GFT_Real, GFU_Max);
  table.CreateColumn("what", GFT_String, GFU_Name);
  int row = 0;
  for (const auto& [from, to, name] : {std::tuple(0.5, 1.5, "grass"), {1.5, 2.5, "roof"}, {9.0, 11.0, "tree"}}) {
    table.SetValue(row, 0, from);
    table.SetValue(row, 1, to);
    table.SetValue(row++, 2, name);
  }
  dataset->GetRasterBand(1)->SetDefaultRAT(&table);
  CHECK(legend_of(*dataset->GetRasterBand(1)).names ==
        std::map<int, std::string>{{1, "grass"}, {2, "roof"}, {9, "tree"}, {10, "tree"}, {11, "tree"}});
}

TEST_CASE("values below 0 of an attribute table name no code") {
  const TemporaryFolder folder;
  const DatasetPtr dataset = create_raster(folder.file("a.tif"), 3, 2, 1, GDT_Int16);
  for (const bool ranges : {false, true}) {
    CAPTURE(ranges);
    GDALDefaultRasterAttributeTable table;
    table.CreateColumn("from", GFT_Real, ranges ? GFU_Min : GFU_MinMax);
    table.CreateColumn("to", GFT_Real, GFU_Max);
    table.CreateColumn("what", GFT_String, GFU_Name);
    int row = 0;
    for (const auto& [from, to, name] : {std::tuple(-9999.0, -9999.0, "Fill-NoData"), {-1.0, 0.0, "water"}}) {
      table.SetValue(row, 0, from);
      table.SetValue(row, 1, to);
      table.SetValue(row++, 2, name);
    }
    dataset->GetRasterBand(1)->SetDefaultRAT(&table);
    CHECK(legend_of(*dataset->GetRasterBand(1)).names ==
          (ranges ? std::map<int, std::string>{{0, "water"}} : std::map<int, std::string>{}));
  }
}

TEST_CASE("counts beyond 32 bits are kept") {
  const auto table = attribute_table(sparse, colours, counts_of(std::int64_t{5} << 32U));
  CHECK(table->GetTypeOfCol(1) == GFT_Real);
  CHECK(table->GetValueAsDouble(2, 1) == static_cast<double>(std::int64_t{5} << 32U));
}

TEST_CASE("the style lists the classes alone, with names as XML") {
  const std::string text = style_text(sparse, colours);
  CHECK(contains(text, R"(<rasterrenderer type="paletted" band="1")"));
  CHECK(contains(text, R"(value="10" color="#0000ff" alpha="255" label="Water")"));
  CHECK(contains(text, R"(value="20" color="#008007" alpha="255" label="Trees, &lt;tall&gt; &amp; {old}")"));
  CHECK(contains(text, R"(value="200" color="#e69f00")"));
  CHECK_FALSE(contains(text, "unused"));
}

TEST_CASE("a netCDF map has the names of the classes as flags of the CF conventions") {
  const TemporaryFolder folder;
  const auto flags_of = [](const std::string& path) {
    const DatasetPtr file(GDALDataset::Open(path.c_str(), GDAL_OF_MULTIDIM_RASTER));
    REQUIRE(file != nullptr);
    const auto variable = file->GetRootGroup()->OpenMDArray("Band1");
    const auto values = variable->GetAttribute("flag_values");
    REQUIRE(values != nullptr);
    return std::tuple(variable->GetDataType().GetNumericDataType(), values->GetDataType().GetNumericDataType(),
                      values->ReadAsDoubleArray(),
                      std::string(variable->GetAttribute("flag_meanings")->ReadAsString()));
  };
  const ClassTable byte{{1, "bare soil", {}}, {20, "Forêt, (dense) & old", {}}, {200, "a.b+c@d-e_f", {}}};
  const ClassTable wide{{7, "one", {}}, {40000, "two three", {}}};
  RasterGrid grid;
  grid.width = 3;
  grid.height = 2;
  grid.geotransform = {{500000, 2, 0, 4000000, 0, -2}};
  // Numbers of 16 bits of a classic file are read without sign, as the attribute _Unsigned says.
  for (const auto& [classes, options, type, of_flags, words] :
       {std::tuple(byte, std::vector<std::string>{}, GDT_Byte, GDT_Byte, "bare_soil Forêt___dense____old a.b+c@d-e_f"),
        {byte, {"FORMAT=NC"}, GDT_Byte, GDT_UInt16, "bare_soil Forêt___dense____old a.b+c@d-e_f"},
        {wide, {}, GDT_UInt16, GDT_UInt16, "one two_three"}}) {
    const std::string path =
        folder.file("map" + std::to_string(classes.back().code) + (options.empty() ? "" : "c") + ".nc");
    OutputSet outputs(false);
    const OutputOptions format{{}, options};
    const auto sink = create_class_map(stage_raster(outputs, "MAP", path, format), grid, classes, format);
    const auto code = static_cast<std::uint16_t>(classes[1].code);
    sink->write({0, 0, 3, 2}, {0, code, 0, code, code, 0});
    sink->close();
    outputs.publish();
    const auto [variable, found, values, meanings] = flags_of(path);
    CHECK(variable == type);
    CHECK(found == of_flags);
    CHECK(values == mapped<double>(classes, &ClassEntry::code));
    CHECK(meanings == words);
    // With its side file the map has the names as they are, and without it those of the flags.
    CHECK(open_class_map(path)->classes().front().name == classes[1].name);
    std::filesystem::remove(path + ".aux.xml");
    CHECK(open_class_map(path)->classes().front().name == (classes.size() == 3 ? "Forêt___dense____old" : "two_three"));
    std::vector<std::uint16_t> codes;
    open_class_map(path)->read({0, 0, 3, 2}, codes);
    CHECK(codes == std::vector<std::uint16_t>{0, code, 0, code, code, 0});
  }
}

TEST_CASE("flags of other programs name codes, unless they are masks or do not fit") {
  const DatasetPtr dataset(GetGDALDriverManager()->GetDriverByName("MEM")->Create("", 1, 1, 1, GDT_Byte, nullptr));
  GDALRasterBand& band = *dataset->GetRasterBand(1);
  const auto names_of = [&](const char* values, const char* meanings) {
    band.SetMetadataItem("flag_values", values);
    band.SetMetadataItem("flag_meanings", meanings);
    return legend_of(band).names;
  };
  using Names = std::map<int, std::string>;
  CHECK(names_of("{0,10,-1, 200}", "no_data  tree_cover cloud water") ==
        Names{{0, "no_data"}, {10, "tree_cover"}, {200, "water"}});
  CHECK(names_of("3", "water") == Names{{3, "water"}});
  CHECK(names_of("{1,2}", "one word more").empty());
  band.SetMetadataItem("flag_masks", "{1,2}");
  CHECK(names_of("{1,2}", "cloud shadow").empty());
}
