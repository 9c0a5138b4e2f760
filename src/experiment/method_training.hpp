// What a run asks of a way to train: binary classifiers of the classes, and their decisions.
#pragma once

#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

// One class against the rest, trained.
struct TrainedClass {
  BinaryClassifier machine;  // its support are rows of the training samples
  bool trivial = false;      // as in ClassRun
  double seconds = 0;        // processor time of what was done for this class alone
};

class MethodTraining {
 public:
  virtual ~MethodTraining() = default;

  // The classifiers of these classes, in their order.
  [[nodiscard]] virtual std::vector<TrainedClass> train(const std::vector<int>& classes) const = 0;

  // Decision values of spectra (m x d, raw) by classifiers of these classes: m x classes.
  [[nodiscard]] virtual Matrix decisions(const std::vector<TrainedClass>& classifiers, const std::vector<int>& classes,
                                         const Matrix& spectra) const = 0;

  // What combines the decision values of all classes before they are compared (Judgement::combination).
  [[nodiscard]] virtual Matrix combination() const { return {}; }
};

// The time of this thread alone, so that other programs on the computer do not change what is measured.
double processor_seconds();

}  // namespace parsimap
