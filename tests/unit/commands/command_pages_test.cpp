#include "commands/command_pages.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <regex>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "support/memory_scene.hpp"
#include "support/small_inspection.hpp"
#include "support/small_scene.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {

TEST_CASE("the date is that of the day, or of SOURCE_DATE_EPOCH") {
  unsetenv("SOURCE_DATE_EPOCH");
  CHECK(std::regex_match(page_date(), std::regex("20[0-9]{2}-[01][0-9]-[0-3][0-9]")));
  setenv("SOURCE_DATE_EPOCH", "86399", 1);
  CHECK(page_date() == "1970-01-01");
  setenv("SOURCE_DATE_EPOCH", "86400", 1);
  CHECK(page_date() == "1970-01-02");
  for (const char* wrong : {"yesterday", "", "-1", "999999999999"}) {
    setenv("SOURCE_DATE_EPOCH", wrong, 1);
    CHECK_THROWS_AS(page_date(), ConfigError);
  }
  unsetenv("SOURCE_DATE_EPOCH");
}

TEST_CASE("a page keeps a command whose words are not UTF-8") {
  CHECK(contains(with_command("<body></body>", {{"classify", "\xff.tif"}, "2026-11-22"}), ".tif\""));
}

TEST_CASE("every file of an input is there, the first with its role, and with the sum of its bytes") {
  const SmallScene& small = SmallScene::instance();
  const std::string scene = small.file("scene/scene.img");
  const RasterGrid grid{30, 24, std::array<double, 6>{0, 30, 0, 0, 0, -30}, crs_from_epsg(32617)};
  const PageFacts facts = page_facts("2026-11-22", grid, {{"scene", scene}, {"model", small.model()}});
  CHECK(facts.date == "2026-11-22");
  CHECK(facts.crs == "EPSG:32617 (WGS 84 / UTM zone 17N)");
  CHECK(facts.pixel_size == "30 x 30 metre");
  CHECK(facts.pixel_area == 900);
  REQUIRE(facts.inputs.size() >= 3);
  CHECK(facts.inputs[0].role == "scene");
  CHECK(facts.inputs[0].path == scene);
  CHECK(facts.inputs[0].sum == sha256_of_file(scene));
  CHECK(facts.inputs[0].bytes == std::to_string(file_content(scene).size()));
  CHECK(facts.inputs[1].role.empty());
  CHECK(facts.inputs.back().path == small.model());
  CHECK(facts.inputs.back().role == "model");
}

TEST_CASE("what is no plain file has no sum") {
  const PageFacts facts = page_facts("", {}, {{"scene", "/vsizip/none.zip/a.tif"}});
  REQUIRE(facts.inputs.size() == 1);
  CHECK(facts.inputs[0].sum == "no plain file");
  CHECK(facts.crs == "no CRS");
  CHECK(facts.pixel_size.empty());
}

namespace {

std::array<int, 4> pixel(const Rgba& picture, std::size_t i) {
  return {picture[4 * i], picture[4 * i + 1], picture[4 * i + 2], picture[4 * i + 3]};
}

}  // namespace

TEST_CASE("classes have their colours, and what is not classified is transparent") {
  const Rgba picture = class_picture({7, 0, 9, 5}, {{7, "a", {}}, {9, "b", {}}}, {{1, 2, 3}, {4, 5, 6}});
  CHECK(pixel(picture, 0) == std::array<int, 4>{1, 2, 3, 255});
  CHECK(pixel(picture, 1) == std::array<int, 4>{0, 0, 0, 0});
  CHECK(pixel(picture, 2) == std::array<int, 4>{4, 5, 6, 255});
  CHECK(pixel(picture, 3)[3] == 0);
}

TEST_CASE("a pale picture is grey and light, and keeps its opacity") {
  const Rgba picture = pale({0, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0});
  CHECK(pixel(picture, 0) == std::array<int, 4>{156, 156, 156, 255});
  CHECK(pixel(picture, 1) == std::array<int, 4>{245, 245, 245, 255});
  CHECK(pixel(picture, 2)[3] == 0);
}

TEST_CASE("marks are single pixels in small pictures and squares in large ones") {
  const PictureLayout small = picture_of({0, 0, 10, 10});
  Rgba picture(400, 0);
  mark(picture, small, 10, 23, {9, 9, 9});
  CHECK(pixel(picture, 23) == std::array<int, 4>{9, 9, 9, 255});
  CHECK(std::count(picture.begin(), picture.end(), 9) == 3);
  const PictureLayout large = picture_of({0, 0, 640, 2});
  Rgba wide(static_cast<std::size_t>(4 * large.pixels()), 0);
  mark(wide, large, 640, 5, {9, 9, 9});
  CHECK(std::count(wide.begin(), wide.end(), 9) == 3 * 6);
}

TEST_CASE("values have the colours of their steps") {
  const float none = std::numeric_limits<float>::quiet_NaN();
  const std::vector<ColourStep>& steps = novelty_steps();
  const Rgba picture = stepped_picture({0, 0.95F, 1, none}, steps);
  const auto is = [&](std::size_t i, const Colour& colour) {
    return pixel(picture, i) == std::array<int, 4>{colour[0], colour[1], colour[2], 255};
  };
  CHECK(is(0, steps.front().colour));
  CHECK(is(1, steps[3].colour));
  CHECK(is(2, steps.back().colour));
  CHECK(pixel(picture, 3)[3] == 0);
  CHECK(legend_of(confidence_steps()).size() == 5);
  CHECK(legend_of(confidence_steps())[0].name == "below 0.5");
}

TEST_CASE("bands of a picture are named with their wavelengths") {
  BandTable bands(3);
  CHECK(picture_bands_text(bands) == "bands 3, 2 and 1 as red, green and blue");
  bands[0].wavelength = 470;
  bands[1].wavelength = 551.5;
  bands[2].wavelength = 650;
  CHECK(picture_bands_text(bands) == "bands 3 (650 nm), 2 (552 nm) and 1 (470 nm) as red, green and blue");
}

TEST_CASE("what a picture shows is said where it is not all") {
  CHECK(raster_pictures(picture_of({0, 0, 10, 10}), {}).shown.empty());
  CHECK(raster_pictures(picture_of({0, 0, 1000, 10}), {}).shown ==
        "Evenly spread pixels of a larger raster are shown. ");
  PictureLayout sheet;
  sheet.tiles = {{{0, 0, 20, 20}, 0, 0, 20, 20}, {{50, 0, 20, 20}, 22, 0, 20, 20}};
  sheet.places = 1200;
  CHECK(raster_pictures(sheet, {}).sheet);
  CHECK(raster_pictures(sheet, {}).shown ==
        "Data lie in few and far places: 2 of 1,200 places are shown one beside the other, 20 x 20 pixels each, in the "
        "order of their rows. ");
}

TEST_CASE("an image is a PNG in the page") {
  const PageImage image = image_of("Map", picture_of({0, 0, 1, 1}), {1, 2, 3, 255});
  CHECK(image.name == "Map");
  CHECK(image.source.starts_with("data:image/png;base64,"));
}

TEST_CASE("the map beside its right and wrong pixels, with its classes in the legend") {
  const SmallScene& small = SmallScene::instance();
  const auto map = open_class_map(small.map());
  const LabelledPixels reference = read_labels({small.reference()}, {}, map->grid(), "map");
  const ErrorPictures pictures = error_pictures(*map, reference, compare(*map, reference, "reference"));
  REQUIRE(pictures.images.size() == 2);
  CHECK(pictures.images[0].name == "Map");
  CHECK(pictures.images[0].source != pictures.images[1].source);
  CHECK(pictures.width == 30);
  CHECK(pictures.height == 24);
  REQUIRE(pictures.legend.size() == 2);
  CHECK(pictures.legend[0].name == map->classes()[0].name);
  CHECK(pictures.right == kRightColour);
  CHECK(pictures.wrong == kWrongColour);
  CHECK_FALSE(pictures.sheet);
}

TEST_CASE("the page of an assessment has verdict, errors on the map, and the files") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  AssessOptions options;
  options.map = small.map();
  options.reference = {{small.reference()}, {}};
  options.report = folder.file("page.html");
  Listener silent;
  const AssessResult result = assess_map(options, silent);
  CHECK(result.files == std::vector<std::string>{*options.report});
  const std::string page = file_content(*options.report);
  CHECK(contains(page, "<h1>Accuracy of map.tif</h1>"));
  CHECK(contains(page, "on 720 reference pixels of 2 classes"));
  CHECK(contains(page, "<figure id=\"picture-errors\">"));
  const std::int64_t right = result.assessment.confusion.counts().diagonal().sum();
  CHECK(contains(page, "right<small>" + std::to_string(right) + " reference pixels</small>"));
  CHECK(contains(page, sha256_of_file(small.map())));
  CHECK(contains(page, sha256_of_file(small.reference())));
}

TEST_CASE("the page shows where suspicious labels lie, and where it comes from") {
  MemoryScene scene("scene", {10, 4, {}, {}}, {{"b", 500}, {"c", 600}}, Spectra::Constant(40, 2, 1));
  SampleSet samples;
  samples.places = {{10}, {11}, {25}, {26}, {30}};
  const std::vector<std::pair<std::string, std::string>> options = {{"repeats", "4"}};
  InspectionRecord record = small_inspection();
  const std::string page = inspect_report(record, options, samples, scene, page_facts("2026-11-22", scene.grid(), {}));
  CHECK(contains(page, "<figure id=\"picture-suspects\">"));
  CHECK(contains(page, "first 5 % of the list"));
  CHECK(contains(page, "1 looks like another class"));
  CHECK(contains(page, ", 2026-11-22</p>"));
  CHECK(contains(page, "<td>repeats</td><td>4</td>"));
  CHECK_FALSE(contains(page, "id=\"wavelengths\""));
  record.wavelengths = small_wavelengths();
  CHECK(contains(inspect_report(record, options, samples, scene, page_facts("2026-11-22", scene.grid(), {})),
                 "id=\"wavelengths\""));
}

TEST_CASE("bands left out are placed by wavelength where all are known, else by number") {
  const SampleSet samples = toy::three_classes(20, 1);
  Model model = train_one_vs_all(samples, {}, {});
  model.bands.clear();
  BandTable bands;
  for (Index b = 0; b < 11; ++b) {
    bands.push_back({"", 400.0 + 10.0 * static_cast<double>(b)});
    if (b != 4) {
      model.bands.push_back(b);
    }
  }
  model.scene_bands = 11;
  TrainingRecord record;
  record.scene = "/data/scene";
  model.dropped_bands = {{4, "constant"}};
  const auto page_of = [&](const BandTable& table) {
    MemoryScene scene("scene", {100, 1, {}, {}}, table, Spectra::Constant(100, 11, 1));
    const TrainingOptions options;
    return train_report(model, record, {samples, scene, scene.grid(), options, {}, "2026-11-22"});
  };
  const std::string page = page_of(bands);
  CHECK(contains(page, "\"dropped_wavelengths\": [\n    440.0\n  ]"));
  CHECK(contains(page, "<tr><td>5</td><td>constant</td></tr>"));
  CHECK(contains(page, "<h1>Training on scene</h1>"));
  CHECK(contains(page, "<figure id=\"picture-training\">"));
  CHECK(contains(page, ", 2026-11-22</p>"));
  bands[4].wavelength.reset();
  CHECK(contains(page_of(bands), "\"dropped_wavelengths\": []"));
}

TEST_CASE("train writes its report with the model, which is the same as without") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions options = small.training(folder.file("model"));
  options.report = folder.file("model.html");
  CHECK(train(options).record.report == folder.file("model.html"));
  CHECK(file_content(folder.file("model")) == file_content(small.model()));
  const std::string page = file_content(folder.file("model.html"));
  CHECK(contains(page, "left-out training pixels were classified correctly"));
  CHECK(contains(page, sha256_of_file(small.polygons())));
  CHECK(contains(page, "data-figure=\"scree\""));
  CHECK(contains(page, "<td>water</td>"));
  options.model = folder.file("other.html");
  options.report = options.model;
  CHECK(contains(message_of([&] { train(options); }), "is the same file as MODEL"));
}

TEST_CASE("a page replaces no file of another kind") {
  const TemporaryFolder folder;
  OutputSet outputs(true);
  for (const char* name : {"labels.shp", "labels.csv", "page"}) {
    write_file(folder.file(name), "mine");
    CHECK_THROWS_WITH_AS(stage_page(outputs, "--report", folder.file(name)),
                         ("--report '" + folder.file(name) + "' is a page of HTML; its name must end in .html").c_str(),
                         ConfigError);
  }
  CHECK(stage_page(outputs, "--report", folder.file("page.HTML")).target == folder.file("page.HTML"));
}

}  // namespace parsimap::test
