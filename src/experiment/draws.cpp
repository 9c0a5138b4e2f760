#include "draws.hpp"

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap {
namespace {

void check_samples(const Dataset& dataset) {
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

}  // namespace

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
    if (!name.empty() && std::none_of(rules.begin(), rules.end(), same)) {
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
  const Scaling scale = fit_scaling(dataset.train.spectra, scaling);
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
  RunShape shape;
  for (const TestSet& test : draw.tests) {
    shape.tests.push_back(test.name);
  }
  for (const int label : classes) {
    shape.classes.push_back(draw.train.classes[static_cast<std::size_t>(label)].name);
  }
  return shape;
}

RunShape shape_of(const ExperimentRun& run) {
  RunShape shape;
  for (const TestRun& test : run.tests) {
    shape.tests.push_back(test.name);
  }
  for (const ClassRun& trained : run.classes) {
    shape.classes.push_back(trained.name);
  }
  return shape;
}

std::string run_title(const ExperimentRun& run) {
  return "data set '" + run.data + "': repeat " + std::to_string(run.repeat) + " of " + to_string(run.method);
}

}  // namespace parsimap
