#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "parsimap/core/error.hpp"
#include "parsimap/product/product.hpp"

#include "support/data_folder.hpp"
#include "support/emit_file.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {
namespace {

constexpr const char* kName = "EMIT_L2A_RFL_001_20220816T120000_2222808_003.nc";

OpenScene open_emit(const std::string& path, const EmitLayout& layout = {}) {
  EmitFile::write(path, layout);
  std::optional<OpenScene> scene = open_product(path);
  REQUIRE(scene);
  return std::move(*scene);
}

void check_values(SceneSource& scene, const Window& window, const Indices& bands) {
  Spectra values;
  scene.read(window, bands, values);
  REQUIRE(values.rows() == window.pixels());
  for (Index pixel = 0; pixel < window.pixels(); ++pixel) {
    const auto row = static_cast<int>(window.row + pixel / window.width);
    const auto column = static_cast<int>(window.column + pixel % window.width);
    for (std::size_t i = 0; i < bands.size(); ++i) {
      const float expected = EmitFile::value(row, column, static_cast<int>(bands[i]));
      const float found = values(pixel, static_cast<Index>(i));
      CAPTURE(row);
      CAPTURE(column);
      CHECK((expected == -9999 ? std::isnan(found) : found == expected));
    }
  }
}

// The sentence of the error of opening a file after a change.
std::string refusal_of_emit(const std::string& path, const std::function<void(Hdf5Writer&)>& write) {
  {
    Hdf5Writer file(path);
    write(file);
  }
  return message_of<DataError>([&] { open_product(path); });
}

}  // namespace

TEST_CASE("a scene of EMIT has its values, bands and positions, however its array is stored") {
  const TemporaryFolder folder;
  const Indices all{0, 1, 2, 3, 4, 5};
  for (const EmitLayout& layout :
       {EmitLayout{}, EmitLayout{false, false}, EmitLayout{false, true, {7, 5, 4}}, EmitLayout{true, true},
        EmitLayout{true, false}, EmitLayout{true, false, {2, 8, 24}}}) {
    const OpenScene scene = open_emit(folder.file(kName), layout);
    CHECK(scene.description.product == "EMIT L2A");
    CHECK(scene.description.data_type == "Float32");
    CHECK(scene.description.nodata == -9999.0);
    CHECK(scene.description.note.empty());
    CHECK(scene.quality.empty());
    const RasterGrid& grid = scene.source->grid();
    CHECK(grid.width == EmitFile::kWidth);
    CHECK(grid.height == EmitFile::kHeight);
    CHECK_FALSE(grid.geotransform);
    CHECK(contains(grid.crs, "WGS 84"));
    REQUIRE(grid.control_points.size() == 400);
    for (const ControlPoint& point : grid.control_points) {
      const auto [x, y] = EmitFile::place(point.column, point.row);
      CHECK(point.x == x);
      CHECK(point.y == y);
    }
    const BandTable& bands = scene.source->bands();
    REQUIRE(bands.size() == EmitFile::kBands);
    CHECK(bands[1].wavelength == 500.0);
    CHECK(bands[1].fwhm == 8.5);
    CHECK_FALSE(bands[1].bad);
    CHECK(bands[5].bad);
    check_values(*scene.source, {0, 0, EmitFile::kWidth, EmitFile::kHeight}, all);
    check_values(*scene.source, {3, 4, 9, 11}, {4, 1, 2});
    check_values(*scene.source, {20, 27, 4, 3}, {2, 3});
  }
}

TEST_CASE("storage blocks are the chunks of the array") {
  const TemporaryFolder folder;
  const OpenScene plain = open_emit(folder.file("a.nc"));
  CHECK(plain.source->block_width() == EmitFile::kWidth);
  CHECK(plain.source->block_height() == 1);
  const OpenScene chunks = open_emit(folder.file("b.nc"), {true, true, {2, 8, 12}});
  CHECK(chunks.source->block_width() == 12);
  CHECK(chunks.source->block_height() == 8);
}

TEST_CASE("the lookup table of EMIT leads from the map to the sensor") {
  const TemporaryFolder folder;
  const OpenScene scene = open_emit(folder.file(kName));
  REQUIRE(scene.geometry != nullptr);
  const RasterGrid& grid = scene.geometry->grid();
  CHECK(grid.width == EmitFile::kMapWidth);
  CHECK(grid.height == EmitFile::kMapHeight);
  CHECK(grid.geotransform == EmitFile::kTransform);
  CHECK(contains(grid.crs, "WGS 84"));
  std::vector<std::int64_t> pixels;
  scene.geometry->read({1, 2, 30, 40}, pixels);
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 30; ++column) {
      CHECK(pixels[static_cast<std::size_t>(row * 30 + column)] == EmitFile::shown(column + 1, row + 2));
    }
  }
}

TEST_CASE("the masks of EMIT lie in the file beside, of whatever version") {
  const TemporaryFolder folder;
  EmitFile::write_mask(folder.file("EMIT_L2A_MASK_002_20220816T120000_2222808_003.nc"));
  EmitFile::write_mask(folder.file("EMIT_L2A_MASK_002_20220816T120000_2222808_004.nc"));
  const OpenScene scene = open_emit(folder.file(kName));
  std::vector<std::string> names;
  for (const QualityLayer& layer : scene.quality) {
    names.push_back(layer.name);
    CHECK(layer.marks == std::vector<float>{1});
  }
  CHECK(names == std::vector<std::string>{"cloud", "cirrus", "water", "spacecraft", "dilated-cloud", "aggregate"});
  CHECK(scene.description.files ==
        std::vector<std::string>{folder.file(kName), folder.file("EMIT_L2A_MASK_002_20220816T120000_2222808_003.nc")});
  Spectra values;
  const QualityLayer& cirrus = scene.quality[1];
  cirrus.source->read({0, 0, EmitFile::kWidth, 3}, {cirrus.band}, values);
  CHECK(values.middleRows(0, EmitFile::kWidth).sum() == 0);
  CHECK(values.middleRows(EmitFile::kWidth, EmitFile::kWidth).sum() == EmitFile::kWidth);
}

TEST_CASE("what is wrong with a file of EMIT is said with what was looked for and found") {
  const TemporaryFolder folder;
  const std::string path = folder.file("EMIT_L2A_RFL_001_x_y_z.nc");
  const auto cube = [](Hdf5Writer& file, const std::vector<hsize_t>& shape) {
    hsize_t count = 1;
    for (const hsize_t length : shape) {
      count *= length;
    }
    file.array("reflectance", shape, std::vector<float>(count, 0.5F));
    file.text("/", "instrument", "EMIT");
  };
  std::string text = refusal_of_emit(path, [&](Hdf5Writer& file) {
    cube(file, {3, 4, 5});
    file.array<float>("sensor_band_parameters/wavelengths", {7}, std::vector<float>(7, 500));
  });
  CHECK(contains(text, "reflectance (3 x 4 x 5) does not have any number of rows, any number of columns and 7 bands"));
  text = refusal_of_emit(path, [&](Hdf5Writer& file) {
    cube(file, {5, 3, 5});
    file.array<float>("sensor_band_parameters/wavelengths", {5}, std::vector<float>(5, 500));
    file.dimensions("reflectance", {"crosstrack", "bands", "downtrack"});
  });
  CHECK(contains(text, "of crosstrack x bands x downtrack, does not have"));
  text = refusal_of_emit(path, [&](Hdf5Writer& file) { cube(file, {3, 4}); });
  CHECK(contains(text, "reflectance (3 x 4) is no cube"));
  text = refusal_of_emit(path, [&](Hdf5Writer& file) {
    cube(file, {3, 4, 5});
    file.array<float>("sensor_band_parameters/fwhm", {2}, {8, 8});
  });
  CHECK(contains(text, "sensor_band_parameters/fwhm has 2 entries for 5 bands"));
  text = refusal_of_emit(path, [&](Hdf5Writer& file) {
    cube(file, {3, 4, 5});
    file.array<double>("location/lon", {3, 4}, std::vector<double>(12, 1));
    file.array<double>("location/lat", {4, 3}, std::vector<double>(12, 1));
  });
  CHECK(contains(text, "location/lat (4 x 3) does not have the 3 rows and 4 columns of the scene"));
  text = refusal_of_emit(path, [&](Hdf5Writer& file) {
    cube(file, {3, 4, 5});
    file.array<std::int32_t>("location/glt_x", {2, 2}, {0, 0, 0, 0});
  });
  CHECK(contains(text, "location/glt_y is missing"));
  text = refusal_of_emit(path, [&](Hdf5Writer& file) {
    file.text("/", "instrument", "EMIT");
    file.array<float>("mask", {1, 1, 1}, {0});
  });
  CHECK(contains(text, "reflectance and radiance were looked for, and it holds mask"));
  text = refusal_of_emit(path, [&](Hdf5Writer& file) {
    file.text("/", "instrument", "EMIT");
    file.array<float>("reflectance/inner", {1, 1, 1}, {0});
  });
  CHECK(contains(text, "reflectance is damaged, or no array"));
}

TEST_CASE("a lookup table that points outside the scene is refused where it is read") {
  const TemporaryFolder folder;
  const std::string path = folder.file("emit.nc");
  {
    Hdf5Writer file(path);
    file.text("/", "instrument", "EMIT");
    file.array("reflectance", {3, 4, 5}, std::vector<float>(60, 0.5F));
    file.array<std::int32_t>("location/glt_x", {2, 2}, {1, 0, 5, 4});
    file.array<std::int32_t>("location/glt_y", {2, 2}, {1, 0, 3, 3});
    file.numbers("/", "geotransform", {0, 1, 0, 0, 0, -1});
    file.text("/", "spatial_ref", "LOCAL_CS[\"any\",UNIT[\"metre\",1]]");
  }
  const std::optional<OpenScene> scene = open_product(path);
  REQUIRE(scene);
  CHECK(contains(scene->description.note, "has no wavelengths"));
  std::vector<std::int64_t> pixels;
  scene->geometry->read({0, 0, 2, 1}, pixels);
  CHECK(pixels == std::vector<std::int64_t>{0, -1});
  CHECK_THROWS_WITH_AS(scene->geometry->read({0, 0, 2, 2}, pixels),
                       doctest::Contains("wrong at column 0, row 1: it shows the pixel in column 5, row 3"), DataError);
}

TEST_CASE("a file of EMIT that is cut off is refused, and others are left to GDAL") {
  const TemporaryFolder folder;
  const std::string path = folder.file(kName);
  EmitFile::write(path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  CHECK_THROWS_WITH_AS((void)open_product(path), doctest::Contains("damaged or cut off"), DataError);
  std::filesystem::rename(path, folder.file("other.nc"));
  CHECK_FALSE(open_product(folder.file("other.nc")));
  CHECK_FALSE(open_product(folder.file("missing.nc")));
  {
    Hdf5Writer file(folder.file("plain.nc"));
    file.array<float>("reflectance", {1, 1, 1}, {0});
  }
  CHECK_FALSE(open_product(folder.file("plain.nc")));
}

TEST_CASE("files of the layout of EMIT that GDAL tests with are read") {
  const auto data = toy::data_folder();
  if (!data) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  for (const std::string name : {"fake_EMIT_L2A.nc", "fake_EMIT_L2A_with_good_wavelengths.nc"}) {
    const std::optional<OpenScene> scene = open_product(*data + "/products/" + name);
    REQUIRE(scene);
    CHECK(scene->description.product == "EMIT L2A");
    CHECK(scene->source->grid().width == 2);
    CHECK(scene->source->bands().size() == 2);
    REQUIRE(scene->geometry != nullptr);
    CHECK(scene->geometry->grid().geotransform == std::array<double, 6>{1, 1, 0, 4, 0, -1});
    std::vector<std::int64_t> pixels;
    scene->geometry->read({0, 0, 3, 3}, pixels);
    CHECK(pixels.size() == 9);
    Spectra values;
    scene->source->read({0, 0, 2, 2}, {0, 1}, values);
    CHECK(values.rows() == 4);
  }
}

}  // namespace parsimap::test
