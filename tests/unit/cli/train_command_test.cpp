#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "parsimap/core/random.hpp"
#include "parsimap/io/json/model_file.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
TEST_CASE("a model knows where it came from") {
  const SmallScene& small = SmallScene::instance();
  const Model model = load_model(small.model());
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
  const std::vector<std::pair<std::string, std::string>> expected = {{"class-field", "class"},
                                                                     {"class-weights", "none"},
                                                                     {"criterion", "leave-one-out"},
                                                                     {"dimension", "scree:0.01"},
                                                                     {"kernel", "hdda"},
                                                                     {"scaling", "global"},
                                                                     {"seed", "0"}};
  CHECK(model.provenance.options == expected);
}

TEST_CASE("the model file is the same for any number of threads and any memory") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  REQUIRE(train_small(small.polygons(), folder.file("a"), {"--class-field", "class", "--threads", "1", "--ram", "64"})
              .code == 0);
  REQUIRE(train_small(small.polygons(), folder.file("b"), {"--class-field", "class", "--threads", "2", "-q"}).code ==
          0);
  CHECK(file_content(folder.file("a")) == file_content(folder.file("b")));
}

TEST_CASE("a draw of pixels per class depends on the seed alone") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::vector<std::string> options = {"--samples-per-class", "15", "--json"};
  auto seeded = [&](const std::string& seed, const std::string& name) {
    std::vector<std::string> all = options;
    all.insert(all.end(), {"--seed", seed});
    return train_small(small.reference(), folder.file(name), all);
  };
  const Outcome first = seeded("1", "a");
  REQUIRE(first.code == 0);
  const auto json = nlohmann::json::parse(first.out);
  CHECK(json.at("training_pixels") == 30);
  for (const auto& entry : json.at("classes")) {
    CHECK(entry.at("samples") == 15);
  }
  CHECK(seeded("1", "b").code == 0);
  CHECK(seeded("2", "c").code == 0);
  CHECK(file_content(folder.file("a")) == file_content(folder.file("b")));
  CHECK(file_content(folder.file("a")) != file_content(folder.file("c")));
}

// A scene of 12 x 8 pixels with two bands, ENVI's way, the left half of class 1 and the right half of class 2; `bad`
// pixels hold 1e12.
void write_scene_with_bad_pixels(const TemporaryFolder& folder, const std::vector<int>& bad) {
  const auto header = [](int bands, int type) {
    return "ENVI\nsamples = 12\nlines = 8\nbands = " + std::to_string(bands) + "\ndata type = " + std::to_string(type) +
           "\ninterleave = bsq\nbyte order = 0\n";
  };
  Random random(5);
  std::vector<float> values;
  std::string labels;
  for (int i = 0; i < 192; ++i) {
    const int pixel = i % 96;
    const double value = (pixel % 12 < 6 ? 10 : 13) + random.normal();
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

TEST_CASE("a bad value is named by its pixel, and does not spoil the training") {
  const TemporaryFolder folder;
  const auto train = [&](const std::vector<int>& bad) {
    write_scene_with_bad_pixels(folder, bad);
    return run(
        {"train", folder.file("scene.img"), folder.file("labels.img"), folder.file("model"), "--overwrite", "--json"});
  };
  const Outcome good = train({});
  REQUIRE(good.code == 0);
  CHECK_FALSE(contains(good.err, "bad value"));

  const Outcome one = train({31});
  REQUIRE(one.code == 0);
  CHECK(contains(one.err, "the training pixel at column 7, row 2 (class '2') lies "));
  CHECK(contains(one.err, "e+11 times as far from the others as usual, and is left out; is it a bad value?"));

  const auto accuracy = [](const Outcome& outcome) {
    return nlohmann::json::parse(outcome.out)["left_out_accuracy"].get<double>();
  };
  CHECK(accuracy(good) > 0.8);
  CHECK(accuracy(one) > accuracy(good) - 0.05);

  const Outcome five = train({0, 13, 31, 40, 95});
  CHECK(accuracy(five) > 0.8);
  REQUIRE(five.code == 0);
  CHECK(contains(five.err, "the training pixel at column 0, row 0 (class '1')"));
  CHECK_FALSE(contains(five.err, "column 11, row 7"));
  CHECK(contains(five.err, "more than 1000 times as far from the others as usual, beside those: 2"));
}

TEST_CASE("a training set may come in several files") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  REQUIRE(train_small(small.polygons(), folder.file("a"),
                      {"--class-field", "class", "--samples-out", folder.file("a.gpkg"), "--where", "split='train'"})
              .code == 0);
  REQUIRE(train_small(small.polygons(), folder.file("b"),
                      {"--class-field", "class", "--samples-out", folder.file("b.gpkg"), "--where", "split='test'"})
              .code == 0);
  const Outcome both = train_small(folder.file("a.gpkg"), folder.file("both"),
                                   {"--labels", folder.file("b.gpkg"), "--class-field", "class", "--json"});
  REQUIRE(both.code == 0);
  CHECK(nlohmann::json::parse(both.out).at("labels") ==
        nlohmann::json::array({folder.file("a.gpkg"), folder.file("b.gpkg")}));
  const Model model = load_model(folder.file("both"));
  CHECK(model.support_spectra == load_model(small.model()).support_spectra);
  REQUIRE(model.provenance.inputs.size() == 3);
  CHECK(model.provenance.inputs[2].path == folder.file("b.gpkg"));
  const Outcome raster =
      train_small(folder.file("a.gpkg"), folder.file("c"), {"--labels", small.reference(), "--class-field", "class"});
  CHECK(raster.code == 2);
  CHECK(contains(raster.err, "is a raster"));
}

TEST_CASE("strategies of sampling") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  write_file(folder.file("counts.csv"), "1,12\n2,30\n");
  const auto counts = [&](const std::string& rule) {
    const Outcome outcome =
        train_small(small.reference(), folder.file("m"), {"--sampling", rule, "--json", "--overwrite"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    std::vector<int> result;
    const auto document = nlohmann::json::parse(outcome.out);
    for (const auto& entry : document.at("classes")) {
      result.push_back(entry.at("samples"));
    }
    return result;
  };
  CHECK(counts("constant:25") == std::vector<int>{25, 25});
  CHECK(counts("byclass:" + folder.file("counts.csv")) == std::vector<int>{12, 30});
  const std::vector<int> total = counts("total:100");
  CHECK(total[0] + total[1] == 100);
  const std::vector<int> smallest = counts("smallest");
  CHECK(smallest[0] == smallest[1]);
}

TEST_CASE("every kernel and criterion trains") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  for (const std::string kernel : {"hdda", "pca", "gaussian"}) {
    for (const std::string criterion : {"leave-one-out", "radius-margin"}) {
      CAPTURE(kernel);
      CAPTURE(criterion);
      const Outcome outcome = train_small(small.polygons(), folder.file(kernel + criterion),
                                          {"--class-field", "class", "--kernel", kernel, "--criterion", criterion});
      CHECK(outcome.code == 0);
      CHECK(load_model(folder.file(kernel + criterion)).machines[0].selection.criterion == criterion);
    }
  }
}

TEST_CASE("balanced class weights leave classes of equal sizes as they are") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const auto trained = [&](const std::string& weights) {
    const Outcome outcome =
        train_small(small.reference(), folder.file(weights), {"--samples-per-class", "40", "--class-weights", weights});
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    Model model = load_model(folder.file(weights));
    CHECK(std::count(model.provenance.options.begin(), model.provenance.options.end(),
                     std::pair<std::string, std::string>("class-weights", weights)) == 1);
    // All but what names the option.
    model.provenance.options.clear();
    save_model(model, folder.file(weights), true);
    return file_content(folder.file(weights));
  };
  CHECK(trained("none") == trained("balanced"));
}

TEST_CASE("balanced class weights raise the average accuracy of a class with few training pixels") {
  const TemporaryFolder folder;
  write_file(folder.file("spec.json"), R"({
    "width": 60, "height": 48, "bands": 8, "seed": 5, "layout": {"kind": "blocks", "block_size": 12},
    "classes": [
      {"name": "common", "dimension": 2, "largest_variance": 1e-3, "noise_variance": 3e-4,
       "mean": [0.30, 0.30, 0.30, 0.30, 0.30, 0.30, 0.30, 0.30]},
      {"name": "rare", "dimension": 2, "largest_variance": 1e-3, "noise_variance": 3e-4,
       "mean": [0.31, 0.31, 0.31, 0.31, 0.31, 0.31, 0.31, 0.31]}
    ],
    "polygons": {"per_class": 2, "smallest_radius": 2, "largest_radius": 3}
  })");
  REQUIRE(run({"simulate", folder.file("spec.json"), folder.file("scene")}).code == 0);
  write_file(folder.file("counts.csv"), "1,400\n2,20\n");
  const auto average_accuracy = [&](const std::string& weights) {
    const std::string reference = folder.file("scene/reference.tif");
    const std::string scene = folder.file("scene/scene.tif");
    REQUIRE(run({"train", scene, reference, folder.file(weights), "--sampling", "byclass:" + folder.file("counts.csv"),
                 "--class-weights", weights})
                .code == 0);
    const std::string map = folder.file(weights + ".tif");
    REQUIRE(run({"classify", scene, folder.file(weights), map}).code == 0);
    const Outcome assessed = run({"assess", map, reference, "--json"});
    return nlohmann::json::parse(assessed.out).at("average_accuracy").get<double>();
  };
  CHECK(average_accuracy("balanced") > average_accuracy("none") + 0.03);
}

TEST_CASE("what cannot be trained is refused with a sentence, a code and no file") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string model = folder.file("model");
  struct Case {
    Outcome outcome;
    int code;
    std::string part;
  };
  const std::vector<Case> cases = {
      {train_small(small.polygons(), model, {}), 2, "class"},
      {train_small(small.polygons(), model, {"--class-field", "kind"}), 2, "split"},
      {train_small(small.polygons(), model, {"--class-field", "class", "--where", "class='water'"}), 3, "at least two"},
      {train_small(small.polygons(), model, {"--class-field", "class", "--where", "no such thing"}), 2,
       "no such thing"},
      {train_small(folder.file("missing.gpkg"), model, {"--class-field", "class"}), 3, "missing.gpkg"},
      {train_small(small.reference(), folder.file("no/model"), {}), 2, "no"},
      {train_small(small.reference(), small.reference(), {"--overwrite"}), 2, "same file"},
      {train_small(small.reference(), small.model(), {}), 2, "--overwrite"},
      {train_small(small.reference(), model, {"--dimension", "scree:2"}), 2, "--dimension"},
      {train_small(small.reference(), model, {"--scaling", "some"}), 2, "--scaling"},
      {train_small(small.reference(), model, {"--class-weights", "equal"}), 2, "none or balanced"},
      {train_small(small.reference(), model, {"--class-weights", "balanced", "--criterion", "radius-margin"}), 2,
       "class weights 'balanced' do not go with the criterion radius-margin"},
      {train_small(small.reference(), model, {"--samples-per-class", "0"}), 2, "--samples-per-class"},
      {train_small(small.reference(), model, {"--sampling", "most"}), 2, "sampling 'most' is unknown"},
      {train_small(small.reference(), model, {"--sampling", "byclass:missing.csv"}), 3, "missing.csv"},
      {train_small(small.reference(), model, {"--repeats", "2"}), 2, "belongs to --validate"},
  };
  for (const Case& example : cases) {
    CAPTURE(example.outcome.err);
    CHECK(example.outcome.code == example.code);
    CHECK(contains(example.outcome.err, example.part));
    CHECK(example.outcome.out.empty());
  }
  CHECK(folder.names().empty());
}

}  // namespace parsimap::test
