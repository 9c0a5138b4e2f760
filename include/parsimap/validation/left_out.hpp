// Decision values of samples that were left out of the training of their classifier, whole regions at a time.
//
// Labels mostly come as polygons, whose pixels are alike: who leaves out single pixels prefers kernels that know the
// polygon, and finds more accuracy than other polygons will have. Classifiers and the class models that their kernels
// are made of are trained anew without every fold.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/samples/sample_place.hpp"
#include "parsimap/validation/folds.hpp"

namespace parsimap {

// Of more classes than these, what all classes share is compared on so many of them, which takes some seconds, and
// classifiers of all ask for parts of their kernel matrices: the work grows with the square of the number of classes,
// not with its fourth power (docs/method.md, "Many classes").
inline constexpr std::size_t kComparedClasses = 30;
// Whether the kernel matrices of classifiers at so many points, of so many classes, are computed in parts.
inline bool in_parts(std::size_t classes, std::size_t points) { return classes > kComparedClasses && points == 1; }

// Labelled spectra that a choice is evaluated on.
struct LabelledSpectra {
  const Matrix& spectra;                   // n x d, scaled; n x (d + q) where profiles follow
  const std::vector<int>& labels;          // n, class indices in [0, classes)
  const std::vector<SamplePlace>& places;  // n
  std::size_t classes;
  Index features = 0;         // q
  Vector weights = {};        // n, > 0, of the error of each sample; empty: all the same
  Vector standardising = {};  // d factors to the scaling within classes, where that is to be tried, too; or empty
  [[nodiscard]] Index bands() const { return spectra.cols() - features; }
};

// The numbers that the classifiers of one metric still differ in: all weights of the metric are multiplied by `width`.
// Those of the kernel of profiles are shared by all classes, as width and C are: a few regions are not enough to
// estimate them for each class.
struct TrainingPoint {
  double width = 1;           // mean squared distance of two samples drawn from the class model
  double C = 1;               // penalty of the L2-SVM, the mean of those of the samples
  double share = 0;           // of the kernel of profiles, in [0, 1]
  double profile_weight = 0;  // ProfileTerm::weight, where the share is above 0
  bool operator==(const TrainingPoint&) const = default;
};

// What was tried before a choice was made, so that samples that are left out of training can be left out of the choice.
struct TriedPoint {
  MetricShape shape;
  TrainingPoint point;
  Vector risks = {};  // n, of left-out samples, times their weights
};

struct TriedPoints {
  Indices rows = {};  // n, ascending: the samples, among all training samples
  std::vector<TriedPoint> points = {};
  // Without some samples the points are judged anew on the others alone, which costs as much as the choice for every
  // fold. The risks above know the samples by the classifiers of the others: what is alike is so in both directions.
  bool again = false;

  // The first point of the lowest risk of the samples that are not among `held` (ascending rows of all training
  // samples): what would have been chosen without these. At least one point.
  [[nodiscard]] const TriedPoint& best_without(const Indices& held) const;
};

// What is left out together.
struct LeftOutUnits {
  std::vector<SampleUnit> units;  // n
  std::vector<bool> by_region;    // by class: whole units of the places; else single samples, since there is one unit
};

// `labels` are class indices in [0, classes). A class that lies in one unit cannot spare it: its samples are left out
// one by one, or those of the same place on the ground together.
LeftOutUnits left_out_units(const std::vector<int>& labels, std::size_t classes,
                            const std::vector<SamplePlace>& places);

// One classifier for each class against the rest on every fold's complement.
class LeftOutScorer {
 public:
  // `spectra` n x d, scaled; `labels` n class indices in [0, classes), which are kept by the caller; `fold_of` the fold
  // of every sample, in [0, kFolds). `weights` are made anew of the training rows of every fold, times `own` of each
  // sample, if there are any. For points with a share: `profile_distances`, squared ones
  // between the profiles of the samples, n x n; or, where kernel matrices are computed in parts, `profiles`, n x q.
  LeftOutScorer(Matrix spectra, const std::vector<int>& labels, std::size_t classes, const std::vector<Index>& fold_of,
                ClassWeights weights = ClassWeights::none, std::shared_ptr<const Matrix> profile_distances = {},
                Vector own = {}, std::shared_ptr<const Matrix> profiles = {});

  // From now on with these weights in the place of those given before.
  void reweigh(ClassWeights weights, Vector own) {
    weights_ = weights;
    own_ = std::move(own);
  }

  [[nodiscard]] const Matrix& spectra() const { return spectra_; }
  // The samples that the classifiers of a fold are trained on, ascending.
  [[nodiscard]] const Indices& training_rows(Index fold) const { return folds_[static_cast<std::size_t>(fold)].train; }
  // The others, ascending.
  [[nodiscard]] const Indices& held_rows(Index fold) const { return folds_[static_cast<std::size_t>(fold)].test; }

  // The metric of a class, estimated from the training rows of a fold. Its kernel of profiles is that of the points.
  using FoldMetric = std::function<ClassMetric(Index fold, int c)>;
  // The points at which the classifiers of a class are wanted without a fold; as many for every fold.
  using ClassPoints = std::function<std::vector<TrainingPoint>(Index fold, int c)>;

  // For every point the decision values of all samples when their fold is left out, n x K. A class without training
  // samples in a fold has the value -infinity there. `on_classifier` is called before every classifier that is trained,
  // from several threads at a time; it may throw to stop. The result does not depend on `threads`. Classes that have
  // the kernel in common have the same points.
  [[nodiscard]] std::vector<Matrix> scores(const FoldMetric& metric, const ClassPoints& points, int threads,
                                           const std::function<void()>& on_classifier,
                                           const MetricKernel& kernel = {}) const;

 private:
  void score_fold(Index fold, const std::vector<int>& group, const FoldMetric& metric, const ClassPoints& points,
                  const MetricKernel& kernel, const std::function<void()>& on_classifier,
                  std::vector<Matrix>& scores) const;
  // Rows as a kernel at this point takes them: with their profiles, where it has a share of these.
  [[nodiscard]] Matrix columns(const Indices& rows, const TrainingPoint& point) const;

  Matrix spectra_;
  const std::vector<int>& labels_;
  std::size_t classes_;
  ClassWeights weights_;
  std::shared_ptr<const Matrix> profile_distances_;
  Vector own_;
  std::shared_ptr<const Matrix> profiles_;
  std::vector<FoldRows> folds_;
};

}  // namespace parsimap
