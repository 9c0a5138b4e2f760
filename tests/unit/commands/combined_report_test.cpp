#include "parsimap/commands/combined_report.hpp"

#include <doctest/doctest.h>

#include "parsimap/commands/assess.hpp"
#include "parsimap/core/error.hpp"

#include "support/small_scene.hpp"

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
    Listener deaf;
    assess_map(assessment, deaf);
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
  Listener deaf;
  write_report(inputs.options, deaf);
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
  CHECK(listener.warned("is the accuracy of " + small.map()));
  CHECK(listener.warned("is it of another reference or map?"));
  CHECK(contains(message_of([&] { write_report(inputs.options, listener); }), "--overwrite"));
  inputs.options.overwrite = true;
  inputs.options.accuracy = small.polygons();
  CHECK_THROWS_AS(write_report(inputs.options, listener), DataError);
  inputs.options.accuracy = inputs.folder.file("accuracy.json");
  inputs.options.page = inputs.options.accuracy;
  CHECK_THROWS_AS(write_report(inputs.options, listener), ConfigError);
}

}  // namespace parsimap::test
