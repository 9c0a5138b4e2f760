#include "parsimap/experiment/sample_description.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/hdda/class_statistics.hpp"

namespace parsimap {
namespace {

std::vector<double> list_of(const Vector& values) { return {values.begin(), values.end()}; }

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

}  // namespace

DataDescription describe_samples(const std::string& name, const SampleSet& samples,
                                 const std::vector<double>& wavelengths, const std::vector<DimensionRule>& rules,
                                 ScalingRule scaling) {
  const Scaling scale = fit_scaling(samples.spectra, scaling);
  DataDescription description{name, samples.spectra.cols(), wavelengths, samples.size(), {}};
  for (std::size_t c = 0; c < samples.classes.size(); ++c) {
    const Matrix spectra = samples.spectra(class_rows(samples, static_cast<int>(c)), Eigen::all);
    description.classes.push_back(
        describe_class(samples.classes[c].name, spectra, class_statistics(scale.apply(spectra)), rules));
  }
  return description;
}

}  // namespace parsimap
