#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/io/json/records.hpp"

#include "unit/report/small_model.hpp"

using namespace parsimap;
using nlohmann::json;

TEST_CASE("a validation in the documents of train and info") {
  Model model = small_model();
  model.provenance.validation = small_validation();
  const json document = json::parse(training_json(model, {}))["validation"];
  CHECK(document == json::parse(info_json(model, "m"))["validation"]);
  CHECK(document["folds"] == 2);
  CHECK(document["repeats"] == 2);
  CHECK(document["grouping"] == "regions");
  CHECK(document["buffer"] == 12.5);
  CHECK(document["pixels"] == 45);
  CHECK(document["overall_accuracy"] == doctest::Approx(39.0 / 45.0));
  CHECK(document["over_folds"]["overall_accuracy"]["mean"] == doctest::Approx(0.9));
  CHECK(document["over_folds"]["overall_accuracy"]["deviation"] == doctest::Approx(0.1));
  CHECK(document["confusion"] == json({{20, 5}, {1, 19}}));
  CHECK(document["classes"][0]["producers_accuracy"] == 0.8);
  CHECK(document["classes"][1]["predicted_pixels"] == 24);
  REQUIRE(document["results"].size() == 3);
  CHECK(document["results"][1]["repeat"] == 1);
  CHECK(document["results"][1]["fold"] == 2);
  CHECK(document["results"][1]["kappa"].is_null());
  CHECK(document["results"][2]["repeat"] == 2);
  CHECK(document["results"][2]["training_pixels"] == 28);
}
