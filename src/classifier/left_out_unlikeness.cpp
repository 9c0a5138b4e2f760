#include "parsimap/classifier/left_out_unlikeness.hpp"

#include <map>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/samples/sampling.hpp"

#include "class_distance.hpp"
#include "class_novelty.hpp"

namespace parsimap {

// The fold that leaves each sample out; -1 for those that no fold does.
static Indices folds_of_samples(const std::vector<SamplePlace>& places, const std::vector<LeftOutRecord>& left_out) {
  std::map<SampleUnit, Index> fold_of_unit;
  for (const LeftOutRecord& record : left_out) {
    fold_of_unit[record.unit] = record.fold;
  }
  Indices folds = mapped<Index>(places, [&](const SamplePlace& place) {
    const auto found = fold_of_unit.find(place.unit);
    return found == fold_of_unit.end() ? -1 : found->second;
  });
  for (const LeftOutRecord& record : left_out) {
    folds[static_cast<std::size_t>(record.sample)] = record.fold;
  }
  return folds;
}

void note_unlikeness(const LabelledSpectra& samples, const std::vector<ClassNovelty>& novelty,
                     const DimensionRule& rule, int threads, std::vector<LeftOutRecord>& left_out) {
  constexpr Index kMost = 20000;
  constexpr Index kOfClass = 200;
  const Matrix spectra = samples.spectra.leftCols(samples.bands());
  const GaussianRule gaussians = novelty_rule(spectra, rule);
  const Indices fold_of = folds_of_samples(samples.places, left_out);
  const Indices drawn = draw_evenly(samples.labels, samples.classes, kMost, kOfClass, 0);
  const auto distance_without = [&](Index fold, int c) {
    const ClassNovelty& own = novelty[static_cast<std::size_t>(c)];
    const Indices others = filtered(drawn, [&](Index i) {
      const auto sample = static_cast<std::size_t>(i);
      return samples.labels[sample] == c && fold_of[sample] != fold;
    });
    const Matrix others_spectra = spectra(others, Eigen::all);
    const Indices kept = own.samples.rows() > 0 ? kept_samples(std::ssize(others), novelty.size()) : Indices{};
    ClassGaussian gaussian = own.gaussian;
    if (std::ssize(others) >= kFewestSamples) {
      gaussian = own_gaussian(others_spectra, gaussians);
    } else if (!others.empty()) {
      gaussian.mean = others_spectra.colwise().mean().transpose();
    }
    return ClassDistance(gaussian, others_spectra(kept, Eigen::all));
  };
  // The results of one fold and class ask for one Gaussian.
  std::map<std::pair<Index, int>, Indices> parts;
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    parts[{left_out[i].fold, left_out[i].predicted}].push_back(static_cast<Index>(i));
  }
  const std::vector<std::pair<std::pair<Index, int>, Indices>> tasks(parts.begin(), parts.end());
  parallel_for(std::ssize(tasks), threads, [&](Index task) {
    const auto& [fold_and_class, members] = tasks[static_cast<std::size_t>(task)];
    const auto [fold, c] = fold_and_class;
    const auto rows = mapped<Index>(values_at(left_out, members), &LeftOutRecord::sample);
    const Matrix own = spectra(rows, Eigen::all);
    const Vector distances = distance_without(fold, c)(own).from_class();
    const TailTable& tail = novelty[static_cast<std::size_t>(c)].tail;
    for (std::size_t i = 0; i < members.size(); ++i) {
      LeftOutRecord& record = left_out[static_cast<std::size_t>(members[i])];
      record.unlike = 1 - tail_probability(tail, distances(static_cast<Index>(i)));
    }
  });
}

}  // namespace parsimap
