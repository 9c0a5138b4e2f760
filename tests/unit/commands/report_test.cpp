
#include "parsimap/commands/report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/commands/assess.hpp"
#include "parsimap/core/error.hpp"

#include "support/small_scene.hpp"
#include "unit/cli/program_runner.hpp"

namespace parsimap::test {

namespace {

// Model, map and accuracy of the small scene.
struct ReportInputs {
  ReportInputs() {
    const SmallScene& small = SmallScene::instance();
    AssessOptions assessment;
    assessment.map = small.map();
    assessment.reference = {{small.reference()}, {}};
    assessment.output_folder = folder.file("");
    Listener silent;
    assess_map(assessment, silent);
    options.model = small.model();
    options.map = small.map();
    options.accuracy = folder.file("accuracy.json");
    options.page = folder.file("page.html");
  }
  TemporaryFolder folder;
  ReportOptions options;
};

}  // namespace

TEST_CASE("one page of model, map and accuracy") {
  const ReportInputs inputs;
  RecordingListener listener;
  write_report(inputs.options, listener);
  CHECK(listener.warnings.empty());
  const std::string page = file_content(inputs.options.page);
  CHECK(contains(page, "<h1>Map, accuracy and training of map.tif</h1>"));
  CHECK(contains(page, "on 720 reference pixels of 2 classes"));
  CHECK(contains(page, "<figure id=\"picture-map\">"));
  CHECK(contains(page, "\"mean\": ["));
  CHECK_FALSE(contains(page, "<figure id=\"picture-errors\">"));
  CHECK_FALSE(contains(page, "alt=\"Scene\""));
}

TEST_CASE("scene and reference are shown where they are given") {
  ReportInputs inputs;
  const SmallScene& small = SmallScene::instance();
  inputs.options.scene = {small.scene()};
  inputs.options.reference = {{small.reference()}};
  RecordingListener listener;
  write_report(inputs.options, listener);
  CHECK(listener.warnings.empty());
  const std::string page = file_content(inputs.options.page);
  CHECK(contains(page, "<figure id=\"picture-errors\">"));
  CHECK(contains(page, "alt=\"Scene\""));
}

TEST_CASE("the mean spectra of a page are those of the training pixels") {
  const ReportInputs inputs;
  const SmallScene& small = SmallScene::instance();
  Listener silent;
  write_report(inputs.options, silent);
  TrainOptions training = small.training(inputs.folder.file("model"));
  training.report = inputs.folder.file("train.html");
  train(training);
  const auto first_mean = [](const std::string& page) {
    const std::size_t start = page.find("\"mean\": [");
    return std::stod(page.substr(start + 9));
  };
  CHECK(first_mean(file_content(inputs.options.page)) ==
        doctest::Approx(first_mean(file_content(*training.report))).epsilon(1e-9));
}

TEST_CASE("another map, another reference and other documents are noticed") {
  ReportInputs inputs;
  const SmallScene& small = SmallScene::instance();
  inputs.options.map = small.reference();
  inputs.options.reference = LabelInput{{small.polygons()}, {"class", {}}};
  RecordingListener listener;
  write_report(inputs.options, listener);
  CHECK(listener.has_warning("is the accuracy of another map than " + small.reference()));
  CHECK(listener.has_warning("was made with another reference than " + small.polygons()));
  CHECK_FALSE(listener.has_warning("another model"));
  CHECK(listener.has_warning("is it of another reference or map?"));
  CHECK(contains(message_of([&] { write_report(inputs.options, listener); }), "--overwrite"));
  inputs.options.overwrite = true;
  inputs.options.map = small.map();
  inputs.options.model = inputs.folder.file("other");
  REQUIRE(train_small(small.reference(), inputs.options.model, {"--kernel", "gaussian"}).code == 0);
  write_report(inputs.options, listener);
  CHECK(listener.has_warning("was made with another model than " + inputs.options.model));
  inputs.options.accuracy = small.polygons();
  CHECK_THROWS_AS(write_report(inputs.options, listener), DataError);
  inputs.options.accuracy = inputs.folder.file("accuracy.json");
  inputs.options.page = inputs.options.accuracy;
  CHECK_THROWS_AS(write_report(inputs.options, listener), ConfigError);
}

TEST_CASE("report writes one page, and every option reaches it") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  REQUIRE(
      run({"assess", small.map(), small.polygons(), "--class-field", "class", "--output-dir", folder.file("")}).code ==
      0);
  const std::string page = folder.file("page.html");
  std::vector<std::string> arguments = {"report", small.model(), small.map(), folder.file("accuracy.json")};
  CHECK(contains(run(arguments).err, "--output is missing; it names the page to write"));
  arguments.insert(arguments.end(), {"-o", page});
  const Outcome plain = run(arguments);
  CHECK(plain.code == 0);
  CHECK(plain.out == "Report: " + page + "\n");
  CHECK_FALSE(contains(file_content(page), "picture-errors"));
  arguments.insert(arguments.end(), {"--overwrite", "--json", "--scene", small.scene(), "--reference", small.polygons(),
                                     "--class-field", "class"});
  const Outcome outcome = run(arguments);
  REQUIRE(outcome.code == 0);
  CHECK(nlohmann::json::parse(outcome.out) == nlohmann::json{{"report", page}, {"warnings", nlohmann::json::array()}});
  CHECK(outcome.err.empty());
  CHECK(contains(file_content(page), "picture-errors"));
  CHECK(contains(file_content(page), "alt=\"Scene\""));
}

TEST_CASE("options without what they belong to are refused") {
  const std::vector<std::string> arguments = {"report", "model", "map.tif", "accuracy.json", "-o", "page.html"};
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run(all);
    CHECK(outcome.code == 2);
    return outcome.err;
  };
  CHECK(contains(refused({"--variable", "x"}), "--variable and --orthorectify only go with --scene"));
  CHECK(contains(refused({"--class-field", "x"}), "only go with --reference"));
}

}  // namespace parsimap::test
