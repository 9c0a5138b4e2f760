#include "parsimap/hdda/blended_covariances.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"
#include "parsimap/hdda/blended_model.hpp"

using namespace parsimap;

TEST_CASE("blended covariances: the models are those of the centred samples, on any number of threads") {
  // More samples than are added up at once, and a class too small for a covariance of its own.
  constexpr Index kSamples = 3000;
  Matrix spectra = Random(3).normal_matrix(kSamples, 6);
  std::vector<int> labels;
  for (Index i = 0; i < kSamples; ++i) {
    labels.push_back(i < 3 ? 2 : static_cast<int>(i % 2));
    spectra(i, labels.back()) *= 5;
    spectra.row(i).array() += 10.0 * labels.back();
  }
  const DimensionRule rule{DimensionMethod::fixed, 2};
  const BlendedModels expected(spectra, labels, 4);
  const BlendedCovariances one(spectra, labels, 4, 1);
  const BlendedCovariances three(spectra, labels, 4, 3);
  for (int c = 0; c < 4; ++c) {
    for (const double blend : {0.0, 0.5, 1.0}) {
      if (c == 3 && blend == 1) {
        continue;  // no sample, whose own covariance nobody has
      }
      INFO("class ", c, ", blend ", blend);
      const SubspaceModel model = one.model(c, blend, rule);
      const SubspaceModel wanted = expected.model(c, blend, rule);
      REQUIRE(model.dimension() == wanted.dimension());
      CHECK((model.directions - wanted.directions).norm() < 1e-9);
      CHECK((model.variances - wanted.variances).norm() < 1e-9 * wanted.variances.norm());
      CHECK(model.noise_variance == doctest::Approx(wanted.noise_variance));
      CHECK(three.model(c, blend, rule).directions == model.directions);
      CHECK(three.model(c, blend, rule).variances == model.variances);
    }
  }
}
