#include "parsimap/commands/experiment.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/json/experiment_spec.hpp"
#include "parsimap/json/sealed_line.hpp"

#include "support/data_folder.hpp"
#include "support/small_scene.hpp"
#include "unit/commands/small_experiment.hpp"

namespace parsimap::test {
namespace {

const std::string kPaper = std::string(PARSIMAP_SOURCE_DIR) + "/config/paper/";

ExperimentResult run_small(const ExperimentOptions& options) {
  Listener deaf;
  return run_experiment_file(options, deaf);
}

Json results(const TemporaryFolder& folder) { return Json::parse(file_content(folder.file("out/results.json"))); }

std::vector<std::string> shipped() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kPaper)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// One method of every kernel and criterion, and the published values that belong to those left.
void thin_out_methods(Json& experiment) {
  Json methods = Json::array();
  std::set<std::string> kept;
  for (const Json& method : experiment["methods"]) {
    if (kept.insert(method["kernel"].get<std::string>() + method["criterion"].get<std::string>()).second) {
      methods.push_back(method);
    }
  }
  Json published = Json::array();
  for (const Json& value : experiment["published"]) {
    const bool measured = std::any_of(methods.begin(), methods.end(), [&](const Json& method) {
      return method["kernel"] == value["kernel"] && method["criterion"] == value["criterion"] &&
             method.value("dimension", "") == value["dimension"];
    });
    if (measured) {
      published.push_back(value);
    }
  }
  experiment["methods"] = methods;
  experiment["published"] = published;
}

// A shipped experiment made small: one repeat, few samples, simulated ones of few bands.
Json shrunk(const std::string& name, int train_per_class, int simulated_train = 70) {
  Json json = Json::parse(experiment_json(read_experiment(kPaper + name)));
  json["repeats"] = 1;
  thin_out_methods(json);
  for (Json& data : json["data"]) {
    if (data.contains("simulated")) {
      data["simulated"]["train"] = simulated_train;
      data["simulated"]["test"] = 30;
      data["simulated"]["scene"]["width"] = (simulated_train + 30) / 10;
      data["simulated"]["scene"]["height"] = 10;
      data["simulated"]["scene"]["bands"] = 24;
    } else {
      data["train_per_class"] = train_per_class;
    }
  }
  return json;
}

// T of every class, by data set and kernel, of runs that minimised the radius-margin bound.
std::map<std::pair<std::string, std::string>, std::vector<double>> bounds(const Json& results) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> values;
  for (const Json& run : results["runs"]) {
    if (run["method"]["criterion"] == "radius-margin") {
      for (const Json& trained : run["classes"]) {
        values[{run["data"], run["method"]["kernel"]}].push_back(trained["criterion_value"]);
      }
    }
  }
  return values;
}

// Runs it with data below `folder` and looks at what must hold of every result.
Json checked_results(const Json& experiment, const std::string& data_folder) {
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, experiment);
  options.data_folder = data_folder;
  const Json json = Json::parse(run_small(options).json);
  CHECK(json["runs"].size() == experiment["methods"].size() * experiment["data"].size());
  CHECK(json["published"].size() >= experiment["published"].size());
  const auto values = bounds(json);
  for (const auto& [key, hdda] : values) {
    for (const std::string limit : {"gaussian", "pca"}) {
      const auto found = values.find({key.first, limit});
      for (std::size_t c = 0; key.second == "hdda" && found != values.end() && c < hdda.size(); ++c) {
        CAPTURE(limit);
        // The limits themselves lie outside the search space of the HDDA kernel.
        CHECK(hdda[c] <= found->second[c] * (1 + 1e-3));
      }
    }
  }
  return json;
}

// A scene of the shape of the University of Pavia in `folder`, beside the real maps: classes lie as in these.
void make_pavia(const TemporaryFolder& folder, const std::string& maps) {
  std::filesystem::create_directory(folder.file("pavia_university"));
  for (const std::string map : {"paviau_train_fixed.tif", "paviau_gt.tif", "paviau_test_disjoint.tif"}) {
    std::filesystem::create_symlink(maps + "/" + map, folder.file("pavia_university/" + map));
  }
  const auto codes_of = [&](const std::string& name) {
    const auto map = open_class_map(maps + "/" + name);
    std::vector<std::uint16_t> codes;
    map->read({0, 0, map->grid().width, map->grid().height}, codes);
    return codes;
  };
  std::vector<std::uint16_t> layout = codes_of("paviau_gt.tif");
  const std::vector<std::uint16_t> train = codes_of("paviau_train_fixed.tif");
  for (std::size_t i = 0; i < layout.size(); ++i) {
    layout[i] = train[i] != 0 ? train[i] : layout[i];
  }
  Json spec = {{"width", 340}, {"height", 610}, {"bands", 8}, {"epsg", 0}, {"polygons", {{"per_class", 0}}}};
  spec["layout"] = {{"kind", "map"}, {"map", layout}};
  for (int c = 1; c <= 9; ++c) {
    spec["classes"].push_back({{"name", std::to_string(c)}, {"dimension", 3}});
  }
  write_file(folder.file("spec.json"), spec.dump());
  Listener deaf;
  simulate_scene({{}, folder.file("spec.json"), folder.file("scene")}, deaf);
  std::filesystem::rename(folder.file("scene/scene.tif"), folder.file("pavia_university/PaviaU.tif"));
}

}  // namespace

TEST_CASE("an experiment writes its three outputs and leaves nothing else") {
  const TemporaryFolder folder;
  const ExperimentResult result = run_small(options_of(folder, small_experiment()));
  CHECK(result.report == folder.file("out/report.html"));
  CHECK(result.json == file_content(folder.file("out/results.json")));
  CHECK(result.record.runs.size() == 4);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file("out"))) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"report.html", "results.csv", "results.json"});
  const Json json = results(folder);
  CHECK(json["configuration"] == Json::parse(experiment_json(parse_experiment(small_experiment().dump()))));
  CHECK(json["version"] == PARSIMAP_VERSION);
  REQUIRE(json["runs"].size() == 4);
  CHECK(json["runs"][3]["method"]["dimension"] == "fixed:2");
  CHECK(json["runs"][3]["repeat"] == 1);
  CHECK(json["runs"][3]["seed"] == 5);
  CHECK(json["summary"].size() == 2);
  const double mean =
      (json["runs"][1]["overall_accuracy"].get<double>() + json["runs"][3]["overall_accuracy"].get<double>()) / 2;
  CHECK(json["published"][0]["measured"] == doctest::Approx(mean));
  CHECK(contains(file_content(folder.file("out/report.html")), "Small &amp; quick"));
  CHECK(file_content(folder.file("out/results.csv")).starts_with("data,kernel,"));
}

TEST_CASE("results do not depend on the number of threads") {
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, small_experiment());
  const Json one = Json::parse(run_small(options).json);
  options.threads = 2;
  options.overwrite = true;
  CHECK(without_times(Json::parse(run_small(options).json)).dump() == without_times(one).dump());
}

TEST_CASE("outputs are replaced only when asked to") {
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, small_experiment());
  run_small(options);
  CHECK(contains(message_of([&] { run_small(options); }), "' exists; use --overwrite to replace it"));
  options.overwrite = true;
  CHECK_NOTHROW(run_small(options));
}

TEST_CASE("runs of a journal are taken over and not repeated") {
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, small_experiment());
  const Json whole = Json::parse(run_small(options).json);
  // The journal of a run that was killed after one of its four parts, with a mark that a repetition would not have.
  Json marked = whole["runs"][2];
  marked["classes"][0]["seconds"] = 12345;
  marked["trivial"] = {false, false};  // what lines of a journal have beside the results
  std::string checksum;
  std::string journal =
      sealed_line(Json{{"version", whole["version"]}, {"configuration", whole["configuration"]}}.dump(), checksum);
  journal += sealed_line(marked.dump(), checksum) + "{\"data\": \"to";
  write_file(folder.file("out/journal.jsonl"), journal);
  CHECK_THROWS_AS(run_small(options), ConfigError);
  options.resume = true;
  options.overwrite = true;
  RecordingListener listener;
  const Json json = Json::parse(run_experiment_file(options, listener).json);
  CHECK(listener.said("1 of 4 runs are done already"));
  CHECK(json["runs"][2]["classes"][0]["seconds"] == 12345);
  CHECK(without_times(json).dump() == without_times(whole).dump());
  CHECK_FALSE(std::filesystem::exists(folder.file("out/journal.jsonl")));
}

TEST_CASE("what cannot be run is refused and leaves no folder behind") {
  const TemporaryFolder folder;
  Json config = small_experiment();
  config["methods"][0]["kernel"] = "rbf";
  CHECK(contains(message_of([&] { run_small(options_of(folder, config)); }),
                 "small.json: /methods/0/kernel is \"rbf\"; it must be one of hdda, pca, gaussian, "));
  config = small_experiment();
  config.erase("published");
  config["data"][0] = {{"name", "toy"},
                       {"tables",
                        {{"train", {{"features", {{"paths", {"a.data"}}, {"origin", "ask us"}}}, {"labels", "b"}}},
                         {"test", {{"features", "c"}, {"labels", "d"}}}}}};
  ExperimentOptions options = options_of(folder, config);
  options.data_folder = folder.file("");
  CHECK_THROWS_AS(run_small(options), DataError);
  const std::string missing = message_of([&] { run_small(options); });
  CHECK(contains(missing, "a.data is not in the data folder"));
  CHECK(contains(missing, "ask us"));
  CHECK(folder.names() == std::vector<std::string>{"small.json"});
}

TEST_CASE("every shipped experiment is right, resolves to itself and is described in config/README.md") {
  const std::string readme = file_content(std::string(PARSIMAP_SOURCE_DIR) + "/config/README.md");
  CHECK(shipped().size() >= 7);
  for (const std::string& name : shipped()) {
    CAPTURE(name);
    const std::string resolved = experiment_json(read_experiment(kPaper + name));
    CHECK(experiment_json(parse_experiment(resolved)) == resolved);
    CHECK(contains(readme, "| `paper/" + name + "` |"));
  }
}

TEST_CASE("shipped experiments without files run, made small") {
  for (const std::string name : {"simulated.json", "kernel-shape.json"}) {
    CAPTURE(name);
    const Json json = checked_results(shrunk(name, 0), "");
    CHECK(json["data"].size() == shrunk(name, 0)["data"].size());
  }
}

TEST_CASE("shipped experiments on tables and on the window of Pavia run, made small") {
  const auto data = toy::data_folder();
  if (!data) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  for (const std::string name : {"madelon.json", "arcene.json", "dimension.json", "processing-time.json"}) {
    CAPTURE(name);
    const Json json = checked_results(shrunk(name, 20, 120), *data);
    CHECK(json["runs"][0]["tests"][0]["name"] == "rest");
  }
  const Json window = checked_results(shrunk("pavia-window.json", 6), *data);
  CHECK(window["data"][0]["classes"][0]["name"] == "Painted metal sheets");
}

TEST_CASE("the experiments on Pavia say what is missing, and run on a scene of that shape with the real maps") {
  const auto data = toy::data_folder();
  if (!data) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, shrunk("pavia.json", 12));
  options.data_folder = folder.file("");
  const std::string missing = message_of([&] { run_small(options); });
  CHECK(contains(missing, "pavia_university/PaviaU.mat"));
  CHECK(contains(missing, "33.2 MB"));
  CHECK(contains(missing, "https://www.ehu.eus/"));
  make_pavia(folder, *data + "/pavia_university");
  const Json pavia = checked_results(shrunk("pavia.json", 12), folder.file(""));
  CHECK(pavia["runs"][0]["tests"][1]["name"] == "all reference");
  CHECK(pavia["runs"][0]["tests"][1]["samples"] == 42776);
  CHECK(pavia["runs"][0]["tests"][2]["samples"] == 40002);
  CHECK(pavia["runs"][0]["tests"][0]["samples"] == 3921 - 9 * 12);
  const Json meadow = checked_results(shrunk("dimension-pavia.json", 12), folder.file(""));
  CHECK(meadow["runs"][0]["classes"].size() == 1);
}

TEST_CASE("a run that was killed while it put its outputs in place is resumed") {
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, small_experiment());
  run_small(options);
  const Json whole = without_times(results(folder));
  options.overwrite = true;
  class Stopping final : public Listener {
    Progress progress(const std::string&) override {
      return [](double fraction) {
        if (fraction > 0.7) {
          throw IoError("stopped");
        }
      };
    }
  } stopping;
  CHECK_THROWS_AS(run_experiment_file(options, stopping), IoError);
  REQUIRE(std::filesystem::exists(folder.file("out/journal.jsonl")));
  // One of the outputs is there already, the others are those of before.
  write_file(folder.file("out/report.html"), "new");
  options.overwrite = false;
  CHECK_THROWS_AS(run_small(options), ConfigError);
  options.resume = true;
  run_small(options);
  CHECK(without_times(results(folder)) == whole);
  CHECK(file_content(folder.file("out/report.html")).size() > 1000);
  CHECK_FALSE(std::filesystem::exists(folder.file("out/journal.jsonl")));
  // Without a journal there is nothing to resume, and nothing is replaced.
  CHECK_THROWS_WITH_AS(run_small(options), doctest::Contains("exists; use --overwrite"), ConfigError);
}

TEST_CASE("the journal replaces neither the configuration nor data") {
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, small_experiment());
  std::filesystem::create_directory(folder.file("out"));
  const std::string journal = folder.file("out/journal.jsonl");
  write_file(journal, small_experiment().dump());
  options.configuration = journal;
  for (const bool overwrite : {false, true}) {
    options.overwrite = overwrite;
    CHECK(message_of([&] { run_small(options); }) ==
          "journal '" + journal + "' is the same file as CONFIG '" + journal + "'; an input cannot be replaced");
  }
  CHECK(file_content(journal) == small_experiment().dump());

  Json tables = small_experiment();
  tables["data"] = Json::parse(R"([{"name": "t", "tables": {
    "train": {"features": "out/results.csv", "labels": "labels"},
    "test": {"features": "out/journal.jsonl", "labels": "labels"}}}])");
  tables["published"] = Json::array();
  write_file(folder.file("labels"), "1\n2\n");
  write_file(journal, "1 2\n2 1\n");
  options = options_of(folder, tables);
  options.data_folder = folder.file("");
  options.overwrite = true;
  CHECK(message_of([&] { run_small(options); }).find("journal '" + journal + "' is the same file as data file") == 0);
  CHECK(file_content(journal) == "1 2\n2 1\n");
  std::filesystem::rename(journal, folder.file("out/results.csv"));
  CHECK(message_of([&] { run_small(options); }).find("' is the same file as data file") != std::string::npos);
  CHECK(file_content(folder.file("out/results.csv")) == "1 2\n2 1\n");
}

}  // namespace parsimap::test
