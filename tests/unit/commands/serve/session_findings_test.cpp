#include "commands/serve/session_findings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "parsimap/core/error.hpp"

#include "small_session.hpp"
#include "support/scene_values.hpp"

namespace parsimap::test {

TEST_CASE("a feature with a wrong class is the most suspicious one, and left-out accuracy falls by its pixels") {
  SmallSession small;
  small.label();
  small.session.change_labels({{"set", {small.square("g", 7, 7), small.square("h", 19, 7)}}});
  small.session.train(Answer::object());
  const Answer right = small.session.accuracy();
  CHECK(right["pixels"] == 128);
  CHECK(right["overall"].get<double>() > 0.9);
  CHECK(right["expected"].is_null());
  const std::string wrong = class_at(19, 7) == "water" ? "forest" : "water";
  small.session.change_labels({{"set", {small.square("h", 19, 7, wrong)}}});
  small.session.train(Answer::object());
  const Answer suspects = small.session.suspects({{"count", 1}})["suspects"];
  REQUIRE(suspects.size() == 1);
  CHECK(suspects[0]["feature"] == "h");
  CHECK(suspects[0]["label"] == wrong);
  CHECK(suspects[0]["likely"] == class_at(19, 7));
  CHECK(suspects[0]["pixels"] == 16);
  CHECK(small.session.accuracy()["overall"].get<double>() < right["overall"].get<double>());
}

TEST_CASE("places are pixels of the window without a label, each once") {
  SmallSession small;
  small.label();
  small.session.train(Answer::object());
  const Answer places = small.session.places({{"count", 5}, {"window", {2, 2, 10, 8}}})["places"];
  REQUIRE(places.size() == 5);
  std::set<std::pair<int, int>> seen;
  for (const Answer& place : places) {
    const int column = place["column"];
    const int row = place["row"];
    CHECK((column >= 2 && column < 12 && row >= 2 && row < 10));
    CHECK_FALSE((column < 6 && row < 6));
    seen.insert({column, row});
  }
  CHECK(seen.size() == 5);
}

TEST_CASE("places of a warm model are those of the full one, whose novelty is part of its training") {
  SmallSession small;
  small.label();
  small.session.train({{"full", true}});
  const Answer full = small.session.places(Answer::object());
  small.session.train(Answer::object());
  CHECK(small.session.places(Answer::object()) == full);
  CHECK(full["places"][0]["novelty"] > 0);
}

TEST_CASE("a pixel has its spectrum, the means of the classes and probabilities that sum to 1") {
  SmallSession small;
  small.label();
  small.session.train(Answer::object());
  const Answer pixel = small.session.pixel({{"column", 3}, {"row", 3}});
  CHECK(pixel["class"] == class_at(3, 3));
  CHECK(pixel["spectrum"].size() == 12);
  double sum = 0;
  for (const Answer& one : pixel["classes"]) {
    sum += one["probability"].get<double>();
    CHECK(one["mean"].size() == 12);
  }
  CHECK(std::abs(sum - 1) < 1e-5);
  CHECK_THROWS_AS(small.session.pixel({{"column", 30}, {"row", 3}}), ConfigError);
}

TEST_CASE("the features that decide about a pixel are those of the layer of a map by the saved model") {
  const TemporaryFolder folder;
  SmallSession small;
  small.label();
  // A feature of two parts, of which the second lies where the other class is.
  Answer parts = small.square("a", 2, 2);
  const Answer far = small.square("a", 7, 18, parts["class"]);
  REQUIRE(class_at(7, 18) != parts["class"]);
  parts["geometry"] = {{"type", "MultiPolygon"},
                       {"coordinates", {parts["geometry"]["coordinates"], far["geometry"]["coordinates"]}}};
  small.session.change_labels({{"set", {parts}}});
  small.session.train({{"full", true}});
  const std::string model = folder.file("m.parsimap");
  small.session.save({{"model", model}, {"labels", folder.file("m.geojson")}});
  MapOptions options = SmallScene::instance().mapping(folder.file("map.tif"));
  options.model = model;
  options.layers = {{MapLayer::deciding, folder.file("d.tif")}, {MapLayer::decision_values, folder.file("v.tif")}};
  const MappingRecord record = map(options);
  const Spectra layer = values_of(folder.file("d.tif"));
  const Spectra values = values_of(folder.file("v.tif"));
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f"};
  std::set<std::pair<std::string, int>> seen;
  for (int row = 0; row < 24; row += 3) {
    for (int column = 0; column < 30; column += 3) {
      const Index i = row * 30 + column;
      const Answer deciding = small.session.pixel({{"column", column}, {"row", row}})["deciding"];
      for (const auto& [key, band] : {std::pair("for", 0), std::pair("against", 1)}) {
        const DecidingFeature& feature = record.deciding[static_cast<std::size_t>(layer(i, band)) - 1];
        CHECK(deciding[key]["feature"] == names[static_cast<std::size_t>(feature.feature) - 1]);
        CHECK(deciding[key]["part"] == feature.part);
        CHECK(deciding[key]["class"] == feature.name);
        seen.emplace(deciding[key]["feature"].get<std::string>(), deciding[key]["part"].get<int>());
      }
      const double lead = values.row(i).maxCoeff() - values.row(i).minCoeff();
      CHECK(deciding["lead"].get<double>() == doctest::Approx(lead));
      CHECK(deciding["lead_without"].get<double>() == doctest::Approx(layer(i, 2)).epsilon(1e-4));
      CHECK(deciding["second"] == (values(i, 0) > values(i, 1) ? "water" : "forest"));
    }
  }
  CHECK(seen.contains({"a", 2}));
  CHECK(seen.size() > 1);
  // A model for views names the same features.
  small.session.train(Answer::object());
  const Answer warm = small.session.pixel({{"column", 8}, {"row", 19}})["deciding"];
  const Answer second = {{"feature", "a"}, {"part", 2}, {"class", parts["class"]}};
  CHECK((warm["for"] == second || warm["against"] == second));
}

TEST_CASE("labels of one feature cannot be left out") {
  SmallSession small;
  TrainedSession now;
  now.model.classifiers.resize(2);
  now.model.classes = {{1, "a", {}}, {2, "b", {}}};
  now.model.scaling = {Vector::Zero(2), Vector::Ones(2)};
  now.model.bands = {0, 1};
  now.samples.classes = now.model.classes;
  now.samples.spectra = Matrix::Random(4, 2);
  now.samples.labels = {0, 0, 1, 1};
  now.samples.places = {{0, 1, {1}}, {1, 1, {1}}, {2, 1, {1}}, {3, 1, {1}}};
  CHECK_THROWS_AS(left_out_values(now, 0, 1, {}), DataError);
}

}  // namespace parsimap::test
