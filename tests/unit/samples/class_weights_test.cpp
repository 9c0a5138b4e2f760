#include "parsimap/samples/class_weights.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "parsimap/core/error.hpp"

namespace parsimap::test {

TEST_CASE("class weights: names go both ways, unknown ones are refused") {
  for (const ClassWeights weights : {ClassWeights::none, ClassWeights::balanced}) {
    CHECK(parse_class_weights(to_string(weights)) == weights);
  }
  CHECK_THROWS_WITH_AS(parse_class_weights("equal"), "class weights 'equal' are unknown; they must be none or balanced",
                       ConfigError);
  CHECK(parse_class_weights_choice("auto") == ClassWeights::automatic);
  CHECK(to_string(ClassWeights::automatic) == "auto");
  CHECK_THROWS_AS(parse_class_weights("auto"), ConfigError);
}

TEST_CASE("class weights: every class weighs the same in sum, and samples 1 in the mean") {
  const std::vector<int> labels = {0, 0, 0, 0, 0, 0, 3, 3, 1};  // no sample of class 2
  const Vector weights = sample_weights(ClassWeights::balanced, labels);
  CHECK(weights.mean() == doctest::Approx(1));
  CHECK(weights.head(6).sum() == doctest::Approx(3));
  CHECK(weights.segment(6, 2).sum() == doctest::Approx(3));
  CHECK(weights(8) == doctest::Approx(3));
  CHECK(sample_weights(ClassWeights::none, labels) == Vector::Ones(9));
  CHECK(sample_weights(ClassWeights::balanced, {0, 1, 2, 2, 1, 0}) == Vector::Ones(6));
  const Vector own = Vector::LinSpaced(9, 1, 9);
  CHECK(sample_weights(ClassWeights::none, labels, own) == own);
  CHECK(sample_weights(ClassWeights::balanced, labels, own) == own.cwiseProduct(weights));
}

}  // namespace parsimap::test
