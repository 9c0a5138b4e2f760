#include "parsimap/classifier/novelty_function.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/classifier/train.hpp"

#include "support/toy_samples.hpp"

using namespace parsimap;

namespace {

const Model& toy_model() {
  static const Model model = train_one_vs_all(toy::three_classes(40, 1), {}, {});
  return model;
}

Spectra toy_spectra(Index count) { return toy::three_classes(count, 7).spectra.topRows(count).cast<float>(); }

}  // namespace

TEST_CASE("novelty is one less the largest probability of the definition") {
  const Model& model = toy_model();
  const Spectra spectra = toy_spectra(500);
  Spectra novelty;
  NoveltyFunction(model).evaluate(spectra, 1, novelty);
  REQUIRE(novelty.rows() == 500);
  REQUIRE(novelty.cols() == 1);
  const Matrix scaled = model.scaling.apply(spectra.cast<double>());
  for (Index i = 0; i < spectra.rows(); ++i) {
    double likeliest = 0;
    for (const ClassNovelty& one : model.novelty) {
      likeliest = std::max(likeliest, tail_probability(one.tail, squared_mahalanobis(one.gaussian, scaled.row(i))(0)));
    }
    REQUIRE(novelty(i, 0) == doctest::Approx(1 - likeliest).epsilon(1e-6));
  }
}

TEST_CASE("a pixel's novelty depends neither on its neighbours nor on threads") {
  const NoveltyFunction function(toy_model());
  const Spectra spectra = toy_spectra(700);
  Spectra whole;
  function.evaluate(spectra, 1, whole);
  for (const Index size : {1, 7, 240, 333}) {
    for (Index first = 0; first < spectra.rows(); first += size) {
      const Index count = std::min(size, spectra.rows() - first);
      Spectra part;
      function.evaluate(spectra.middleRows(first, count), 2, part);
      REQUIRE(part == whole.middleRows(first, count));
    }
  }
}

TEST_CASE("no pixels, and pixels far from everything") {
  const NoveltyFunction function(toy_model());
  Spectra novelty;
  function.evaluate(Spectra(0, 10), 2, novelty);
  CHECK(novelty.rows() == 0);
  function.evaluate(Spectra::Constant(1, 10, 1e30F), 1, novelty);
  CHECK(novelty(0, 0) == 1);
  CHECK(function.working_bytes(2) == 2 * function.working_bytes(1));
}
