#include "parsimap/classifier/sample_columns.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "support/toy_model.hpp"
#include "support/toy_samples.hpp"

using namespace parsimap;

TEST_CASE("sample columns: profiles follow the spectra where machines have a kernel of them, and are not scaled") {
  SampleSet samples = toy::three_classes(5, 1);
  samples.profiles = Random(2).normal_matrix(15, 4).cast<float>().cast<double>();
  Model model = toy::random_model(3, 10, 20, 1);
  CHECK(profile_features(model) == 0);
  CHECK(raw_columns(model, samples) == Spectra(samples.spectra.cast<float>()));
  CHECK(scaled_columns(model, samples) == model.scaling.apply(samples.spectra));
  toy::add_profiles(model, 4, 0.5, 0.5, 3);
  CHECK(profile_features(model) == 4);
  const Spectra raw = raw_columns(model, samples);
  CHECK(raw.leftCols(10) == Spectra(samples.spectra.cast<float>()));
  CHECK(raw.rightCols(4).cast<double>() == samples.profiles);
  CHECK(scaled_columns(model, samples) == joined_columns(model.scaling.apply(samples.spectra), samples.profiles));
  samples.profiles.resize(15, 0);
  CHECK_THROWS_WITH_AS(raw_columns(model, samples), "the samples have profiles of 0 features; the model wants 4",
                       DataError);
  CHECK_THROWS_AS(scaled_columns(model, samples), DataError);
}
