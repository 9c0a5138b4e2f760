#include "classifier/reduced_model.hpp"

#include <doctest/doctest.h>

#include "parsimap/classifier/train.hpp"
#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

// Two overlapping classes of noise in twelve bands: nearly every sample supports an exact machine.
SampleSet noisy_samples() {
  constexpr Index kSamples = 900;
  SampleSet samples;
  samples.spectra = Random(3).normal_matrix(kSamples, 12);
  samples.classes = {{1, "a", {}}, {2, "b", {}}};
  for (Index i = 0; i < kSamples; ++i) {
    samples.labels.push_back(i % 2 == 0 ? 0 : 1);
    samples.spectra(i, 0) += 6 * samples.labels.back();
    samples.pixels.push_back(i);
    samples.regions.push_back(i);
    samples.groups.push_back(i);
  }
  return samples;
}

}  // namespace

TEST_CASE("a reduced model has fewer support spectra, and remembers what exact machines had") {
  const SampleSet samples = noisy_samples();
  TrainingOptions options;
  options.family = KernelFamily::gaussian;
  options.support = SupportRule::all;
  Model model = train_one_vs_all(samples, options, {});
  const Model exact = model;
  CHECK_FALSE(exact.reduction);
  CHECK(exact_softmax_slope(exact) == exact.softmax_slope);
  options.support = SupportRule::reduced;
  reduce_model(model, ClassTrainer(samples, options), samples, options, {});
  check_model(model);
  if (exact.support_spectra.rows() < kFewestReducible) {
    CHECK_FALSE(model.reduction);
    CHECK(model.support_spectra == exact.support_spectra);
    return;
  }
  REQUIRE(model.reduction);
  CHECK(model.reduction->exact_spectra == exact.support_spectra.rows());
  CHECK(model.reduction->exact_slope == exact.softmax_slope);
  CHECK(4 * model.support_spectra.rows() <= exact.support_spectra.rows());
  for (std::size_t c = 0; c < 2; ++c) {
    CHECK(model.machines[c].C == exact.machines[c].C);
    CHECK(model.machines[c].coefficients.size() == model.support_spectra.rows());
  }
  // Training by itself does the same.
  const Model trained = train_one_vs_all(samples, options, {});
  CHECK(trained.support_spectra == model.support_spectra);
  CHECK(trained.softmax_slope == model.softmax_slope);
}

}  // namespace parsimap::test
