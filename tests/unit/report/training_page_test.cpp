#include "parsimap/report/training_page.hpp"

#include <doctest/doctest.h>

#include "parsimap/report/training_report.hpp"
#include "parsimap/report/validation_report.hpp"

#include "unit/report/small_model.hpp"

using namespace parsimap;

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

TEST_CASE("a training is a run of one method") {
  const ExperimentRun run = training_run(small_model(), "scene");
  CHECK(run.data == "scene");
  CHECK(run.method == MethodName{"hdda", "leave-one-out", ""});
  REQUIRE(run.classes.size() == 2);
  CHECK(run.classes[0].name == "Brocoli");
  CHECK(run.classes[0].weights == std::vector<double>{0.5, 4});
  CHECK(run.classes[0].trace == std::vector<double>{0.5, 0.0123456789});
  CHECK(run.classes[1].support_vectors == 2);
}

TEST_CASE("a validation is a section of its own, and the test of the run") {
  Model model = small_model();
  model.provenance.validation = small_validation();
  const CommandPage page = training_page(model, {});
  CHECK(page.sections[1].id == "validation");
  CHECK(page.sections[1].paragraphs[0].starts_with(validation_title(*model.provenance.validation)));
  const ExperimentRun run = training_run(model, "scene");
  REQUIRE(run.tests.front().confusion);
  CHECK(run.tests.front().confusion->pixels() == 45);
}
