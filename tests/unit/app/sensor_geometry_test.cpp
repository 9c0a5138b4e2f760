// Scenes in the sensor's own geometry, from the file to the map, with and without --orthorectify.
#include <doctest/doctest.h>
#include <gdal_priv.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "parsimap/app/assess.hpp"
#include "parsimap/app/input_files.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/gdal/scene.hpp"

#include "support/emit_file.hpp"
#include "support/small_scene.hpp"

namespace parsimap::test {
namespace {

std::string square(const std::string& name, double column, double row, double width, double height) {
  std::string ring;
  for (const auto& [c, r] : {std::pair{column, row},
                             {column + width, row},
                             {column + width, row + height},
                             {column, row + height},
                             {column, row}}) {
    const auto [x, y] = EmitFile::place(c, r);
    ring += (ring.empty() ? "[" : ",[") + std::to_string(x) + "," + std::to_string(y) + "]";
  }
  return R"({"type":"Feature","properties":{"class":")" + name + R"("},"geometry":{"type":"Polygon","coordinates":[[)" +
         ring + "]]}}";
}

// A scene of EMIT, and polygons on the map of what its left and its right half show.
class EmitScene {
 public:
  EmitScene() {
    EmitFile::write(scene(), {false, true, {8, 24, 6}});
    write_file(labels(), R"({"type":"FeatureCollection","features":[)" + square("left", 2, 4, 7, 9) + "," +
                             square("left", 3, 18, 6, 7) + "," + square("right", 14, 3, 8, 8) + "," +
                             square("right", 15, 16, 7, 10) + "]}");
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] std::string scene() const { return file("EMIT_L2A_RFL_001_20220816T120000_2222808_003.nc"); }
  [[nodiscard]] std::string labels() const { return file("labels.geojson"); }

  void train_model(const std::string& model, bool orthorectify) const {
    TrainOptions options;
    options.scene.path = scene();
    options.scene.orthorectify = orthorectify;
    options.labels.files = {labels()};
    options.labels.options.class_field = "class";
    options.model = model;
    train(options);
  }
  void classify(const std::string& model, const std::string& map_file, bool orthorectify) const {
    MapOptions options;
    options.scene.path = scene();
    options.scene.orthorectify = orthorectify;
    options.model = model;
    options.map = map_file;
    map(options);
  }

 private:
  TemporaryFolder folder_;
};

std::vector<std::uint16_t> codes_of(ClassMapSource& map) {
  std::vector<std::uint16_t> codes;
  map.read({0, 0, map.grid().width, map.grid().height}, codes);
  return codes;
}

}  // namespace

TEST_CASE("a scene in the sensor's geometry is trained on labels of the map and mapped with control points") {
  const EmitScene emit;
  emit.train_model(emit.file("model"), false);
  for (const std::string name : {"map.tif", "map.img", "map.png"}) {
    emit.classify(emit.file("model"), emit.file(name), false);
    const auto map = open_class_map(emit.file(name));
    const RasterGrid& grid = map->grid();
    CHECK(grid.width == EmitFile::kWidth);
    CHECK(grid.height == EmitFile::kHeight);
    CHECK_FALSE(grid.geotransform);
    CAPTURE(name);
    REQUIRE(grid.control_points.size() == 400);
    for (const ControlPoint& point : grid.control_points) {
      const auto [x, y] = EmitFile::place(point.column, point.row);
      CHECK(point.x == doctest::Approx(x).epsilon(1e-12));
      CHECK(point.y == doctest::Approx(y).epsilon(1e-12));
    }
    const std::vector<std::uint16_t> codes = codes_of(*map);
    for (int pixel = 0; pixel < EmitFile::kWidth * EmitFile::kHeight; ++pixel) {
      const int expected = pixel == EmitFile::kMissing ? 0 : pixel % EmitFile::kWidth < EmitFile::kWidth / 2 ? 1 : 2;
      CHECK(codes[static_cast<std::size_t>(pixel)] == expected);
    }
  }
}

TEST_CASE("an orthorectified map lies on the grid of the lookup table and shows what the map in the sensor's does") {
  const EmitScene emit;
  emit.train_model(emit.file("model"), true);
  emit.classify(emit.file("model"), emit.file("map.tif"), true);
  const auto map = open_class_map(emit.file("map.tif"));
  const RasterGrid& grid = map->grid();
  CHECK(grid.width == EmitFile::kMapWidth);
  CHECK(grid.height == EmitFile::kMapHeight);
  CHECK(grid.geotransform == EmitFile::kTransform);
  CHECK(grid.control_points.empty());
  const std::vector<std::uint16_t> codes = codes_of(*map);
  for (int row = 0; row < EmitFile::kMapHeight; ++row) {
    for (int column = 0; column < EmitFile::kMapWidth; ++column) {
      const int shown = EmitFile::shown(column, row);
      const int expected = shown < 0 || shown == EmitFile::kMissing          ? 0
                           : shown % EmitFile::kWidth < EmitFile::kWidth / 2 ? 1
                                                                             : 2;
      CHECK(codes[static_cast<std::size_t>(row * EmitFile::kMapWidth + column)] == expected);
    }
  }
}

TEST_CASE("labels on the map and on the sensor's pixels are the same") {
  const EmitScene emit;
  const InputScene scene = open_input_scene({emit.scene()});
  LabelInput input{{emit.labels()}, {}};
  input.options.class_field = "class";
  const LabelledPixels carried = read_label_input(input, *scene.source);
  REQUIRE(carried.pixels.size() > 150);
  CHECK(carried.has_regions);
  for (const LabelledPixel& label : carried.pixels) {
    CHECK((label.pixel % EmitFile::kWidth < EmitFile::kWidth / 2) == (label.label == 0));
  }
  // A map of the sensor's size is taken as it is.
  emit.train_model(emit.file("model"), false);
  emit.classify(emit.file("model"), emit.file("map.tif"), false);
  const LabelledPixels own = read_label_input({{emit.file("map.tif")}, {}}, *scene.source);
  CHECK(own.pixels.size() == EmitFile::kWidth * EmitFile::kHeight - 1);
  // One that lies on the map is brought to the sensor.
  emit.classify(emit.file("model"), emit.file("ortho.tif"), true);
  const LabelledPixels brought = read_label_input({{emit.file("ortho.tif")}, {}}, *scene.source);
  REQUIRE(brought.pixels.size() > 600);
  for (const LabelledPixel& label : brought.pixels) {
    CHECK((label.pixel % EmitFile::kWidth < EmitFile::kWidth / 2) == (label.label == 0));
  }
}

TEST_CASE("quality layers lie on the sensor's pixels, and a mask on the grid that is classified") {
  const EmitScene emit;
  EmitFile::write_mask(emit.file("EMIT_L2A_MASK_001_20220816T120000_2222808_003.nc"));
  SceneInput input{emit.scene()};
  input.orthorectify = true;
  const auto valid = [](SceneSource& scene) {
    Spectra values;
    scene.read({0, 0, scene.grid().width, scene.grid().height}, {0}, values);
    return (values.array() == values.array()).count();
  };
  const Index clear = valid(*open_input_scene(input).source);
  input.quality = std::vector<std::string>{"none"};
  const Index all = valid(*open_input_scene(input).source);
  Index cloudy = 0;
  for (int i = 0; i < EmitFile::kMapWidth * EmitFile::kMapHeight; ++i) {
    const int shown = EmitFile::shown(i % EmitFile::kMapWidth, i / EmitFile::kMapWidth);
    cloudy += shown >= 0 && shown < EmitFile::kWidth ? 1 : 0;
  }
  CHECK(all - clear == cloudy);
  emit.train_model(emit.file("model"), true);
  emit.classify(emit.file("model"), emit.file("mask.tif"), true);
  input.mask = emit.file("mask.tif");
  CHECK_NOTHROW(open_input_scene(input));
  input.orthorectify = false;
  CHECK_THROWS_WITH_AS(open_input_scene(input), doctest::Contains("a mask must lie on the scene's grid"), DataError);
}

TEST_CASE("--orthorectify needs a lookup table") {
  SceneInput input{SmallScene::instance().scene()};
  input.orthorectify = true;
  CHECK_THROWS_WITH_AS(open_input_scene(input), doctest::Contains("comes with none; it lies on a map grid already"),
                       ConfigError);
  const EmitScene emit;
  emit.train_model(emit.file("model"), false);
  emit.classify(emit.file("model"), emit.file("map.tif"), false);
  input.path = emit.file("map.tif");
  CHECK_THROWS_WITH_AS(open_input_scene(input), doctest::Contains("only with the coordinates of its pixels"),
                       ConfigError);
}

TEST_CASE("a map with control points alone is not held against labels of the map") {
  const EmitScene emit;
  emit.train_model(emit.file("model"), false);
  emit.classify(emit.file("model"), emit.file("map.tif"), false);
  AssessOptions options;
  options.map = emit.file("map.tif");
  options.reference.files = {emit.labels()};
  options.reference.options.class_field = "class";
  Listener deaf;
  CHECK_THROWS_WITH_AS(assess_map(options, deaf), doctest::Contains("with --orthorectify the scene and its map lie on"),
                       DataError);
  emit.classify(emit.file("model"), emit.file("ortho.tif"), true);
  options.map = emit.file("ortho.tif");
  CHECK_NOTHROW(assess_map(options, deaf));
}

}  // namespace parsimap::test
