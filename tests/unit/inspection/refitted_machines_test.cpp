#include "parsimap/inspection/refitted_machines.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "parsimap/classifier/sample_columns.hpp"
#include "parsimap/classifier/train.hpp"

#include "support/toy_regions.hpp"
#include "support/toy_samples.hpp"

using namespace parsimap;

namespace {

// Decision values of the model's own machines.
Matrix own_decisions(const Model& model, const Matrix& spectra) {
  Matrix values(spectra.rows(), static_cast<Index>(model.machines.size()));
  for (std::size_t c = 0; c < model.machines.size(); ++c) {
    values.col(static_cast<Index>(c)) = decision_values(model.machines[c], model.support_spectra, spectra);
  }
  return values;
}

}  // namespace

TEST_CASE("machines that are trained anew on the samples of their model are those of the model") {
  const SampleSet samples = toy::labelled_regions(6, 3);
  TrainingOptions shared;
  TrainingOptions balanced;
  balanced.class_weights = ClassWeights::balanced;
  TrainingOptions descents;
  descents.criterion = CriterionKind::radius_margin;
  for (const TrainingOptions& options : {shared, balanced, descents}) {
    const Model model = train_one_vs_all(samples, options, {});
    const Matrix spectra = model.scaling.apply(samples.spectra);
    Index machines = 0;
    const RefittedMachines refitted(MachineDesign(model, options.class_weights), spectra, samples.labels,
                                    [&] { ++machines; });
    CHECK(machines == 4);
    CHECK((refitted.decisions(spectra) - own_decisions(model, spectra)).cwiseAbs().maxCoeff() < 1e-6);
  }
}

TEST_CASE("machines with a kernel of profiles that are trained anew are those of the model") {
  const SampleSet samples = toy::four_classes(30, 4, 4, 1);
  const Model model = train_one_vs_all(samples, {}, {});
  REQUIRE(profile_features(model) == 6);
  const Matrix columns = scaled_columns(model, samples);
  const RefittedMachines refitted(MachineDesign(model), columns, samples.labels, {});
  CHECK((refitted.decisions(columns) - own_decisions(model, columns)).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("a class without samples is unknown to the machines") {
  SampleSet samples = toy::labelled_regions(6, 3);
  const Model model = train_one_vs_all(samples, {}, {});
  Indices rows;
  for (Index i = 0; i < samples.size(); ++i) {
    if (samples.labels[static_cast<std::size_t>(i)] != 2) {
      rows.push_back(i);
    }
  }
  samples = subset(samples, rows);
  const Matrix spectra = model.scaling.apply(samples.spectra);
  const Matrix values = RefittedMachines(MachineDesign(model), spectra, samples.labels, {}).decisions(spectra);
  CHECK(values.col(2).maxCoeff() == -std::numeric_limits<double>::infinity());
  CHECK(values(Eigen::all, std::vector<int>{0, 1, 3}).allFinite());
}
