#include "commands/training/train_syntax.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/options/command_line.hpp"

#include "commands/job_frame.hpp"
#include "commands/training/train_options.hpp"
#include "commands/training/training_samples.hpp"
#include "support/small_scene.hpp"
#include "unit/cli/program_runner.hpp"
#include "unit/commands/training/parsed_options.hpp"

namespace parsimap::test {

TEST_CASE("a rule of sampling on the command line replaces one of an options file, whatever their names") {
  const TemporaryFolder folder;
  write_file(folder.file("former.json"), R"({"samples-per-class": 7})");
  write_file(folder.file("new.json"), R"({"sampling": "percent:10"})");
  const auto rule = [&](const std::string& file, const std::string& name, const std::string& value) {
    TrainOptions options;
    parse_command_line(work_syntax(options),
                       {"a.tif", "a.gpkg", "m", "--options-file", folder.file(file), name, value});
    return to_string(sampling_rule(options));
  };
  CHECK(rule("former.json", "--sampling", "all") == "all");
  CHECK(rule("former.json", "--seed", "2") == "constant:7");
  CHECK(rule("new.json", "--samples-per-class", "5") == "constant:5");
  CHECK(rule("new.json", "--seed", "2") == "percent:10");
}

TEST_CASE("machines that share as many centres as are asked for") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const auto trained = [&](const std::string& name, std::vector<std::string> options) {
    options.insert(options.begin(), {"--class-field", "class", "--kernel", "gaussian", "--spatial", "none"});
    return train_small(small.polygons(), folder.file(name), options);
  };
  REQUIRE(trained("m", {"--centres", "12"}).code == 0);
  const Model model = load_model(folder.file("m"));
  CHECK(model.support_spectra.rows() <= 12);
  for (const BinaryClassifier& machine : model.classifiers) {
    CHECK(machine.support.size() == static_cast<std::size_t>(model.support_spectra.rows()));
  }
  CHECK(model.provenance.options.front() == std::pair<std::string, std::string>("centres", "12"));
  REQUIRE(trained("exact", {"--centres", "none"}).code == 0);
  REQUIRE(trained("plain", {}).code == 0);
  CHECK(load_model(folder.file("exact")).support_spectra == load_model(folder.file("plain")).support_spectra);
  for (const std::string refused : {"1", "many", "20001"}) {
    const Outcome outcome = trained("none", {"--centres", refused});
    CHECK(outcome.code == 2);
    CHECK(outcome.err.find("centres '" + refused + "' is unknown; it must be none, or a number from 2 to 20000") !=
          std::string::npos);
  }
}

TEST_CASE("surroundings of pixels are asked for by words, and radii belong to profiles") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const auto trained = [&](const std::string& name, std::vector<std::string> options) {
    options.insert(options.begin(), {"--class-field", "class"});
    return train_small(small.polygons(), folder.file(name), options);
  };
  REQUIRE(trained("neighbours", {"--spatial", "neighbours", "--kernel", "gaussian"}).code == 0);
  CHECK(load_model(folder.file("neighbours")).spatial->steps == SpatialSteps{false, true});
  REQUIRE(trained("profiles", {"--kernel", "hdda+emp", "--radii", "1,2"}).code == 0);
  CHECK(load_model(folder.file("profiles")).spatial->asked == "always");
  REQUIRE(trained("none", {"--spatial", "none", "--kernel", "gaussian"}).code == 0);
  CHECK_FALSE(load_model(folder.file("none")).spatial);
  for (const std::vector<std::string>& refused : {std::vector<std::string>{"--spatial", "both"},
                                                  {"--spatial", "none", "--radii", "1,2"},
                                                  {"--spatial", "auto", "--radii", "2,1"},
                                                  {"--kernel", "pca+emp"}}) {
    CHECK(trained("refused", refused).code == 2);
  }
}

TEST_CASE("former names of options work with a note, and profiles without a test have names") {
  const TrainOptions always = parsed({"a", "b", "m", "--spatial", "always"});
  CHECK(always.spatial.profiles_always);
  CHECK(always.spatial.rule() == SpatialRule::none);
  const TrainOptions both = parsed({"a", "b", "m", "--spatial", "always+neighbours", "--kernel", "hdda"});
  CHECK(both.spatial.rule() == SpatialRule::neighbours);
  CHECK(both.spatial.always());
  for (const char* word : {"auto", "none", "profiles", "neighbours", "always", "always+neighbours"}) {
    // Models keep the word that was given, and no former name of it.
    const Settings kept = settings(parsed({"a", "b", "m", "--spatial", word}));
    CHECK(std::ranges::find(kept, std::pair<std::string, std::string>("spatial", word)) != kept.end());
    CHECK(std::ranges::find(kept, std::pair<std::string, std::string>("kernel", "hdda")) != kept.end());
  }
  RecordingListener listener;
  resolved(parsed({"a", "b", "m", "--kernel", "hdda+emp"}), listener);
  CHECK(listener.said("--kernel hdda+emp is the former name of --spatial always"));
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const Outcome outcome =
      train_small(small.polygons(), folder.file("m"),
                  {"--class-field", "class", "--samples-per-class", "9", "--kernel", "gaussian", "--spatial", "none"});
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.err, "--samples-per-class is the former name of --sampling constant:N"));
}

TEST_CASE("every option reaches the training") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  write_file(folder.file("colours.json"), R"({"water": "#0000ff"})");
  const Outcome outcome = train_small(small.polygons(), folder.file("m"),
                                      {"--class-field", "class",    "--labels",        small.polygons(),
                                       "--group-field", "split",    "--sampling",      "constant:20",
                                       "--kernel",      "gaussian", "--criterion",     "radius-margin",
                                       "--seed",        "7",        "--scaling",       "none",
                                       "--dimension",   "fixed:1",  "--exclude-bands", "1",
                                       "--validate",    "folds:2",  "--repeats",       "2",
                                       "--buffer",      "0.5",      "--colours",       folder.file("colours.json"),
                                       "--json"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const Model model = load_model(folder.file("m"));
  CHECK(model.family == KernelFamily::gaussian);
  CHECK(model.scaling_rule == ScalingRule::none);
  CHECK(model.bands.front() == 1);
  CHECK(model.classes[1].colour == Colour{0, 0, 255});
  CHECK(model.provenance.seed == 7);
  CHECK(model.provenance.training_pixels == 40);
  CHECK(model.provenance.inputs.size() == 2);  // a file that is named twice counts once
  CHECK(model.classifiers[0].selection.criterion == "radius-margin");
  REQUIRE(model.provenance.validation);
  CHECK(model.provenance.validation->grouping == "field split");
  CHECK(model.provenance.validation->repeats == 2);
  CHECK(model.provenance.validation->buffer == 0.5);
  CHECK(nlohmann::json::parse(outcome.out).at("training_pixels") == 40);
}

}  // namespace parsimap::test
