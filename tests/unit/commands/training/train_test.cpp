#include "parsimap/commands/training/train.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/json/model_file.hpp"

#include "support/small_scene.hpp"
#include "unit/cli/program_runner.hpp"
#include "unit/commands/mask_file.hpp"
#include "unit/commands/region_box.hpp"

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

Indices dropped_of(const Model& model, const std::string& reason) {
  for (const auto& [text, bands] : bands_by_reason(model.dropped_bands)) {
    if (text == reason) {
      return bands;
    }
  }
  return {};
}

Index samples_of_class(const TrainResult& result, std::size_t c) { return result.model.classifiers[c].samples; }

// A scene of 12 x 8 pixels with two bands, ENVI's way, the left half of class 1 and the right half of class 2, whose
// means are so far apart; `bad` pixels hold 1e12.
void write_two_classes(const TemporaryFolder& folder, double apart, const std::vector<int>& bad) {
  const auto header = [](int bands, int type) {
    return "ENVI\nsamples = 12\nlines = 8\nbands = " + std::to_string(bands) + "\ndata type = " + std::to_string(type) +
           "\ninterleave = bsq\nbyte order = 0\n";
  };
  Random random(5);
  std::vector<float> values;
  std::string labels;
  for (int i = 0; i < 192; ++i) {
    const int pixel = i % 96;
    const double value = (pixel % 12 < 6 ? 10 : 10 + apart) + random.normal();
    values.push_back(std::count(bad.begin(), bad.end(), pixel) > 0 ? 1e12F : static_cast<float>(value));
    labels += i < 96 ? std::string(1, pixel % 12 < 6 ? '\1' : '\2') : "";
  }
  std::string bytes(values.size() * sizeof(float), ' ');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  write_file(folder.file("scene.img"), bytes);
  write_file(folder.file("scene.hdr"), header(2, 4));
  write_file(folder.file("labels.img"), labels);
  write_file(folder.file("labels.hdr"), header(1, 1));
}

}  // namespace

TEST_CASE("a model is complete: it knows where it came from") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions options = small.training(folder.file("model"));
  options.report = folder.file("page.html");  // no option that changes the model
  const TrainResult result = train(options);
  const Model& model = result.model;
  CHECK(model.scene_bands == 12);
  CHECK(model.band_table.size() == model.bands.size());
  CHECK(model.band_table.front().wavelength == doctest::Approx(400.0));
  REQUIRE(model.classes.size() == 2);
  CHECK(model.classes[0].name == "forest");
  CHECK(model.provenance.program_version == PARSIMAP_VERSION);
  REQUIRE(model.provenance.inputs.size() == 2);
  CHECK(model.provenance.inputs[0].path == small.scene());
  CHECK(model.provenance.inputs[0].bytes > 0);
  CHECK(model.provenance.inputs[1].bytes > 0);
  const auto kept = [&](const std::string& name) {
    return std::find_if(model.provenance.options.begin(), model.provenance.options.end(),
                        [&](const auto& setting) { return setting.first == name; });
  };
  REQUIRE(kept("class-field") != model.provenance.options.end());
  CHECK(kept("class-field")->second == "class");
  CHECK(kept("dimension")->second == "scree:0.01");
  CHECK(kept("report") == model.provenance.options.end());
  CHECK(kept("mask") == model.provenance.options.end());
  // The file holds the same model.
  CHECK(model_bytes(model) == file_content(folder.file("model")));
  CHECK(result.record.model == folder.file("model"));
  CHECK(result.record.stages.size() == 3);
}

TEST_CASE("the shares of the classes that the accuracy of a training is weighted by are those of the map") {
  const TemporaryFolder folder;
  const MappingRecord record = map(SmallScene::instance().mapping(folder.file("map.tif")));
  const Model model = load_model(SmallScene::instance().file("model"));
  const Vector& shares = model.provenance.left_out.map_shares;
  REQUIRE(shares.size() == 2);
  CHECK(shares(0) == doctest::Approx(static_cast<double>(record.classes[0].pixels) / (30 * 24)));
  CHECK(shares.sum() == doctest::Approx(1));
}

TEST_CASE("a model without a name is not written, but all else is") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions options = small.training("");
  options.report = folder.file("page.html");
  const TrainResult result = train(options);
  CHECK(std::filesystem::exists(*options.report));
  CHECK(result.record.model.empty());
  CHECK(model_bytes(result.model) == file_content(small.model()));
}

TEST_CASE("inputs have the names that the listener has for them") {
  class Naming final : public Listener {
   public:
    [[nodiscard]] std::string with_names(std::string text) const override {
      const std::string path = SmallScene::instance().scene();
      for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) {
        text.replace(at, path.size(), "the scene of this test");
      }
      return text;
    }
  };
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions options = small.training(folder.file("model"));
  options.report = folder.file("page.html");
  options.labels.options.where = "class <> '" + small.scene() + "'";
  Naming listener;
  const Model model = train_scene(options, listener).model;
  CHECK(model.provenance.inputs[0].path == "the scene of this test");
  CHECK(model.provenance.inputs[1].path == small.polygons());
  const auto where = std::find_if(model.provenance.options.begin(), model.provenance.options.end(),
                                  [](const auto& setting) { return setting.first == "where"; });
  REQUIRE(where != model.provenance.options.end());
  CHECK(where->second == "class <> 'the scene of this test'");
  CHECK(file_content(*options.report).find("the scene of this test") != std::string::npos);
  CHECK(file_content(*options.report).find(small.scene()) == std::string::npos);
}

TEST_CASE("the model file is the same for any number of threads and any memory") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions one = small.training(folder.file("a"));
  one.ram_bytes = std::int64_t{64} << 20U;
  TrainOptions two = small.training(folder.file("b"));
  two.threads = 2;
  train(one);
  train(two);
  CHECK(file_content(folder.file("a")) == file_content(folder.file("b")));
}

TEST_CASE("a draw of pixels depends on the seed alone") {
  const TemporaryFolder folder;
  const auto seeded = [&](std::uint64_t seed, const std::string& name) {
    TrainOptions options = SmallScene::instance().raster_training(folder.file(name));
    options.sampling = parse_sampling_rule("constant:15");
    options.training.seed = seed;
    const TrainResult result = train(options);
    CHECK(result.model.provenance.training_pixels == 30);
    CHECK(samples_of_class(result, 0) == 15);
    CHECK(samples_of_class(result, 1) == 15);
    return file_content(folder.file(name));
  };
  const std::string first = seeded(1, "a");
  CHECK(seeded(1, "b") == first);
  CHECK(seeded(2, "c") != first);
}

TEST_CASE("strategies of sampling") {
  const TemporaryFolder folder;
  write_file(folder.file("counts.csv"), "1,12\n2,30\n");
  const auto counts = [&](const std::string& rule) {
    TrainOptions options = SmallScene::instance().raster_training(folder.file("m"));
    options.sampling = parse_sampling_rule(rule);
    options.overwrite = true;
    const TrainResult result = train(options);
    return std::vector<Index>{samples_of_class(result, 0), samples_of_class(result, 1)};
  };
  CHECK(counts("constant:25") == std::vector<Index>{25, 25});
  CHECK(counts("byclass:" + folder.file("counts.csv")) == std::vector<Index>{12, 30});
  const std::vector<Index> total = counts("total:100");
  CHECK(total[0] + total[1] == 100);
  const std::vector<Index> smallest = counts("smallest");
  CHECK(smallest[0] == smallest[1]);
}

TEST_CASE("a bad value is named by its pixel, and does not spoil the training") {
  const TemporaryFolder folder;
  const auto trained = [&](const std::vector<int>& bad, RecordingListener& listener) {
    write_two_classes(folder, 3, bad);
    TrainOptions options;
    options.scene.path = folder.file("scene.img");
    options.labels = {{folder.file("labels.img")}, {}};
    options.model = folder.file("model");
    options.overwrite = true;
    return train_scene(options, listener).model.provenance.left_out.accuracy;
  };
  RecordingListener none;
  const double good = trained({}, none);
  CHECK(good > 0.8);
  CHECK_FALSE(none.said("bad value"));

  RecordingListener one;
  CHECK(trained({31}, one) > good - 0.05);
  CHECK(one.said("the training pixel at column 7, row 2 (class '2') lies "));
  CHECK(one.said("e+11 times as far from the others as usual, as a bad value does, and is left out"));

  RecordingListener five;
  CHECK(trained({0, 13, 31, 40, 95}, five) > 0.8);
  CHECK(five.said("the training pixel at column 0, row 0 (class '1')"));
  CHECK_FALSE(five.said("column 11, row 7"));
  CHECK(five.said("more than 1000 times as far from the others as usual, beside those: 2"));
}

TEST_CASE("training pixels can be written as points, and a training set may come in several files") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  for (const auto& [name, split] : {std::pair{"a", "train"}, std::pair{"b", "test"}}) {
    TrainOptions options = small.training(folder.file(name));
    options.labels.options.where = "split='" + std::string(split) + "'";
    options.samples_out = folder.file(std::string(name) + ".gpkg");
    train(options);
  }
  TrainOptions both = small.training(folder.file("both"));
  both.labels.files = {folder.file("a.gpkg"), folder.file("b.gpkg")};
  const TrainResult result = train(both);
  CHECK(result.record.labels == both.labels.files);
  CHECK(result.model.support_spectra == load_model(small.model()).support_spectra);
  REQUIRE(result.model.provenance.inputs.size() == 3);
  CHECK(result.model.provenance.inputs[2].path == folder.file("b.gpkg"));
  both.labels.files[1] = small.reference();
  both.model = folder.file("c");
  CHECK(contains(message_of([&] { train(both); }), "is a raster"));
}

TEST_CASE("the model and the points appear together or not at all") {
  const TemporaryFolder folder;
  TrainOptions options = SmallScene::instance().training(folder.file("model"));
  options.samples_out = folder.file("model");
  CHECK(contains(message_of([&] { train(options); }), "is not that of a vector format"));
  options.samples_out = folder.file("no/points.gpkg");
  CHECK(contains(message_of([&] { train(options); }), "does not exist"));
  CHECK(folder.names().empty());
}

TEST_CASE("every kernel and criterion trains") {
  const TemporaryFolder folder;
  for (const KernelFamily family : {KernelFamily::hdda, KernelFamily::pca, KernelFamily::gaussian}) {
    for (const std::string criterion : {"leave-one-out", "radius-margin"}) {
      CAPTURE(criterion);
      TrainOptions options = SmallScene::instance().training(folder.file("m"));
      options.overwrite = true;
      options.training.family = family;
      options.training.criterion = parse_criterion(criterion);
      CHECK(train(options).model.classifiers[0].selection.criterion == criterion);
    }
  }
}

TEST_CASE("classifiers of the radius-margin bound that find nothing of their class are warned of") {
  const TemporaryFolder folder;
  const auto warned = [&](double apart) {
    write_two_classes(folder, apart, {});
    TrainOptions options;
    options.scene.path = folder.file("scene.img");
    options.labels = {{folder.file("labels.img")}, {}};
    options.model = folder.file("model");
    options.overwrite = true;
    options.training.family = KernelFamily::gaussian;
    options.training.criterion = CriterionKind::radius_margin;
    RecordingListener listener;
    train_scene(options, listener);
    return std::ranges::any_of(listener.coded(), [](const auto& each) { return each.code == "trivial-classifiers"; });
  };
  CHECK(warned(0));
  CHECK_FALSE(warned(9));
}

TEST_CASE("balanced class weights leave classes of equal sizes as they are") {
  const TemporaryFolder folder;
  const auto trained = [&](ClassWeights weights) {
    TrainOptions options = SmallScene::instance().raster_training(folder.file("m"));
    options.sampling = parse_sampling_rule("constant:40");
    options.training.class_weights = weights;
    options.overwrite = true;
    Model model = train(options).model;
    CHECK(model.class_weights == weights);
    model.class_weights = ClassWeights::none;
    model.provenance.options.clear();
    return model_bytes(model);
  };
  CHECK(trained(ClassWeights::none) == trained(ClassWeights::balanced));
}

TEST_CASE("bad bands are left out, and the model says so") {
  const TemporaryFolder folder;
  TrainOptions options = SmallScene::instance().training(folder.file("m"));
  options.scene.path = scene_with(folder, "bbl = {1,1,0,0,1,1,1,1,1,1,1,0}");
  RecordingListener listener;
  const Model model = train_scene(options, listener).model;
  CHECK(listener.said("bands left out because the scene marks them as bad: 3-4, 12"));
  CHECK(model.bands == Indices{0, 1, 4, 5, 6, 7, 8, 9, 10});
  CHECK(dropped_of(model, "marked as bad") == Indices{2, 3, 11});
}

TEST_CASE("bands are chosen by hand, bad ones with a sentence") {
  const TemporaryFolder folder;
  TrainOptions options = SmallScene::instance().training(folder.file("m"));
  options.scene.path = scene_with(folder, "bbl = {1,1,0,0,1,1,1,1,1,1,1,0}");
  options.bands = {{"1-6", "12"}, {"4,1"}};
  RecordingListener listener;
  const Model model = train_scene(options, listener).model;
  CHECK(listener.said("bands used because --bands names them, though the scene marks them as bad: 3, 12"));
  CHECK(model.bands == Indices{1, 2, 4, 5, 11});
  CHECK(dropped_of(model, "excluded") == Indices{0, 3});
  CHECK(dropped_of(model, "not chosen") == Indices{6, 7, 8, 9, 10});
  CHECK(model.band_table[1].bad);
  // What was excluded need not be there: the map of the used bands alone can be made.
  MapOptions mapping = SmallScene::instance().mapping(folder.file("a.tif"));
  mapping.model = folder.file("m");
  CHECK(map(mapping).classified == 720);
}

TEST_CASE("lists of bad bands that cannot be meant are refused, unless bands are named") {
  const TemporaryFolder folder;
  TrainOptions options = SmallScene::instance().training(folder.file("m"));
  options.scene.path = scene_with(folder, "bbl = {0,0,0,0,0,0,0,0,0,0,0,0}");
  CHECK(contains(message_of([&] { train(options); }), "marks every one of its 12 bands as bad"));
  options.bands.use = {"1-12"};
  CHECK_NOTHROW(train(options));
  options.model = folder.file("n");
  options.scene.path = scene_with(folder, "bbl = {1,0,1}");
  options.bands.use = {};
  CHECK(contains(message_of([&] { train(options); }), "its list of bad bands has 3 entries for 12 bands"));
  CHECK_FALSE(std::filesystem::exists(folder.file("n")));
  options.bands.use = {"13"};
  CHECK(contains(message_of([&] { train(options); }), "count from 1 to 12"));
  options.bands.use = {"1-12"};
  CHECK_NOTHROW(train(options));
}

TEST_CASE("a pixel or two of each class are trained on, and the model, its page and its map are made") {
  const SmallScene& small = SmallScene::instance();
  const RasterGrid grid = open_scene(small.scene()).source->grid();
  const LabelledPixels truth = read_labels(small.reference(), {}, grid, "s");
  for (const std::size_t count : {1U, 2U}) {
    const TemporaryFolder folder;
    std::string points = "x,y,class\n";
    for (const std::string name : {"water", "forest"}) {
      std::size_t taken = 0;
      for (const LabelledPixel& pixel : truth.pixels) {
        if (taken < count && truth.classes[static_cast<std::size_t>(pixel.label)].name == name) {
          ++taken;
          const auto place = map_point(grid, static_cast<double>(pixel.pixel % grid.width) + 0.5,
                                       static_cast<double>(pixel.pixel / grid.width) + 0.5);
          points += std::to_string(place[0]) + "," + std::to_string(place[1]) + "," + name + "\n";
        }
      }
    }
    write_file(folder.file("points.csv"), points);
    for (const char* spatial : {"none", "auto"}) {
      const Outcome trained = train_small(folder.file("points.csv"), folder.file("m"),
                                          {"--class-field", "class", "--spatial", spatial, "--overwrite", "--report",
                                           folder.file("page.html"), "--json"});
      CAPTURE(trained.err);
      REQUIRE(trained.code == 0);
      const nlohmann::json document = nlohmann::json::parse(trained.out);
      // Nothing can be left out where a class has one pixel.
      CHECK((count > 1 || document["left_out_accuracy"].is_null()));
      const Outcome described = run({"info", folder.file("m")});
      CHECK(described.code == 0);
      CHECK((count > 1 || contains(described.out, "No accuracy: no training pixel could be left out")));
      CHECK(run({"classify", small.scene(), folder.file("m"), folder.file("map.tif"), "--overwrite"}).code == 0);
    }
  }
}

TEST_CASE("a mask hides pixels from training") {
  const TemporaryFolder folder;
  TrainOptions options = SmallScene::instance().raster_training(folder.file("m"));
  options.scene.mask = write_mask(folder, 30, 10);
  options.training.family = KernelFamily::gaussian;
  const TrainResult result = train(options);
  CHECK(result.model.provenance.training_pixels == 480);
  CHECK(result.record.invalid_pixels == 240);
  CHECK(result.model.provenance.inputs.at(2).path == options.scene.mask);
}

TEST_CASE("labels outside of a region are not trained on") {
  const TemporaryFolder folder;
  TrainOptions options = SmallScene::instance().raster_training(folder.file("m"));
  options.scene.region = box_of_window(SmallScene::instance().scene(), {10, 4, 20, 15});
  const TrainResult result = train(options);
  CHECK(result.model.provenance.training_pixels == 20 * 15);
  CHECK(result.record.invalid_pixels == 30 * 24 - 20 * 15);
  // The same pixels by a mask give the same classifiers.
  options.scene.mask = write_mask(folder, 30, 10);
  options.model = folder.file("masked");
  CHECK(train(options).model.support_spectra == result.model.support_spectra);
}

TEST_CASE("a model keeps chosen colours, and those of a label raster") {
  const TemporaryFolder folder;
  TrainOptions options = SmallScene::instance().training(folder.file("m"));
  options.colours = folder.file("colours.json");
  write_file(*options.colours, R"({"water": "#0000ff", "1": "#016603", "sand": "#010101"})");
  RecordingListener listener;
  const ClassTable classes = train_scene(options, listener).model.classes;
  CHECK(classes == ClassTable{{1, "forest", Colour{1, 102, 3}}, {2, "water", Colour{0, 0, 255}}});
  CHECK(listener.has_warning("--colours names classes that do not exist: 'sand'; correct the names in its file"));
  options = SmallScene::instance().raster_training(folder.file("n"));
  CHECK(train(options).model.classes.front().colour.has_value());
}

TEST_CASE("what cannot be trained is refused with a sentence of its kind, and leaves no file") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const auto refused = [&]<typename Error>(const Error*, const auto& change) {
    TrainOptions options = small.training(folder.file("model"));
    change(options);
    try {
      train(options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const ConfigError* const config = nullptr;
  const DataError* const data = nullptr;
  CHECK(contains(refused(config, [](auto& options) { options.labels.options.class_field = "kind"; }), "split"));
  CHECK(contains(refused(config, [](auto& options) { options.labels.options.where = "no such thing"; }),
                 "no such thing"));
  CHECK(contains(refused(data, [](auto& options) { options.labels.options.where = "class='water'"; }), "at least two"));
  CHECK(contains(refused(data, [&](auto& options) { options.labels.files = {folder.file("missing.gpkg")}; }),
                 "missing.gpkg"));
  CHECK(contains(refused(data, [](auto& options) { options.sampling = parse_sampling_rule("byclass:missing.csv"); }),
                 "missing.csv"));
  CHECK(contains(refused(config, [&](auto& options) { options.model = folder.file("no/model"); }), "no/model"));
  CHECK(contains(refused(config, [&](auto& options) { options.model = small.model(); }), "--overwrite"));
  CHECK(contains(refused(config,
                         [&](auto& options) {
                           options.model = small.polygons();
                           options.overwrite = true;
                         }),
                 "is the same file as LABELS"));
  CHECK(contains(refused(config,
                         [](auto& options) {
                           options.training.class_weights = ClassWeights::balanced;
                           options.training.criterion = CriterionKind::radius_margin;
                         }),
                 "class weights 'balanced' do not go with the criterion radius-margin"));
  CHECK(folder.names().empty());
}

}  // namespace parsimap::test
