#include "parsimap/report/model_page.hpp"

#include <doctest/doctest.h>

#include "parsimap/report/training_report.hpp"

#include "support/page_sections.hpp"
#include "unit/classifier/small_model.hpp"

using namespace parsimap;
using parsimap::test::ids_of;

TEST_CASE("the page of a model has what it knows of its training") {
  const Model model = small_model();
  const CommandPage page = model_page(model);
  CHECK(page.title == "Model of 2 classes");
  CHECK(page.verdict == training_verdict(model));
  CHECK(page.lead == "2 classes, 55 pixels, 3 of 5 bands, hdda kernel, standardise scaling.");
  CHECK(page.date.empty());
  CHECK(ids_of(page.sections) ==
        std::vector<std::string>{"classes", "confusion", "spectra", "machines", "metric", "weights", "inputs", "run"});
  for (const PageSection& section : page.sections) {
    CHECK(section.pictures.empty());
  }
  CHECK(page.sections[6].tables[0].rows ==
        std::vector<std::vector<std::string>>{{"scene.hdr", "123456789012"}, {"labels.gpkg", "-"}});
  CHECK(page.sections[7].tables[0].rows.front() == std::vector<std::string>{"kernel", "hdda"});
}

TEST_CASE("what a model does not know is not on its page") {
  Model model = small_model();
  model.provenance.inputs.clear();
  model.provenance.options.clear();
  model.provenance.left_out.confusion.reset();
  model.scan.clear();
  CHECK(ids_of(model_page(model).sections) ==
        std::vector<std::string>{"classes", "spectra", "machines", "weights", "criterion"});
}

TEST_CASE("the page of a model has its validation") {
  Model model = small_model();
  model.provenance.validation = small_validation();
  const CommandPage page = model_page(model);
  CHECK(page.sections[1].id == "validation");
  CHECK(page.sections[1].figures == std::vector<std::string>{"confusion"});
}
