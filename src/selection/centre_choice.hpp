// Centres for the classifiers of all classes, and the classifiers on them.
#pragma once

#include <vector>

#include "parsimap/samples/class_weights.hpp"
#include "parsimap/selection/reduced_support.hpp"

namespace parsimap {

// Greedy, a batch at a time, each as large as all before: a centre is worth what the objectives of all classes fall by,
// to second order, when its kernel alone is added (Keerthi, Chapelle and DeCoste 2006, their criterion of a single
// Newton step), each class counting the same. Within a batch, what is near to a centre taken is worth less.
class CentreChoice {
 public:
  // Training samples (n x (d + q)), their classes in [0, K), and the classifiers of the K classes, kept by the caller.
  // `own` are weights of the samples beside those of the classes, or empty.
  CentreChoice(Matrix spectra, std::vector<int> labels, const std::vector<ClassParameters>& classifiers,
               ClassWeights class_weights, int threads, const Vector& own = {});

  // Rows of the samples, in the order of their choice.
  [[nodiscard]] const Indices& centres() const { return centres_; }
  // Chooses centres until there are `count`, or all candidates: up to kCandidates of the samples.
  void grow(Index count);

  struct Classifiers {
    Matrix coefficients;  // m x K
    Vector biases;        // K; -infinity for a class without samples, 1 for one that is alone
    Vector violations;    // K
    Matrix decisions;     // of the training samples, n x K
  };
  // All C multiplied by each of the factors in turn.
  [[nodiscard]] std::vector<Classifiers> fit(const std::vector<double>& penalty_factors) const;

  // Decision values of other spectra, n' x K.
  [[nodiscard]] Matrix decide(const Classifiers& classifiers, const Matrix& spectra) const;

 private:
  void fit_class(Index c, const std::vector<double>& penalty_factors, std::vector<Classifiers>& fitted) const;
  [[nodiscard]] Vector worth() const;
  [[nodiscard]] Vector worth_to(Index c, const Classifiers& guides, const Indices& rows) const;
  void take(Vector worth, Index count);

  Matrix spectra_;
  std::vector<int> labels_;
  const std::vector<ClassParameters>& classifiers_;
  int threads_;
  Vector weights_;      // s_i, n
  Indices candidates_;  // rows of the samples
  Indices taken_;       // of the candidates, in order
  Indices centres_;
};

}  // namespace parsimap
