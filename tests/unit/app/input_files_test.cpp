#include "parsimap/app/input_files.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/scene.hpp"
#include "parsimap/io/json/model_file.hpp"

#include "support/small_scene.hpp"
#include "unit/io/matlab/matlab_fixture.hpp"

namespace parsimap::test {
namespace {

// The scene and the reference map of SmallScene as MATLAB files, as benchmark scenes are published.
class MatlabScene {
 public:
  explicit MatlabScene(mat_ft version = MAT_FT_MAT5) {
    const auto scene = open_scene(SmallScene::instance().scene()).source;
    const auto bands = static_cast<Index>(scene->bands().size());
    const Index height = scene->grid().height;
    const Index width = scene->grid().width;
    Indices all;
    for (Index band = 0; band < bands; ++band) {
      all.push_back(band);
    }
    Spectra values;
    scene->read({0, 0, width, height}, all, values);
    std::vector<float> cube(static_cast<std::size_t>(values.size()));
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(width * height), 0);
    for (Index pixel = 0; pixel < values.rows(); ++pixel) {
      const Index place = pixel / width + height * (pixel % width);
      for (Index band = 0; band < bands; ++band) {
        cube[static_cast<std::size_t>(place + height * width * band)] = values(pixel, band);
      }
    }
    const RasterGrid& grid = scene->grid();
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

TEST_CASE("MATLAB files are told by their extension") {
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
  add_inputs(outputs, std::vector<OptionFile>{{"--colours", small.polygons()}});
  for (const std::string file :
       {"scene/scene.img", "scene/scene.hdr", "scene/reference.tif.aux.xml", "scene/training.gpkg"}) {
    CAPTURE(file);
    CHECK(contains(message_of([&] { outputs.stage("MAP", small.file(file)); }), "an input cannot be replaced"));
  }
}

TEST_CASE("what a killed command left is put in order, and told") {
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

}  // namespace parsimap::test
