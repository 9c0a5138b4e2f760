#include "parsimap/commands/maps/map_scenes.hpp"

#include <doctest/doctest.h>
#include <gdal_priv.h>

#include <array>
#include <filesystem>

#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/class_map.hpp"

#include "support/small_scene.hpp"
#include "unit/commands/map_codes.hpp"
#include "unit/commands/region_box.hpp"

namespace parsimap::test {

namespace {

// Columns of the small scene, from `left`, as a file of its own.
std::string part_of_scene(const std::string& path, int left, int width) {
  GDALDataset* scene = GDALDataset::Open(SmallScene::instance().scene().c_str());
  REQUIRE(scene != nullptr);
  const int height = scene->GetRasterYSize();
  const int bands = scene->GetRasterCount();
  GDALDataset* part = GetGDALDriverManager()->GetDriverByName("GTiff")->Create(path.c_str(), width, height, bands,
                                                                               GDT_Float32, nullptr);
  std::array<double, 6> g{};
  scene->GetGeoTransform(g.data());
  g[0] += left * g[1];
  part->SetGeoTransform(g.data());
  part->SetSpatialRef(scene->GetSpatialRef());
  std::vector<float> values(static_cast<std::size_t>(width) * height * bands);
  CHECK(scene->RasterIO(GF_Read, left, 0, width, height, values.data(), width, height, GDT_Float32, bands, nullptr, 0,
                        0, 0, nullptr) == CE_None);
  CHECK(part->RasterIO(GF_Write, 0, 0, width, height, values.data(), width, height, GDT_Float32, bands, nullptr, 0, 0,
                       0, nullptr) == CE_None);
  for (int band = 1; band <= bands; ++band) {
    for (const char* key : {"wavelength", "wavelength_units"}) {
      if (const char* text = scene->GetRasterBand(band)->GetMetadataItem(key)) {
        part->GetRasterBand(band)->SetMetadataItem(key, text);
      }
    }
    part->GetRasterBand(band)->SetDescription(scene->GetRasterBand(band)->GetDescription());
  }
  GDALClose(part);
  GDALClose(scene);
  return path;
}

ClassifyOptions options_for_scenes(const std::vector<std::string>& scenes) {
  ClassifyOptions options;
  static_cast<MapOptions&>(options) = SmallScene::instance().mapping("");
  options.scene.path.clear();
  for (const std::string& path : scenes) {
    options.scenes.push_back(path);
  }
  return options;
}

}  // namespace

TEST_CASE("two overlapping parts of a scene give a map each, and together the map of the whole") {
  const TemporaryFolder folder;
  ClassifyOptions options = options_for_scenes(
      {part_of_scene(folder.file("west.tif"), 0, 20), part_of_scene(folder.file("east.tif"), 12, 18)});
  options.output_folder = folder.file("maps");
  options.mosaic = folder.file("all.tif");
  options.layers = {{MapLayer::novelty, "novelty.tif"}};
  Listener silent;
  const ScenesRecord record = map_scenes(options, silent);
  CHECK(codes_of(folder.file("all.tif")) == codes_of(SmallScene::instance().map()));
  REQUIRE(record.scenes.size() == 2);
  REQUIRE(record.scenes[1].record);
  CHECK(record.scenes[1].record->map == folder.file("maps/east_map.tif"));
  CHECK(std::filesystem::exists(folder.file("maps/west_map.tif")));
  CHECK(std::filesystem::exists(folder.file("maps/west_novelty.tif")));
  CHECK_FALSE(std::filesystem::exists(folder.file("maps/west_confidence.tif")));
  for (const LayerFile& layer : record.scenes[0].record->layers) {
    CHECK(layer.file.has_value() == (layer.name == "novelty"));
  }
  REQUIRE(record.mosaic);
  CHECK(record.mosaic->scenes >= 1);
  CHECK(record.mosaic->classified == 30 * 24);
  CHECK(record.mosaic->contested == 8 * 24);
  CHECK(record.mosaic->classes[0].pixels + record.mosaic->classes[1].pixels == 30 * 24);
  CHECK(open_class_map(folder.file("all.tif"))->has_names());
  // What only the mosaic needed is gone.
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.file("."))) {
    CHECK_FALSE(entry.path().filename().string().starts_with(".parsimap"));
  }
}

TEST_CASE("a region holds for each of several scenes, and one that it does not meet fails alone") {
  const TemporaryFolder folder;
  ClassifyOptions options = options_for_scenes({part_of_scene(folder.file("west.tif"), 0, 12),
                                                part_of_scene(folder.file("middle.tif"), 6, 12),
                                                part_of_scene(folder.file("east.tif"), 20, 10)});
  options.scene.region = box_of_window(SmallScene::instance().scene(), {4, 3, 9, 5});
  options.output_folder = folder.file("maps");
  options.mosaic = folder.file("all.tif");
  Listener silent;
  const ScenesRecord record = map_scenes(options, silent);
  CHECK(record.scenes[0].record->pixels == 8 * 5);
  CHECK(record.scenes[1].record->pixels == 7 * 5);
  CHECK(contains(record.scenes[2].failure, "holds the centre of no pixel of"));
  const std::vector<std::uint16_t> whole = codes_of(SmallScene::instance().map());
  const std::vector<std::uint16_t> part = codes_of(folder.file("all.tif"));
  REQUIRE(part.size() == 9 * 5);
  for (std::size_t i = 0; i < part.size(); ++i) {
    CHECK(part[i] == whole[(3 + i / 9) * 30 + 4 + i % 9]);
  }
}

TEST_CASE("a mosaic needs no folder for maps, and --like gives it another grid") {
  const TemporaryFolder folder;
  ClassifyOptions options = options_for_scenes({SmallScene::instance().scene()});
  options.mosaic = folder.file("part.tif");
  options.like = part_of_scene(folder.file("like.tif"), 5, 10);
  Listener silent;
  const ScenesRecord record = map_scenes(options, silent);
  const std::vector<std::uint16_t> part = codes_of(folder.file("part.tif"));
  const std::vector<std::uint16_t> whole = codes_of(SmallScene::instance().map());
  REQUIRE(part.size() == 240);
  for (std::size_t i = 0; i < part.size(); ++i) {
    CHECK(part[i] == whole[i / 10 * 30 + 5 + i % 10]);
  }
  CHECK(record.scenes[0].record->map.empty());
}

TEST_CASE("scenes outside of a mosaic are named, and a mosaic of none is refused") {
  const TemporaryFolder folder;
  const std::string west = part_of_scene(folder.file("west.tif"), 0, 5);
  ClassifyOptions options = options_for_scenes({SmallScene::instance().scene(), west});
  options.mosaic = folder.file("part.tif");
  options.like = part_of_scene(folder.file("like.tif"), 5, 10);
  RecordingListener listener;
  map_scenes(options, listener);
  CHECK(listener.warnings == std::vector<std::string>{west + " lies outside of the mosaic"});
  options.scenes = {west};
  options.mosaic = folder.file("none.tif");
  CHECK_THROWS_WITH_AS(map_scenes(options, listener),
                       (*options.mosaic + ": no scene has a pixel on the grid of " + *options.like).c_str(), DataError);
  CHECK_FALSE(std::filesystem::exists(*options.mosaic));
}

TEST_CASE("maps that do not overlap make a mosaic that names them, and can be moved with them") {
  const TemporaryFolder folder;
  ClassifyOptions options = options_for_scenes(
      {part_of_scene(folder.file("west.tif"), 0, 12), part_of_scene(folder.file("east.tif"), 12, 18)});
  std::filesystem::create_directory(folder.file("out"));
  options.output_folder = folder.file("out/maps");
  options.mosaic = folder.file("out/all.vrt");
  Listener silent;
  CHECK(map_scenes(options, silent).mosaic->contested == 0);
  std::filesystem::rename(folder.file("out"), folder.file("moved"));
  CHECK(codes_of(folder.file("moved/all.vrt")) == codes_of(SmallScene::instance().map()));
  const auto mosaic = open_class_map(folder.file("moved/all.vrt"));
  CHECK(mosaic->has_names());
  CHECK(mosaic->classes()[1].name == "water");
  CHECK(std::filesystem::exists(folder.file("moved/all.qml")));
}

TEST_CASE("maps that overlap cannot make a virtual mosaic") {
  const TemporaryFolder folder;
  ClassifyOptions options = options_for_scenes(
      {part_of_scene(folder.file("west.tif"), 0, 20), part_of_scene(folder.file("east.tif"), 12, 18)});
  options.mosaic = folder.file("all.vrt");
  Listener silent;
  CHECK_THROWS_AS(map_scenes(options, silent), ConfigError);
  options.output_folder = folder.file("maps");
  std::string text;
  try {
    map_scenes(options, silent);
  } catch (const ConfigError& error) {
    text = error.what();
  }
  CHECK(contains(text, "192 pixels have a class in several"));
  CHECK_FALSE(std::filesystem::exists(folder.file("all.vrt")));
  CHECK(std::filesystem::exists(folder.file("maps/east_map.tif")));
}

TEST_CASE("a scene that fails is named, leaves nothing behind, and the others are done") {
  const TemporaryFolder folder;
  const std::string good = part_of_scene(folder.file("good.tif"), 0, 20);
  ClassifyOptions options = options_for_scenes({folder.file("absent.tif"), good, SmallScene::instance().reference()});
  options.output_folder = folder.file("maps");
  options.mosaic = folder.file("all.tif");
  RecordingListener listener;
  const ScenesRecord record = map_scenes(options, listener);
  CHECK_FALSE(record.scenes[0].record);
  CHECK(contains(record.scenes[0].failure, "absent.tif"));
  CHECK(record.scenes[1].record);
  CHECK_FALSE(record.scenes[2].record);
  CHECK(listener.has_warning("absent.tif"));
  CHECK(record.mosaic->scenes == 1);
  CHECK(record.mosaic->classified == 20 * 24);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file("maps"))) {
    ++files;
    CHECK(entry.path().filename().string().starts_with("good_map"));
  }
  CHECK(files >= 1);
}

TEST_CASE("where all scenes fail, neither folder nor mosaic appears") {
  const TemporaryFolder folder;
  ClassifyOptions options = options_for_scenes({folder.file("absent.tif")});
  options.output_folder = folder.file("maps");
  options.mosaic = folder.file("all.tif");
  Listener silent;
  const ScenesRecord record = map_scenes(options, silent);
  CHECK_FALSE(record.mosaic);
  CHECK_FALSE(std::filesystem::exists(folder.file("maps")));
  CHECK_FALSE(std::filesystem::exists(folder.file("all.tif")));
}

TEST_CASE("options that do not go with several scenes are refused before the work") {
  const TemporaryFolder folder;
  const auto refusal = [](const ClassifyOptions& options) -> std::string {
    Listener silent;
    try {
      map_scenes(options, silent);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return {};
  };
  ClassifyOptions options = options_for_scenes({SmallScene::instance().scene()});
  CHECK(contains(refusal(options), "--output-dir for a map of each, or --mosaic"));
  options.like = SmallScene::instance().scene();
  options.output_folder = folder.file("maps");
  CHECK(contains(refusal(options), "--like says what grid --mosaic has"));
  options.like.reset();
  options.segments = "s.tif";
  CHECK(contains(refusal(options), "--segments belong to one scene"));
  options.segments.reset();
  options.report = "pages/report.html";
  CHECK(contains(refusal(options), "--report is 'pages/report.html'"));
  options.report = "report.html";
  options.output_folder.reset();
  options.mosaic = folder.file("all.tif");
  CHECK(contains(refusal(options), "--report of several scenes needs --output-dir"));
  options.report.reset();
  options.mosaic = SmallScene::instance().scene();
  CHECK(contains(refusal(options), "an input cannot be replaced"));
  options.stac = folder.file("item.json");
  CHECK(contains(refusal(options), "--stac writes the description of one map"));
  options.stac.reset();
  options.scene.mask = SmallScene::instance().reference();
  options.mosaic = SmallScene::instance().reference();
  CHECK(contains(refusal(options), "is the same file as --mask"));
  options.scene.mask.reset();
  options.output_folder = folder.file("maps");
  options.mosaic = folder.file("maps/scene_map.tif");
  CHECK(contains(refusal(options), "is the same file as a map of --output-dir"));
  // Nor a layer that the same command writes, nor what lies beside it.
  options.layers = {{MapLayer::confidence, "confidence.tif"}};
  options.mosaic = folder.file("maps/scene_confidence.tif");
  CHECK(contains(refusal(options), "is the same file as --confidence"));
}

TEST_CASE("no output of a scene replaces an input of another one") {
  const TemporaryFolder folder;
  part_of_scene(folder.file("a.tif"), 0, 20);
  part_of_scene(folder.file("a_map.tif"), 10, 20);
  const std::string before = file_content(folder.file("a_map.tif"));
  const auto refusal = [](const ClassifyOptions& options) -> std::string {
    Listener silent;
    try {
      map_scenes(options, silent);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return {};
  };
  ClassifyOptions options = options_for_scenes({folder.file("a.tif"), folder.file("a_map.tif")});
  options.output_folder = folder.file("");
  options.overwrite = true;
  CHECK(contains(refusal(options), "is the same file as --scene '" + folder.file("a_map.tif") + "'"));
  // The mask of another scene.
  options.scenes.clear();
  options.scene_table = folder.file("scenes.csv");
  write_file(folder.file("a_confidence.tif"), "mask");
  options.layers = {{MapLayer::confidence, "confidence.tif"}};
  write_file(*options.scene_table, "scene,mask\n" + folder.file("a.tif") + ",\n" + SmallScene::instance().scene() +
                                       "," + folder.file("a_confidence.tif") + "\n");
  CHECK(contains(refusal(options), "is the same file as --mask"));
  CHECK(file_content(folder.file("a_confidence.tif")) == "mask");
  CHECK(file_content(folder.file("a_map.tif")) == before);
}

TEST_CASE("scenes of the same name are distinguished by their folders, or refused") {
  CHECK(scene_names({{"a/scene.tif"}, {"b/scene.tif"}, {"c/other.tif"}, {"d/product/"}}) ==
        std::vector<std::string>{"a_scene", "b_scene", "other", "product"});
  CHECK_THROWS_AS(scene_names({{"x/a/scene.tif"}, {"y/a/scene.tif"}}), ConfigError);
  // A scene of the working folder had the name "_scene".
  const std::string here = std::filesystem::current_path().filename().string();
  CHECK(scene_names({{"scene.tif"}, {"b/scene.tif"}}) == std::vector<std::string>{here + "_scene", "b_scene"});
}

TEST_CASE("shards share out the scenes, and leave maps that are there already") {
  const TemporaryFolder folder;
  ClassifyOptions options =
      options_for_scenes({part_of_scene(folder.file("a.tif"), 0, 8), part_of_scene(folder.file("b.tif"), 8, 8),
                          part_of_scene(folder.file("c.tif"), 16, 8)});
  options.output_folder = folder.file("maps");
  options.layers = {{MapLayer::confidence, "confidence.tif"}};
  RecordingListener listener;
  options.shard = Shard{1, 2};
  CHECK(map_scenes(options, listener).scenes.size() == 2);
  CHECK(listener.said("shard 1/2: 2 of 3 scenes, from number 1"));
  CHECK(std::filesystem::exists(folder.file("maps/b_confidence.tif")));
  CHECK_FALSE(std::filesystem::exists(folder.file("maps/c_map.tif")));
  options.shard = Shard{2, 2};
  CHECK(map_scenes(options, listener).scenes.at(0).record->map == folder.file("maps/c_map.tif"));
  CHECK_FALSE(listener.said("is complete already"));
  options.shard = Shard{1, 1};
  const ScenesRecord again = map_scenes(options, listener);
  CHECK(listener.said("'" + folder.file("maps/a_map.tif") + "' is complete already"));
  REQUIRE(again.scenes.size() == 3);
  for (const SceneOutcome& outcome : again.scenes) {
    CHECK(outcome.failure.empty());
    CHECK(outcome.record->classified == 8 * 24);
  }
  options.shard = Shard{5, 5};
  CHECK(map_scenes(options, listener).scenes.empty());
}

TEST_CASE("a mosaic is not made by a shard") {
  ClassifyOptions options = options_for_scenes({SmallScene::instance().scene()});
  options.output_folder = "maps";
  options.mosaic = "all.tif";
  options.shard = Shard{1, 2};
  Listener silent;
  CHECK_THROWS_AS(map_scenes(options, silent), ConfigError);
}

}  // namespace parsimap::test
