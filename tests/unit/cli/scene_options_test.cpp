#include "cli/scene_options.hpp"

#include <doctest/doctest.h>
#include <gdal_priv.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/json/model_file.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

// The ENVI scene of SmallScene with another line in its header.
std::string scene_with(const TemporaryFolder& folder, const std::string& line) {
  const SmallScene& small = SmallScene::instance();
  std::filesystem::copy_file(small.file("scene/scene.img"), folder.file("s.img"),
                             std::filesystem::copy_options::overwrite_existing);
  write_file(folder.file("s.hdr"), file_content(small.file("scene/scene.hdr")) + line + "\n");
  return folder.file("s.img");
}

Outcome train(const std::string& scene, const std::string& model, std::vector<std::string> options = {}) {
  std::vector<std::string> arguments = {
      "train", scene, SmallScene::instance().polygons(), model, "--class-field", "class", "--overwrite"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

// A mask of `width` columns over the rows of SmallScene that hides the columns below `shown`.
std::string write_mask(const TemporaryFolder& folder, int width, int shown) {
  const std::string path = folder.file("mask.tif");
  GDALDataset* mask =
      GetGDALDriverManager()->GetDriverByName("GTiff")->Create(path.c_str(), width, 24, 1, GDT_Byte, nullptr);
  std::vector<std::uint8_t> values(static_cast<std::size_t>(width) * 24);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int>(i) % width < shown ? 0 : 1;
  }
  CHECK(mask->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, width, 24, values.data(), width, 24, GDT_Byte, 0, 0,
                                         nullptr) == CE_None);
  GDALClose(mask);
  return path;
}

Indices dropped_of(const Model& model, const std::string& reason) {
  for (const auto& [text, bands] : bands_by_reason(model.dropped_bands)) {
    if (text == reason) {
      return bands;
    }
  }
  return {};
}

}  // namespace

TEST_CASE("bad bands are left out, the model and info say so") {
  const TemporaryFolder folder;
  const std::string scene = scene_with(folder, "bbl = {1,1,0,0,1,1,1,1,1,1,1,0}");
  const Outcome outcome = train(scene, folder.file("m"));
  REQUIRE(outcome.code == 0);
  CHECK(contains(outcome.err, "bands left out because the scene marks them as bad: 3-4, 12"));
  CHECK(contains(outcome.out, "Bands dropped (marked as bad): 3-4, 12"));
  const Model model = load_model(folder.file("m"));
  CHECK(model.bands == Indices{0, 1, 4, 5, 6, 7, 8, 9, 10});
  CHECK(dropped_of(model, "marked as bad") == Indices{2, 3, 11});
  CHECK(contains(run({"info", folder.file("m")}).out, "Dropped:        3-4, 12 (marked as bad)\n"));
  const auto json = nlohmann::json::parse(run({"info", folder.file("m"), "--json"}).out);
  CHECK(json.at("dropped_bands").at(2) == nlohmann::json{{"band", 12}, {"reason", "marked as bad"}});
  CHECK(contains(run({"info", scene}).out, "Bad bands:      3-4, 12\n"));
  CHECK(nlohmann::json::parse(run({"info", scene, "--json"}).out).at("bands").at(2).at("bad") == true);
}

TEST_CASE("bands are chosen by hand, bad ones with a warning") {
  const TemporaryFolder folder;
  const std::string scene = scene_with(folder, "bbl = {1,1,0,0,1,1,1,1,1,1,1,0}");
  const Outcome outcome = train(scene, folder.file("m"), {"--bands", "1-6", "--bands", "12", "--exclude-bands", "4,1"});
  REQUIRE(outcome.code == 0);
  CHECK(contains(outcome.err,
                 "warning: bands used because --bands names them, though the scene marks them as bad: 3, 12"));
  const Model model = load_model(folder.file("m"));
  CHECK(model.bands == Indices{1, 2, 4, 5, 11});
  CHECK(dropped_of(model, "excluded") == Indices{0, 3});
  CHECK(dropped_of(model, "not chosen") == Indices{6, 7, 8, 9, 10});
  CHECK(model.band_table[1].bad);
  // What was excluded need not be there: the map of the used bands alone is the same.
  REQUIRE(run({"classify", scene, folder.file("m"), folder.file("a.tif")}).code == 0);
}

TEST_CASE("lists of bad bands that cannot be meant are refused, unless bands are named") {
  const TemporaryFolder folder;
  const std::string all_bad = scene_with(folder, "bbl = {0,0,0,0,0,0,0,0,0,0,0,0}");
  const Outcome all = train(all_bad, folder.file("m"));
  CHECK(all.code == 3);
  CHECK(contains(all.err, "marks every one of its 12 bands as bad"));
  CHECK(train(all_bad, folder.file("m"), {"--bands", "1-12"}).code == 0);
  const std::string misfit = scene_with(folder, "bbl = {1,0,1}");
  const Outcome wrong = train(misfit, folder.file("n"));
  CHECK(wrong.code == 3);
  CHECK(contains(wrong.err, "its list of bad bands has 3 entries for 12 bands"));
  CHECK_FALSE(std::filesystem::exists(folder.file("n")));
  CHECK(contains(run({"info", misfit}).out, "Bad bands:      the list has 3 entries for 12 bands and is not used\n"));
  CHECK(train(misfit, folder.file("n"), {"--bands", "1-12"}).code == 0);
  const Outcome unknown = train(misfit, folder.file("n"), {"--bands", "13"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "count from 1 to 12"));
}

TEST_CASE("a mask hides pixels from training and from the map") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string mask = write_mask(folder, 30, 10);
  REQUIRE(run({"classify", small.scene(), small.model(), folder.file("map.tif"), "--mask", mask}).code == 0);
  std::vector<std::uint16_t> codes;
  std::vector<std::uint16_t> whole;
  open_class_map(folder.file("map.tif"))->read({0, 0, 30, 24}, codes);
  open_class_map(small.map())->read({0, 0, 30, 24}, whole);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    REQUIRE(codes[i] == (i % 30 < 10 ? 0 : whole[i]));
  }
  const Outcome outcome = run(
      {"train", small.scene(), small.reference(), folder.file("m"), "--mask", mask, "--json", "--kernel", "gaussian"});
  REQUIRE(outcome.code == 0);
  CHECK(nlohmann::json::parse(outcome.out).at("training_pixels") == 480);
  CHECK(nlohmann::json::parse(outcome.out).at("invalid_pixels") == 240);
  CHECK(load_model(folder.file("m")).provenance.inputs.at(2).path == mask);
}

TEST_CASE("a mask that does not fit is refused, and an input is never replaced") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string mask = write_mask(folder, 29, 10);
  const Outcome size = run({"classify", small.scene(), small.model(), folder.file("map.tif"), "--mask", mask});
  CHECK(size.code == 3);
  CHECK(contains(size.err, "mask.tif is 29 x 24 pixels, but"));
  CHECK(contains(size.err, "a mask must lie on the scene's grid"));
  const Outcome bands =
      run({"classify", small.scene(), small.model(), folder.file("map.tif"), "--mask", small.scene()});
  CHECK(contains(bands.err, "has 12 bands; it must have one"));
  CHECK_FALSE(std::filesystem::exists(folder.file("map.tif")));
  const std::string fitting = write_mask(folder, 30, 10);
  const Outcome same = run({"classify", small.scene(), small.model(), fitting, "--mask", fitting, "--overwrite"});
  CHECK(same.code == 2);
  CHECK(contains(same.err, "is the same file as --mask"));
}

}  // namespace parsimap::test
