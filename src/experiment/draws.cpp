#include "draws.hpp"

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/simulation/simulation.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

namespace parsimap {

static void check_samples(const Dataset& dataset) {
  const SampleSet& train = dataset.train;
  if (train.classes.size() < 2) {
    throw DataError("the training samples have " +
                    (train.classes.empty() ? "no class" : "one class only (" + train.classes.front().name + ")") +
                    "; at least two are needed");
  }
  // A simulated scene or a random split may leave a class without samples.
  const std::vector<Index> counts = class_counts(train);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] < kLeastSamples) {
      throw DataError("class '" + train.classes[c].name + "' has no training sample; at least " +
                      std::to_string(kLeastSamples) + " is needed");
    }
  }
  for (const TestSet& test : dataset.tests) {
    if (test.samples.size() == 0) {
      throw DataError("the test set '" + test.name + "' has no samples");
    }
  }
}

std::shared_ptr<const Dataset> make_draw(const DataSpec& data, const std::shared_ptr<const Dataset>& loaded,
                                         std::uint64_t seed) {
  // Three cases: data from files with a fixed split are the same object for every repeat, simulated data are drawn with
  // the seed of the repeat, and either may be divided at random into training and test samples.
  std::shared_ptr<const Dataset> draw = loaded;
  if (const auto* simulated = std::get_if<SimulatedData>(&data.source)) {
    draw = std::make_shared<const Dataset>(draw_simulation(*simulated, seed));
  }
  if (data.train_per_class) {
    draw = std::make_shared<const Dataset>(split_training(*draw, *data.train_per_class, seed));
  }
  return draw;
}

std::vector<DimensionRule> dimension_rules(const std::vector<Method>& methods) {
  std::vector<DimensionRule> rules;
  // Methods with the same rule share one entry; kernels without a subspace have none.
  for (const Method& method : methods) {
    const std::string name = name_of(method).dimension;
    const auto same = [&](const DimensionRule& rule) { return to_string(rule) == name; };
    if (!name.empty() && std::ranges::none_of(rules, same)) {
      rules.push_back(method.dimension);
    }
  }
  return rules;
}

void check_draw(const Dataset& dataset, const std::vector<int>& classes, const std::vector<Method>& methods,
                ScalingRule scaling) {
  check_samples(dataset);
  // Only rules with a fixed number of directions can fail: p directions and the noise need an eigenvalue more than p.
  // Other rules choose a number that the class allows.
  Index largest = 0;
  for (const DimensionRule& rule : dimension_rules(methods)) {
    if (rule.method == DimensionMethod::fixed) {
      largest = std::max(largest, static_cast<Index>(rule.parameter));
    }
  }
  if (largest == 0) {
    return;
  }
  // The rank is that of the scaled spectra, as training will see them.
  const Scaling scale = fit_scaling(dataset.train.spectra, scaling, dataset.train.labels);
  for (const int c : classes) {
    const Matrix spectra = dataset.train.spectra(class_rows(dataset.train, c), Eigen::all);
    const Index rank = class_statistics(scale.apply(spectra)).eigenvalues.size();
    if (largest >= rank) {
      throw DataError("class '" + dataset.train.classes[static_cast<std::size_t>(c)].name +
                      "': the dimension fixed:" + std::to_string(largest) +
                      " must be smaller than the rank of the class covariance (" + std::to_string(rank) + ")");
    }
  }
}

// What two runs on the same data must have in common: test sets and classes, in their order.
RunShape shape_of(const Dataset& draw, const std::vector<int>& classes) {
  const auto name_of_class = [&](int label) { return draw.train.classes[static_cast<std::size_t>(label)].name; };
  return {mapped<std::string>(draw.tests, &TestSet::name), mapped<std::string>(classes, name_of_class)};
}

RunShape shape_of(const ExperimentRun& run) {
  return {mapped<std::string>(run.tests, &TestRun::name), mapped<std::string>(run.classes, &ClassRun::name)};
}

std::string run_title(const ExperimentRun& run) {
  return "data set '" + run.data + "': repeat " + std::to_string(run.repeat) + " of " + to_string(run.method);
}

// The simulation and draw_per_class() have the same seed; a stream of random numbers far from theirs keeps the split
// independent of them.
constexpr std::uint64_t kSplitStream = std::uint64_t{1} << 40U;

// Every pixel of the scene is a sample, with the unrounded reflectances of the simulation and not with the values that
// a file would store. Regions and units have no meaning here: there is one.
static SampleSet samples_of(const Simulation& simulation) {
  const Window all = {0, 0, simulation.grid().width, simulation.grid().height};
  SampleSet samples;
  samples.spectra = simulation.reflectance(all);
  samples.classes = simulation.class_table();
  std::vector<std::uint16_t> codes;
  simulation.reference(all, codes);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    samples.labels.push_back(static_cast<int>(codes[i]) - 1);
    samples.places.push_back({static_cast<std::int64_t>(i)});
  }
  return samples;
}

Dataset draw_simulation(const SimulatedData& data, std::uint64_t seed) {
  // Each repeat has a scene of its own.
  SimulationSpec spec = data.scene;
  spec.seed = seed;
  const Simulation simulation(spec);
  const SampleSet samples = samples_of(simulation);
  // The first pixels of a random order are for training, all others for the test. Both are sorted, so that the order
  // of the samples is that of the scene.
  Indices order = Random(seed, kSplitStream).permutation(samples.size());
  const auto middle = order.begin() + data.train;
  std::sort(order.begin(), middle);
  std::sort(middle, order.end());
  Dataset dataset;
  dataset.train = subset(samples, {order.begin(), middle});
  dataset.tests.push_back({"test", subset(samples, {middle, order.end()})});
  dataset.wavelengths = mapped<double>(simulation.bands(), [](const Band& band) { return *band.wavelength; });
  return dataset;
}

Dataset split_training(const Dataset& dataset, Index train_per_class, std::uint64_t seed) {
  const SampleSet& all = dataset.train;
  const std::vector<Index> counts = class_counts(all);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] <= train_per_class) {
      throw DataError("class '" + all.classes[c].name + "' has " + std::to_string(counts[c]) +
                      " training samples; more than train_per_class (" + std::to_string(train_per_class) +
                      ") are needed, since the others are the test set '" + kRestOfTraining + "'");
    }
  }
  // What is not drawn for training is the complement of the draw; both are ascending.
  const Indices train = draw_per_class(all.labels, all.classes.size(), train_per_class, seed);
  const Indices every = consecutive(all.size());
  Indices rest;
  std::set_difference(every.begin(), every.end(), train.begin(), train.end(), std::back_inserter(rest));
  Dataset split{subset(all, train), {{kRestOfTraining, subset(all, rest)}}, dataset.wavelengths};
  add_all(split.tests, dataset.tests);
  return split;
}

static std::vector<double> list_of(const Vector& values) { return {values.begin(), values.end()}; }

static ScreeRecord scree_record(const ClassStatistics& statistics, const DimensionRule& rule) {
  ScreeRecord record{to_string(rule), intrinsic_dimension(statistics, rule), {}};
  const Index drops = statistics.eigenvalues.size() - 1;
  if (rule.method == DimensionMethod::scree && drops > 0) {
    // The threshold of the scree rule: S times the largest drop between successive eigenvalues (docs/method.md, The
    // class subspace model).
    record.threshold =
        rule.parameter * (statistics.eigenvalues.head(drops) - statistics.eigenvalues.tail(drops)).maxCoeff();
  }
  return record;
}

static ClassDescription describe_class(const std::string& name, const Matrix& spectra,
                                       const ClassStatistics& statistics, const std::vector<DimensionRule>& rules) {
  ClassDescription description{name, spectra.rows(), {}, {}, {}, {}};
  // Mean and standard deviation are those of the spectra as they are; eigenvalues are those of the scaled spectra
  // that kernels see.
  const Eigen::RowVectorXd mean = spectra.colwise().mean();
  const Vector variance =
      (spectra.rowwise() - mean).colwise().squaredNorm().transpose() / static_cast<double>(spectra.rows());
  description.mean = list_of(mean.transpose());
  description.deviation = list_of(variance.cwiseSqrt());
  description.eigenvalues =
      list_of(statistics.eigenvalues.head(std::min(kDescribedEigenvalues, statistics.eigenvalues.size())));
  for (const DimensionRule& rule : rules) {
    description.scree.push_back(scree_record(statistics, rule));
  }
  return description;
}

DataDescription describe_samples(const std::string& name, const SampleSet& samples,
                                 const std::vector<double>& wavelengths, const std::vector<DimensionRule>& rules,
                                 ScalingRule scaling) {
  const Scaling scale = fit_scaling(samples.spectra, scaling, samples.labels);
  DataDescription description{name, samples.spectra.cols(), wavelengths, samples.size(), {}};
  for (std::size_t c = 0; c < samples.classes.size(); ++c) {
    const Matrix spectra = samples.spectra(class_rows(samples, static_cast<int>(c)), Eigen::all);
    description.classes.push_back(
        describe_class(samples.classes[c].name, spectra, class_statistics(scale.apply(spectra)), rules));
  }
  return description;
}

}  // namespace parsimap
