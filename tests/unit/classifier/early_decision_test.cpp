#include "classifier/early_decision.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/classifier/early_stages.hpp"
#include "parsimap/core/random.hpp"

#include "support/toy_model.hpp"

namespace parsimap::test {

TEST_CASE("early decision: the values of a stage, also far from the origin, and the same bits in any company") {
  Model model = toy::random_model(3, 4, 200, 5);
  // The offset has more digits than single precision.
  model.scaling.offset = Vector::Constant(4, 1234567.125);
  Random random(1);
  const EarlyStages early{random.normal_matrix(4, 2), {}, 5000};
  const Indices support = {3, 17, 150};
  const EarlyStage stage{support, random.normal_matrix(6, 3), Vector::Zero(3), 1};
  const EarlyDecision decision(model, early, stage);
  auto work = decision.workspace();
  const Spectra spectra = toy::raw_spectra(model, 50, 2).cast<float>();
  decision.evaluate(spectra, work);
  const Matrix sums = work.sums.topRows(50);
  const Matrix a = stage_coordinates(model, early, model.scaling.apply(spectra.cast<double>()));
  const Matrix b = stage_coordinates(model, early, model.support_spectra(support, Eigen::all));
  for (Index i = 0; i < 50; ++i) {
    Vector features(6);
    for (Index j = 0; j < 3; ++j) {
      features(j) = std::exp(-0.5 * (a.row(i) - b.row(j)).squaredNorm());
    }
    features.tail(3) << a(i, 0), a(i, 1), 1;
    CHECK((sums.row(i) - features.transpose() * stage.coefficients).cwiseAbs().maxCoeff() < 1e-3);
  }
  decision.evaluate(spectra.bottomRows(7), work);
  CHECK(work.sums.topRows(7) == sums.bottomRows(7));
  CHECK(decision.workspace_bytes() > sizeof(float) * static_cast<std::size_t>(work.kernel.values.size()));
}

}  // namespace parsimap::test
