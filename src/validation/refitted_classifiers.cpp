#include "parsimap/validation/refitted_classifiers.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/svm/l2_svm.hpp"
#include "parsimap/validation/combination.hpp"

namespace parsimap {
static DimensionRule fixed_dimension(const ClassMetric& metric) {
  return {DimensionMethod::fixed, static_cast<double>(std::max<Index>(1, metric.weights.size()))};
}

std::vector<ClassMetric> ClassifierDesign::metrics(const Matrix& spectra, const std::vector<int>& labels) const {
  const std::vector<Indices> members = rows_by_class(labels, learnt.size());
  std::vector<ClassMetric> metrics;
  const Index bands = spectra.cols() - learnt.front().profile.features;
  const BlendedModels models(spectra.leftCols(bands), labels, learnt.size());
  for (std::size_t c = 0; c < learnt.size(); ++c) {
    // What the labels decide is estimated from these samples: the model of the class where its metric follows from
    // one, or else the directions under the weights that were learnt.
    const ClassMetric& of_model = learnt[c];
    if (members[c].empty()) {
      metrics.push_back(of_model);
    } else if (shape) {
      const SubspaceModel model =
          models.model(static_cast<int>(c), shape->blend, dimension.value_or(fixed_dimension(of_model)));
      metrics.push_back(with_profile(scaled(shaped_metric(model, *shape), width), of_model.profile));
    } else {
      metrics.push_back(with_directions_of(of_model, spectra(members[c], Eigen::all)));
    }
  }
  return metrics;
}

RefittedClassifiers::RefittedClassifiers(const ClassifierDesign& design, const Matrix& spectra,
                                         const std::vector<int>& labels, const std::function<void()>& on_classifier)
    : origin_(spectra.colwise().mean()), classifiers_(design.learnt.size()), combination_(design.combination) {
  const std::vector<ClassMetric> metrics = design.metrics(spectra, labels);
  // Each classifier separates its class (+1) from all others (-1); the penalty of a sample is C times the weight of
  // its class.
  const Vector weights = sample_weights(design.class_weights, labels);
  const Matrix centred = spectra.rowwise() - origin_;
  for (std::size_t c = 0; c < classifiers_.size(); ++c) {
    const Vector sides = labels_against_rest(labels, static_cast<int>(c));
    if (!has_both_classes(sides)) {
      continue;
    }
    if (on_classifier) {
      on_classifier();
    }
    MahalanobisKernel kernel(metrics[c]);
    const MarginSolution margin = solve_margin(KernelForm(kernel, centred), sides, design.C[c] * weights);
    const Matrix coordinates = kernel.map(centred(margin.support, Eigen::all));
    classifiers_[c] = Trained{std::move(kernel), coordinates, margin.coefficients(margin.support), margin.bias};
  }
}

template <typename Scalar>
Matrix RefittedClassifiers::decisions(const Matrix& spectra) const {
  // Rows whose kernel values are held at the same time, so that they stay in cache.
  constexpr Index kRows = 256;
  const Matrix centred = spectra.rowwise() - origin_;
  Matrix values(spectra.rows(), static_cast<Index>(classifiers_.size()));
  for (std::size_t c = 0; c < classifiers_.size(); ++c) {
    auto column = values.col(static_cast<Index>(c));
    column.setConstant(-std::numeric_limits<double>::infinity());
    if (!classifiers_[c]) {
      continue;
    }
    // f_c(x) = sum_i alpha_i y_i k_c(x, x_i) + b over the support vectors.
    const Trained& classifier = *classifiers_[c];
    const Eigen::MatrixX<Scalar> support = classifier.coordinates.cast<Scalar>();
    const Eigen::VectorX<Scalar> coefficients = classifier.coefficients.cast<Scalar>();
    for (Index first = 0; first < centred.rows(); first += kRows) {
      const Index count = std::min(kRows, centred.rows() - first);
      const Eigen::MatrixX<Scalar> rows =
          classifier.kernel.map(centred.middleRows(first, count)).template cast<Scalar>();
      column.segment(first, count) =
          (classifier.kernel.values(rows, support) * coefficients).template cast<double>().array() + classifier.bias;
    }
  }
  return combined(combination_, values);
}
template Matrix RefittedClassifiers::decisions<float>(const Matrix& spectra) const;
template Matrix RefittedClassifiers::decisions<double>(const Matrix& spectra) const;

constexpr Index kLeastOfClass = 50;  // samples that classifiers are trained on

std::vector<FoldRows> left_out_folds(const LabelledSpectra& samples, const Indices& untrusted,
                                     const LeftOutOptions& options) {
  std::vector<FoldRows> folds;
  const std::vector<SampleUnit> units = units_of(samples.places);
  // Each repeat divides the groups into folds anew, as the selection of the metric does (docs/method.md, Selection by
  // left-out regions), and draws other training samples. Every sample is left out once in each repeat.
  for (Index repeat = 0; repeat < options.repeats; ++repeat) {
    const std::vector<Index> fold_of =
        assign_folds(samples.labels, samples.classes, units, kFolds, options.seed, static_cast<std::uint64_t>(repeat));
    // Training on a draw of the samples bounds the work; every sample is still held out, whether it was drawn or not.
    Indices drawn = draw_stratified(samples.labels, samples.classes, options.samples, kLeastOfClass,
                                    options.seed + static_cast<std::uint64_t>(repeat));
    std::erase_if(drawn, [&](Index row) { return std::ranges::find(untrusted, row) != untrusted.end(); });
    for (Index number = 0; number < kFolds; ++number) {
      FoldRows rows = rows_of_fold(fold_of, number);
      std::erase_if(rows.train, [&](Index row) { return !std::ranges::binary_search(drawn, row); });
      if (!rows.test.empty() && !rows.train.empty()) {
        folds.push_back({std::move(rows.train), std::move(rows.test)});
      }
    }
  }
  return folds;
}

void leave_out_folds(const std::vector<ClassifierDesign>& designs, const Matrix& spectra,
                     const std::vector<int>& labels, const std::vector<FoldRows>& folds, int threads,
                     const Progress& progress,
                     const std::function<void(std::size_t fold, RefittedClassifiers&& classifiers)>& use) {
  std::mutex mutex;
  Index trained = 0;
  const auto expected = static_cast<double>(folds.size() * designs.front().learnt.size());
  const auto on_classifier = [&] {
    const std::lock_guard lock(mutex);
    if (progress) {
      progress(std::min(1.0, static_cast<double>(trained) / expected));
    }
    ++trained;
  };
  parallel_for(std::ssize(folds), threads, [&](Index i) {
    const auto fold = static_cast<std::size_t>(i);
    const Indices& rows = folds[fold].train;
    use(fold, RefittedClassifiers(designs[fold % designs.size()], spectra(rows, Eigen::all), values_at(labels, rows),
                                  on_classifier));
  });
}

Matrix left_out_decisions(const LabelledSpectra& samples, const std::vector<FoldRows>& folds,
                          const std::vector<ClassifierDesign>& designs, const LeftOutOptions& options) {
  std::vector<Matrix> values(folds.size());
  leave_out_folds(designs, samples.spectra, samples.labels, folds, options.threads, options.progress,
                  [&](std::size_t fold, RefittedClassifiers&& classifiers) {
                    values[fold] = classifiers.decisions(samples.spectra(folds[fold].test, Eigen::all));
                  });
  // Sums are made fold by fold, so that they do not depend on which was ready first.
  const auto classes = static_cast<Index>(samples.classes);
  Matrix sums = Matrix::Zero(samples.spectra.rows(), classes);
  Matrix counts = sums;
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    const Indices& held = folds[fold].test;
    const auto known = values[fold].array().isFinite();
    sums(held, Eigen::all) += known.select(values[fold], 0.0);
    counts(held, Eigen::all) += known.cast<double>().matrix();
  }
  // The mean over the repeats in which the class could be trained. A class that never could is never the largest.
  constexpr double kUnknown = -std::numeric_limits<double>::infinity();
  return (counts.array() > 0).select(sums.array() / counts.array(), kUnknown);
}

}  // namespace parsimap
