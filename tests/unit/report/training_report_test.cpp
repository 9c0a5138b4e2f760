#include "parsimap/report/training_report.hpp"

#include <doctest/doctest.h>

#include "parsimap/report/validation_report.hpp"

#include "unit/classifier/small_model.hpp"

using namespace parsimap;

TEST_CASE("one line per machine, the metrics compared, and the accuracy of what was left out") {
  CHECK(
      machines_text(small_model()) ==
      "One machine per class; p signal directions; criterion: leave-one-out;\n"
      "KKT: largest violation of the final fit; fit and search: why the final fit and the selection stopped.\n"
      "\n"
      "  class          samples  p         C  support vectors  criterion  evaluations      KKT  fit      search\n"
      "  Brocoli             30  2  0.333333                3  0.0123457           41  3.5e-12  optimal  gradient\n"
      "  Forêt \"dense\"       25  1  0.333333                2  0.0123457           41  3.5e-12  optimal  gradient\n"
      "\n"
      "Metrics compared by left-out pixels. The first stands unless another gains more than 2.5 times its error.\n"
      "blend: part of the class's own covariance, the rest is pooled; damping: exponent of its variances,\n"
      "0 is the Gaussian kernel; rest: whether what is orthogonal to the directions counts;\n"
      "risk: logarithmic loss plus part of errors; gain: over the first, with its error.\n"
      "\n"
      "  blend  damping  rest  width     C    risk    gain   error  pixels\n"
      "    0.5      0.5  yes     2.2   100  0.2500  0.0000  0.0000  55\n"
      "      1      0.5  no      0.5  1000  0.1250  0.1250  0.0625  55  chosen\n"
      "\n"
      "Accuracy of left-out regions: 98.2 % of 55 training pixels, each judged without its fold of 12 regions.\n"
      "Pixels of classes in fewer than five regions were left out one by one, which is optimistic: Forêt \"dense\".\n");
}

TEST_CASE("single pixels are said to be optimistic, and a training without a scan has no table of metrics") {
  Model model = small_model();
  model.scan.clear();
  model.provenance.left_out.by_region = {false, false};
  const std::string text = machines_text(model);
  CHECK(text.find("blend") == std::string::npos);
  CHECK(text.find("Accuracy of left-out single pixels: 98.2 % of 55") != std::string::npos);
  CHECK(text.find("this is optimistic") != std::string::npos);
  model.provenance.left_out.by_region = {true, true};
  CHECK(machines_text(model).find("optimistic") == std::string::npos);
}

TEST_CASE("the validation comes after the machines") {
  Model model = small_model();
  const std::string machines = machines_text(model);
  model.provenance.validation = small_validation();
  CHECK(machines_text(model) == machines + "\n" + validation_text(*model.provenance.validation, model.classes));
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
  CHECK(text.find(machines_text(model)) != std::string::npos);
  CHECK(text.ends_with("\nTime: 2.00 s\nSamples: used.gpkg\nModel: out.model\n"));
}

TEST_CASE("training says nothing of what did not happen") {
  Model model = small_model();
  model.dropped_bands.clear();
  const std::string text = training_text(model, {});
  CHECK(text.find("dropped") == std::string::npos);
  CHECK(text.find("features") == std::string::npos);
}

TEST_CASE("classes, the accuracy of what was left out, metrics compared, and bands left out") {
  TrainingRecord record;
  record.scene = "scene.hdr";
  record.model = "model";
  Model model = small_model();
  model.provenance.validation.reset();
  model.dropped_bands = {{1, "no data"}, {3, "no data"}};
  const CommandPage page = training_page(model, record);
  CHECK(page.lead == "2 classes, 55 pixels, 3 of 5 bands, hdda kernel, standardise scaling.");
  CHECK(page.sections[0].paragraphs[0] == left_out_text(model.provenance.left_out, model.classes));
  CHECK(page.sections[0].tables[0].rows[0][0] == "Brocoli");
  CHECK(page.sections[1].id == "metric");
  REQUIRE(page.sections[1].tables[0].rows.size() == 2);
  CHECK(page.sections[1].tables[0].rows[1] ==
        std::vector<std::string>{"chosen", "no", "1", "0.5", "0.5", "1000", "0.125", "0.125", "0.0625", "55"});
  CHECK(page.sections[2].id == "spectra");
  CHECK(page.sections[2].tables[0].rows == std::vector<std::vector<std::string>>{{"2, 4", "no data"}});
  CHECK(page.sections.back().tables[0].rows ==
        std::vector<std::vector<std::string>>{{"scene", "scene.hdr"}, {"labels", "labels.gpkg"}, {"model", "model"}});
  model.dropped_bands.clear();
  CHECK(training_page(model, record).sections[2].tables.empty());
  model.scan.clear();
  CHECK(training_page(model, record).sections[1].id == "spectra");
}

TEST_CASE("a validation is a section of its own") {
  Model model = small_model();
  model.provenance.validation = small_validation();
  const CommandPage page = training_page(model, {});
  CHECK(page.sections[1].id == "validation");
  CHECK(page.sections[1].paragraphs[0].starts_with(validation_title(*model.provenance.validation)));
}
