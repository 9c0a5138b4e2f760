#include "description.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/hdda/class_statistics.hpp"

namespace parsimap {
namespace {

Indices rows_of(const SampleSet& samples, int c) {
  Indices rows;
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    if (samples.labels[i] == c) {
      rows.push_back(static_cast<Index>(i));
    }
  }
  return rows;
}

std::vector<double> list_of(const Vector& values) { return {values.begin(), values.end()}; }

bool has_subspace(const Method& method) { return !name_of(method).dimension.empty(); }

// Of the methods, each once.
std::vector<DimensionRule> rules_of(const std::vector<Method>& methods) {
  std::vector<DimensionRule> rules;
  for (const Method& method : methods) {
    const auto same = [&](const DimensionRule& rule) { return to_string(rule) == to_string(method.dimension); };
    if (has_subspace(method) && std::none_of(rules.begin(), rules.end(), same)) {
      rules.push_back(method.dimension);
    }
  }
  return rules;
}

ScreeRecord scree_record(const ClassStatistics& statistics, const DimensionRule& rule) {
  ScreeRecord record{to_string(rule), intrinsic_dimension(statistics, rule), {}};
  const Index drops = statistics.eigenvalues.size() - 1;
  if (rule.method == DimensionMethod::scree && drops > 0) {
    record.threshold =
        rule.parameter * (statistics.eigenvalues.head(drops) - statistics.eigenvalues.tail(drops)).maxCoeff();
  }
  return record;
}

ClassDescription describe_class(const std::string& name, const Matrix& spectra, const ClassStatistics& statistics,
                                const std::vector<DimensionRule>& rules) {
  ClassDescription description{name, spectra.rows(), {}, {}, {}, {}};
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

void check_samples(const Dataset& dataset) {
  const SampleSet& train = dataset.train;
  if (train.classes.size() < 2) {
    throw DataError("the training samples have " +
                    (train.classes.empty() ? "no class" : "one class only (" + train.classes.front().name + ")") +
                    "; at least two are needed");
  }
  const std::vector<Index> counts = class_counts(train);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] < 2) {
      throw DataError("class '" + train.classes[c].name + "' has " + std::to_string(counts[c]) +
                      " training samples; at least 2 are needed");
    }
  }
  for (const TestSet& test : dataset.tests) {
    if (test.samples.size() == 0) {
      throw DataError("the test set '" + test.name + "' has no samples");
    }
  }
}

}  // namespace

DataDescription describe(const std::string& name, const Dataset& dataset, const std::vector<Method>& methods,
                         ScalingRule scaling) {
  const SampleSet& train = dataset.train;
  const Matrix scaled = fit_scaling(train.spectra, scaling).apply(train.spectra);
  const std::vector<DimensionRule> rules = rules_of(methods);
  DataDescription description{name, train.spectra.cols(), dataset.wavelengths, train.size(), {}};
  for (std::size_t c = 0; c < train.classes.size(); ++c) {
    const Indices rows = rows_of(train, static_cast<int>(c));
    description.classes.push_back(describe_class(train.classes[c].name, train.spectra(rows, Eigen::all),
                                                 class_statistics(scaled(rows, Eigen::all)), rules));
  }
  return description;
}

void check_draw(const Dataset& dataset, const std::vector<int>& classes, const std::vector<Method>& methods,
                ScalingRule scaling) {
  check_samples(dataset);
  Index largest = 0;
  for (const DimensionRule& rule : rules_of(methods)) {
    if (rule.method == DimensionMethod::fixed) {
      largest = std::max(largest, static_cast<Index>(rule.parameter));
    }
  }
  if (largest == 0) {
    return;
  }
  const Scaling scale = fit_scaling(dataset.train.spectra, scaling);
  for (const int c : classes) {
    const Matrix spectra = dataset.train.spectra(rows_of(dataset.train, c), Eigen::all);
    const Index rank = class_statistics(scale.apply(spectra)).eigenvalues.size();
    if (largest >= rank) {
      throw DataError("class '" + dataset.train.classes[static_cast<std::size_t>(c)].name +
                      "': the dimension fixed:" + std::to_string(largest) +
                      " must be smaller than the rank of the class covariance (" + std::to_string(rank) + ")");
    }
  }
}

}  // namespace parsimap
