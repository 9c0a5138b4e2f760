#include "parsimap/commands/input_files.hpp"

#include <doctest/doctest.h>

#include "parsimap/commands/assess.hpp"
#include "parsimap/commands/inspect.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/commands/suggest.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/mapping/model_scene.hpp"

#include "support/emit_file.hpp"
#include "support/memory_scene.hpp"
#include "support/scene_values.hpp"
#include "support/small_scene.hpp"
#include "unit/commands/map_codes.hpp"
#include "unit/commands/mask_file.hpp"
#include "unit/commands/stretched_scene.hpp"
#include "unit/matlab/matlab_fixture.hpp"

namespace parsimap::test {

namespace {

// The scene and the reference map of SmallScene as MATLAB files, as benchmark scenes are published.
class MatlabScene {
 public:
  explicit MatlabScene(mat_ft version = MAT_FT_MAT5) {
    const auto scene = open_scene(SmallScene::instance().scene()).source;
    const RasterGrid& grid = scene->grid();
    const Index height = grid.height;
    const Index width = grid.width;
    const Spectra values = values_of(SmallScene::instance().scene());
    std::vector<float> cube(static_cast<std::size_t>(values.size()));
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(width * height), 0);
    for (Index pixel = 0; pixel < values.rows(); ++pixel) {
      const Index place = pixel / width + height * (pixel % width);
      for (Index band = 0; band < values.cols(); ++band) {
        cube[static_cast<std::size_t>(place + height * width * band)] = values(pixel, band);
      }
    }
    const LabelledPixels labels = read_labels(SmallScene::instance().reference(), {}, grid, "");
    for (const LabelledPixel& label : labels.pixels) {
      const Index place = label.pixel / width + height * (label.pixel % width);
      codes[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(label.label + 1);
    }
    const auto rows = static_cast<std::size_t>(height);
    const auto columns = static_cast<std::size_t>(width);
    MatlabWriter(folder_.file("small.mat"), version).add("small", {rows, columns, 12}, cube);
    MatlabWriter maps(folder_.file("small_gt.mat"), version);
    maps.add("small_gt", {rows, columns}, codes);
    maps.add("twin", {rows, columns}, std::vector<std::uint8_t>(rows * columns, 1));
  }

  [[nodiscard]] std::string scene() const { return folder_.file("small.mat"); }
  [[nodiscard]] std::string labels() const { return folder_.file("small_gt.mat"); }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("MATLAB files are recognised by their extension") {
  CHECK(is_matlab_file("PaviaU.mat"));
  CHECK(is_matlab_file("/data/PAVIA.MAT"));
  CHECK_FALSE(is_matlab_file("scene.tif"));
  CHECK_FALSE(is_matlab_file("mat"));
}

TEST_CASE("a MATLAB scene is trained on and mapped like the same scene elsewhere") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions options = small.raster_training(folder.file("m"));
  options.sampling = parse_sampling_rule("constant:40");
  const Model expected = train(options).model;
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    const MatlabScene matlab(version);
    options.scene.path = matlab.scene();
    options.labels = {{matlab.labels()}, {}, "small_gt"};
    options.model = matlab.file("m");
    const Model model = train(options).model;
    CHECK(model.support_spectra == expected.support_spectra);
    CHECK(model.provenance.inputs[0].bytes > 0);
    MapOptions mapping = small.mapping(matlab.file("map.tif"));
    mapping.scene.path = matlab.scene();
    mapping.model = matlab.file("m");
    CHECK(map(mapping).classified == 720);
    const InputScene scene = open_input_scene({matlab.scene(), "small"});
    CHECK(scene.description.driver == "MATLAB");
    CHECK(scene.source->bands().size() == 12);
  }
}

TEST_CASE("variables and vector options go with the files that have them") {
  const SmallScene& small = SmallScene::instance();
  const MatlabScene matlab;
  const RasterGrid grid = open_input_scene({small.scene()}).source->grid();
  const auto scene_refusal = [&](const SceneInput& input) { return message_of([&] { open_input_scene(input); }); };
  const auto label_refusal = [&](const LabelInput& input) {
    return message_of([&] { read_label_input(input, grid, "scene"); });
  };
  CHECK(contains(scene_refusal({matlab.labels()}), "has no array of rows x columns x bands real numbers"));
  CHECK(contains(scene_refusal({matlab.scene(), "other"}), "has no array 'other' of rows"));
  CHECK(scene_refusal({small.scene(), "other"}) ==
        small.scene() + " is no MATLAB file (.mat); it has no variable 'other' to choose");
  CHECK(contains(label_refusal({{matlab.labels()}, {}}), "name one of them"));
  CHECK(label_refusal({{matlab.labels()}, {"class", {}}}) ==
        matlab.labels() + " is a MATLAB file; a class field or a condition only goes with vector labels");
  CHECK(contains(label_refusal({{small.reference()}, {}, "x"}), "is no MATLAB file"));
}

TEST_CASE("outputs replace neither inputs nor what belongs to them") {
  const SmallScene& small = SmallScene::instance();
  OutputSet outputs(true);
  add_inputs(outputs, open_input_scene({small.file("scene/scene.img")}));
  add_inputs(outputs, "LABELS", small.reference());
  add_inputs(outputs, "--colours", small.polygons());
  for (const std::string file :
       {"scene/scene.img", "scene/scene.hdr", "scene/reference.tif.aux.xml", "scene/training.gpkg"}) {
    CAPTURE(file);
    CHECK(contains(message_of([&] { outputs.stage("MAP", small.file(file)); }), "an input cannot be replaced"));
  }
}

TEST_CASE("what a killed command left is put in order and reported") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file(".parsimap-1-0"));
  write_file(folder.file("map.tif"), "new");
  write_file(folder.file(".parsimap-1-0/kept-0"), "old");
  std::string record = "moves of parsimap, form 1";
  for (const std::string& field : {std::string(), folder.file("map.tif"), folder.file(".parsimap-1-0/kept-0")}) {
    record += '\0' + field;
  }
  write_file(folder.file(".parsimap-1-0/record"), record + std::string("\0"
                                                                       "1\0",
                                                                       3));
  struct : Listener {
    void message(const std::string& text) override { messages.push_back(text); }
    std::vector<std::string> messages;
  } listener;
  repair_files({folder.file("map.tif"), folder.file("absent/x"), "plain"}, listener);
  CHECK(file_content(folder.file("map.tif")) == "old");
  CHECK(folder.names() == std::vector<std::string>{"map.tif"});
  REQUIRE(listener.messages.size() == 1);
  CHECK(contains(listener.messages.front(), folder.file("map.tif") + "' but not all that goes with it"));
}

// Scenes in the sensor's own geometry, from the file to the map.
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
    write_file(file("labels.geojson"), R"({"type":"FeatureCollection","features":[)" + square("left", 2, 4, 7, 9) +
                                           "," + square("left", 3, 18, 6, 7) + "," + square("right", 14, 3, 8, 8) +
                                           "," + square("right", 15, 16, 7, 10) + "]}");
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] std::string scene() const { return file("EMIT_L2A_RFL_001_20220816T120000_2222808_003.nc"); }
  [[nodiscard]] LabelInput labels() const { return {{file("labels.geojson")}, {.class_field = "class", .where = {}}}; }

  void train_model(bool orthorectify) const {
    TrainOptions options;
    options.scene = {.path = scene(), .orthorectify = orthorectify};
    options.labels = labels();
    options.model = file("model");
    train(options);
  }
  // The path of the map.
  [[nodiscard]] std::string classify(const std::string& name, bool orthorectify) const {
    MapOptions options;
    options.scene = {.path = scene(), .orthorectify = orthorectify};
    options.model = file("model");
    options.map = file(name);
    map(options);
    return options.map;
  }

 private:
  TemporaryFolder folder_;
};

// The code of a pixel of the sensor, or of none (-1).
int code_of(int pixel) {
  return pixel < 0 || pixel == EmitFile::kMissing ? 0 : pixel % EmitFile::kWidth < EmitFile::kWidth / 2 ? 1 : 2;
}

void check_halves(const LabelledPixels& labels) {
  for (const LabelledPixel& label : labels.pixels) {
    CHECK((label.pixel % EmitFile::kWidth < EmitFile::kWidth / 2) == (label.label == 0));
  }
}

}  // namespace

TEST_CASE("a scene in the sensor's geometry is trained on labels of the map and mapped with control points") {
  const EmitScene emit;
  emit.train_model(false);
  for (const std::string name : {"map.tif", "raw.img", "picture.png"}) {
    const auto map = open_class_map(emit.classify(name, false));
    const RasterGrid& grid = map->grid();
    CHECK(grid.width == EmitFile::kWidth);
    CHECK(grid.height == EmitFile::kHeight);
    CHECK_FALSE(grid.geotransform);
    CAPTURE(name);
    // ENVI holds four, with few digits.
    const bool envi = name == "raw.img";
    REQUIRE(grid.control_points.size() == (envi ? 4 : 400));
    for (const ControlPoint& point : grid.control_points) {
      const auto [x, y] = EmitFile::place(point.column, point.row);
      CHECK(point.x == doctest::Approx(x).epsilon(envi ? 1e-6 : 1e-12));
      CHECK(point.y == doctest::Approx(y).epsilon(envi ? 1e-6 : 1e-12));
    }
    const std::vector<std::uint16_t> codes = codes_of(*map);
    for (int pixel = 0; pixel < EmitFile::kWidth * EmitFile::kHeight; ++pixel) {
      CHECK(codes[static_cast<std::size_t>(pixel)] == code_of(pixel));
    }
  }
}

TEST_CASE("an orthorectified map lies on the grid of the lookup table and shows what the map in the sensor's does") {
  const EmitScene emit;
  emit.train_model(true);
  const auto map = open_class_map(emit.classify("map.tif", true));
  const RasterGrid& grid = map->grid();
  CHECK(grid.width == EmitFile::kMapWidth);
  CHECK(grid.height == EmitFile::kMapHeight);
  CHECK(grid.geotransform == EmitFile::kTransform);
  CHECK(grid.control_points.empty());
  const std::vector<std::uint16_t> codes = codes_of(*map);
  for (int row = 0; row < EmitFile::kMapHeight; ++row) {
    for (int column = 0; column < EmitFile::kMapWidth; ++column) {
      CHECK(codes[static_cast<std::size_t>(row * EmitFile::kMapWidth + column)] ==
            code_of(EmitFile::shown(column, row)));
    }
  }
}

TEST_CASE("labels on the map and on the sensor's pixels are the same") {
  const EmitScene emit;
  const InputScene scene = open_input_scene({emit.scene()});
  const LabelledPixels carried = read_label_input(emit.labels(), *scene.source);
  REQUIRE(carried.pixels.size() > 150);
  CHECK(carried.has_regions);
  check_halves(carried);
  // A map of the sensor's size is taken as it is.
  emit.train_model(false);
  const LabelledPixels own = read_label_input({{emit.classify("map.tif", false)}, {}}, *scene.source);
  CHECK(own.pixels.size() == EmitFile::kWidth * EmitFile::kHeight - 1);
  // One that lies on the map is brought to the sensor.
  const LabelledPixels brought = read_label_input({{emit.classify("ortho.tif", true)}, {}}, *scene.source);
  REQUIRE(brought.pixels.size() > 600);
  check_halves(brought);
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
  emit.train_model(true);
  input.mask = emit.classify("mask.tif", true);
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
  emit.train_model(false);
  input.path = emit.classify("map.tif", false);
  CHECK_THROWS_WITH_AS(open_input_scene(input), doctest::Contains("only with the coordinates of its pixels"),
                       ConfigError);
}

TEST_CASE("a map with control points alone is not compared with labels of the map") {
  const EmitScene emit;
  emit.train_model(false);
  AssessOptions options;
  options.map = emit.classify("map.tif", false);
  options.reference = emit.labels();
  Listener silent;
  CHECK_THROWS_WITH_AS(assess_map(options, silent),
                       doctest::Contains("with --orthorectify the scene and its map lie on"), DataError);
  options.map = emit.classify("ortho.tif", true);
  CHECK_NOTHROW(assess_map(options, silent));
}

TEST_CASE("a scene in the place of a model and a model in that of a scene are called what they are") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions options = small.mapping(folder.file("map.tif"));
  std::swap(options.model, options.scene.path);
  CHECK_THROWS_AS(map(options), DataError);
  CHECK(message_of([&] { map(options); }) ==
        small.model() + " is a model of parsimap: SCENE is the image with the spectra");
  options.scene.path = small.scene();
  CHECK(message_of([&] { map(options); }) ==
        small.scene() + " is a raster: MODEL is a file that 'parsimap train' has written");
}

TEST_CASE("labels in the place of the scene, and a model in that of labels") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions options = small.training(folder.file("model"));
  options.scene.path = small.polygons();
  CHECK_THROWS_AS(train(options), DataError);
  CHECK(message_of([&] { train(options); }) ==
        small.polygons() + " is a vector file: SCENE is the image with the spectra");
  options = small.training(folder.file("model"));
  options.labels.files = {small.model()};
  CHECK(message_of([&] { train(options); }) ==
        small.model() + " is a model of parsimap: labels are a class raster or a vector file");
  options.labels.files = {folder.file("absent.gpkg")};
  CHECK(contains(message_of([&] { train(options); }), "absent.gpkg cannot be opened"));
}

TEST_CASE("a raster or a vector file is not replaced by a model") {
  const SmallScene& small = SmallScene::instance();
  TrainOptions options = small.raster_training(small.polygons());
  options.overwrite = true;
  CHECK_THROWS_AS(train(options), ConfigError);
  CHECK(message_of([&] { train(options); }) ==
        small.polygons() + " is a vector file: MODEL, the third argument, is the model file to write; SCENE and " +
            "LABELS come before it");
  // Nor is a file that nobody knows.
  const TemporaryFolder folder;
  options.model = folder.file("notes.txt");
  write_file(options.model, "mine");
  CHECK(contains(message_of([&] { train(options); }), "notes.txt' is no model of parsimap and is not replaced by one"));
  CHECK(file_content(options.model) == "mine");
}

namespace {

InputScene scene_at(const std::vector<double>& wavelengths, const Indices& bad = {}) {
  BandTable bands;
  Spectra values(1, static_cast<Index>(wavelengths.size()));
  for (std::size_t i = 0; i < wavelengths.size(); ++i) {
    bands.push_back({.wavelength = wavelengths[i], .fwhm = 10});
    values(0, static_cast<Index>(i)) = static_cast<float>(i);
  }
  for (const Index band : bad) {
    bands[static_cast<std::size_t>(band)].bad = true;
  }
  RasterGrid grid;
  grid.width = 1;
  grid.height = 1;
  return {{"s.tif"}, std::make_unique<MemoryScene>("s.tif", grid, bands, values), {}, {}};
}

Model model_at(const std::vector<double>& wavelengths) {
  Model model;
  model.scene_bands = static_cast<Index>(wavelengths.size());
  for (const double wavelength : wavelengths) {
    model.bands.push_back(static_cast<Index>(model.bands.size()));
    model.band_table.push_back({.wavelength = wavelength, .fwhm = 10});
  }
  return model;
}

std::string refusal_of_bands(InputScene scene, const Model& model, bool resample) {
  RecordingListener listener;
  return message_of([&] { fit_bands(scene, model, resample, listener); });
}

}  // namespace

TEST_CASE("a scene whose spectra are unlike those of training in size is told") {
  const auto warnings = [](double learnt) {
    Model model = model_at({500, 600});
    model.support_spectra = Matrix::Constant(3, 2, learnt);
    model.scaling = {Vector::Zero(2), Vector::Ones(2)};
    InputScene scene = scene_at({500, 600});  // its values are 0 and 1
    RecordingListener listener;
    fit_bands(scene, model, false, listener);
    return listener.warnings;
  };
  CHECK(warnings(std::sqrt(0.5) * 4.9).empty());
  REQUIRE(warnings(std::sqrt(0.5) * 5.1).size() == 1);
  CHECK(contains(warnings(7.1)[0], "s.tif: its spectra are usually 0.1 times as large as those of training"));
  CHECK(warnings(0.1).size() == 1);
  CHECK_THROWS_WITH_AS(warnings(20), doctest::Contains("which are different units"), DataError);
}

TEST_CASE("a scene most of whose pixels lie outside of the training values is told, with their share") {
  const auto warnings = [](const std::vector<double>& low, const std::vector<double>& high) {
    Model model = model_at({500, 600});
    model.support_spectra = Matrix{{low[0], low[1]}, {high[0], high[1]}};
    model.scaling = {Vector::Zero(2), Vector::Ones(2)};
    InputScene scene = scene_at({500, 600});  // its values are 0 and 1
    RecordingListener listener;
    fit_bands(scene, model, false, listener);
    return listener.warnings;
  };
  CHECK(warnings({0, 0}, {1, 1}).empty());
  CHECK(warnings({0.05, 0.05}, {0.95, 0.95}).empty());  // near the range
  CHECK(warnings({0.5, 0.2}, {1.5, 1.2}).empty());      // one band of two
  REQUIRE(warnings({0.5, 0.1}, {0.9, 0.6}).size() == 1);
  CHECK(contains(warnings({0.5, 0.1}, {0.9, 0.6})[0],
                 "s.tif: 100 % of its pixels lie outside of the values of training in most bands"));
  CHECK(warnings({1.5, 1.5}, {2, 2}).size() == 1);
  CHECK(warnings({1.5, 1.5}, {1.5, 1.5}).empty());  // constant
}

TEST_CASE("training, inspection and suggestion warn of a scene that is an output of a map") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions mapping = small.mapping(folder.file("map.tif"));
  mapping.layers = {{MapLayer::probabilities, folder.file("p.tif")}};
  map(mapping);
  const auto is_warned = [](const RecordingListener& listener) {
    return std::ranges::any_of(listener.coded(), [](const Warning& one) { return one.code == "scene-is-output"; });
  };
  for (const bool output : {true, false}) {
    CAPTURE(output);
    const std::string scene = output ? folder.file("p.tif") : small.scene();
    TrainOptions training = small.training(folder.file("model"));
    training.scene.path = scene;
    training.overwrite = true;
    RecordingListener of_train;
    train_scene(training, of_train);
    CHECK(is_warned(of_train) == output);
    InspectOptions inspection;
    inspection.scene.path = scene;
    inspection.model = folder.file("model");
    inspection.labels = training.labels;
    inspection.repeats = 1;
    RecordingListener of_inspect;
    inspect_scene(inspection, of_inspect);
    CHECK(is_warned(of_inspect) == output);
    SuggestOptions suggestion;
    suggestion.scene.path = scene;
    suggestion.model = folder.file("model");
    suggestion.places = folder.file("places.gpkg");
    suggestion.count = 2;
    suggestion.overwrite = true;
    RecordingListener of_suggest;
    suggest_places(suggestion, of_suggest);
    CHECK(is_warned(of_suggest) == output);
  }
  // Maps themselves are no scenes either, but may be mapped.
  RecordingListener listener;
  warn_of_own_output(folder.file("map.tif"), listener);
  CHECK(is_warned(listener));
}

TEST_CASE("a mask and a region stay the outermost of a scene, whose surroundings are those without them") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const Model model = load_model(small.model());
  REQUIRE(model.value_range);
  Listener silent;
  const auto read = [](SceneSource& scene) {
    Spectra values;
    scene.read({0, 0, 30, 24}, consecutive(12), values);
    return values;
  };
  InputScene plain = open_input_scene({.path = small.scene()});
  fit_bands(plain, model, false, silent);
  for (const bool by_position : {false, true}) {
    SceneInput input{.path = small.scene()};
    input.bands_by_position = by_position;
    input.mask = write_mask(folder, 30, 10);
    input.region = small.polygons();
    InputScene scene = open_input_scene(input);
    fit_bands(scene, model, false, silent);
    MaskedScene* const masked = scene.source->masked();
    REQUIRE(masked != nullptr);
    CHECK(read(masked->whole()) == read(*plain.source));
    CHECK(std::isnan(read(*scene.source)(0, 0)));
  }
}

TEST_CASE("a scene that has the bands of the model stays as it is") {
  InputScene scene = scene_at({500, 510, 520});
  const SceneSource* const source = scene.source.get();
  RecordingListener listener;
  CHECK_FALSE(fit_bands(scene, model_at({502, 519}), true, listener));
  CHECK(scene.source.get() == source);
}

TEST_CASE("a band of the model that the scene marks as bad is told, unless training used it in spite of its mark") {
  Model model = model_at({502, 519});
  const auto warnings = [&] {
    InputScene scene = scene_at({500, 510, 520}, {1, 2});
    RecordingListener listener;
    fit_bands(scene, model, false, listener);
    return listener.coded();
  };
  REQUIRE(warnings().size() == 1);
  CHECK(warnings()[0].code == "bad-bands");
  CHECK(warnings()[0].text ==
        "s.tif: the model uses bands that the scene marks as bad: 3; train --exclude-bands leaves them out");
  model.band_table[1].bad = true;
  CHECK(warnings().empty());
}

TEST_CASE("a scene with bands elsewhere gets those of the model, from bands that are not bad") {
  const Model model = model_at({506, 530});
  InputScene scene = scene_at({500, 512, 524, 536, 548}, {1});
  RecordingListener listener;
  const std::optional<ResamplingFacts> facts = fit_bands(scene, model, true, listener);
  REQUIRE(facts);
  CHECK(facts->scene == "s.tif");
  CHECK(facts->scene_bands == 5);
  CHECK(facts->used_bands == 3);
  CHECK(match_bands(*scene.source, model) == Indices{0, 1});
  Spectra values;
  scene.source->read({0, 0, 1, 1}, {0, 1}, values);
  CHECK(values(0, 0) == doctest::Approx(0.5));
  CHECK(values(0, 1) == doctest::Approx(2.5));
}

TEST_CASE("the refusal names --resample where that would help") {
  const Model model = model_at({508, 526});
  CHECK(refusal_of_bands(scene_at({500, 515, 530}), model, false)
            .ends_with("; --resample computes them from the bands that there are"));
  CHECK(refusal_of_bands(scene_at({500, 505}), model, false).find("--resample") == std::string::npos);
  CHECK(refusal_of_bands(scene_at({500, 505}), model, true)
            .find("s.tif cannot be resampled: it has no bands near enough") == 0);
}

TEST_CASE("maps, suggestions and inspections of a scene with bands elsewhere") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string scene = folder.file("stretched.tif");
  write_stretched_scene(small.scene(), scene);
  MapOptions options = small.mapping(folder.file("map.tif"));
  options.scene.path = scene;
  options.report = folder.file("map.html");
  CHECK(message_of([&] { map(options); }).find("--resample") != std::string::npos);
  options.resample = true;
  const MappingRecord record = map(options);
  REQUIRE(record.resampled);
  CHECK(record.resampled->scene_bands == 12);
  CHECK(record.resampled->bands == 12);
  CHECK(contains(read_text_file(folder.file("map.html")), resampling_text(*record.resampled)));
  const std::vector<std::uint16_t> codes = codes_of(folder.file("map.tif"));
  const std::vector<std::uint16_t> expected = codes_of(small.map());
  std::size_t same = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    same += codes[i] == expected[i] ? 1 : 0;
  }
  CHECK(same > 9 * codes.size() / 10);

  Listener silent;
  SuggestOptions suggest{};
  suggest.scene = {scene};
  suggest.model = small.model();
  suggest.resample = true;
  suggest.count = 3;
  suggest.places = folder.file("places.gpkg");
  CHECK(suggest_places(suggest, silent).resampled);
  InspectOptions inspect{{}, small.model(), {scene}, {{small.polygons()}, {"class", {}}}, true};
  CHECK(inspect_scene(inspect, silent).resampled);
}

}  // namespace parsimap::test
