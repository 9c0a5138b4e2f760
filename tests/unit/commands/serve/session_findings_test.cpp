#include "commands/serve/session_findings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "parsimap/core/error.hpp"

#include "small_session.hpp"

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
