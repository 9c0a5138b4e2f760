#include "parsimap/commands/suggest.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <ogrsf_frmts.h>

#include <cmath>
#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "support/small_scene.hpp"
#include "unit/cli/program_runner.hpp"

namespace parsimap::test {

namespace {

SuggestOptions options_for_places(const std::string& places) {
  SuggestOptions options;
  options.scene = {SmallScene::instance().scene()};
  options.model = SmallScene::instance().model();
  options.places = places;
  options.count = 6;
  options.threads = 1;
  return options;
}

LabelPlacesRecord suggest(const SuggestOptions& options) {
  Listener silent;
  return suggest_places(options, silent);
}

RasterGrid grid_of_scene() { return open_scene(SmallScene::instance().scene()).source->grid(); }

}  // namespace

TEST_CASE("places are points with their rank, which can be labelled") {
  const TemporaryFolder folder;
  const LabelPlacesRecord record = suggest(options_for_places(folder.file("places.gpkg")));
  REQUIRE(record.places.size() == 6);
  CHECK(record.pixels == 30 * 24);
  CHECK(record.excluded.empty());
  // The field `rank` gives every point its pixel back.
  const RasterGrid grid = grid_of_scene();
  const LabelledPixels points =
      read_labels(folder.file("places.gpkg"), {.class_field = "rank", .where = {}}, grid, "s");
  REQUIRE(points.pixels.size() == 6);
  for (const LabelledPixel& pixel : points.pixels) {
    const SuggestedPlace& place = record.places[static_cast<std::size_t>(pixel.label)];
    CHECK(pixel.pixel == place.row * grid.width + place.column);
    CHECK(place.uncertainty == doctest::Approx(1 - place.probability + place.second_probability));
    CHECK(place.class_name != place.second_class);
  }
  // Nothing is labelled yet, also where the class field of other labels has another name.
  for (const char* field : {"class", "species"}) {
    CHECK(contains(
        message_of([&] { read_labels(folder.file("places.gpkg"), {.class_field = field, .where = {}}, grid, "s"); }),
        "no feature has a class in the field 'class'; unlabelled features: 6"));
  }
}

namespace {

// Enters the class of the reference into `field` of the first `count` features, as a user does after a visit.
void label_places(const std::string& path, const std::string& field, int count) {
  const LabelledPixels truth = read_labels(SmallScene::instance().reference(), {}, grid_of_scene(), "s");
  const GDALDatasetUniquePtr file(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE));
  OGRLayer& layer = *file->GetLayer(0);
  for (int i = 0; i < count; ++i) {
    const OGRFeatureUniquePtr feature(layer.GetFeature(i + 1));
    const auto pixel = feature->GetFieldAsInteger64("row") * 30 + feature->GetFieldAsInteger64("column");
    const LabelledPixel& found = truth.pixels.at(static_cast<std::size_t>(pixel));
    feature->SetField(field.c_str(), truth.classes[static_cast<std::size_t>(found.label)].name.c_str());
    REQUIRE(layer.SetFeature(feature.get()) == OGRERR_NONE);
  }
}

}  // namespace

TEST_CASE("suggested places are labelled and trained with, in several rounds") {
  const TemporaryFolder folder;
  const SmallScene& small = SmallScene::instance();
  TrainOptions training = small.training(folder.file("model"));
  training.overwrite = true;
  Listener silent;
  const auto trained_on = [&](Listener& listener) {
    Index samples = 0;
    for (const BinaryClassifier& classifier : train_scene(training, listener).model.classifiers) {
      samples += classifier.samples;
    }
    return samples;
  };
  const Index before = trained_on(silent);
  SuggestOptions options = options_for_places(folder.file("first.gpkg"));
  options.exclude = {small.polygons()};
  for (const char* name : {"first.gpkg", "second.gpkg"}) {
    options.places = folder.file(name);
    suggest(options);
    training.labels.files.push_back(options.places);
    // Training on predictions by mistake is not possible: the field of that name is empty.
    CHECK(contains(message_of([&] { train_scene(training, silent); }), "unlabelled features: 6"));
    label_places(options.places, "class", 4);
    RecordingListener listener;
    CHECK(trained_on(listener) == before + static_cast<Index>(4 * options.exclude.size()));
    CHECK(listener.said(options.places + ": features left out because they have no class in the field 'class': 2"));
    options.model = training.model;
    options.exclude.push_back(options.places);
  }
}

TEST_CASE("places of an earlier version have their labels in another field") {
  const TemporaryFolder folder;
  const std::string path = folder.file("places.gpkg");
  suggest(options_for_places(path));
  {
    const GDALDatasetUniquePtr file(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE));
    for (const char* sql :
         {"ALTER TABLE places RENAME COLUMN class TO label", "ALTER TABLE places RENAME COLUMN predicted TO class"}) {
      file->ReleaseResultSet(file->ExecuteSQL(sql, nullptr, nullptr));
    }
  }
  const RasterGrid grid = grid_of_scene();
  const auto read = [&] { return read_labels(path, {.class_field = "class", .where = {}}, grid, "s"); };
  CHECK(contains(message_of([&] { read(); }), "no feature has a class in the field 'label'"));
  label_places(path, "label", 2);
  const LabelledPixels labels = read();
  CHECK(labels.pixels.size() == 2);
  CHECK(labels.messages.front().ends_with("are read from the field 'label'"));
}

TEST_CASE("what is labelled is not suggested, from several files") {
  const TemporaryFolder folder;
  SuggestOptions options = options_for_places(folder.file("first.gpkg"));
  const LabelPlacesRecord first = suggest(options);
  options.places = folder.file("second.gpkg");
  options.exclude = {SmallScene::instance().polygons(), folder.file("first.gpkg")};
  const LabelPlacesRecord second = suggest(options);
  const LabelledPixels polygons =
      read_labels(SmallScene::instance().polygons(), {.class_field = "class", .where = {}}, grid_of_scene(), "s");
  CHECK(second.pixels < 30 * 24 - static_cast<std::int64_t>(polygons.pixels.size()) + 1);
  for (const SuggestedPlace& place : second.places) {
    for (const LabelledPixel& pixel : polygons.pixels) {
      CHECK(pixel.pixel != place.row * 30 + place.column);
    }
    for (const SuggestedPlace& other : first.places) {
      CHECK((place.row != other.row || place.column != other.column));
    }
  }
}

TEST_CASE("the distance is in metres where the scene has a CRS, and few places are a warning") {
  const TemporaryFolder folder;
  SuggestOptions options = options_for_places(folder.file("places.gpkg"));
  const RasterGrid grid = grid_of_scene();
  const double side = std::abs((*grid.geotransform)[1]);
  options.distance = 9 * side;
  RecordingListener listener;
  const LabelPlacesRecord record = suggest_places(options, listener);
  CHECK(record.least_distance == doctest::Approx(9 * side));
  CHECK(record.distance_unit == (grid.crs.empty() ? "pixels" : "m"));
  for (const SuggestedPlace& a : record.places) {
    for (const SuggestedPlace& b : record.places) {
      const double distance = std::hypot(static_cast<double>(a.row - b.row), static_cast<double>(a.column - b.column));
      CHECK((distance == 0 || distance >= 9 - 1e-9));
    }
  }
  options.distance = 1000 * side;
  options.overwrite = true;
  CHECK(suggest_places(options, listener).places.size() == 1);
  CHECK(listener.has_warning("only 1 places were found for the 6 asked for"));
  options.exclude = {SmallScene::instance().reference()};
  CHECK(suggest_places(options, listener).places.empty());
  CHECK(listener.has_warning("is not excluded; a raster of --exclude excludes where it is not 0 or nodata"));
}

TEST_CASE("a file that is no GeoPackage, an input as output and broken inputs are refused") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(suggest(options_for_places(folder.file("places.shp"))), ConfigError);
  SuggestOptions options = options_for_places(folder.file("places.gpkg"));
  suggest(options);
  options.exclude = {options.places};
  options.overwrite = true;
  CHECK(contains(message_of([&] { suggest(options); }), "is the same file as --exclude"));
  options.exclude = {folder.file("absent.gpkg")};
  options.places = folder.file("other.gpkg");
  CHECK_THROWS_AS(suggest(options), DataError);
  CHECK(folder.names() == std::vector<std::string>{"places.gpkg"});
}

namespace {

Outcome suggest(const std::string& places, const std::vector<std::string>& options) {
  const SmallScene& small = SmallScene::instance();
  std::vector<std::string> arguments = {"suggest", small.scene(), small.model(), places, "--threads", "1"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

}  // namespace

TEST_CASE("suggest prints the places and writes them") {
  const TemporaryFolder folder;
  const Outcome text = suggest(folder.file("places.gpkg"), {"--count", "3"});
  CAPTURE(text.err);
  REQUIRE(text.code == 0);
  CHECK(contains(text.out, "Places to label next, of 720 pixels"));
  CHECK(std::filesystem::exists(folder.file("places.gpkg")));
  const Outcome json =
      suggest(folder.file("places.gpkg"), {"--count", "2", "--exclude", SmallScene::instance().polygons(), "--distance",
                                           "3.5", "--ram", "64", "--overwrite", "--json"});
  REQUIRE(json.code == 0);
  const auto document = nlohmann::json::parse(json.out);
  CHECK(document.at("places").size() == 2);
  CHECK(document.at("least_distance") == doctest::Approx(3.5));
  CHECK(document.at("excluded").at(0) == SmallScene::instance().polygons());
  CHECK(document.at("pixels") < 720);
}

TEST_CASE("suggest forecasts the accuracy with more labels, whatever the threads") {
  const TemporaryFolder folder;
  Listener listener;
  // Six polygons of each class.
  auto spec = nlohmann::json::parse(kSmallSpec);
  spec.update({{"width", 60}, {"height", 48}});
  spec["polygons"].update({{"per_class", 6}, {"smallest_radius", 1}, {"largest_radius", 2}});
  write_file(folder.file("spec.json"), spec.dump());
  simulate_scene({{}, folder.file("spec.json"), folder.file("scene")}, listener);
  TrainOptions training = SmallScene::instance().training(folder.file("model"));
  training.scene.path = folder.file("scene/scene.tif");
  training.labels.files = {folder.file("scene/training.gpkg")};
  train(training);

  SuggestOptions options = options_for_places(folder.file("places.gpkg"));
  options.scene = training.scene;
  options.model = training.model;
  options.expect = 12;
  CHECK(contains(message_of([&] { suggest(options); }), "--expect N and --labels FILE belong together"));
  CHECK(!std::filesystem::exists(options.places));
  options.labels = training.labels.files;
  const LabelPlacesRecord record = suggest(options);
  REQUIRE(record.expected);
  const LabelForecast& forecast = record.expected->forecast;
  CHECK(forecast.more == 12);
  REQUIRE(forecast.overall);
  CHECK(forecast.overall->then >= forecast.overall->now);
  // The training kept the names of fields: without them the file could not be read.
  CHECK(record.expected->classes.size() == forecast.units.size());
  const std::vector<std::string> words = {"suggest", options.scene.path, options.model};
  const auto run_to = [&](const std::string& places, const std::vector<std::string>& more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {folder.file(places), "--expect", "12", "--labels", options.labels.front()});
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const Outcome text = run_to("text.gpkg", {});
  CHECK(text.code == 0);
  CHECK(contains(text.out, "Accuracy expected with 12 more labelled features beside the 12 of the labels"));
  CHECK(contains(text.out, "90 % interval"));
  const Outcome json = run_to("json.gpkg", {"--threads", "2", "--json"});
  REQUIRE(json.code == 0);
  const auto expected = nlohmann::json::parse(json.out).at("expected");
  CHECK(expected.at("overall").at("then").get<double>() == forecast.overall->then);
  CHECK(expected.at("average").at("interval").at(0).get<double>() == forecast.average->interval.low);
  CHECK(expected.at("classes").size() == forecast.units.size());
  CHECK(expected.contains("enough"));
}

TEST_CASE("of classes of few labelled features nothing is forecast") {
  const TemporaryFolder folder;
  const Outcome text =
      suggest(folder.file("places.gpkg"), {"--expect", "12", "--labels", SmallScene::instance().polygons()});
  CHECK(text.code == 0);
  CHECK(contains(text.out, "Without a forecast, which needs 5 units of a class"));
  CHECK_FALSE(contains(text.out, "More labels"));
}

TEST_CASE("labels of other classes than the model has, and other files, are refused") {
  const TemporaryFolder folder;
  SuggestOptions options = options_for_places(folder.file("places.gpkg"));
  options.expect = 5;
  options.labels = {folder.file("none.gpkg")};
  CHECK_THROWS(suggest(options));
  CHECK(!std::filesystem::exists(options.places));
  const Outcome alone = suggest(folder.file("p.gpkg"), {"--labels", SmallScene::instance().polygons()});
  CHECK(alone.code == 2);
}

TEST_CASE("suggest refuses options out of range") {
  const TemporaryFolder folder;
  const Outcome distance = suggest(folder.file("p.gpkg"), {"--distance", "near"});
  CHECK(distance.code == 2);
  CHECK(contains(distance.err, "--distance is 'near'; it must be a number of at least 0"));
  CHECK(suggest(folder.file("p.gpkg"), {"--distance", "-1"}).code == 2);
  CHECK(suggest(folder.file("p.gpkg"), {"--count", "0"}).code == 2);
}

TEST_CASE("places carry the group field of the labels, and a condition selects what is excluded") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions training = small.training(folder.file("model"));
  training.training.family = KernelFamily::gaussian;
  training.labels.options.group_field = "split";
  train(training);
  SuggestOptions options = options_for_places(folder.file("places.gpkg"));
  options.model = folder.file("model");
  options.exclude = {small.polygons()};
  const std::int64_t without_all = suggest(options).pixels;
  // A round of places, some of which are labelled: with the same fields as before, and none of them is of a group.
  label_places(folder.file("places.gpkg"), "class", 3);
  training.labels.files = {small.polygons(), folder.file("places.gpkg")};
  training.model = folder.file("model2");
  CHECK(train(training).record.labels.size() == 2);
  options.overwrite = true;
  options.where = "split = 'train'";
  CHECK(contains(message_of([&] { suggest(options); }), "has points of which 3 have a label, which would be lost"));
  options.places = folder.file("next.gpkg");
  const std::int64_t without_some = suggest(options).pixels;
  CHECK(without_some > without_all);
  // A file of which the condition selects nothing, as of places whose group field is empty, is excluded whole, which is
  // said; but not where it is so of all files.
  options.exclude.push_back(folder.file("next.gpkg"));
  options.places = folder.file("more.gpkg");
  RecordingListener listener;
  CHECK(suggest_places(options, listener).pixels < without_some);
  CHECK(listener.said("the condition \"split = 'train'\" selects no feature; all that it labels is excluded"));
  options.where = "split = 'trian'";
  CHECK(contains(message_of([&] { suggest(options); }), "the condition \"split = 'trian'\" selects no feature"));
  options.where = "splitt = 'train'";
  CHECK(
      contains(message_of([&] { suggest(options); }), "the condition \"splitt = 'train'\" does not go with the layer"));
  options.where = "split = 'train'";
  options.exclude = {small.reference()};
  CHECK_THROWS_AS(suggest(options), ConfigError);
}

}  // namespace parsimap::test
