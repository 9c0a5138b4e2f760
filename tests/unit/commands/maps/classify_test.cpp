#include "parsimap/commands/maps/classify.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <memory>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "support/scene_values.hpp"
#include "support/small_scene.hpp"
#include "unit/cli/program_runner.hpp"
#include "unit/commands/map_codes.hpp"
#include "unit/commands/mask_file.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {

namespace {

std::string name_of_band(const std::string& path, std::size_t band) {
  return open_scene(path).source->bands().at(band).name;
}

// Each label is that of the largest probability, and probabilities sum up to 1.
void check_labels(const std::vector<std::uint16_t>& codes, const Spectra& probabilities) {
  REQUIRE(probabilities.rows() == static_cast<Index>(codes.size()));
  for (Index i = 0; i < probabilities.rows(); ++i) {
    Index label = 0;
    probabilities.row(i).maxCoeff(&label);
    REQUIRE(codes[static_cast<std::size_t>(i)] == label + 1);
    REQUIRE(std::abs(probabilities.row(i).sum() - 1) < 1e-5F);
  }
}

}  // namespace

TEST_CASE("map, probabilities and confidence agree, and every pixel is counted") {
  const TemporaryFolder folder;
  MapOptions options = SmallScene::instance().mapping(folder.file("map.tif"));
  options.layers = {{MapLayer::probabilities, folder.file("p.tif")}, {MapLayer::confidence, folder.file("c.tif")}};
  const MappingRecord record = map(options);
  const Spectra probabilities = values_of(folder.file("p.tif"));
  REQUIRE(probabilities.cols() == 2);
  check_labels(codes_of(folder.file("map.tif")), probabilities);
  CHECK(values_of(folder.file("c.tif")) == probabilities.rowwise().maxCoeff());
  CHECK(name_of_band(folder.file("p.tif"), 1) == "water");
  CHECK(open_class_map(folder.file("map.tif"))->has_names());
  CHECK(record.classified == 30 * 24);
  CHECK(record.classes[0].pixels + record.classes[1].pixels == 30 * 24);
  REQUIRE(record.layers.size() == map_layers().size());
  CHECK(record.layers[0].file == folder.file("p.tif"));
  CHECK(record.layers[3].name == "decision values");
  CHECK_FALSE(record.layers[3].file);
}

TEST_CASE("a map in memory is that of the file, and has no files beside it") {
  const TemporaryFolder folder;
  MapOptions options = SmallScene::instance().mapping("");
  options.regularise = parse_regularisation("auto");
  std::unique_ptr<MemoryClassMapSink> sink;
  std::unique_ptr<MemoryFieldSink> confidence;
  const MakeMapOutputs make = [&](const RasterGrid& grid, const ClassTable& classes) {
    CHECK(classes.size() == 2);
    sink = std::make_unique<MemoryClassMapSink>(grid);
    confidence = std::make_unique<MemoryFieldSink>(grid, 1);
    return MapOutputs{sink.get(), {{MapLayer::confidence, confidence.get()}}};
  };
  Listener silent;
  const MappingRecord record = map_into(options, make, silent);
  options.map = folder.file("map.tif");
  options.layers = {{MapLayer::confidence, folder.file("c.tif")}};
  const MappingRecord written = map(options);
  CHECK(sink->codes() == codes_of(options.map));
  CHECK(confidence->values() == values_of(folder.file("c.tif")));
  CHECK(record.map.empty());
  CHECK(record.regularisation == written.regularisation);
  CHECK(record.classified == written.classified);
  CHECK_THROWS_WITH_AS(map_into(options, make, silent), doctest::Contains("--confidence"), ConfigError);
  options.layers.clear();
  options.report = folder.file("page.html");
  CHECK_THROWS_WITH_AS(map_into(options, make, silent), doctest::Contains("is a file beside the map"), ConfigError);
  options.report.reset();
  options.segments = SmallScene::instance().reference();
  options.segments_out = folder.file("segments.gpkg");
  CHECK_THROWS_AS(map_into(options, make, silent), ConfigError);
}

TEST_CASE("decision values order the classes as probabilities do, and what is rejected is counted") {
  const TemporaryFolder folder;
  MapOptions options = SmallScene::instance().mapping(folder.file("map.tif"));
  options.layers = {{MapLayer::decision_values, folder.file("d.tif")}, {MapLayer::novelty, folder.file("n.tif")}};
  options.reject_novelty = 0.9;
  const MappingRecord record = map(options);
  const std::vector<std::uint16_t> all = codes_of(SmallScene::instance().map());
  const std::vector<std::uint16_t> codes = codes_of(folder.file("map.tif"));
  const Spectra decisions = values_of(folder.file("d.tif"));
  const Spectra novelty = values_of(folder.file("n.tif"));
  std::int64_t rejected = 0;
  for (Index i = 0; i < decisions.rows(); ++i) {
    Index label = 0;
    decisions.row(i).maxCoeff(&label);
    REQUIRE(all[static_cast<std::size_t>(i)] == label + 1);
    const bool out = novelty(i, 0) > 0.9F;
    REQUIRE(codes[static_cast<std::size_t>(i)] == (out ? 0 : label + 1));
    rejected += out ? 1 : 0;
  }
  CHECK(rejected > 0);
  CHECK(record.rejected == rejected);
  CHECK(name_of_band(folder.file("d.tif"), 1) == "water");
  CHECK(name_of_band(folder.file("n.tif"), 0) == "novelty");
}

TEST_CASE("the features that decide are counted, named, and the same whatever the windows") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions options = small.mapping(folder.file("map.tif"));
  options.layers = {{MapLayer::deciding, folder.file("d.tif")}};
  options.report = folder.file("page.html");
  const MappingRecord record = map(options);
  CHECK(codes_of(folder.file("map.tif")) == codes_of(small.map()));
  const Spectra layer = values_of(folder.file("d.tif"));
  REQUIRE(layer.cols() == 3);
  REQUIRE(record.deciding.size() == 4);
  for (std::size_t f = 0; f < record.deciding.size(); ++f) {
    const DecidingFeature& feature = record.deciding[f];
    const auto is_top = layer.col(0).array() == static_cast<float>(f + 1);
    CHECK(feature.pixels == is_top.count());
    CHECK(feature.hanging == (is_top && layer.col(2).array() < 0).count());
    CHECK(feature.labels == small.polygons());
    CHECK(feature.part == 1);
  }
  CHECK((layer.col(0).array() != layer.col(1).array()).all());
  CHECK(contains(file_content(folder.file("page.html")), "Labels that decide"));
  // Before neighbours are asked.
  MapOptions other = small.mapping(folder.file("other.tif"));
  other.layers = {{MapLayer::deciding, folder.file("o.tif")}};
  other.regularise = parse_regularisation("gaussian:1");
  other.threads = 1;
  other.ram_bytes = std::int64_t{64} << 20U;
  CHECK(map(other).deciding[0].pixels == record.deciding[0].pixels);
  CHECK(values_of(folder.file("o.tif")) == layer);
  Model model = load_model(small.model());
  model.origins.reset();
  write_file(folder.file("earlier"), model_bytes(model));
  other.model = folder.file("earlier");
  other.map = folder.file("third.tif");
  CHECK_THROWS_WITH_AS(map(other), doctest::Contains("'deciding' needs to know from which labelled features"),
                       DataError);
  CHECK_FALSE(std::filesystem::exists(other.map));
}

TEST_CASE("a map of which everything is rejected comes with a warning") {
  const TemporaryFolder folder;
  MapOptions options = SmallScene::instance().mapping(folder.file("map.tif"));
  options.reject = 1;
  RecordingListener listener;
  CHECK(map_scene(options, listener).classified == 0);
  CHECK(listener.has_warning("every pixel of " + SmallScene::instance().scene() +
                             " was rejected; the map is empty. Reject fewer (--reject"));
}

TEST_CASE("format and creation options reach GDAL, memory and threads change nothing") {
  const TemporaryFolder folder;
  MapOptions options = SmallScene::instance().mapping(folder.file("map.img"));
  options.ram_bytes = std::int64_t{48} << 20U;
  options.threads = 1;
  map(options);
  CHECK(std::filesystem::exists(folder.file("map.hdr")));
  CHECK(codes_of(folder.file("map.img")) == codes_of(SmallScene::instance().map()));
  options = SmallScene::instance().mapping(folder.file("other"));
  options.format = {"GTiff", {"COMPRESS=NONE", "TILED=NO"}};
  map(options);
  CHECK(open_scene(folder.file("other")).description.driver == "GTiff");
  CHECK(codes_of(folder.file("other")) == codes_of(folder.file("map.img")));
}

TEST_CASE("a regularised map, its probabilities and what auto chose") {
  const TemporaryFolder folder;
  MapOptions options = SmallScene::instance().mapping(folder.file("auto.tif"));
  options.regularise = parse_regularisation("auto");
  options.layers = {{MapLayer::probabilities, folder.file("p.tif")}};
  const MappingRecord chosen = map(options);
  CHECK(chosen.regularise == "auto");
  CHECK(chosen.regularisation.starts_with("neighbours:"));
  CHECK(chosen.stages.front().first == "choose");
  check_labels(codes_of(folder.file("auto.tif")), values_of(folder.file("p.tif")));

  options = SmallScene::instance().mapping(folder.file("again.tif"));
  options.regularise = parse_regularisation(chosen.regularisation);
  options.threads = 1;
  CHECK(map(options).regularisation == chosen.regularisation);
  CHECK(codes_of(folder.file("again.tif")) == codes_of(folder.file("auto.tif")));
}

TEST_CASE("a map has the colours of the model, or others") {
  const TemporaryFolder folder;
  const std::string model = folder.file("model");
  TrainOptions training = SmallScene::instance().training(model);
  training.colours = folder.file("names.json");
  write_file(*training.colours, R"({"water": "#0000ff", "forest": "#016603"})");
  train(training);
  MapOptions options = SmallScene::instance().mapping(folder.file("a.tif"));
  options.model = model;
  map(options);
  CHECK(open_class_map(options.map)->classes()[1].colour == Colour{0, 0, 255});
  options.map = folder.file("b.img");
  options.colours = folder.file("codes.clr");
  write_file(*options.colours, "2 7 8 9\n");
  map(options);
  CHECK(open_class_map(options.map)->classes()[0].colour == Colour{1, 102, 3});
  CHECK(open_class_map(options.map)->classes()[1].colour == Colour{7, 8, 9});
}

TEST_CASE("a mask hides pixels from the map; one that does not fit is refused, and never replaced") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions options = small.mapping(folder.file("map.tif"));
  options.scene.mask = write_mask(folder, 30, 10);
  map(options);
  const std::vector<std::uint16_t> codes = codes_of(options.map);
  const std::vector<std::uint16_t> whole = codes_of(small.map());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    REQUIRE(codes[i] == (i % 30 < 10 ? 0 : whole[i]));
  }
  options.map = *options.scene.mask;
  options.overwrite = true;
  CHECK(contains(message_of([&] { map(options); }), "is the same file as --mask"));
  options.map = folder.file("other.tif");
  options.scene.mask = small.scene();
  CHECK(contains(message_of([&] { map(options); }), "has 12 bands; it must have one"));
  options.scene.mask = write_mask(folder, 29, 10);
  const std::string size = message_of([&] { map(options); });
  CHECK(contains(size, "mask.tif is 29 x 24 pixels, but"));
  CHECK(contains(size, "a mask must lie on the scene's grid"));
  CHECK_FALSE(std::filesystem::exists(folder.file("other.tif")));
}

TEST_CASE("a STAC item appears with its map, and never without it") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions options = small.mapping(folder.file("map.tif"));
  options.stac = folder.file("item.json");
  options.layers = {{MapLayer::confidence, folder.file("c.tif")}};
  const MappingRecord record = map(options);
  const auto item = nlohmann::json::parse(file_content(*options.stac));
  CHECK(item["assets"]["map"]["file:checksum"] == "1220" + sha256_of_file(options.map));
  CHECK(item["assets"]["confidence"]["file:checksum"] == "1220" + sha256_of_file(folder.file("c.tif")));
  CHECK(item["assets"]["map"]["classification:classes"][1]["count"] == record.classes[0].pixels);
  CHECK(contains(message_of([&] { map(options); }), "exists; use --overwrite"));
  options.map = *options.stac;
  options.overwrite = true;
  CHECK(contains(message_of([&] { map(options); }), "item.json"));
}

namespace {

// Segment 70000: the columns below 11; segment 5: those from 20; outside: those between.
std::string write_segments(const TemporaryFolder& folder) {
  fill_band(*create_raster(folder.file("segments.tif"), 30, 24, 1, GDT_UInt32), 1, [](int column, int) {
    return column < 11 ? 70000 : column < 20 ? 0 : 5;
  });
  return folder.file("segments.tif");
}

}  // namespace

TEST_CASE("segments are judged as a whole and written with their class, confidence and pixels") {
  const TemporaryFolder folder;
  MapOptions options = SmallScene::instance().mapping(folder.file("map.tif"));
  options.layers = {{MapLayer::probabilities, folder.file("own.tif")}};
  map(options);
  const Spectra own = values_of(folder.file("own.tif"));
  const std::vector<std::uint16_t> own_codes = codes_of(folder.file("map.tif"));

  options.map = folder.file("by_segments.tif");
  options.layers = {{MapLayer::probabilities, folder.file("p.tif")}};
  options.segments = write_segments(folder);
  options.segments_out = folder.file("segments.gpkg");
  const MappingRecord record = map(options);
  CHECK(record.segment_count == 2);
  const std::vector<std::uint16_t> codes = codes_of(options.map);
  const Spectra probabilities = values_of(folder.file("p.tif"));
  check_labels(codes, probabilities);
  for (const auto& [first, last] : {std::pair<Index, Index>{0, 11}, {20, 30}}) {
    Eigen::RowVector2d mean = Eigen::RowVector2d::Zero();
    for (Index i = 0; i < 30 * 24; ++i) {
      if (i % 30 >= first && i % 30 < last) {
        mean += own.row(i).cast<double>() / (static_cast<double>(last - first) * 24);
      }
    }
    CHECK((probabilities.row(first).cast<double>() - mean).norm() < 1e-6);
    CHECK(probabilities.row(first) == probabilities.row(23 * 30 + last - 1));
  }
  CHECK(codes[15] == own_codes[15]);

  const LabelledPixels outlines = read_labels(*options.segments_out, {.class_field = "pixels", .where = {}},
                                              open_scene(options.scene.path).source->grid(), "scene");
  CHECK(outlines.classes == ClassTable{{10 * 24, "240", {}}, {11 * 24, "264", {}}});
  CHECK(class_sizes(outlines) == std::vector<Index>{10 * 24, 11 * 24});
}

TEST_CASE("the areas of the classes are written as polygons of the same labels") {
  const TemporaryFolder folder;
  MapOptions options = SmallScene::instance().mapping(folder.file("map.tif"));
  options.least_pixels = 3;
  CHECK(contains(message_of([&] { map(options); }), "--least-pixels needs --polygonise"));
  CHECK(folder.names().empty());
  options.least_pixels.reset();
  options.polygonise = folder.file("areas.gpkg");
  CHECK(map(options).polygons == options.polygonise);
  const RasterGrid grid = open_scene(options.scene.path).source->grid();
  const LabelledPixels areas = read_labels(*options.polygonise, {.class_field = "code", .where = {}}, grid, "scene");
  const std::vector<std::uint16_t> codes = codes_of(options.map);
  CHECK(std::ssize(areas.pixels) == std::ranges::count_if(codes, [](std::uint16_t code) { return code > 0; }));
  for (const LabelledPixel& pixel : areas.pixels) {
    CHECK(areas.classes[static_cast<std::size_t>(pixel.label)].code == codes[static_cast<std::size_t>(pixel.pixel)]);
  }
}

TEST_CASE("segments that overlap are warned of") {
  const TemporaryFolder folder;
  MapOptions options = SmallScene::instance().mapping(folder.file("map.tif"));
  options.segments = folder.file("twice.geojson");
  const std::string everywhere =
      R"({"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[-1e7,-1e7],[1e7,-1e7],[1e7,1e7],[-1e7,1e7],[-1e7,-1e7]]]}})";
  write_file(*options.segments,
             R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:32631"}},"features":[)" +
                 everywhere + "," + everywhere + "]}");
  RecordingListener listener;
  map_scene(options, listener);
  CHECK(listener.has_warning(*options.segments +
                             ": segments overlap: 720 pixels count to an earlier segment in the file only"));
}

TEST_CASE("segments do not go with everything, and their files are guarded") {
  const TemporaryFolder folder;
  MapOptions options = SmallScene::instance().mapping(folder.file("map.tif"));
  options.segments_out = folder.file("s.gpkg");
  CHECK(contains(message_of([&] { map(options); }), "--segments-out needs --segments"));
  options.segments = write_segments(folder);
  options.regularise = parse_regularisation("auto");
  CHECK(contains(message_of([&] { map(options); }), "--segments does not go with --regularise"));
  options.regularise.reset();
  options.map = *options.segments;
  options.overwrite = true;
  CHECK(contains(message_of([&] { map(options); }), "--segments"));
  CHECK(folder.names() == std::vector<std::string>{"segments.tif"});
}

namespace {

Outcome classify(const std::string& map, const std::vector<std::string>& options) {
  const SmallScene& small = SmallScene::instance();
  std::vector<std::string> arguments = {"classify", small.scene(), small.model(), map};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

}  // namespace

TEST_CASE("every option reaches the map, and the record tells what was written") {
  const TemporaryFolder folder;
  write_file(folder.file("b.clr"), "2 7 8 9\n5 1 1 1 sand\n");
  std::vector<std::string> options = {"--of",
                                      "GTiff",
                                      "--co",
                                      "COMPRESS=NONE",
                                      "--probabilities",
                                      folder.file("p"),
                                      "--confidence",
                                      folder.file("c"),
                                      "--uncertainty",
                                      folder.file("u"),
                                      "--decision-values",
                                      folder.file("d"),
                                      "--novelty",
                                      folder.file("n"),
                                      "--report",
                                      folder.file("r.html"),
                                      "--reject",
                                      "0.6",
                                      "--reject-novelty",
                                      "1",
                                      "--regularise",
                                      "gaussian:1",
                                      "--colours",
                                      folder.file("b.clr"),
                                      "--ram",
                                      "64",
                                      "--threads",
                                      "1",
                                      "--json"};
  const Outcome unmasked = classify(folder.file("map"), options);
  CAPTURE(unmasked.err);
  REQUIRE(unmasked.code == 0);
  CHECK(contains(unmasked.err, "--colours names classes that do not exist: 'sand'"));
  const auto json = nlohmann::json::parse(unmasked.out);
  CHECK(json.at("map") == folder.file("map"));
  CHECK(json.at("probabilities") == folder.file("p"));
  CHECK(json.at("uncertainty") == folder.file("u"));
  CHECK(json.at("decision_values") == folder.file("d"));
  CHECK(json.at("regularisation") == "gaussian:1");
  for (const char* name : {"map", "p", "c", "u", "d", "n", "r.html"}) {
    CHECK(std::filesystem::exists(folder.file(name)));
  }
  CHECK(open_class_map(folder.file("map"))->classes().back().colour == Colour{7, 8, 9});
  const BandTable bands = open_scene(folder.file("u")).source->bands();
  REQUIRE(bands.size() == 2);
  CHECK(bands[0].name == "margin uncertainty");
  CHECK(bands[1].name == "entropy");
  options.insert(options.end(), {"--mask", folder.file("mask.asc"), "--overwrite"});
  const Outcome masked = classify(folder.file("map"), options);
  CHECK(masked.code == 3);
  CHECK(contains(masked.err, "mask.asc"));
}

TEST_CASE("limits that are no share are refused") {
  const TemporaryFolder folder;
  for (const std::string text : {"0", "-0.5", "1.01", "nan", "half", "0.5x", ""}) {
    const Outcome outcome = classify(folder.file("m.tif"), {"--reject", text});
    CHECK(outcome.code == 2);
    CHECK(contains(outcome.err, "--reject is '" + text + "'; it must be a number above 0 and at most 1"));
  }
}

TEST_CASE("a bad colour stops a command before it starts, with code 2 and no file") {
  const TemporaryFolder folder;
  const std::string colours = folder.file("a.clr");
  write_file(colours, "1 255 0 0\n2 blue\n");
  const Outcome outcome = classify(folder.file("a.tif"), {"--colours", colours});
  CHECK(outcome.code == 2);
  CHECK(contains(outcome.err, colours + ": line 2 is '2 blue'"));
  CHECK(folder.names() == std::vector<std::string>{"a.clr"});
}

TEST_CASE("what cannot be classified is refused with a sentence, a code and no file") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string map = folder.file("map.tif");
  struct Case {
    Outcome outcome;
    int code;
    std::string part;
  };
  const std::vector<Case> cases = {
      {run({"classify", small.reference(), small.model(), map}), 3, "12 bands"},
      {run({"classify", small.scene(), small.scene(), map}), 3, "scene.tif"},
      {run({"classify", small.scene(), folder.file("none"), map}), 3, "none"},
      {run({"classify", folder.file("none.tif"), small.model(), map}), 3, "none.tif"},
      {classify(folder.file("no/map.tif"), {}), 2, "no/map.tif"},
      {classify(small.map(), {}), 2, "--overwrite"},
      {classify(small.scene(), {"--overwrite"}), 2, "same file as SCENE"},
      {classify(small.model(), {"--overwrite", "--of", "GTiff"}), 2, "same file as MODEL"},
      {classify(map, {"--confidence", map}), 2, "same file as MAP"},
      {classify(map, {"--of", "NoSuchFormat"}), 2, "NoSuchFormat"},
      {classify(map, {"--co", "COMPRESS"}), 2, "COMPRESS"},
      {classify(map, {"--confidence", folder.file("no/c.tif")}), 2, "no/c.tif"},
      {classify(map, {"--ram", "1"}), 2, "--ram"},
      {classify(map, {"--reject", "2"}), 2, "--reject is '2'; it must be a number above 0 and at most 1"},
      {classify(map, {"--novelty", folder.file("no/n.tif")}), 2, "no/n.tif"},
      {classify(map, {"--novelty", folder.file("n.tif"), "--decision-values", folder.file("n.tif")}), 2,
       "same file as --decision-values"},
      {classify(map, {"--regularise", "majority"}), 2, "neighbours:SIGMA"},
  };
  for (const Case& example : cases) {
    CAPTURE(example.outcome.err);
    CHECK(example.outcome.code == example.code);
    CHECK(contains(example.outcome.err, example.part));
    CHECK(example.outcome.out.empty());
  }
  CHECK(folder.names().empty());
}

TEST_CASE("segments of a vector file come out with their classes") {
  const TemporaryFolder folder;
  write_file(folder.file("parcels.geojson"),
             R"({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {}, "geometry": )"
             R"({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, -4], [0, -4], [0, 0]]]}}]})");
  const Outcome refused = classify(folder.file("map.tif"), {"--segments", folder.file("parcels.geojson")});
  CHECK(refused.code == 3);
  CHECK(contains(refused.err, "no feature owns a pixel"));
}

TEST_CASE("several scenes are classified with one command, and one that fails makes its code 1") {
  const TemporaryFolder folder;
  const SmallScene& small = SmallScene::instance();
  write_file(folder.file("list.csv"), "scene\n" + small.scene() + "\n");
  const Outcome listed = run({"classify", small.model(), "--scenes", folder.file("list.csv"), "--output-dir",
                              folder.file("maps"), "--mosaic", folder.file("all.tif")});
  CAPTURE(listed.err);
  REQUIRE(listed.code == 0);
  CHECK(contains(listed.out, "Classified 1 of 1 scenes"));
  CHECK(contains(listed.out, "Mosaic: " + folder.file("all.tif")));
  CHECK(std::filesystem::exists(folder.file("maps/scene_map.tif")));

  const Outcome failing = run({"classify", small.model(), "--scene", folder.file("absent.tif"), "--scene",
                               small.scene(), "--output-dir", folder.file("more"), "--json"});
  CHECK(failing.code == 1);
  CHECK(contains(failing.err, "1 of 2 scenes could not be classified"));
  const auto json = nlohmann::json::parse(failing.out);
  CHECK(contains(json.at("scenes").at(0).at("failure").get<std::string>(), "absent.tif"));
  CHECK(json.at("scenes").at(1).at("classified") == 30 * 24);
  CHECK(json.at("mosaic").is_null());
}

TEST_CASE("options of several scenes and arguments of one do not mix") {
  const TemporaryFolder folder;
  const SmallScene& small = SmallScene::instance();
  const Outcome both = classify(folder.file("map.tif"), {"--scene", small.scene()});
  CHECK(both.code == 2);
  CHECK(contains(both.err, "SCENE and MAP do not go with --scene"));
  const Outcome lone = classify(folder.file("map.tif"), {"--mosaic", folder.file("all.tif")});
  CHECK(lone.code == 2);
  CHECK(contains(lone.err, "--mosaic belongs to several scenes"));
  const Outcome surplus = run({"classify", "a", "b", "c", "d", "--scene", small.scene()});
  CHECK(contains(surplus.err, "one too many"));
  CHECK(contains(run({"classify", "--scene", small.scene()}).err, "argument MODEL is missing"));
  CHECK(contains(run({"classify", "--help"}).out, "parsimap classify [SCENE] MODEL [MAP] [options]"));
}

}  // namespace parsimap::test
