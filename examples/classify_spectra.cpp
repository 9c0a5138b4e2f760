// Trains on spectra in memory and classifies others: Eigen matrices in, class indices out. No file is read; the
// component `mathematics` of the library is sufficient.
#include <iostream>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/random.hpp"

using namespace parsimap;

// Three classes in ten bands. They differ in the first two bands, by less than a variation common to all of them.
static SampleSet draw_samples(Index count, std::uint64_t seed) {
  Random random(seed);
  SampleSet samples;
  samples.classes = {{1, "forest", {}}, {2, "meadow", {}}, {3, "water", {}}};
  samples.spectra = random.normal_matrix(count, 10);
  for (Index i = 0; i < count; ++i) {
    const int label = static_cast<int>(i % 3);
    samples.labels.push_back(label);
    samples.spectra(i, 0) += label == 0 ? 5 : 0;
    samples.spectra(i, 1) += label == 1 ? 5 : 0;
    samples.spectra.row(i).array() += 20 * random.normal();
  }
  // The origin of the samples: no scene, and one region. Samples of one unit are left out together when the classifiers
  // are evaluated, or one by one where a class has one unit.
  samples.places.resize(samples.labels.size());
  return samples;
}

int main() {
  const Model model = train_one_vs_all(draw_samples(300, 1), TrainingOptions{}, Progress{});

  const SampleSet others = draw_samples(3000, 2);
  Spectra decision_values;  // pixels x classes, in single precision like the spectra
  Predictor(model).decision_values(others.spectra.cast<float>(), 1, decision_values);

  Index right = 0;
  for (Index i = 0; i < others.size(); ++i) {
    Index predicted = 0;
    decision_values.row(i).maxCoeff(&predicted);
    right += predicted == others.labels[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  std::cout << "accuracy " << static_cast<double>(right) / static_cast<double>(others.size()) << '\n';
}
