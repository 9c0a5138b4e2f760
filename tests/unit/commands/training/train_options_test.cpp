#include "commands/training/train_options.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/json/model_file.hpp"

#include "commands/job_frame.hpp"
#include "commands/training/training_samples.hpp"
#include "support/small_scene.hpp"
#include "unit/cli/program_runner.hpp"
#include "unit/commands/training/parsed_options.hpp"

namespace parsimap::test {

TEST_CASE("scenes of the list come behind that of the argument, with their own labels or the common ones") {
  RecordingListener listener;
  const TrainOptions options = resolved(parsed({"a.tif", "a.gpkg", "m", "--class-field", "kind", "--scene",
                                                "b.tif,b.gpkg,mask.tif", "--scene", "c.mat", "--variable", "cube"}),
                                        listener);
  CHECK(options.scene.path == "a.tif");
  CHECK(options.labels.files == std::vector<std::string>{"a.gpkg"});
  REQUIRE(options.further_scenes.size() == 2);
  CHECK(options.further_scenes[0].scene.path == "b.tif");
  CHECK(options.further_scenes[0].scene.mask == "mask.tif");
  CHECK_FALSE(options.further_scenes[0].scene.variable);
  CHECK(options.further_scenes[0].labels.files == std::vector<std::string>{"b.gpkg"});
  CHECK(options.further_scenes[1].scene.variable == "cube");
  CHECK(options.further_scenes[1].labels.files == std::vector<std::string>{"a.gpkg"});
  CHECK(options.further_scenes[1].labels.options.class_field == "kind");
}

TEST_CASE("the first scene of the list stands in for the argument") {
  RecordingListener listener;
  const TrainOptions options =
      resolved(parsed({"m", "--scene", "b.tif", "--labels", "l.gpkg", "--labels", "k.gpkg"}), listener);
  CHECK(options.scene.path == "b.tif");
  CHECK(options.labels.files == std::vector<std::string>{"l.gpkg", "k.gpkg"});
  CHECK(options.further_scenes.empty());
  CHECK_THROWS_AS(resolved(parsed({"m", "--scene", "b.tif"}), listener), ConfigError);
  CHECK_THROWS_AS(resolved(parsed({"m", "--scene", "b.tif,l", "--mask", "k"}), listener), ConfigError);
}

TEST_CASE("rules of sampling are read as they are written") {
  for (const std::string text : {"all", "constant:5", "smallest", "percent:12.5", "total:300", "byclass:rates.csv"}) {
    CHECK(to_string(parse_sampling_rule(text)) == text);
  }
  TrainOptions options;
  options.samples_per_class = 7;
  CHECK(to_string(sampling_rule(options)) == "constant:7");
}

TEST_CASE("a model says what it was trained with, and other words in it are passed over") {
  Model model;
  model.provenance.options = {
      {"class-weights", "balanced"}, {"kernel", "pca"}, {"centres", "many"}, {"no-option", "x"}};
  const TrainOptions options = trained_with(model);
  CHECK(options.training.class_weights == ClassWeights::balanced);
  CHECK(options.training.family == KernelFamily::pca);
  CHECK_FALSE(options.training.centres);
  CHECK(trained_with(Model()).training.class_weights == ClassWeights::automatic);
}

TEST_CASE("a model keeps the options on which it depends, and no others") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::vector<std::string> given = {"--class-field", "class", "--spatial", "none"};
  REQUIRE(train_small(small.polygons(), folder.file("plain"), given).code == 0);
  const Model model = load_model(folder.file("plain"));
  const std::vector<std::pair<std::string, std::string>> expected = {{"class-field", "class"},
                                                                     {"class-weights", "auto"},
                                                                     {"criterion", "leave-one-out"},
                                                                     {"dimension", "scree:0.01"},
                                                                     {"kernel", "hdda"},
                                                                     {"scaling", "auto"},
                                                                     {"seed", "0"},
                                                                     {"spatial", "none"},
                                                                     {"support", "reduced"}};
  CHECK(model.provenance.options == expected);
  REQUIRE(train_small(small.polygons(), folder.file("a"),
                      {"--class-field", "class", "--spatial", "none", "--threads", "1", "--ram", "64", "-q", "--report",
                       folder.file("a.html"), "--samples-out", folder.file("a.gpkg")})
              .code == 0);
  CHECK(file_content(folder.file("a")) == file_content(folder.file("plain")));
}

TEST_CASE("a part of the labels is kept for testing, and assess reads it") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string test = folder.file("test.gpkg");
  const auto trained = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--overwrite", "--threads", "1", "--kernel", "gaussian", "--spatial", "none"});
    options.insert(options.begin(), {"train", small.scene(), small.reference(), folder.file("m")});
    return run(options);
  };
  const Outcome outcome = trained({"--test-share", "0.5", "--test-out", test, "--report", folder.file("page.html")});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(contains(outcome.out, "units (polygon) are kept for testing"));
  CHECK(contains(file_content(folder.file("page.html")), "units (polygon) are kept for testing"));
  const nlohmann::json json =
      nlohmann::json::parse(trained({"--test-share", "0.5", "--test-by", "block:6", "--test-out", test, "--json"}).out);
  CHECK(json["test"]["by"] == "block:6");
  const auto kept = json["test"]["pixels"].get<int>();
  CHECK(kept + json["training_pixels"].get<int>() == 720);
  // The file is one of this program, whose class field is known.
  const Outcome assessed = run({"assess", small.map(), test, "--json"});
  REQUIRE(assessed.code == 0);
  const nlohmann::json document = nlohmann::json::parse(assessed.out);
  // The blocks that were kept apart count as wholes, and so do groups of another field.
  CHECK(document["intervals"]["regions"] == json["test"]["units"]);
  CHECK(contains(assessed.err, "pixels with the same value of the field 'test_unit' count as one region"));
  CHECK(document["classes"][0]["intervals"]["regions"].get<int>() <= json["test"]["units"].get<int>());
  const Outcome by_code = run({"assess", small.map(), test, "--class-field", "class", "--group-field", "code"});
  CHECK(contains(by_code.out, "95 % intervals from the 2 regions of the reference as wholes"));
  int compared = 0;
  for (const nlohmann::json& one : document["classes"]) {
    compared += one["reference_pixels"].get<int>();
  }
  CHECK(compared == kept);
  for (const std::vector<std::string>& refused :
       {std::vector<std::string>{"--test-share", "0.5"},
        {"--test-out", test},
        {"--test-share", "1.5", "--test-out", test},
        {"--test-share", "0.5", "--test-out", test, "--test-by", "field"},
        {"--test-share", "0.5", "--test-out", test, "--test-by", "block:0"}}) {
    CHECK(trained(refused).code == 2);
  }
}

TEST_CASE("several scenes, in options and in a table") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string second = small.file("scene/scene.img");
  const std::string model = folder.file("m");
  const auto paths = [&](const Outcome& outcome) {
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    std::vector<std::string> names;
    const auto document = nlohmann::json::parse(outcome.out);
    for (const auto& scene : document.at("scenes")) {
      names.push_back(scene.at("scene").get<std::string>() + "|" + scene.at("labels").at(0).get<std::string>());
    }
    return names;
  };
  const std::vector<std::string> both = {small.scene() + "|" + small.reference(), second + "|" + small.reference()};
  CHECK(paths(run({"train", "--kernel", "gaussian", small.scene(), small.reference(), model, "--scene",
                   second + "," + small.reference(), "--json"})) == both);
  write_file(folder.file("list.csv"), "scene,labels\n" + small.scene() + "," + small.reference() + "\n" + second + "," +
                                          small.reference() + "\n");
  CHECK(paths(run({"train", "--kernel", "gaussian", model, "--scenes", folder.file("list.csv"), "--json",
                   "--overwrite"})) == both);
  write_file(folder.file("plain.csv"), "scene\n" + small.scene() + "\n" + second + "\n");
  CHECK(paths(run({"train", "--kernel", "gaussian", model, "--scenes", folder.file("plain.csv"), "--labels",
                   small.reference(), "--json", "--overwrite"})) == both);

  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"train", "--kernel", "gaussian", folder.file("none")});
    const Outcome outcome = run(words);
    CHECK(outcome.code != 0);
    return outcome.err;
  };
  CHECK(contains(refusal({"--scenes", folder.file("plain.csv")}), "the scene '" + small.scene() + "' has no labels"));
  CHECK(contains(refusal({"--scenes", folder.file("list.csv"), "--mask", small.reference()}), "belongs to SCENE"));
  CHECK(contains(refusal({"--scene", "," + small.reference()}), "must be a scene, its labels"));
  CHECK(contains(refusal({"--scenes", folder.file("list.csv"), "--report", folder.file("list.csv"), "--overwrite"}),
                 "list.csv"));
}

TEST_CASE("options of sampling and validation that make no sense are refused") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const auto refusal = [&](const std::vector<std::string>& options) {
    const Outcome outcome = train_small(small.reference(), folder.file("m"), options);
    CHECK(outcome.code == 2);
    return outcome.err;
  };
  const std::string folds = "; it must be folds:K with K from 2 to 1000, as in folds:5\n";
  CHECK(refusal({"--validate", "5"}) == "parsimap: --validate: validation '5' is unknown" + folds);
  CHECK(refusal({"--validate", "folds:1"}) == "parsimap: --validate: validation 'folds:1' is unknown" + folds);
  CHECK(refusal({"--validate", "folds:x"}) == "parsimap: --validate: validation 'folds:x' is unknown" + folds);
  CHECK(contains(refusal({"--validate", "folds:5", "--buffer", "-1"}),
                 "--buffer is '-1'; it must be a number of at least 0"));
  CHECK(contains(refusal({"--validate", "folds:5", "--buffer", "10m"}),
                 "--buffer is '10m'; it must be a number of at least 0"));
  CHECK(contains(refusal({"--validate", "folds:5", "--groups", "plots"}),
                 "--groups is 'plots'; it must be one of regions, pixels"));
  CHECK(contains(refusal({"--buffer", "3"}), "--buffer belongs to --validate, which is not given"));
  CHECK(contains(refusal({"--validate", "folds:5", "--groups", "pixels", "--group-field", "plot"}),
                 "--groups pixels and --group-field plot contradict each other"));
  CHECK(contains(refusal({"--samples-per-class", "30", "--sampling", "smallest"}),
                 "--sampling smallest and --samples-per-class 30 both say how many pixels to train on"));
  CHECK(folder.names().empty());
}

TEST_CASE("what cannot be trained is refused with a sentence, a code and no file") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string model = folder.file("model");
  // The class field is known of files of this program, and where there is no other.
  const TemporaryFolder elsewhere;
  const std::string foreign = elsewhere.file("foreign.csv");
  write_file(foreign, "x,y,class,farm\n0,0,water,A\n");
  struct Case {
    Outcome outcome;
    int code;
    std::string part;
  };
  const std::vector<Case> cases = {
      {train_small(foreign, model, {}), 2, "class"},
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
      {train_small(small.reference(), folder.file("model.TIF"), {}), 2, ".tif is not the ending of a model"},
      {train_small(small.reference(), model, {"--class-weights", "equal"}), 2, "none or balanced"},
      {train_small(small.reference(), model, {"--support", "few"}), 2, "reduced or all"},
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

TEST_CASE("a library stands in for scene and labels, or is trained on beside them") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  REQUIRE(train_small(small.polygons(), folder.file("m"),
                      {"--class-field", "class", "--samples-out", folder.file("kept.gpkg")})
              .code == 0);
  const Outcome alone = run({"train", "--library", folder.file("kept.gpkg"), folder.file("alone"), "--json", "--report",
                             folder.file("alone.html"), "--validate", "folds:2"});
  CAPTURE(alone.err);
  REQUIRE(alone.code == 0);
  const auto json = nlohmann::json::parse(alone.out);
  CHECK(json.at("scene").is_null());
  CHECK(json.at("libraries").size() == 1);
  CHECK(contains(file_content(folder.file("alone.html")), "Training on kept.gpkg"));
  REQUIRE(run({"classify", small.scene(), folder.file("alone"), folder.file("alone.tif")}).code == 0);
  CHECK(file_content(folder.file("alone.tif")) == file_content(small.map()));
  const Outcome both = train_small(small.polygons(), folder.file("both"),
                                   {"--class-field", "class", "--library", folder.file("kept.gpkg"), "--report",
                                    folder.file("both.html"), "--samples-out", folder.file("both.gpkg")});
  CAPTURE(both.err);
  REQUIRE(both.code == 0);
  const Model model = load_model(folder.file("both"));
  CHECK(model.classes.size() == 2);
  CHECK(model.provenance.training_pixels == 2 * load_model(folder.file("m")).provenance.training_pixels);
  CHECK(model.provenance.inputs.size() == 3);
}

TEST_CASE("options that a training without a scene cannot follow are refused") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  REQUIRE(train_small(small.polygons(), folder.file("m"),
                      {"--class-field", "class", "--samples-out", folder.file("kept.gpkg")})
              .code == 0);
  const auto refused = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"train", "--library", folder.file("kept.gpkg"), folder.file("other")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    CHECK(outcome.code == 2);
    return outcome.err;
  };
  CHECK(contains(refused({"--mask", "a.tif"}), "--mask belongs to SCENE or LABELS"));
  CHECK(contains(refused({"--where", "a=1"}), "--where belongs to SCENE or LABELS"));
  CHECK(contains(refused({"--labels", "a.gpkg"}), "--labels belongs to SCENE or LABELS"));
  CHECK(contains(refused({"--validate", "folds:2", "--buffer", "5"}), "--buffer needs to know where samples lie"));
  CHECK(contains(refused({"--samples-out", folder.file("kept.gpkg"), "--overwrite"}), "kept.gpkg"));
  CHECK(contains(refused({"--class-field", "species", "--group-field", "plot"}), "--group-field plot is no attribute"));
}

}  // namespace parsimap::test
