#include "cli/input_files.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/io/json/model_file.hpp"

#include "unit/cli/program_runner.hpp"
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

TEST_CASE("a MATLAB scene is trained on, mapped and assessed like the same scene elsewhere") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  REQUIRE(run({"train", small.scene(), small.reference(), folder.file("m"), "--samples-per-class", "40"}).code == 0);
  const Model expected = load_model(folder.file("m"));
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    const MatlabScene matlab(version);
    const Outcome train = run({"train", matlab.scene(), matlab.labels(), matlab.file("m"), "--label-variable",
                               "small_gt", "--samples-per-class", "40"});
    CAPTURE(train.err);
    REQUIRE(train.code == 0);
    const Model model = load_model(matlab.file("m"));
    CHECK(model.support_spectra == expected.support_spectra);
    CHECK(model.provenance.inputs[0].bytes > 0);
    REQUIRE(run({"classify", matlab.scene(), matlab.file("m"), matlab.file("map.tif")}).code == 0);
    const Outcome assess =
        run({"assess", matlab.file("map.tif"), matlab.labels(), "--label-variable", "small_gt", "--json"});
    REQUIRE(assess.code == 0);
    CHECK(nlohmann::json::parse(assess.out).at("pixels") == 720);
    const Outcome info = run({"info", matlab.scene(), "--variable", "small"});
    CHECK(contains(info.out, "Format:         MATLAB"));
    CHECK(contains(info.out, "30 x 24 pixels, 12 bands"));
  }
}

TEST_CASE("variables and vector options go with the files that have them") {
  const SmallScene& small = SmallScene::instance();
  const MatlabScene matlab;
  const auto refusal = [&](std::vector<std::string> arguments, int code) {
    const Outcome outcome = run(arguments);
    CHECK(outcome.code == code);
    return outcome.err;
  };
  CHECK(contains(refusal({"info", matlab.labels()}, 3), "has no array of rows x columns x bands real numbers"));
  CHECK(contains(refusal({"info", matlab.scene(), "--variable", "other"}, 3), "has no array 'other' of rows"));
  CHECK(contains(refusal({"info", small.scene(), "--variable", "other"}, 2),
                 "is no MATLAB file (.mat); it has no variable 'other' to choose"));
  CHECK(contains(refusal({"train", matlab.scene(), matlab.labels(), matlab.file("m")}, 3), "name one of them"));
  CHECK(contains(refusal({"train", matlab.scene(), matlab.labels(), matlab.file("m"), "--class-field", "class"}, 2),
                 "is a MATLAB file; a class field or a condition only goes with vector labels"));
  CHECK(contains(refusal({"train", small.scene(), small.reference(), matlab.file("m"), "--label-variable", "x"}, 2),
                 "is no MATLAB file"));
}

}  // namespace parsimap::test
