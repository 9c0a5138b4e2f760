#include "commands/training/training_scenes.hpp"

#include <doctest/doctest.h>
#include <gdal_priv.h>
#include <gdal_utils.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/report/validation_report.hpp"

#include "support/small_scene.hpp"
#include "unit/commands/stretched_scene.hpp"

namespace parsimap::test {

namespace {

// Writes rows of a raster as another one.
void write_rows(const std::string& from, const std::string& path, int first, int rows) {
  GDALAllRegister();
  const GDALDatasetUniquePtr source(GDALDataset::Open(from.c_str()));
  REQUIRE(source != nullptr);
  CPLStringList arguments;
  for (const std::string& word : {std::string("-srcwin"), std::string("0"), std::to_string(first),
                                  std::to_string(source->GetRasterXSize()), std::to_string(rows)}) {
    arguments.AddString(word.c_str());
  }
  GDALTranslateOptions* const options = GDALTranslateOptionsNew(arguments.List(), nullptr);
  GDALDatasetH written = GDALTranslate(path.c_str(), source.get(), options, nullptr);
  GDALTranslateOptionsFree(options);
  REQUIRE(written != nullptr);
  GDALClose(written);
}

// The small scene cut between its blocks, with its reference map.
struct Halves {
  Halves() {
    const SmallScene& small = SmallScene::instance();
    for (int i = 0; i < 2; ++i) {
      write_rows(small.scene(), scene(i), 12 * i, 12);
      write_rows(small.reference(), labels(i), 12 * i, 12);
    }
  }
  [[nodiscard]] std::string scene(int i) const { return folder.file("scene" + std::to_string(i) + ".tif"); }
  [[nodiscard]] std::string labels(int i) const { return folder.file("labels" + std::to_string(i) + ".tif"); }
  [[nodiscard]] TrainOptions training(const std::string& model) const {
    TrainOptions options = SmallScene::instance().training(folder.file(model));
    options.scene.path = scene(0);
    options.labels = {{labels(0)}, {}};
    options.further_scenes = {{{scene(1)}, {{labels(1)}, {}}}};
    return options;
  }

  TemporaryFolder folder;
};

// All that a model decides by.
void check_same_decisions(const Model& a, const Model& b) {
  REQUIRE(a.classifiers.size() == b.classifiers.size());
  CHECK(a.support_spectra == b.support_spectra);
  CHECK(a.softmax_slope == b.softmax_slope);
  for (std::size_t c = 0; c < a.classifiers.size(); ++c) {
    CHECK(a.classifiers[c].coefficients == b.classifiers[c].coefficients);
    CHECK(a.classifiers[c].bias == b.classifiers[c].bias);
    CHECK(a.classifiers[c].regions == b.classifiers[c].regions);
  }
}

}  // namespace

TEST_CASE("two halves of a scene are trained on like the whole") {
  const SmallScene& small = SmallScene::instance();
  const Halves halves;
  TrainOptions whole = small.raster_training(halves.folder.file("whole"));
  whole.validation = {.folds = 2, .buffer = 2};
  TrainOptions parts = halves.training("parts");
  parts.validation = whole.validation;
  parts.report = halves.folder.file("parts.html");
  parts.samples_out = halves.folder.file("samples.csv");
  const TrainResult expected = train(whole);
  const TrainResult found = train(parts);
  CHECK(found.model.classes == expected.model.classes);
  CHECK(found.model.provenance.training_pixels == expected.model.provenance.training_pixels);
  // Areas of a class end where scenes do, so that regions may be more.
  CHECK(found.model.provenance.left_out.accuracy ==
        doctest::Approx(expected.model.provenance.left_out.accuracy).epsilon(0.05));
  REQUIRE(found.record.scenes.size() == 2);
  CHECK(found.record.scenes[0].pixels + found.record.scenes[1].pixels == 30 * 24);
  CHECK(found.record.scenes[1].scene == halves.scene(1));
  CHECK(found.record.scenes[1].labels == std::vector{halves.labels(1)});
  REQUIRE(found.model.provenance.inputs.size() == 4);
  CHECK(found.model.provenance.inputs[2].path == halves.scene(1));
  CHECK(found.model.provenance.inputs[3].path == halves.labels(1));
  CHECK(found.model.provenance.validation->buffer_unit == "m");
  // The points of both scenes, where they lie on the map.
  const std::string table = read_text_file(halves.folder.file("samples.csv"));
  CHECK(contains(table, ",scene"));
  CHECK(contains(table, "500000.5,3999999.5,"));
  CHECK(contains(table, "500000.5,3999987.5,"));
  CHECK(contains(read_text_file(halves.folder.file("parts.html")), halves.scene(1)));
}

TEST_CASE("equal samples give an equal model, however the scenes are stored") {
  // The whole scene with the labels of its upper half, and the upper half beside a scene that has the lower one.
  const SmallScene& small = SmallScene::instance();
  const Halves halves;
  const std::string top = halves.folder.file("top.geojson");
  const auto polygon = [](const std::string& name, int column, int row) {
    const auto point = [](int x, int y) {
      return "[" + std::to_string(500000 + x) + ", " + std::to_string(4000000 - y) + "]";
    };
    return R"({"type": "Feature", "properties": {"class": ")" + name +
           R"("}, "geometry": {"type": "Polygon", "coordinates": [[)" + point(column, row) + "," +
           point(column + 3, row) + "," + point(column + 3, row + 3) + "," + point(column, row + 3) + "," +
           point(column, row) + "]]}}";
  };
  const auto write = [&](const std::string& path, const std::string& features) {
    write_file(path, R"({"type": "FeatureCollection", "crs": {"type": "name", "properties":
      {"name": "urn:ogc:def:crs:EPSG::32631"}}, "features": [)" +
                         features + "]}");
  };
  const std::string upper = polygon("a", 1, 1) + "," + polygon("b", 14, 2) + "," + polygon("a", 25, 6);
  const std::string lower = polygon("b", 3, 14) + "," + polygon("a", 15, 15) + "," + polygon("b", 25, 18);
  write(halves.folder.file("all.geojson"), upper + "," + lower);
  write(halves.folder.file("upper.geojson"), upper);
  write(halves.folder.file("lower.geojson"), lower);
  const LabelOptions by_class{"class", {}};
  TrainOptions whole = small.training(halves.folder.file("whole"));
  whole.labels = {{halves.folder.file("all.geojson")}, by_class};
  TrainOptions parts = halves.training("parts");
  parts.labels = {{halves.folder.file("upper.geojson")}, by_class};
  parts.further_scenes.front().labels = {{halves.folder.file("lower.geojson")}, by_class};
  const Model expected = train(whole).model;
  parts.ram_bytes = 1 << 20;
  parts.threads = 3;
  const Model found = train(parts).model;
  CHECK(found.provenance.training_pixels == 54);
  check_same_decisions(found, expected);
  // One file of labels for both scenes.
  parts.labels = {{halves.folder.file("all.geojson")}, by_class};
  parts.further_scenes.front().labels = parts.labels;
  parts.model = halves.folder.file("common");
  check_same_decisions(train(parts).model, expected);
}

TEST_CASE("bands that a further scene lacks are left out, or computed") {
  const SmallScene& small = SmallScene::instance();
  const Halves halves;
  const std::string stretched = halves.folder.file("stretched.tif");
  write_stretched_scene(halves.scene(1), stretched);
  TrainOptions options = halves.training("left_out");
  options.further_scenes.front().scene.path = stretched;
  RecordingListener listener;
  const TrainResult left_out = train_scene(options, listener);
  CHECK(listener.said("bands left out because " + stretched + " does not have them, or marks them as bad: 1-"));
  CHECK(left_out.model.bands.size() < 12);
  CHECK(left_out.model.dropped_bands.front() == DroppedBand{0, "not in every scene"});
  CHECK_FALSE(left_out.record.scenes[1].resampled);

  options.resample = true;
  options.model = halves.folder.file("resampled");
  const TrainResult resampled = train_scene(options, listener);
  CHECK(resampled.model.bands.size() == 12);
  CHECK_FALSE(resampled.record.scenes[0].resampled);
  REQUIRE(resampled.record.scenes[1].resampled);
  CHECK(resampled.record.scenes[1].resampled->scene == stretched);
  CHECK(listener.said(resampling_text(*resampled.record.scenes[1].resampled)));
  CHECK(small.scene() != stretched);
}

TEST_CASE("a copy of a scene is not classified by what was learnt from the scene") {
  // Labels drawn by lot in squares of 3 x 3 pixels of the upper third: half of them can be guessed, and nobody can know
  // more.
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  std::filesystem::copy(small.reference(), folder.file("labels.tif"));
  {
    const GDALDatasetUniquePtr labels(GDALDataset::Open(folder.file("labels.tif").c_str(), GDAL_OF_UPDATE));
    REQUIRE(labels != nullptr);
    Random random(5);
    const Indices lot = random.permutation(80);
    for (int i = 0; i < 720; ++i) {
      std::uint8_t code = lot[static_cast<std::size_t>(i % 30 / 3 + i / 90 * 10)] % 2 == 0 ? 1 : 2;
      code = i < 240 ? code : 0;
      REQUIRE(labels->GetRasterBand(1)->RasterIO(GF_Write, i % 30, i / 30, 1, 1, &code, 1, 1, GDT_Byte, 0, 0,
                                                 nullptr) == CE_None);
    }
  }
  std::filesystem::copy(small.scene(), folder.file("copy.tif"));
  std::filesystem::copy(folder.file("labels.tif"), folder.file("labels_of_copy.tif"));
  TrainOptions once = small.raster_training("");
  once.labels.files = {folder.file("labels.tif")};
  for (const std::string groups : {"regions", "pixels"}) {
    once.validation = {.folds = 4, .groups = groups};
    TrainOptions twice = once;
    twice.further_scenes = {{{folder.file("copy.tif")}, {{folder.file("labels_of_copy.tif")}, {}}}};
    RecordingListener listener;
    const Provenance one = train(once).model.provenance;
    const Provenance both = train_scene(twice, listener).model.provenance;
    CHECK(both.training_pixels == 2 * one.training_pixels);
    CHECK(both.validation->groups == one.validation->groups);
    CHECK(both.left_out.accuracy < one.left_out.accuracy + 0.1);
    CHECK(listener.said("2 of 2 scenes overlap: 480 of their labelled pixels"));
    CHECK(std::any_of(listener.coded().begin(), listener.coded().end(),
                      [](const Warning& warning) { return warning.code == "overlapping-scenes"; }));
  }
  // A scene is the same one by any other name.
  once.further_scenes = {{{folder.file("copy.tif")}, once.labels}, {{folder.file("link.tif")}, once.labels}};
  std::filesystem::create_symlink(folder.file("copy.tif"), folder.file("link.tif"));
  CHECK(contains(message_of([&] { train(once); }), "is given twice"));
}

TEST_CASE("a model for other scenes is judged by leaving out scenes") {
  const Halves halves;
  TrainOptions options = halves.training("others");
  options.other_scenes = true;
  options.validation.folds = 2;
  const Model model = train(options).model;
  REQUIRE(model.provenance.units);
  CHECK(model.provenance.units->unit == "scene");
  CHECK(model.provenance.units->count == 2);
  CHECK(model.provenance.left_out.units >= 2);
  // What was left out together are the scenes, in the validation, too.
  REQUIRE(model.provenance.validation);
  CHECK(model.provenance.validation->grouping == "scene");
  CHECK(model.provenance.validation->groups == 2);
  CHECK(contains(left_out_text(model), "each classified without its scene"));
  // Scenes with a place in common are one ground, and nothing can be left out.
  options.scene.path = SmallScene::instance().scene();
  options.labels.files = {SmallScene::instance().reference()};
  options.validation = {};
  options.model.clear();
  CHECK(train(options).model.provenance.units->count == 1);
  options.further_scenes.clear();
  CHECK_THROWS_WITH_AS(train(options),
                       "--other-scenes leaves out whole scenes, and there is one; --scene or --scenes name more",
                       ConfigError);
}

TEST_CASE("scenes in other units than the first are refused with both figures") {
  const SmallScene& small = SmallScene::instance();
  const Halves halves;
  {
    const GDALDatasetUniquePtr scene(GDALDataset::Open(halves.scene(1).c_str(), GDAL_OF_UPDATE));
    REQUIRE(scene != nullptr);
    for (GDALRasterBand* band : scene->GetBands()) {
      band->SetScale(1e-4);
    }
  }
  const std::string text = message_of([&] { train(halves.training("model")); });
  CHECK(contains(text, halves.scene(1) + ": the median size of its spectra is "));
  CHECK(contains(text, " and that of " + halves.scene(0) + " "));
  // So is a scene to classify.
  MapOptions mapping = small.mapping(halves.folder.file("map.tif"));
  mapping.scene.path = halves.scene(1);
  CHECK(contains(message_of([&] { map(mapping); }), "and that of the training data of the model "));
}

TEST_CASE("scenes that are no use are refused, and no input is replaced") {
  const Halves halves;
  const auto refusal = [&](const std::function<void(TrainOptions&)>& change) {
    TrainOptions options = halves.training("model");
    change(options);
    return message_of([&] { train(options); });
  };
  CHECK(refusal([&](auto& options) { options.further_scenes.front().scene.path = halves.scene(0); }) ==
        "scene '" + halves.scene(0) + "' is given twice; --labels may name further labels of the same scene");
  CHECK(contains(refusal([&](auto& options) { options.further_scenes.front().scene.path = halves.labels(1); }),
                 halves.labels(1) + " has 1 bands, but " + halves.scene(0) + " has 12 bands"));
  for (const std::string& input : {halves.scene(1), halves.labels(1)}) {
    CHECK(contains(refusal([&](auto& options) {
                     options.model = input;
                     options.overwrite = true;
                   }),
                   input));
    CHECK(std::filesystem::file_size(input) > 0);
  }
}

}  // namespace parsimap::test
