#include "parsimap/classifier/classifier_design.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/validation/combination.hpp"

#include "support/toy_regions.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {
namespace {

// Decision values of the model's own classifiers, combined as by the model.
Matrix own_decisions(const Model& model, const Matrix& spectra) {
  Matrix values(spectra.rows(), static_cast<Index>(model.classifiers.size()));
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    values.col(static_cast<Index>(c)) = decision_values(model.classifiers[c], model.support_spectra, spectra);
  }
  return combined(model.combination, values);
}

}  // namespace

TEST_CASE("classifiers that are trained anew on the samples of their model are those of the model") {
  const SampleSet samples = toy::labelled_regions(6, 3);
  TrainingOptions shared;
  TrainingOptions balanced;
  balanced.class_weights = ClassWeights::balanced;
  TrainingOptions descents;
  descents.criterion = CriterionKind::radius_margin;
  for (const TrainingOptions& options : {shared, balanced, descents}) {
    const Model model = train_one_vs_all(samples, options, {});
    const Matrix spectra = model.scaling.apply(samples.spectra);
    Index classifiers = 0;
    const RefittedClassifiers refitted(design_of(model), spectra, samples.labels, [&] { ++classifiers; });
    CHECK(classifiers == 4);
    CHECK((refitted.decisions(spectra) - own_decisions(model, spectra)).cwiseAbs().maxCoeff() < 1e-6);
  }
}

TEST_CASE("classifiers with a kernel of profiles that are trained anew are those of the model") {
  const SampleSet samples = toy::four_classes(30, 4, 4, 1);
  const Model model = train_one_vs_all(samples, {}, {});
  REQUIRE(profile_features(model) == 6);
  const Matrix columns = scaled_columns(model, samples);
  const RefittedClassifiers refitted(design_of(model), columns, samples.labels, {});
  CHECK((refitted.decisions(columns) - own_decisions(model, columns)).cwiseAbs().maxCoeff() < 1e-6);
}

}  // namespace parsimap::test
