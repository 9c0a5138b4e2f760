// The classifiers of a model, trained anew without parts of the labels, and what they say of the samples left out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/validation/folds.hpp"
#include "parsimap/validation/left_out.hpp"

namespace parsimap {

// What was chosen for the model stays: the shape and the width of its metrics, as many directions of every class, the
// penalties. What follows from labels is estimated anew: covariances, directions, support vectors. So classifiers can
// classify samples whose labels were not used in training them.

// What of a model stays when it is trained on other samples.
struct ClassifierDesign {
  std::vector<ClassMetric> learnt;        // K, the metrics of the model
  std::vector<double> C;                  // K
  Matrix combination = {};                // of its decision values
  std::optional<MetricShape> shape = {};  // unset: every class has directions of its own and weights that were learnt
  double width = 1;                       // of metrics of the shape
  ClassWeights class_weights = ClassWeights::none;  // that the model was trained with
  // With a rule classes have as many directions as it finds in their samples, as in training; without one as many as in
  // the model.
  std::optional<DimensionRule> dimension = {};

  // The metric of every class from scaled spectra (n x d), followed by profiles where the classifiers have a kernel of
  // these, and their class indices. A class without samples has that of the model.
  [[nodiscard]] std::vector<ClassMetric> metrics(const Matrix& spectra, const std::vector<int>& labels) const;
};

// One classifier for each class against the rest.
class RefittedClassifiers {
 public:
  // `spectra` n x d, scaled, and followed by profiles as above; `labels` n class indices of the design. `on_classifier`
  // may be empty; it is called before every classifier that is trained, and may throw to stop.
  RefittedClassifiers(const ClassifierDesign& design, const Matrix& spectra, const std::vector<int>& labels,
                      const std::function<void()>& on_classifier);

  // Decision values of such spectra (m rows), combined as those of the model, m x K. A class that has no samples has
  // the value -infinity, and so have all others where a class has all samples. Kernel values are computed in single or
  // double precision: a map of many pixels is worth the former.
  template <typename Scalar = double>
  [[nodiscard]] Matrix decisions(const Matrix& spectra) const;

 private:
  struct Trained {
    MahalanobisKernel kernel;
    Matrix coordinates;  // of the support vectors in the metric of the class
    Vector coefficients;
    double bias;
  };

  Eigen::RowVectorXd origin_;                        // near the samples, so that distances are no differences of large
                                                     // numbers
  std::vector<std::optional<Trained>> classifiers_;  // by class; unset where one side has no samples
  Matrix combination_;
};

// Labelled samples are left out in turn, and classified by what has seen neither them nor their region.
//
// Regions are shared out to five folds (validation/folds.hpp), several times over with other seeds, and the classifiers
// of a model are trained anew on the complement of every fold. Unlike in the selection of a metric, regions are left
// out as wholes whatever their number: a region with a wrong label would vote for itself. A class that lies in a single
// region is then unknown to the classifiers that are applied to it.

struct LeftOutOptions {
  Index repeats = 4;     // of sharing the regions out to folds, >= 1
  Index samples = 1500;  // that classifiers are trained on at most, drawn anew for every repeat
  std::uint64_t seed = 0;
  int threads = 1;
  Progress progress = {};  // may throw to stop
};

// The folds of all repeats, one repeat after the other; every sample is held out once in each. `untrusted` are rows
// that no classifier is trained on, such as bad values.
std::vector<FoldRows> left_out_folds(const LabelledSpectra& samples, const Indices& untrusted,
                                     const LeftOutOptions& options);

// The pass that trains without each fold in turn: gives use() the classifiers of the fold of a number. Folds are
// trained side by side, so that use() is called from several threads at a time. Progress counts the classifiers that
// have begun. `designs`: one for each fold, or one for all.
void leave_out_folds(const std::vector<ClassifierDesign>& designs, const Matrix& spectra,
                     const std::vector<int>& labels, const std::vector<FoldRows>& folds, int threads,
                     const Progress& progress,
                     const std::function<void(std::size_t fold, RefittedClassifiers&& classifiers)>& use);

// The decision values of all samples, n x K, each the mean over the repeats in which classifiers know the class;
// -infinity where none does. The result does not depend on the number of threads.
Matrix left_out_decisions(const LabelledSpectra& samples, const std::vector<FoldRows>& folds,
                          const std::vector<ClassifierDesign>& designs, const LeftOutOptions& options);

}  // namespace parsimap
