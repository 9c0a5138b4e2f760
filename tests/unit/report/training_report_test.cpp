#include "parsimap/report/training_report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>

#include "parsimap/classifier/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/report/info_report.hpp"
#include "parsimap/report/model_card.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/validation_report.hpp"

#include "json/json_fields.hpp"
#include "json/model_cbor.hpp"
#include "support/degenerate.hpp"
#include "support/page_sections.hpp"
#include "support/toy_samples.hpp"
#include "unit/classifier/small_model.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

TEST_CASE("a class has its pixels, regions, left-out accuracy and what most of its errors were taken for") {
  const std::vector<ClassSummary> summaries = class_summaries(small_model());
  REQUIRE(summaries.size() == 2);
  CHECK(summaries[0].name == "Brocoli");
  CHECK(summaries[0].pixels == 30);
  CHECK(summaries[0].regions == 8);
  CHECK(*summaries[0].accuracy == doctest::Approx(29.0 / 30));
  CHECK(summaries[0].confused_with == "Forêt \"dense\"");
  CHECK(summaries[0].confused_share == doctest::Approx(1.0 / 30));
  CHECK(*summaries[1].accuracy == 1);
  CHECK_FALSE(summaries[1].confused_with);
}

TEST_CASE("a class that is never right is confused with the first of those it is taken for most") {
  Model model = small_model();
  model.classes.push_back({9, "water", std::nullopt});
  model.classifiers.push_back(model.classifiers[1]);
  CountMatrix confusion(3, 3);
  confusion << 0, 2, 2, 0, 0, 0, 1, 3, 6;
  model.provenance.left_out.confusion = confusion;
  const std::vector<ClassSummary> summaries = class_summaries(model);
  CHECK(*summaries[0].accuracy == 0);
  CHECK(summaries[0].confused_with == "Forêt \"dense\"");
  CHECK(summaries[0].confused_share == 0.5);
  // No pixel of the second class was left out.
  CHECK_FALSE(summaries[1].accuracy);
  CHECK_FALSE(summaries[1].confused_with);
  CHECK(summaries[2].confused_with == "Forêt \"dense\"");
  CHECK(summaries[2].confused_share == doctest::Approx(0.3));
}

TEST_CASE("a model that did not count leaves regions and accuracies open") {
  Model model = small_model();
  model.classifiers[0].regions.reset();
  model.provenance.left_out.confusion.reset();
  model.provenance.expected.reset();
  CHECK(expected_accuracy(model).overall == model.provenance.left_out.accuracy);
  CHECK_FALSE(expected_accuracy(model).average);
  model.provenance.left_out.by_region = {true, true};
  model.provenance.left_out.map_shares = Vector{{0.5, 0.5}};
  CHECK(left_out_text(model).ends_with(": 98.2 % with the classes weighted by their training pixels.\n"));
  const ClassSummary summary = class_summaries(model)[0];
  CHECK_FALSE(summary.regions);
  CHECK_FALSE(summary.accuracy);
  CHECK_FALSE(summary.confused_with);
}

namespace parsimap::test {
namespace {

// What a page says, without its template and scripts, which would take most of the time.
std::string words_of(const CommandPage& page) {
  std::string text = page.title + "\n" + page.lead + "\n";
  for (const std::string& sentence : page.verdict) {
    text += sentence + "\n";
  }
  for (const Section& section : page.sections) {
    for (const std::string& paragraph : section.paragraphs) {
      text += paragraph + "\n";
    }
    for (const Table& table : section.tables) {
      text += table_text(table);
    }
  }
  return text;
}

// Every kind of text, page and document about a model.
std::vector<std::string> all_texts(const Model& model) {
  const TrainingRecord record;
  std::vector<std::string> texts = {training_text(model, record, true),
                                    classes_text(model),
                                    left_out_text(model),
                                    training_lead(model),
                                    model_text(model, "model", true),
                                    model_card(model),
                                    words_of(model_page(model)),
                                    model_data_json(model),
                                    words_of(training_page(model, record, {}, {})),
                                    training_json(model, record),
                                    info_json(model, "model")};
  for (const std::string& sentence : training_verdict(model)) {
    texts.push_back(sentence);
  }
  return texts;
}

// With everything that a model may have.
Model whole_model() {
  Model model = small_profiled_model();
  const SpatialSteps none;
  model.spatial =
      SpatialRecord{"auto", {true, true}, {{none, none, 0.8}, {{true, false}, none, 0.9, 0.1, 0.01}}, 500, 25};
  model.spatial->rule = "neighbours:1:2";
  const EarlyStage stage{{0}, Matrix::Ones(3, 2), Vector::Zero(2), 0.9};
  model.early_stages = EarlyStages{Matrix::Ones(model.support_spectra.cols(), 1), {stage}, 55};
  model.combination = Matrix::Identity(2, 2);
  Provenance& provenance = model.provenance;
  provenance.validation = small_validation();
  const std::vector<double> distances(11, 12.5);
  provenance.units = UnitDesign{"block of 8 x 8 pixels", 0.3, 12, {"Brocoli"}, true, distances, distances, distances};
  const Interval interval{0.9, 0.99, 12};
  provenance.expected->overall_interval = interval;
  provenance.expected->average_interval = interval;
  provenance.expected->by_distance = {{0, 2, 1, 0.9, interval, {30, 8}, 0.5}, {2, 9, 5, 0.8, interval, {25, 4}, 0.25}};
  provenance.expected->not_measured = 0.25;
  provenance.expected->inside = AccuracyInside{0.95, interval, {50, 12}, 0.9, false};
  provenance.left_out.map_shares = Vector{{0.25, 0.75}};
  provenance.left_out.balanced = BalancedWeights{0.5, 0.5, 0.4, 0.4, 55};
  provenance.trained = {{"scene", 4, 4, std::array<double, 6>{0, 1, 0, 0, 0, -1}, "", {65536}}};
  return model;
}

}  // namespace

TEST_CASE("texts and pages of a model stand whatever it lacks, and no number is missing from them") {
  const auto model_of = [](const nlohmann::json& document) {
    std::string bytes;
    nlohmann::json::to_cbor(document, bytes);
    return model_from_cbor(bytes);
  };
  const auto documents = degenerate_documents(nlohmann::json::from_cbor(model_to_cbor(whole_model())),
                                              [&](const nlohmann::json& document) {
                                                try {
                                                  model_of(document);
                                                  return true;
                                                } catch (const DataError&) {
                                                  return false;
                                                }
                                              });
  // As many places as the lists of fields name, so that this is not empty.
  CHECK(documents.size() > 200);
  for (const nlohmann::json& document : documents) {
    for (const std::string& text : all_texts(model_of(document))) {
      CAPTURE(text);
      CHECK_FALSE(contains(text, "nan "));
    }
  }
}

TEST_CASE("nothing left out is no accuracy, and is said") {
  Model model = small_model();
  model.provenance.left_out = {1.0, 0, 0, {true, false}, two_by_two(0, 0, 0, 0)};
  model.provenance.expected.reset();
  CHECK(left_out_text(model) == "No accuracy: no training pixel could be left out.\n");
  CHECK(nlohmann::json::parse(training_json(model, {}))["left_out_accuracy"].is_null());
  CHECK(nlohmann::json::parse(info_json(model, "m"))["left_out"]["accuracy"].is_null());
}

namespace {

SpatialRecord judged() {
  const SpatialSteps none;
  const SpatialSteps profiles{true, false};
  const SpatialSteps both{true, true};
  return {"auto",
          both,
          {{none, none, 0.8, 0, 0},
           {profiles, none, 0.9, 0.1, 0.012, 0.25, 0.0625},
           {both, profiles, 0.95, 0.05, 0.01, 0.125, 0.0313}},
          500,
          25,
          2,
          8};
}

}  // namespace

TEST_CASE("a judgement says what was tested, and a table what each step changed and whether it is kept") {
  CHECK(
      spatial_text(judged()) ==
      "Surroundings of pixels: profiles and neighbours. They were tested on 500 training pixels that were left out in "
      "25 units. A step is kept if it lowers the risk by more than its error.");
  const Table table = spatial_table(judged());
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0] == std::vector<std::string>{"none", "yes", "80.0", "", ""});
  CHECK(table.rows[2] ==
        std::vector<std::string>{"profiles, then neighbours", "yes", "95.0", "+5.0 +- 1.0", "-0.125 +- 0.031"});
  SpatialRecord worse = judged();
  worse.scores[1].risk_gain = -0.25;
  CHECK(spatial_table(worse).rows[1][4] == "+0.250 +- 0.062");
  // No line is wider than a terminal.
  std::istringstream lines(table_text(spatial_table(judged())));
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("a step that is not kept is marked so") {
  SpatialRecord record = judged();
  record.steps = {true, false};
  CHECK(spatial_table(record).rows[1][1] == "yes");
  CHECK(spatial_table(record).rows[2][1] == "no");
}

TEST_CASE("what was not judged was wanted without a test, gained nothing, or could not be judged") {
  CHECK(spatial_text({"always", {true, false}}) ==
        "Surroundings of pixels: profiles, which --spatial always uses without a test.");
  CHECK(spatial_text({"profiles", {true, false}}) ==
        "Surroundings of pixels: profiles, which lower the risk of left-out pixels.");
  CHECK(spatial_text({"profiles", {}}) ==
        "Surroundings of pixels: none; profiles gain nothing on left-out pixels (--spatial always keeps them).");
  CHECK(spatial_text({"auto", {}, {}, 0, 0, 4, 0, "too few training pixels"}) ==
        "Surroundings of pixels: none, since nothing could be tested: too few training pixels.");
  CHECK(spatial_table({"profiles", {true, false}}).rows.empty());
}

}  // namespace parsimap::test

using parsimap::test::ids_of;

TEST_CASE("the table of the classes, and the accuracy of what was left out") {
  CHECK(classes_text(small_model()) ==
        "  code  class          pixels  regions  right %  taken for\n"
        "     3  Brocoli            30        8     96.7  3.3 % Forêt \"dense\"\n"
        "     7  Forêt \"dense\"      25        4    100.0\n"
        "\n"
        "No accuracy for other places: of classes in one region single pixels were left out, beside pixels of the same "
        "regions that were trained on: Forêt \"dense\" (4 regions). So 98.2 % of 55 left-out training pixels "
        "were classified correctly.\n");
}

TEST_CASE("what was left out is named with its distances, and is an accuracy of the map where both match") {
  Model model = small_model();
  model.provenance.units = UnitDesign{"block of 8 x 8 pixels",    0.3, 12, {}, true, std::vector<double>(11, 12.5), {},
                                      std::vector<double>(11, 15)};
  CHECK(left_out_elsewhere(model));
  CHECK(left_out_text(model) ==
        "Left-out accuracy of 55 training pixels, each classified without its block of 8 x 8 pixels (12 units in 5 "
        "folds): 98.2 % with the classes weighted by their training pixels; average accuracy 98.3 %.\nHalf of the map "
        "pixels lie within 12.5 m of a label, half of the left-out pixels within 15 m of a "
        "pixel trained on.\n");
  model.provenance.units->difference = 1;
  CHECK(!left_out_elsewhere(model));
  CHECK(left_out_text(model).starts_with("No accuracy for the map: no part of the labels can be left out as far"));
  model.provenance.units->difference = 0.3;
  model.provenance.left_out.units = 9;
  CHECK(left_out_text(model).starts_with("No accuracy for the map: fewer than ten units could be left out. 98.2 %"));
  model.provenance.left_out.balanced = {0.589, 0.47, 0.46, 0.495, 55};
  CHECK(left_out_text(model).ends_with(
      "\nClass weights: none. Balanced, the average accuracy of 55 left-out pixels is 58.9 % instead of 46.0 %, the "
      "overall accuracy 47.0 % instead of 49.5 %.\n"));
}

TEST_CASE("distances to labels whose accuracies differ by less than a point are one") {
  Model model = small_model();
  model.provenance.units = UnitDesign{"cluster", 0.3, 12, {}, false, {}, {}, {}};
  ExpectedAccuracy expected;
  expected.overall = 0.9;
  const auto add = [&](double farthest, std::optional<double> accuracy, double map_share) {
    const std::optional<Interval> interval = Interval{accuracy.value_or(1) - 0.1, accuracy.value_or(1)};
    expected.by_distance.push_back({0, farthest, farthest, accuracy, interval, {}, map_share});
  };
  add(1, 0.95, 0.1);
  add(2, 0.945, 0.2);
  add(3, 0.941, 0);  // no part of the map
  add(4, 0.93, 0.25);
  add(8, {}, 0.15);  // not measured
  expected.not_measured = 0.3;
  expected.inside = AccuracyInside{0.96, Interval{0.9, 0.98}, {}, 0.8, false};
  model.provenance.expected = expected;
  const std::string text = left_out_text(model);
  CHECK(text.find(
            "Where pixels are like their class (--reject-outside 0.95), 80.0 % of the map: 96.0 % (90.0 to 98.0).\n") !=
        std::string::npos);
  CHECK(text.find("By distance to the nearest label: up to 2 pixels 94.5 % (84.5 to 94.5), 30.0 % of the map; up to 4 "
                  "pixels 93.0 % (83.0 to 93.0), 25.0 % of the map; farther away not measured, 30.0 % of the map.\n") !=
        std::string::npos);
}

TEST_CASE("the table of the classes fits into 80 columns, and keeps names whole in its first one as far as it can") {
  Model model = small_model();
  model.classes[0].name = "Corn_senesced_green_weeds";
  model.classes[1].name = "deciduous forest with undergrowth of many species";
  model.provenance.left_out.confusion = two_by_two(8, 22, 1, 24);
  const std::string text = classes_text(model);
  CHECK(text.find("  Corn_senesced_green_weeds         ") != std::string::npos);
  CHECK(text.find("  deciduous forest with undergrow…") != std::string::npos);
  CHECK(text.find("  73.3 % deci…\n") != std::string::npos);
  const std::string table = text.substr(0, text.find("\n\n"));
  for (std::size_t begin = 0; begin < table.size(); begin = table.find('\n', begin) + 1) {
    CHECK(display_width(table.substr(begin, table.find('\n', begin) - begin)) <= 80);
    if (table.find('\n', begin) == std::string::npos) {
      break;
    }
  }
}

TEST_CASE("a model that does not tell regions and errors has a table without them") {
  Model model = small_model();
  model.classifiers[0].regions.reset();
  model.provenance.left_out.confusion.reset();
  CHECK(classes_text(model).find("  Brocoli            30        -\n") != std::string::npos);
}

TEST_CASE("a kernel of profiles in plain words, kept or not") {
  CHECK(profile_text(small_model()).empty());
  Model model = small_profiled_model();
  model.profile->radii = {15, 30};
  CHECK(profile_text(model) ==
        "2 components, opened and closed with radii of 15, 30 m and 9 steps of reconstruction: 10 features; they make "
        "30.0 % of the kernel, width 2.5000; left-out accuracy 99.0 %, by spectra alone 97.0 %; risk lower by 0.0250 "
        "(+- 0.0125)");
  model.profile.reset();
  model.profile_score->gain = -0.01;
  CHECK(profile_text(model) ==
        "compared, and not kept: left-out accuracy 99.0 %, by spectra alone 97.0 %; risk higher by 0.0100 (+- 0.0125)");
}

TEST_CASE("what the solvers have done: one line per classifier, and the metrics compared") {
  CHECK(classifiers_text(small_model()) ==
        "One classifier per class; p signal directions; criterion: leave-one-out;\n"
        "KKT: largest violation of the final fit; fit and search: why the final fit and the selection stopped.\n"
        "\n"
        "  class          p         C  support vectors  criterion  evaluations      KKT  fit      search\n"
        "  Brocoli        2  0.333333                3  0.0123457           41  3.5e-12  optimal  gradient\n"
        "  Forêt \"dense\"  1  0.333333                2  0.0123457           41  3.5e-12  optimal  gradient\n"
        "\n"
        "Metrics compared by left-out pixels. Of those compared on the most pixels, the one of the lowest risk is "
        "chosen.\n"
        "blend: part of the class's own covariance, the rest is pooled; damping: exponent of its variances,\n"
        "0 is the Gaussian kernel; rest: whether what is orthogonal to the directions counts;\n"
        "risk: logarithmic loss plus part of errors, comparable for the same pixels only; gain: over the first on the\n"
        "same pixels, with its error.\n"
        "\n"
        "  scaling      blend  damping  rest  width     C    risk    gain   error  pixels\n"
        "  standardise    0.5      0.5  yes     2.2   100  0.2500  0.0000  0.0000      55\n"
        "  standardise      1      0.5  no      0.5  1000  0.1250  0.1250  0.0625      55  chosen\n");
}

TEST_CASE("single pixels of regions are no headline, and a training without a scan has no table of metrics") {
  Model model = small_model();
  model.scan.clear();
  model.provenance.left_out.by_region = {false, false};
  CHECK(classifiers_text(model).find("blend") == std::string::npos);
  const std::string text = classes_text(model);
  CHECK(text.find("No accuracy for other places") != std::string::npos);
  CHECK(training_verdict(model) == std::vector<std::string>{left_out_text(model)});
  model.provenance.left_out.by_region = {true, true};
  CHECK(left_out_text(model) ==
        "Left-out accuracy of 55 training pixels, each classified without its region (12 regions in 5 folds): 98.2 % "
        "with the classes weighted by their training pixels; average accuracy 98.3 %.\n");
  model.provenance.options.emplace_back("group-field", "plot");
  model.provenance.left_out.map_shares = Vector{{0.75, 0.25}};
  model.provenance.expected->overall = 0.975;
  model.provenance.expected->overall_interval = Interval{0.881, 0.995, 12};
  model.provenance.expected->average_interval = Interval{0.901, 0.997, 12};
  CHECK(
      left_out_text(model).ends_with("without its group (12 groups in 5 folds): 97.5 % (95 % interval 88.1 to 99.5, "
                                     "approximate: from regions that count as fewer than 20 of equal size) with the "
                                     "classes weighted by their shares of the map; average accuracy 98.3 % (90.1 to "
                                     "99.7).\n"));
  // Points are left out whole.
  model.classifiers[1].samples = 4;
  model.provenance.left_out.by_region = {true, false};
  CHECK(left_out_text(model).starts_with("Left-out accuracy"));
}

TEST_CASE("the validation comes after the classes") {
  Model model = small_model();
  const std::string classes = classes_text(model);
  model.provenance.validation = small_validation();
  const std::string validated = classes + "\n" + validation_text(*model.provenance.validation, model.classes);
  CHECK(classes_text(model) == validated);
  model.spatial = SpatialRecord{"neighbours", {false, true}};
  CHECK(classes_text(model) ==
        validated + "The validation classifies pixels without their neighbours; maps of the model use these.\n");
}

TEST_CASE("training says what was dropped and why, with bands counted from 1") {
  Model model = small_model();
  TrainingRecord record;
  record.model = "out.model";
  model.dropped_bands = {{0, "constant"}, {3, "no data"}, {4, "constant"}};
  record.invalid_pixels = 12;
  record.conflicting_pixels = 34;
  record.outside_features = 56;
  record.seconds = 2;
  record.samples_out = "used.gpkg";
  const std::string text = training_text(model, record);
  CHECK(
      text.starts_with("Trained 2 classes on 55 pixels, 3 of 5 bands, hdda kernel, standardise scaling.\n"
                       "Bands dropped (constant): 1, 5\n"
                       "Bands dropped (no data): 4\n"
                       "Labelled pixels dropped for a missing value in a band used: 12\n"
                       "Pixels dropped because two classes claim them: 34\n"
                       "Label features without a pixel of the scene: 56\n\n"));
  CHECK(text.find(classes_text(model)) != std::string::npos);
  CHECK(text.find(classifiers_text(model)) == std::string::npos);
  CHECK(training_text(model, record, true).find(classes_text(model) + "\n" + classifiers_text(model)) !=
        std::string::npos);
  CHECK(text.ends_with("\nTime: 2.00 s\nSamples: used.gpkg\nModel: out.model\n"));
}

TEST_CASE("training says nothing of what did not happen") {
  Model model = small_model();
  model.dropped_bands.clear();
  const std::string text = training_text(model, {});
  CHECK(text.find("dropped") == std::string::npos);
  CHECK(text.find("features") == std::string::npos);
}

namespace {

const PageFacts kTrainingFacts{"2026-11-22", "no CRS", "", {}, 10, 9, {{"scene", "scene.hdr", "12", "ab"}}};

}  // namespace

TEST_CASE("the verdict of a training is the accuracy of what was left out, and what was confused") {
  Model model = small_model();
  model.provenance.left_out.by_region = {true, true};
  const std::vector<std::string> verdict = training_verdict(model);
  REQUIRE(verdict.size() == 3);
  CHECK(verdict[0] ==
        "Left-out accuracy 98.2 % on 55 training pixels of 2 classes; weakest: Brocoli (96.7 % of its 30 pixels "
        "found).");
  CHECK(verdict[1] ==
        "Most confused are Brocoli and Forêt \"dense\": 1 of 30 pixels of Brocoli are called Forêt \"dense\".");
  CHECK(verdict[2] == left_out_text(model));
  model.provenance.expected->overall = 29.0 / 30;
  CHECK(training_verdict(model)[0].starts_with("Left-out accuracy 96.7 % on 55 training pixels"));
  model.provenance.left_out.confusion.reset();
  CHECK(training_verdict(model) == std::vector<std::string>{left_out_text(model)});
  model.provenance.validation = small_validation();
  CHECK(training_verdict(model)[0] ==
        "Accuracy in 2 folds of 9 whole regions, 2 repeats: 86.7 % on 45 tested pixels of 2 classes; weakest: Brocoli "
        "(80.0 % of its 25 pixels found).");
}

TEST_CASE("classes, spectra with the bands left out, and details that are folded") {
  TrainingRecord record;
  record.scene = "/data/scene.hdr";
  record.model = "model";
  record.samples_out = "samples.gpkg";
  Model model = small_model();
  model.dropped_bands = {{1, "no data"}, {3, "no data"}};
  const CommandPage page = training_page(model, record, {}, kTrainingFacts);
  CHECK(page.title == "Training on scene.hdr");
  CHECK(page.lead == "2 classes, 55 pixels, 3 of 5 bands, hdda kernel, standardise scaling.");
  CHECK(page.date == "2026-11-22");
  CHECK(ids_of(page.sections) == std::vector<std::string>{"classes", "confusion", "spectra", "classifiers", "metric",
                                                          "deviations", "scree", "weights", "inputs", "run"});
  CHECK(page.sections[0].tables[0].rows[0] ==
        std::vector<std::string>{"3", "Brocoli", "30", "8", "96.7", "3.3 % Forêt \"dense\""});
  CHECK(page.sections[0].tables[0].rows[1] == std::vector<std::string>{"7", "Forêt \"dense\"", "25", "4", "100.0", ""});
  CHECK(page.sections[2].tables[0].rows == std::vector<std::vector<std::string>>{{"2, 4", "no data"}});
  for (std::size_t i = 0; i < page.sections.size(); ++i) {
    CHECK(page.sections[i].folded == ((i >= 3 && i < 8) || i == 9));
  }
  CHECK(page.sections[3].tables[0].rows[0][6] == "3.5e-12");
  CHECK(page.sections[4].tables[0].rows[1] == std::vector<std::string>{"standardise", "1", "0.5", "no", "0.5", "1000",
                                                                       "0.1250", "0.1250", "0.0625", "55", "chosen"});
  CHECK(page.sections[8].tables[3].rows ==
        std::vector<std::vector<std::string>>{{"model", "model"}, {"samples", "samples.gpkg"}});
}

TEST_CASE("without dropped bands there is no table of them, and without a scan the descent of the criterion") {
  Model model = small_model();
  model.dropped_bands.clear();
  model.scan.clear();
  const std::vector<Section> sections = training_sections(model, {});
  CHECK(ids_of(sections) == std::vector<std::string>{"classes", "confusion", "spectra", "classifiers", "deviations",
                                                     "scree", "weights", "criterion"});
  CHECK(sections[2].tables[0].rows.empty());
}

TEST_CASE("a validation is a section of its own") {
  Model model = small_model();
  model.provenance.validation = small_validation();
  TrainingRecord record;
  record.scene = "scene.tif";
  const CommandPage page = training_page(model, record, {}, kTrainingFacts);
  CHECK(page.sections[1].id == "validation");
  CHECK(page.sections[1].paragraphs[0].starts_with(validation_title(*model.provenance.validation)));
}

TEST_CASE("training pixels are a picture where the scene is known") {
  RasterPictures pictures;
  pictures.images = {{"Scene", "data:a"}, {"Training pixels", "data:b"}};
  pictures.legend = {{"", {0, 128, 255}, ""}, {"", {1, 2, 3}, ""}};
  pictures.scene_bands = "bands 3, 2 and 1";
  pictures.shown = "A sheet. ";
  const Figure picture = training_sections(small_model(), pictures)[0].pictures.at(0);
  CHECK(picture.caption.starts_with("A sheet. Training pixels in the colours of their classes"));
  CHECK(picture.legend[1].text == "25 pixels");
  CHECK(picture.legend[1].colour == Colour{1, 2, 3});
}
