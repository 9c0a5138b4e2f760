#include "metric_kernel_training.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "parsimap/classifier/train.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/svm/l2_svm.hpp"

namespace parsimap {
namespace {

// Spectra whose kernel values are held at the same time.
constexpr Index kDecisionRows = 512;

MetricSelection choose(const SampleSet& samples, const Matrix& spectra, const MetricKernelOptions& options,
                       const Progress& progress) {
  MetricSelectionOptions selection;
  selection.dimension = options.dimension;
  selection.seed = options.seed;
  selection.progress = progress;
  selection.kernel = options.kernel;
  return select_metric({spectra, samples.labels, samples.groups, samples.classes.size()}, selection);
}

// Calls body(group, places) for every group of classes that have a kernel in common and of which some are wanted, with
// the places of these in `wanted`.
template <typename Body>
void for_groups(const MetricKernel& kernel, std::size_t classes, const std::vector<int>& wanted, const Body& body) {
  for (const std::vector<int>& group : classes_by_kernel(kernel, static_cast<int>(classes))) {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      if (std::find(group.begin(), group.end(), wanted[k]) != group.end()) {
        places.push_back(k);
      }
    }
    if (!places.empty()) {
      body(group, places);
    }
  }
}

}  // namespace

MetricKernelTraining::MetricKernelTraining(const SampleSet& samples, const MetricKernelOptions& options,
                                           const Progress& progress)
    : samples_(samples),
      kernel_(options.kernel),
      scaling_(fit_scaling(samples.spectra, options.scaling)),
      spectra_(scaling_.apply(samples.spectra)),
      selection_(choose(samples, spectra_, options, progress)) {
  // The selection has found blend, damping, width and C with left-out samples, the same for all classes. With these,
  // the metric of every class is computed from all training samples (docs/method.md, Polynomials and sums).
  const BlendedModels models(spectra_, samples.labels, samples.classes.size());
  for (std::size_t c = 0; c < samples.classes.size(); ++c) {
    const SubspaceModel model = models.model(static_cast<int>(c), selection_.shape.blend, options.dimension);
    metrics_.push_back(scaled(shaped_metric(model, selection_.shape), selection_.point.width));
  }
}

std::vector<TrainedClass> MetricKernelTraining::train(const std::vector<int>& classes) const {
  std::vector<TrainedClass> trained(classes.size());
  for_groups(kernel_, metrics_.size(), classes, [&](const auto& group, const auto& places) {
    // Classes of a group have one kernel matrix in common; its time is shared out among them.
    double before = processor_seconds();
    const Matrix kernel = kernel_matrix(kernel_, metrics_of(group), spectra_, spectra_);
    const double shared = (processor_seconds() - before) / static_cast<double>(places.size());
    for (const std::size_t k : places) {
      before = processor_seconds();
      trained[k].machine = fit(classes[k], kernel);
      trained[k].seconds = shared + processor_seconds() - before;
    }
  });
  return trained;
}

Matrix MetricKernelTraining::decisions(const std::vector<TrainedClass>& classifiers, const std::vector<int>& classes,
                                       const Matrix& spectra) const {
  // f(x) = sum_i g_i k(x, x_i) + bias over the support vectors, from the rows of kernel values of a block of spectra
  // with all training samples.
  const Matrix features = scaling_.apply(spectra);
  Matrix values(features.rows(), static_cast<Index>(classes.size()));
  for_groups(kernel_, metrics_.size(), classes, [&](const auto& group, const auto& places) {
    // Spectra are taken in blocks of rows, so that only one block of kernel values is held at a time.
    for (Index first = 0; first < features.rows(); first += kDecisionRows) {
      const Index rows = std::min(kDecisionRows, features.rows() - first);
      const Matrix kernel = kernel_matrix(kernel_, metrics_of(group), features.middleRows(first, rows), spectra_);
      for (const std::size_t k : places) {
        const BinaryClassifier& classifier = classifiers[k].machine;
        values.col(static_cast<Index>(k)).segment(first, rows) =
            (kernel(Eigen::all, classifier.support) * classifier.coefficients).array() + classifier.bias;
      }
    }
  });
  return values;
}

std::vector<ClassMetric> MetricKernelTraining::metrics_of(const std::vector<int>& group) const {
  std::vector<ClassMetric> metrics;
  std::transform(group.begin(), group.end(), std::back_inserter(metrics),
                 [&](int c) { return metrics_[static_cast<std::size_t>(c)]; });
  return metrics;
}

BinaryClassifier MetricKernelTraining::fit(int c, const Matrix& kernel) const {
  // The penalty C is common to all samples: there are no class weights in experiments.
  const MarginSolution margin =
      solve_margin(DenseQuadraticForm(kernel), labels_against_rest(samples_.labels, c), selection_.point.C);
  const SelectionRecord record{to_string(CriterionKind::leave_one_out), selection_.risk, selection_.classifiers,
                               "shared by all classes"};
  return fitted_classifier(samples_, c, {metrics_[static_cast<std::size_t>(c)], selection_.point.C, record}, margin);
}

}  // namespace parsimap
