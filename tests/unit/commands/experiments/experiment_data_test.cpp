#include "commands/experiments/experiment_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "parsimap/commands/experiments/experiment.hpp"
#include "parsimap/commands/simulate.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/json/experiment_spec.hpp"

#include "support/data_folder.hpp"
#include "support/single_output.hpp"
#include "support/source_folder.hpp"
#include "unit/commands/small_experiment.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/matlab/matlab_fixture.hpp"

namespace parsimap::test {

namespace {

DataFile file(const std::string& path) { return {{path}, {}, 0}; }

DataSpec tables() {
  DataSpec data;
  data.name = "tables";
  data.source = TableData{{file("train.data"), file("train.labels")}, {file("test.data"), file("test.labels")}};
  return data;
}

// Writes tables, some contents replaced.
struct TableFolder {
  TemporaryFolder folder;

  explicit TableFolder(const std::map<std::string, std::string>& replaced = {}) {
    write_file(folder.file("train.data"), "1 2\n3 4\n5 6\n");
    write_file(folder.file("train.labels"), "-1\n1\n-1\n");
    write_file(folder.file("test.data"), "7 8\n9 10\n");
    write_file(folder.file("test.labels"), "1\n-1\n");
    for (const auto& [name, content] : replaced) {
      write_file(folder.file(name), content);
    }
  }
  Dataset load() const { return load_dataset(tables(), folder.file("")); }
  [[nodiscard]] std::string refusal() const {
    return message_of([&] { load(); });
  }
};

std::vector<std::string> names_of(const ClassTable& classes) {
  std::vector<std::string> names;
  for (const ClassEntry& entry : classes) {
    CHECK(entry.code == static_cast<int>(names.size()) + 1);
    names.push_back(entry.name);
  }
  return names;
}

std::vector<std::string> class_order(const std::string& labels) {
  const TableFolder folder(
      {{"train.labels", labels}, {"test.labels", labels.substr(0, labels.find('\n', labels.find('\n') + 1))}});
  return names_of(folder.load().train.classes);
}

// A scene of 4 x 3 pixels and three bands, the second constant where the training map has classes, with value
// 100 row + 10 column + band.
class SceneFolder {
 public:
  SceneFolder() {
    grid_.width = 4;
    grid_.height = 3;
    SingleRaster single(folder.file("scene.tif"));
    const auto scene = create_scene(single.staged, grid_, {{"a", 500.0}, {"b", 600.0}, {"c", 700.0}}, {});
    Spectra values(12, 3);
    for (Index i = 0; i < 12; ++i) {
      for (Index band = 0; band < 3; ++band) {
        values(i, band) = value(i, band);
      }
    }
    scene->write({0, 0, 4, 3}, values);
    scene->close();
    single.outputs.publish();
    write_map("train.tif", {1, 3, 0, 0, 1, 3, 0, 0, 1, 3, 0, 0});
    write_map("test.tif", {0, 0, 3, 0, 0, 0, 1, 3, 0, 0, 0, 0});
  }

  static float value(Index pixel, Index band) {
    const Index column = pixel % 4;
    return band == 1 && column < 2 ? 9 : static_cast<float>(100 * (pixel / 4) + 10 * column + band + 1);
  }

  void write_map(const std::string& name, const std::vector<std::uint16_t>& codes) {
    SingleRaster single(folder.file(name), {}, true);
    const auto map = create_class_map(single.staged, grid_, {{1, "grass", {}}, {2, "sand", {}}, {3, "water", {}}}, {});
    map->write({0, 0, 4, 3}, codes);
    map->close();
    single.outputs.publish();
  }

  static DataSpec spec(const std::string& scene = "scene.tif", const std::string& train = "train.tif",
                       const std::string& test = "test.tif") {
    DataSpec data;
    data.name = "scene";
    data.source = SceneData{file(scene), file(train), {{"other", file(test)}, {"same", file(train)}}};
    return data;
  }

  TemporaryFolder folder;

 private:
  RasterGrid grid_;
};

void check_scene(const Dataset& dataset, const std::vector<std::string>& names) {
  REQUIRE(dataset.train.classes.size() == 2);
  CHECK(dataset.train.classes[0].code == 1);
  CHECK(dataset.train.classes[1].code == 3);
  CHECK(dataset.train.classes[0].name == names[0]);
  CHECK(dataset.train.classes[1].name == names[1]);
  CHECK(dataset.train.labels == std::vector<int>{0, 1, 0, 1, 0, 1});
  REQUIRE(dataset.tests.size() == 2);
  CHECK(dataset.tests[0].name == "other");
  const SampleSet& other = dataset.tests[0].samples;
  CHECK(other.classes == dataset.train.classes);
  CHECK(pixels_of(other.places) == std::vector<std::int64_t>{2, 6, 7});
  CHECK(other.labels == std::vector<int>{1, 0, 1});
  // The constant band is left out here too, where it is not constant.
  REQUIRE(other.spectra.cols() == 2);
  for (Index i = 0; i < 3; ++i) {
    const std::int64_t pixel = other.places[static_cast<std::size_t>(i)].pixel;
    CHECK(other.spectra(i, 0) == SceneFolder::value(pixel, 0));
    CHECK(other.spectra(i, 1) == SceneFolder::value(pixel, 2));
  }
  CHECK(dataset.tests[1].samples.spectra == dataset.train.spectra);
}

}  // namespace

TEST_CASE("experiment data: tables become samples") {
  const Dataset dataset = TableFolder().load();
  CHECK(names_of(dataset.train.classes) == std::vector<std::string>{"1", "-1"});
  CHECK(dataset.train.labels == std::vector<int>{1, 0, 1});
  Matrix expected(3, 2);
  expected << 1, 2, 3, 4, 5, 6;
  CHECK(dataset.train.spectra == expected);
  REQUIRE(dataset.tests.size() == 1);
  CHECK(dataset.tests[0].name == "test");
  CHECK(dataset.tests[0].samples.labels == std::vector<int>{0, 1});
  CHECK(dataset.tests[0].samples.classes == dataset.train.classes);
  CHECK(dataset.tests[0].samples.spectra(1, 1) == 10);
  CHECK(dataset.wavelengths.empty());
}

TEST_CASE("experiment data: the order of classes") {
  CHECK(class_order("10\n9\n-3\n") == std::vector<std::string>{"-3", "9", "10"});
  CHECK(class_order("-1\n+1\n-1\n") == std::vector<std::string>{"+1", "-1"});
  CHECK(class_order("1\n2\n1\n") == std::vector<std::string>{"1", "2"});
  CHECK(class_order("soil\n10\n9\n") == std::vector<std::string>{"10", "9", "soil"});
}

TEST_CASE("experiment data: tables that do not fit together") {
  const TableFolder few(std::map<std::string, std::string>{{"train.labels", "-1\n1\n"}});
  CHECK(few.refusal() == few.folder.file("train.data") + " has 3 rows, but " + few.folder.file("train.labels") +
                             " has 2 labels; every row needs one");
  const TableFolder narrow(std::map<std::string, std::string>{{"test.data", "1\n2\n"}});
  CHECK(narrow.refusal() ==
        narrow.folder.file("test.data") + " has 1 columns, but " + narrow.folder.file("train.data") + " has 2");
  const TableFolder strange(std::map<std::string, std::string>{{"test.labels", "1\n2\n"}});
  CHECK(strange.refusal() == strange.folder.file("test.labels") + ": line 2: the class '2' does not occur in " +
                                 strange.folder.file("train.labels"));
  const TableFolder letters(std::map<std::string, std::string>{{"test.data", "1 2\n3 x\n"}});
  CHECK(letters.refusal() == letters.folder.file("test.data") + ": line 2, column 2: 'x' is not a number");
}

TEST_CASE("experiment data: a missing file is described by all that is known of it") {
  const TableFolder folder;
  DataSpec data = tables();
  auto& labels = std::get<TableData>(data.source).test.labels;
  labels = file("absent");
  const std::string path = folder.folder.file("");
  CHECK(message_of([&] { load_dataset(data, path); }) == "absent is not in the data folder '" + path + "'");
  labels = {{"a/b", "c", "d"}, "It is published at https://example.org/x.", 1234};
  CHECK(message_of([&] { load_dataset(data, path); }) ==
        "none of a/b, c and d is in the data folder '" + path +
            "'; It is published at https://example.org/x; its size is 1234 bytes");
  CHECK(message_of([&] { load_dataset(data, ""); })
            .rfind("train.data is not in the current folder, and no data folder is given (--data-dir or PARSIMAP_DATA)",
                   0) == 0);
  labels = {{"absent", "test.labels"}, {}, 0};
  CHECK(load_dataset(data, path).tests[0].samples.labels == std::vector<int>{0, 1});
  const TableFolder elsewhere(std::map<std::string, std::string>{{"test.labels", "-1\n-1\n"}});
  labels = file(elsewhere.folder.file("test.labels"));
  CHECK(load_dataset(data, path).tests[0].samples.labels == std::vector<int>{1, 1});
}

TEST_CASE("experiment data: labelled pixels of a scene, in the bands that training uses") {
  const SceneFolder scene;
  const Dataset dataset = load_dataset(SceneFolder::spec(), scene.folder.file(""));
  check_scene(dataset, {"grass", "water"});
  CHECK(dataset.wavelengths == std::vector<double>{500, 700});
}

TEST_CASE("experiment data: MATLAB scenes and maps, beside others or alone") {
  const SceneFolder scene;
  std::vector<double> values(36);
  for (Index i = 0; i < 12; ++i) {
    for (Index band = 0; band < 3; ++band) {
      values[static_cast<std::size_t>(i / 4 + 3 * (i % 4) + 12 * band)] = SceneFolder::value(i, band);
    }
  }
  test::MatlabWriter(scene.folder.file("scene.mat")).add("x", {3, 4, 3}, values);
  std::vector<std::uint8_t> codes = {1, 1, 1, 3, 3, 3, 0, 0, 0, 0, 0, 0};
  test::MatlabWriter(scene.folder.file("train.MAT")).add("gt", {3, 4}, codes);
  const Dataset with_raster = load_dataset(SceneFolder::spec("scene.mat"), scene.folder.file(""));
  check_scene(with_raster, {"grass", "water"});
  CHECK(with_raster.wavelengths.empty());
  check_scene(load_dataset(SceneFolder::spec("scene.mat", "train.MAT"), scene.folder.file("")), {"1", "3"});
  check_scene(load_dataset(SceneFolder::spec("scene.tif", "train.MAT"), scene.folder.file("")), {"1", "3"});

  // One file with the scene, the training map and another map of its size: the arrays of labels are named.
  {
    test::MatlabWriter all(scene.folder.file("all.mat"));
    all.add("input", {3, 4, 3}, values);
    all.add("TR", {3, 4}, codes);
    all.add("TE", {3, 4}, std::vector<std::uint8_t>(12, 1));
  }
  DataSpec spec = SceneFolder::spec("all.mat", "all.mat");
  CHECK(contains(message_of([&] { load_dataset(spec, scene.folder.file("")); }), "TE"));
  SceneData& data = std::get<SceneData>(spec.source);
  data.train.variable = "TR";
  data.tests.back().map.variable = "TR";
  check_scene(load_dataset(spec, scene.folder.file("")), {"1", "3"});
}

TEST_CASE("experiment data: test maps have the classes of the training map") {
  SceneFolder scene;
  scene.write_map("test.tif", {0, 0, 3, 2, 0, 0, 1, 3, 0, 0, 0, 0});
  CHECK(message_of([&] { load_dataset(SceneFolder::spec(), scene.folder.file("")); }) ==
        scene.folder.file("test.tif") + ": the class 'sand' (code 2) does not occur in " +
            scene.folder.file("train.tif"));
  scene.write_map("train.tif", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  CHECK(message_of([&] { load_dataset(SceneFolder::spec(), scene.folder.file("")); }).find("at least two are needed") !=
        std::string::npos);
}

// The rows of docs/method.md for Arcene, through the whole engine.
TEST_CASE("experiment data: Arcene reaches the radius-margin bounds of the method") {
  const auto folder = toy::data_folder();
  if (!folder) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  ExperimentSpec spec;
  DataSpec data = tables();
  data.name = "arcene";
  data.source = TableData{{file("arcene/arcene_train.data"), file("arcene/arcene_train.labels")},
                          {file("arcene/arcene_valid.data"), file("arcene/arcene_valid.labels")}};
  spec.data = {data};
  for (const ExperimentKernel kernel : {ExperimentKernel::gaussian, ExperimentKernel::hdda, ExperimentKernel::pca}) {
    spec.methods.push_back({kernel, ExperimentCriterion::radius_margin, parse_dimension_rule("scree:0.2")});
  }
  ExperimentServices services;
  services.load = [&](const DataSpec& one) { return load_dataset(one, *folder); };
  const ExperimentRecord record = run_experiment(spec, services, 2);
  REQUIRE(record.runs.size() == 3);
  const std::vector<std::vector<double>> bounds = {{79.41, 79.41}, {79.10, 79.41}};
  const std::vector<std::vector<double>> accuracies = {{0.81, 0.81}, {0.80, 0.81}};
  for (std::size_t m = 0; m < 2; ++m) {
    for (std::size_t c = 0; c < 2; ++c) {
      const ClassRun& trained = record.runs[m].classes[c];
      CAPTURE(trained.criterion_value);
      CHECK(trained.name == (c == 0 ? "1" : "-1"));
      CHECK(trained.dimension == (m == 0 ? 0 : 2));
      CHECK(trained.criterion_value <= 1.005 * bounds[m][c]);
      CHECK(trained.binary_accuracy[0] == doctest::Approx(accuracies[m][c]).epsilon(0.02));
      CHECK(record.runs[1].classes[c].criterion_value <=
            std::min(record.runs[0].classes[c].criterion_value, record.runs[2].classes[c].criterion_value) + 1e-9);
    }
  }
}

TEST_CASE("the experiments on benchmark scenes run on files of their structure") {
  // Two classes that differ in all bands, in the columns of a 12 x 10 scene.
  Random random(3);
  std::vector<double> values;
  std::vector<std::uint8_t> train(120, 0);
  std::vector<std::uint8_t> tested(120, 0);
  for (std::size_t i = 0; i < 12 * 10 * 6; ++i) {
    const std::uint8_t code = i / 12 % 10 < 5 ? 1 : 2;
    values.push_back(3.0 * code + random.normal());
    (i % 2 == 0 ? train : tested)[i % 120] = code;
  }
  for (const auto& [name, file] : {std::pair("pavia-university", "Pavia"), std::pair("indian-pines", "IndianPine"),
                                   std::pair("houston-2013", "Houston")}) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("scenes"));
    auto scene = std::make_unique<MatlabWriter>(folder.file("scenes/" + std::string(file) + ".mat"));
    scene->add("input", {12, 10, 6}, values);
    scene->add("TR", {12, 10}, train);
    scene->add("TE", {12, 10}, tested);
    scene.reset();
    const std::string path = source_folder() + "/config/benchmarks/" + name + ".json";
    ExperimentOptions options;
    options.configuration = path;
    options.data_folder = folder.file("");
    options.output_folder = folder.file("out");
    Listener silent;
    const ExperimentRecord record = run_experiment_file(options, silent).record;
    REQUIRE(record.runs.size() == 3);
    CHECK(record.runs[0].tests[0].samples == 60);
    CHECK(record.runs[0].tests[0].overall_accuracy > 0.95);
    CHECK(compare_published(record).size() == 1);
  }
}

// The experiments that are shipped.
namespace {

const std::string kPaper = source_folder() + "/config/paper/";

std::vector<std::string> shipped() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kPaper)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// One method of every kernel and criterion, and the published values that belong to those left.
void keep_one_of_each(Json& experiment) {
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
             method.value("dimension", Json("")) == value["dimension"];
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
  keep_one_of_each(json);
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
  Listener silent;
  simulate_scene({{}, folder.file("spec.json"), folder.file("scene")}, silent);
  std::filesystem::rename(folder.file("scene/scene.tif"), folder.file("pavia_university/PaviaU.tif"));
}

}  // namespace

TEST_CASE("every shipped experiment is right, resolves to itself and is described in config/README.md") {
  const std::string readme = file_content(source_folder() + "/config/README.md");
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

TEST_CASE("shipped experiments on tables and on the window of Pavia run, made small" * doctest::test_suite("paper")) {
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

TEST_CASE("the experiments on Pavia say what is missing, and run on a scene of that shape with the real maps" *
          doctest::test_suite("paper")) {
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

}  // namespace parsimap::test
