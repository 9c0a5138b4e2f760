#include "gdal/raster/adapted/netcdf_cube.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/scene.hpp"

#include "../raster_fixture.hpp"
#include "support/hdf5_file.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

struct Written {
  std::vector<std::string> names = {"lat", "lon", "wavelength"};  // of rows, columns and bands
  std::string order = "byx";                                      // of the dimensions of the variable
  std::string unit = "nm";
  std::string standard_name = "radiation_wavelength";
  double factor = 1;        // of the wavelengths
  bool types = true;        // whether rows and columns say their axes
  bool known = true;        // whether their coordinates say what they are
  bool ascending = false;   // rows from south to north
  bool coordinates = true;  // of rows
  double gap = 0;           // before the last two columns, degrees
  double start = 10;        // of the columns
  double scale = 1;         // of all coordinates and wavelengths as they are stored, unless it is 1
  std::optional<double> offset = {};
  const char* driver = "netCDF";
  std::string group = {};                // that holds the variable and its wavelengths
  std::vector<std::string> others = {};  // further arrays along the bands, of 700 and 800 nm
  bool distinct = false;                 // each of them 1 nm further
  bool listed = false;                   // the wavelengths are an attribute of the variable
};

constexpr int kRows = 4;
constexpr int kColumns = 30;
constexpr int kBands = 2;

double value_at(int band, int row, int column) { return 1000 * band + 100 * row + column; }

std::string write_cube(const std::string& path, const Written& form) {
  initialise_gdal();
  const DatasetPtr dataset(
      GetGDALDriverManager()->GetDriverByName(form.driver)->CreateMultiDimensional(path.c_str(), nullptr, nullptr));
  const auto root = dataset->GetRootGroup();
  const auto inner = form.group.empty() ? root : root->CreateGroup(form.group);
  const auto real = GDALExtendedDataType::Create(GDT_Float64);
  const std::vector<int> counts = {kRows, kColumns, kBands};
  std::vector<std::shared_ptr<GDALDimension>> dimensions;
  for (std::size_t i = 0; i < 3; ++i) {
    const char* type = i == 0 ? GDAL_DIM_TYPE_HORIZONTAL_Y : GDAL_DIM_TYPE_HORIZONTAL_X;
    const auto& group = i == 2 ? inner : root;
    dimensions.push_back(group->CreateDimension(form.names[i], i < 2 && form.types && form.known ? type : "", "",
                                                static_cast<GUInt64>(counts[i])));
    std::vector<double> values(static_cast<std::size_t>(counts[i]));
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto step = static_cast<double>(k);
      values[k] = i == 0   ? 50 + (form.ascending ? step - kRows + 1 : -step) * 0.1
                  : i == 1 ? std::remainder(form.start + step * 0.1 + (k > 27 ? form.gap : 0), 360)
                           : (450 + 100 * step) * form.factor;
    }
    const GUInt64 first = 0;
    const std::size_t count = values.size();
    for (const std::string& name : i == 2 ? form.others : std::vector<std::string>()) {
      const double shift = form.distinct ? name.back() - 'a' : 0;
      const std::vector<double> other = {700 + shift, 800 + shift};
      group->CreateMDArray(name, {dimensions[2]}, real)->Write(&first, &count, nullptr, nullptr, real, other.data());
    }
    if (i < 2 ? !form.types || (i == 0 && !form.coordinates) : form.listed) {
      continue;
    }
    const auto variable = group->CreateMDArray(form.names[i], {dimensions[i]}, real);
    variable->SetUnit(i == 2 ? form.unit : !form.known ? "1" : i == 0 ? "degrees_north" : "degrees_east");
    if (form.scale != 1) {
      variable->SetScale(form.scale);
    }
    if (form.offset) {
      variable->SetOffset(*form.offset);
    }
    std::ranges::for_each(values, [&](double& value) { value = (value - form.offset.value_or(0)) / form.scale; });
    if (i == 2 && !form.standard_name.empty()) {
      variable->CreateAttribute("standard_name", {}, GDALExtendedDataType::CreateString())
          ->Write(form.standard_name.c_str());
    }
    variable->Write(&first, &count, nullptr, nullptr, real, values.data());
  }
  std::vector<std::shared_ptr<GDALDimension>> ordered;
  std::vector<int> lengths;
  for (const char letter : form.order) {
    const std::size_t i = letter == 'y' ? 0 : letter == 'x' ? 1 : 2;
    ordered.push_back(dimensions[i]);
    lengths.push_back(counts[i]);
  }
  std::vector<double> values;
  for (int a = 0; a < lengths[0]; ++a) {
    for (int b = 0; b < lengths[1]; ++b) {
      for (int c = 0; c < lengths[2]; ++c) {
        const auto at = [&](char letter) {
          const std::size_t place = form.order.find(letter);
          return place == 0 ? a : place == 1 ? b : c;
        };
        values.push_back(value_at(at('b'), form.ascending ? kRows - 1 - at('y') : at('y'), at('x')));
      }
    }
  }
  const auto variable = inner->CreateMDArray("reflectance", ordered, real);
  if (form.listed) {
    const std::vector<double> list = {450, 550};
    variable->CreateAttribute("wavelengths", {kBands}, real)->Write(list.data(), list.size());
  }
  const std::vector<GUInt64> first(3, 0);
  const std::vector<std::size_t> all(lengths.begin(), lengths.end());
  variable->Write(first.data(), all.data(), nullptr, nullptr, real, values.data());
  return path;
}

void check_cube(const std::string& path, bool south_up = false) {
  const OpenScene scene = open_scene(path);
  REQUIRE(scene.source->grid().height == kRows);
  REQUIRE(scene.source->grid().width == kColumns);
  REQUIRE(scene.source->bands().size() == kBands);
  CHECK(*scene.source->bands()[0].wavelength == doctest::Approx(450));
  CHECK(*scene.source->bands()[1].wavelength == doctest::Approx(550));
  Spectra values;
  scene.source->read({0, 0, kColumns, kRows}, {0, 1}, values);
  for (int pixel = 0; pixel < kRows * kColumns; ++pixel) {
    const int row = south_up ? kRows - 1 - pixel / kColumns : pixel / kColumns;
    CHECK(values(pixel, 0) == static_cast<float>(value_at(0, row, pixel % kColumns)));
    CHECK(values(pixel, 1) == static_cast<float>(value_at(1, row, pixel % kColumns)));
  }
  CHECK(scene.description.bytes > 0);
}

}  // namespace

TEST_CASE("a cube of netCDF is the same in every order of its dimensions") {
  const TemporaryFolder folder;
  for (const std::string order : {"byx", "yxb", "ybx", "xyb", "xby", "bxy"}) {
    for (const bool ascending : {false, true}) {
      CAPTURE(order);
      CAPTURE(ascending);
      const std::string path =
          write_cube(folder.file(order + (ascending ? "a" : "d") + ".nc"), {.order = order, .ascending = ascending});
      // GDAL's driver turns rows that go from south to north; in other orders they stay as they are.
      const bool south_up = ascending && order != "byx";
      check_cube(path, south_up);
      check_cube("NETCDF:\"" + path + "\":reflectance", south_up);
      const auto& transform = open_scene(path).source->grid().geotransform;
      REQUIRE(transform);
      CHECK((*transform)[0] == doctest::Approx(9.95));
      CHECK((*transform)[3] == doctest::Approx(south_up ? 49.65 : 50.05));
      CHECK((*transform)[5] == doctest::Approx(south_up ? 0.1 : -0.1));
    }
  }
}

TEST_CASE("values outside of the valid range of a cube are missing in every order") {
  const TemporaryFolder folder;
  const auto missing = [](const std::string& path) {
    Spectra values;
    open_scene(path).source->read({0, 0, kColumns, kRows}, {0, 1}, values);
    return values.array().isNaN().count();
  };
  for (const std::string order : {"byx", "yxb", "bxy"}) {
    const auto with = [&](const std::string& name, const std::vector<double>& numbers) {
      const std::string path = write_cube(folder.file(order + name + ".nc"), {.order = order});
      const DatasetPtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_MULTIDIM_RASTER | GDAL_OF_UPDATE));
      const auto real = GDALExtendedDataType::Create(GDT_Float64);
      const std::vector<GUInt64> length(numbers.size() > 1 ? 1 : 0, numbers.size());
      const auto cube = dataset->GetRootGroup()->OpenMDArray("reflectance");
      cube->CreateAttribute(name, length, real)->Write(numbers.data(), numbers.size());
      return path;
    };
    CAPTURE(order);
    // The rows are 0 to 29, 100 to 129 and so on, in the second band 1000 to 1029 and so on.
    CHECK(missing(with("valid_range", {100, 1200})) == 30 + 29 + 30);
    CHECK(missing(with("valid_min", {29})) == 29);
    CHECK(missing(with("valid_max", {1099})) == 90);
    CHECK(missing(with("plain", {5})) == 0);
  }
  for (const std::string order : {"byx", "yxb"}) {
    const std::string store = write_cube(folder.file(order + ".zarr"), {.order = order, .driver = "Zarr"});
    std::filesystem::remove(store + "/.zmetadata");
    const auto stating = [&](const std::string& attributes) {
      std::ofstream(store + "/reflectance/.zattrs") << attributes;
      return missing(store);
    };
    CAPTURE(order);
    CHECK(stating(R"({"valid_range": [100, 1200], "_FillValue": 1100})") == 30 + 29 + 30 + 1);
    CHECK(stating(R"({"missing_value": 29})") == 1);
  }
}

TEST_CASE("coordinates with a gap are no grid, and longitudes may go on behind 180 degrees") {
  const TemporaryFolder folder;
  for (const std::string order : {"byx", "xyb"}) {
    CAPTURE(order);
    const std::string path = write_cube(folder.file(order + ".nc"), {.order = order, .gap = 2});
    CHECK(contains(message_of<DataError>([&] { open_scene(path); }),
                   path + ": the coordinates 'lon' are not evenly spaced but by 0.1 to 2.1"));
    CHECK_NOTHROW(open_scene(write_cube(folder.file(order + "small.nc"), {.order = order, .gap = 0.04})));
  }
  check_cube(write_cube(folder.file("line.nc"), {.start = 178.5}));
}

TEST_CASE("wavelengths of a cube are known by their standard name or their own, in any unit") {
  const TemporaryFolder folder;
  check_cube(write_cube(folder.file("a.nc"),
                        {.names = {"latitude", "longitude", "wavelength"}, .order = "yxb", .standard_name = ""}));
  check_cube(write_cube(folder.file("b.nc"), {.names = {"y", "x", "band"}, .unit = "um", .factor = 1e-3}));
  check_cube(write_cube(folder.file("c.nc"), {.names = {"y", "x", "channel"},
                                              .order = "yxb",
                                              .unit = "m",
                                              .standard_name = "sensor_band_central_radiation_wavelength",
                                              .factor = 1e-9}));
  // Beside a wavelength, the first of two dimensions of unknown names are the rows.
  check_cube(write_cube(folder.file("d.nc"), {.names = {"p", "q", "wl"}, .order = "ybx", .types = false}));
}

TEST_CASE("rows without coordinates begin with the upper one in every order, unless GDAL has written them") {
  const TemporaryFolder folder;
  for (const std::string order : {"byx", "yxb", "bxy"}) {
    check_cube(write_cube(folder.file(order + ".nc"), {.order = order, .coordinates = false}));
  }
  const DatasetPtr raster = create_raster(folder.file("a.tif"), kColumns, kRows, 1, GDT_Float64);
  fill_band(*raster, 1, [](int column, int row) { return value_at(0, row, column); });
  raster->FlushCache();
  const std::string copy = folder.file("copy.nc");
  CHECK(DatasetPtr(GetGDALDriverManager()->GetDriverByName("netCDF")->CreateCopy(
            copy.c_str(), raster.get(), FALSE, nullptr, nullptr, nullptr)) != nullptr);
  Spectra values;
  open_scene(copy).source->read({0, 0, kColumns, kRows}, {0}, values);
  CHECK(values(0, 0) == static_cast<float>(value_at(0, 0, 0)));
  CHECK(values(kColumns, 0) == static_cast<float>(value_at(0, 1, 0)));
}

TEST_CASE("coordinates of unknown meaning, as of a rotated pole, place the rows in every order") {
  const TemporaryFolder folder;
  for (const std::string order : {"byx", "yxb"}) {
    for (const bool ascending : {false, true}) {
      CAPTURE(order);
      CAPTURE(ascending);
      const std::string path =
          write_cube(folder.file(order + (ascending ? "a" : "d") + ".nc"),
                     {.names = {"y", "x", "wavelength"}, .order = order, .known = false, .ascending = ascending});
      check_cube(path, ascending);
      const auto& transform = open_scene(path).source->grid().geotransform;
      REQUIRE(transform);
      CHECK((*transform)[3] == doctest::Approx(ascending ? 49.65 : 50.05));
      CHECK((*transform)[5] == doctest::Approx(ascending ? 0.1 : -0.1));
    }
  }
}

TEST_CASE("scaled coordinates place a cube, or are refused where GDAL does not scale them, and so are other units") {
  const TemporaryFolder folder;
  // GDAL's driver applies scales in the usual order, if there are offsets as well.
  const std::string path = write_cube(folder.file("a.nc"), {.scale = 0.01, .offset = 0});
  check_cube(path);
  CHECK((*open_scene(path).source->grid().geotransform)[3] == doctest::Approx(50.05));
  for (const Written& form : {Written{.order = "byx", .scale = 0.01}, Written{.order = "yxb", .scale = 0.01},
                              Written{.order = "yxb", .offset = -40}}) {
    const std::string message = message_of<DataError>([&] { open_scene(write_cube(folder.file("b.nc"), form)); });
    CHECK(contains(message, "b.nc: the coordinates 'lon' have a scale_factor or add_offset"));
  }
  for (const std::string order : {"byx", "yxb"}) {
    const std::string kilometres = write_cube(folder.file(order + ".nc"), {.names = {"y", "x", "wl"}, .order = order});
    {
      const DatasetPtr dataset(GDALDataset::Open(kilometres.c_str(), GDAL_OF_MULTIDIM_RASTER | GDAL_OF_UPDATE));
      const auto root = dataset->GetRootGroup();
      OGRSpatialReference crs;
      crs.importFromEPSG(32633);
      root->OpenMDArray("reflectance")->SetSpatialRef(&crs);
      for (const std::string name : {"x", "y"}) {
        const auto array = root->OpenMDArray(name);
        array->SetUnit("km");
        array->CreateAttribute("standard_name", {}, GDALExtendedDataType::CreateString())
            ->Write(("projection_" + name + "_coordinate").c_str());
      }
    }
    CHECK(contains(message_of<DataError>([&] { open_scene(kilometres); }),
                   "the coordinates 'x' are in km, but the reference system counts in units of 1 m"));
  }
}

TEST_CASE("a name or a wavelength of a dimension says more than the type of its axis") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.nc");
  write_cube(path, {.names = {"latitude", "longitude", "wavelengths"}, .order = "yxb"});
  {
    // As written by programs that derive the axes from the order of the dimensions.
    const DatasetPtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_MULTIDIM_RASTER | GDAL_OF_UPDATE));
    const auto wavelengths = dataset->GetRootGroup()->OpenMDArray("wavelengths");
    wavelengths->CreateAttribute("axis", {}, GDALExtendedDataType::CreateString())->Write("X");
  }
  check_cube(path);
}

TEST_CASE("a store of Zarr stands for its cube") {
  const TemporaryFolder folder;
  for (const std::string order : {"byx", "yxb", "ybx"}) {
    // GDAL 3.6 does not write the names of the dimensions: wavelengths are found by their number.
    const std::string path = folder.file(order + ".zarr");
    write_cube(path, {.order = order, .driver = "Zarr"});
    check_cube(path);
    CHECK(open_scene(path).description.driver == "Zarr");
    const auto named = [&](const std::string& array, const std::string& dimensions) {
      std::ofstream(path + "/" + array + "/.zattrs") << "{\"_ARRAY_DIMENSIONS\": [" + dimensions + "]}";
    };
    std::filesystem::remove(path + "/.zmetadata");
    std::string all;
    for (const char letter : order) {
      const std::string name = letter == 'y' ? "lat" : letter == 'x' ? "lon" : "wavelength";
      named(name, "\"" + name + "\"");
      all += (all.empty() ? "\"" : ", \"") + name + "\"";
    }
    named("reflectance", all);
    const auto& transform = open_scene(path).source->grid().geotransform;
    REQUIRE(transform);
    CHECK((*transform)[0] == doctest::Approx(9.95));
    CHECK((*transform)[3] == doctest::Approx(50.05));
  }
}

TEST_CASE("the cubes of a store of Zarr with several are named as they can be opened") {
  const TemporaryFolder folder;
  const std::string path = write_cube(folder.file("a.zarr"), {.driver = "Zarr"});
  std::filesystem::copy(path + "/reflectance", path + "/radiance", std::filesystem::copy_options::recursive);
  std::filesystem::remove(path + "/.zmetadata");
  const std::string message = message_of<DataError>([&] { open_scene(path); });
  CHECK(contains(message, path + " has several arrays of three dimensions; name one: "));
  for (const std::string& cube : {path + "/radiance", path + "/reflectance"}) {
    CHECK(contains(message, cube));
    CHECK(open_scene(cube).source->bands().size() == kBands);
  }
  // That of a group, such as an overview, counts where there is no other.
  std::filesystem::create_directory(path + "/overview");
  std::filesystem::copy(path + "/.zgroup", path + "/overview/.zgroup");
  std::filesystem::rename(path + "/radiance", path + "/overview/half");
  check_cube(path);
  std::filesystem::remove_all(path + "/reflectance");
  check_cube(path);
}

TEST_CASE("the bands of an array in HDF5 are known by wavelengths of their number") {
  initialise_gdal();
  const TemporaryFolder folder;
  const std::vector<hsize_t> counts = {kBands, kRows, kColumns};
  const auto write = [&](const std::vector<std::size_t>& order, std::size_t wavelengths, const char* name) {
    const std::vector<hsize_t> shape = {counts[order[0]], counts[order[1]], counts[order[2]]};
    std::vector<double> values;
    std::array<int, 3> at{};
    for (at[order[0]] = 0; at[order[0]] < static_cast<int>(shape[0]); ++at[order[0]]) {
      for (at[order[1]] = 0; at[order[1]] < static_cast<int>(shape[1]); ++at[order[1]]) {
        for (at[order[2]] = 0; at[order[2]] < static_cast<int>(shape[2]); ++at[order[2]]) {
          values.push_back(value_at(at[0], at[1], at[2]));
        }
      }
    }
    const std::string path = folder.file(name);
    Hdf5Writer file(path);
    file.array<double>("SITE/Reflectance/Reflectance_Data", shape, values);
    std::vector<double> centres(wavelengths);
    std::ranges::generate(centres, [next = 350]() mutable { return next += 100; });
    file.array<double>("SITE/Reflectance/Metadata/Spectral_Data/Wavelength", {wavelengths}, centres);
    return path;
  };
  check_cube(write({0, 1, 2}, kBands, "byx.h5"));
  check_cube(write({1, 0, 2}, kBands, "ybx.h5"));
  const std::string path = write({1, 2, 0}, kBands, "yxb.h5");
  check_cube(path);
  check_cube("HDF5:\"" + path + "\"://SITE/Reflectance/Reflectance_Data");
  check_cube("NETCDF:\"" + path + "\":/SITE/Reflectance/Reflectance_Data");
  CHECK(open_scene(path).description.driver == "HDF5");
  // Wavelengths of another number say nothing, and GDAL's order holds.
  CHECK(open_scene(write({1, 2, 0}, kBands + 1, "none.h5")).source->bands().size() == kRows);
}

TEST_CASE("an array of NEON has the scale, the value for missing ones and the place that its file states") {
  initialise_gdal();
  const TemporaryFolder folder;
  const std::string path = folder.file("neon.h5");
  {
    Hdf5Writer file(path);
    file.array<std::int32_t>("SITE/Reflectance/Reflectance_Data", {1, 2, 3}, {1000, 2000, 3000, -9999, -9999, -9999});
    file.array<double>("SITE/Reflectance/Metadata/Spectral_Data/Wavelength", {3}, {450, 550, 650});
    file.array<double>("SITE/Reflectance/Metadata/Ancillary_Imagery/Slope", {1, 2}, {1, 2});
    file.texts("SITE/Reflectance/Metadata/Coordinate_System/Map_Info",
               {"UTM, 1.000, 1.000, 257000.000, 4112000.000, 1.0e+00, 1.0e+00, 11, North, WGS-84, units=Meters, 0"});
    file.numbers("SITE/Reflectance/Reflectance_Data", "Scale_Factor", {10000});
    file.numbers("SITE/Reflectance/Reflectance_Data", "Data_Ignore_Value", {-9999});
  }
  const OpenScene scene = open_scene("HDF5:\"" + path + "\"://SITE/Reflectance/Reflectance_Data");
  REQUIRE(scene.source->bands().size() == 3);
  CHECK(scene.source->bands()[1].scale == doctest::Approx(1e-4));
  const RasterGrid& grid = scene.source->grid();
  CHECK(grid.geotransform == std::array<double, 6>{257000, 1, 0, 4112000, 0, -1});
  CHECK(same_crs(grid.crs, crs_from_epsg(32611)));
  Spectra values;
  scene.source->read({0, 0, 2, 1}, {0, 1, 2}, values);
  CHECK(values(0, 1) == doctest::Approx(0.2));
  CHECK(values.row(1).array().isNaN().all());
}

TEST_CASE("a cube in a group of netCDF has its wavelengths and its place when the file is named") {
  const TemporaryFolder folder;
  for (const std::string order : {"byx", "yxb"}) {
    const std::string path = write_cube(folder.file(order + ".nc"), {.order = order, .group = "inner"});
    check_cube(path);
    check_cube("NETCDF:\"" + path + "\":/inner/reflectance");
    CHECK(open_scene(path).source->grid().geotransform.has_value());
  }
}

TEST_CASE("of several arrays of wavelengths the coordinates of the bands are taken, or the plainest name") {
  const TemporaryFolder folder;
  check_cube(write_cube(folder.file("a.nc"), {.others = {"wavelengths", "wavelength_nominal"}}));
  check_cube(write_cube(folder.file("b.nc"), {.names = {"lat", "lon", "wvl"}, .others = {"wavelength_a"}}));
}

TEST_CASE("arrays of wavelengths that differ, and of which none comes first, are named") {
  const TemporaryFolder folder;
  Written form{.others = {"wavelength_a", "wavelength_b"}, .listed = true};
  // Both have the same values.
  CHECK(*open_scene(write_cube(folder.file("a.nc"), form)).source->bands()[1].wavelength == doctest::Approx(800));
  form = {.names = {"lat", "lon", "wavelength_0"}, .others = {"wavelength_1"}};
  check_cube(write_cube(folder.file("b.nc"), form));
  form.distinct = true;
  form.others = {"wavelength_a", "wavelength_b"};
  form.listed = true;
  const std::string message = message_of<DataError>([&] { open_scene(write_cube(folder.file("c.nc"), form)); });
  CHECK(contains(message, "both /wavelength_a and /wavelength_b are wavelengths along the dimension 'wavelength_0'"));
}

TEST_CASE("wavelengths may be an attribute of the cube") {
  const TemporaryFolder folder;
  const Written form{.names = {"lines", "samples", "bands"}, .types = false, .listed = true};
  for (const std::string order : {"byx", "yxb"}) {
    Written written = form;
    written.order = order;
    check_cube(write_cube(folder.file(order + ".nc"), written));
  }
}

TEST_CASE("dimensions that contradict the usual order, and say no more, are named") {
  const TemporaryFolder folder;
  const std::string path = write_cube(
      folder.file("a.nc"), {.names = {"lat", "p", "q"}, .order = "yxb", .standard_name = "", .types = false});
  const std::string message = message_of<DataError>([&] { open_scene(path); });
  CHECK(contains(message, "'reflectance' has the dimensions lat (4), p (30), q (2)"));
  // Without any of these names the order of GDAL's driver holds: bands, rows, columns.
  const std::string plain =
      write_cube(folder.file("b.nc"), {.names = {"p", "q", "r"}, .order = "byx", .standard_name = "", .types = false});
  CHECK(open_scene(plain).source->grid().height == kRows);
  CHECK_FALSE(open_scene(plain).source->bands()[0].wavelength);
  CHECK(cube_wavelengths(*create_raster(folder.file("c.tif"), 2, 2, 3, GDT_Byte)).empty());
}

namespace {

// A file of netCDF, or a store of Zarr by its name, with variables of kRows x kColumns values, each of them 1000 times
// its number, and one of `others` rows. With `dates` every variable has one layer for each of these days since 2020.
std::string write_variables(const std::string& path, const std::vector<std::string>& names, GUInt64 others,
                            const std::vector<double>& dates = {}, const std::string& unit = "days since 2020-01-01") {
  initialise_gdal();
  GDALDriver& driver = *GetGDALDriverManager()->GetDriverByName(path.ends_with(".zarr") ? "Zarr" : "netCDF");
  const DatasetPtr dataset(driver.CreateMultiDimensional(path.c_str(), nullptr, nullptr));
  const auto root = dataset->GetRootGroup();
  const auto real = GDALExtendedDataType::Create(GDT_Float64);
  const std::array<GUInt64, 3> first{0, 0, 0};
  const auto write_all = [&](GDALMDArray& list, const std::vector<double>& values) {
    const std::size_t all = values.size();
    list.Write(first.data(), &all, nullptr, nullptr, real, values.data());
  };
  std::vector<std::shared_ptr<GDALMDArray>> coordinates_of;
  const auto axis = [&](const char* name, const char* type, GUInt64 count, double start, double step) {
    const auto dimension = root->CreateDimension(name, type, "", count);
    const auto coordinates = coordinates_of.emplace_back(root->CreateMDArray(name, {dimension}, real));
    dimension->SetIndexingVariable(coordinates);
    coordinates->SetUnit("m");
    std::vector<double> values(count);
    std::ranges::generate(values, [&, i = 0]() mutable { return start + step * i++; });
    write_all(*coordinates, values);
    return dimension;
  };
  const auto y = axis("y", GDAL_DIM_TYPE_HORIZONTAL_Y, kRows, 500, -10);
  const auto x = axis("x", GDAL_DIM_TYPE_HORIZONTAL_X, kColumns, 100, 10);
  std::vector<std::shared_ptr<GDALDimension>> times;
  if (!dates.empty()) {
    times.push_back(root->CreateDimension("t", "TEMPORAL", "", dates.size()));
    const auto time = root->CreateMDArray("t", times, real);
    time->SetUnit(unit);
    write_all(*time, dates);
  }
  const auto add = [&](const std::string& name, const std::shared_ptr<GDALDimension>& rows, double number) {
    std::vector<std::size_t> all = {static_cast<std::size_t>(rows->GetSize()), kColumns};
    auto dimensions = times;
    dimensions.insert(dimensions.end(), {rows, x});
    std::vector<double> values(all[0] * all[1] * std::max<std::size_t>(1, dates.size()));
    std::iota(values.begin(), values.end(), 1000 * number);
    if (!dates.empty()) {
      all.insert(all.begin(), dates.size());
    }
    root->CreateMDArray(name, dimensions, real)->Write(first.data(), all.data(), nullptr, nullptr, real, values.data());
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    add(names[i], y, static_cast<double>(i));
  }
  if (others > 0) {
    add("half", axis("y2", GDAL_DIM_TYPE_HORIZONTAL_Y, others, 500, -20), 9);
  }
  return path;
}

}  // namespace

TEST_CASE("variables of one grid are the bands of one scene, and a note names them") {
  const TemporaryFolder folder;
  for (const char* file : {"s.nc", "s.zarr"}) {
    const std::string path = write_variables(folder.file(file), {"B2", "B10", "B8A", "latitude"}, 0);
    const OpenScene scene = open_scene(path);
    CHECK(scene.source->name() == path);
    CHECK(mapped<std::string>(scene.source->bands(), &Band::name) == std::vector<std::string>{"B2", "B10", "B8A"});
    CHECK(scene.description.note == path + ": its bands are its variables B2, B10, B8A (--bands chooses among them)");
    CHECK((*scene.source->grid().geotransform)[0] == 95);
    Spectra values;
    scene.source->read({3, 1, 2, 2}, {2, 0}, values);
    CHECK(values.row(0) == Eigen::RowVector2f(2033, 33));  // of the second row and the fourth column
    CHECK(values.row(3) == Eigen::RowVector2f(2064, 64));
  }
}

TEST_CASE("variables of different grids are named, and what to do") {
  const TemporaryFolder folder;
  const std::string path = write_variables(folder.file("s.nc"), {"B02", "B03"}, 2);
  const std::string error = message_of<DataError>([&] { open_scene(path); });
  CHECK(contains(error, path + " holds no raster bands; name one of its subdatasets"));
  CHECK(contains(error, ":half is 30 x 2 pixels, but "));
  CHECK(contains(error, ":B02 is 30 x 4; "));
  CHECK(contains(error, "gdalwarp -tr"));
}

TEST_CASE("variables of several dates are bands that have the name of the variable and the date") {
  const TemporaryFolder folder;
  const std::string path = write_variables(folder.file("s.nc"), {"B02", "B8A"}, 0, {0, 31, 366});
  const OpenScene scene = open_scene(path);
  const std::vector<std::string> expected = {"B02 2020-01-01", "B02 2020-02-01", "B02 2021-01-01",
                                             "B8A 2020-01-01", "B8A 2020-02-01", "B8A 2021-01-01"};
  CHECK(mapped<std::string>(scene.source->bands(), &Band::name) == expected);
  Spectra values;
  scene.source->read({0, 0, 1, 1}, {1, 3}, values);
  CHECK(values.row(0) == Eigen::RowVector2f(kRows * kColumns, 1000));
  const auto scene_of = [&](const std::vector<double>& times, const std::string& unit) {
    return open_scene(write_variables(folder.file("t.nc"), {"a", "b"}, 0, times, unit));
  };
  CHECK(scene_of({0, 25}, "hours since 1999-12-31 23:30:00").source->bands().at(1).name == "a 2000-01-02");
  CHECK(scene_of({-1, 86400}, "seconds since 2000-03-01T00:00:00").source->bands().at(0).name == "a 2000-02-29");
  CHECK(contains(scene_of({0, 1, 2, 3, 4, 5, 6}, "days since 2020-01-01").description.note,
                 "its bands are its variables a 2020-01-01 to b 2020-01-07, 14 together (--bands"));
  CHECK_THROWS_AS(scene_of({0, 1}, "m"), DataError);  // no times
}

TEST_CASE("the bands of a stack of variables are called by them") {
  const TemporaryFolder folder;
  const std::string path = write_variables(folder.file("s.nc"), {"B02", "B03", "B8A"}, 0);
  std::string bands;
  for (const char* name : {"B8A", "B02"}) {
    bands += R"(<VRTRasterBand dataType="Float64"><SimpleSource><SourceFilename relativeToVRT="0">NETCDF:&quot;)" +
             path + "&quot;:" + name + "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>";
  }
  std::ofstream(folder.file("s.vrt")) << R"(<VRTDataset rasterXSize="30" rasterYSize="4">)" << bands << "</VRTDataset>";
  const OpenScene scene = open_scene(folder.file("s.vrt"));
  CHECK(mapped<std::string>(scene.source->bands(), &Band::name) == std::vector<std::string>{"B8A", "B02"});
}

TEST_CASE("variables that number bands, as GDAL calls them, give these no names") {
  const TemporaryFolder folder;
  for (const std::string name : {"Band", "band_"}) {
    const OpenScene scene = open_scene(write_variables(folder.file("s.nc"), {name + "1", name + "2"}, 0));
    CHECK(mapped<std::string>(scene.source->bands(), &Band::name) == std::vector<std::string>(2));
    CHECK(scene.description.note.empty());
  }
  const std::string path = folder.file("t.nc");
  DatasetPtr dataset = create_raster(path, 2, 2, 2, GDT_Byte, "netCDF");
  dataset->GetRasterBand(1)->SetMetadataItem("long_name", "red");
  dataset->GetRasterBand(2)->SetMetadataItem("long_name", "nir");
  dataset.reset();
  CHECK(mapped<std::string>(open_scene(path).source->bands(), &Band::name) == std::vector<std::string>{"red", "nir"});
}
