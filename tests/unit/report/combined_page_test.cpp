#include "parsimap/report/combined_page.hpp"

#include <doctest/doctest.h>

#include "parsimap/report/training_report.hpp"

#include "unit/assessment/small_assessment.hpp"
#include "unit/classifier/small_model.hpp"

using namespace parsimap;

TEST_CASE("one page has the verdict, the map with its areas, accuracies, training and inputs") {
  const Model model = small_model();
  const MapContent map{"/maps/map.tif", {{3, "yes", 300}, {7, "no", 1100}}, 1400};
  const Assessment assessment = test::small_assessment({"yes", "no"});
  MapPictures pictures;
  pictures.images = {{"Map", "data:a"}};
  pictures.legend.resize(2);
  const PageFacts facts{"2026-11-22", "EPSG:32617", "30 x 30 metre", 900.0, 50, 40, {}};
  const CommandPage page = combined_page({model, map, assessment, pictures, {}, facts});
  CHECK(page.title == "Map, accuracy and training of map.tif");
  CHECK(page.lead == "The map map.tif of 1,400 pixels (126.0 ha), held against the reference reference.gpkg.");
  CHECK(page.date == "2026-11-22");
  CHECK(page.verdict.front() == accuracy_verdict(assessment).front());
  CHECK(page.verdict.back() == training_verdict(model).front());
  std::vector<std::string> ids;
  for (const PageSection& section : page.sections) {
    ids.push_back(section.id);
  }
  CHECK(ids == std::vector<std::string>{"map", "accuracy", "confusion", "classes", "spectra", "machines", "metric",
                                        "weights", "inputs", "run"});
  CHECK(page.sections[0].tables[0].rows[1] == std::vector<std::string>{"no", "7", "1100", "78.6", "99.0"});
  CHECK(page.sections[3].paragraphs == training_verdict(model));
  CHECK(page.sections[8].tables[2].rows ==
        std::vector<std::vector<std::string>>{{"scene.hdr", "123456789012"}, {"labels.gpkg", "-"}});
}
