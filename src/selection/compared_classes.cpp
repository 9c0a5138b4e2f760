#include "compared_classes.hpp"

#include <algorithm>

#include "parsimap/core/random.hpp"
#include "parsimap/kernel/training_geometry.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap {

// A class and so many others that are like it are drawn together.
constexpr std::size_t kLike = 4;

// Squared distances between the means of the classes, K x K, in deviations of the bands within classes.
static Matrix mean_distances(const LabelledSpectra& samples) {
  const auto classes = static_cast<Index>(samples.classes);
  if (samples.spectra.rows() == 0) {
    return Matrix::Zero(classes, classes);
  }
  Matrix means = Matrix::Zero(classes, samples.bands());
  Vector within = Vector::Zero(samples.bands());
  const std::vector<Indices> rows = rows_by_class(samples.labels, samples.classes);
  for (Index c = 0; c < classes; ++c) {
    const Indices& members = rows[static_cast<std::size_t>(c)];
    if (!members.empty()) {
      const Matrix own = samples.spectra(members, Eigen::seqN(0, samples.bands()));
      means.row(c) = own.colwise().mean();
      within += (own.rowwise() - means.row(c)).colwise().squaredNorm().transpose();
    }
  }
  const Vector deviations = (within / static_cast<double>(samples.labels.size())).cwiseSqrt();
  // A band that does not vary within classes would say everything.
  const double least = 1e-3 * deviations.mean();
  return squared_distances(means * deviations.cwiseMax(least > 0 ? least : 1.0).cwiseInverse().asDiagonal());
}

std::vector<int> neighbouring_classes(const LabelledSpectra& samples, std::size_t count, std::uint64_t seed) {
  const Matrix distances = mean_distances(samples);
  std::vector<bool> free(samples.classes, true);
  std::vector<int> drawn;
  const auto draw = [&](Index c) {
    free[static_cast<std::size_t>(c)] = false;
    drawn.push_back(static_cast<int>(c));
  };
  Indices others = consecutive(static_cast<Index>(samples.classes));
  for (const Index c : Random(seed).permutation(static_cast<Index>(samples.classes))) {
    if (!free[static_cast<std::size_t>(c)] || drawn.size() >= count) {
      continue;
    }
    draw(c);
    std::ranges::stable_sort(others, {}, [&](Index other) { return distances(c, other); });
    const std::size_t most = std::min(count, drawn.size() + kLike);
    for (auto other = others.begin(); other != others.end() && drawn.size() < most; ++other) {
      if (free[static_cast<std::size_t>(*other)]) {
        draw(*other);
      }
    }
  }
  std::ranges::sort(drawn);
  return drawn;
}

ComparedClasses::ComparedClasses(const LabelledSpectra& all, std::uint64_t seed) : all_(all) {
  if (all.classes <= kComparedClasses) {
    return;
  }
  std::vector<int> number(all.classes, -1);
  int next = 0;
  for (const int c : neighbouring_classes(all, kComparedClasses, seed)) {
    number[static_cast<std::size_t>(c)] = next++;
  }
  const Indices rows = indices_where(
      all.labels.size(), [&](std::size_t i) { return number[static_cast<std::size_t>(all.labels[i])] >= 0; });
  spectra_ = all.spectra.rows() > 0 ? Matrix(all.spectra(rows, Eigen::all)) : Matrix(0, all.spectra.cols());
  labels_ = mapped<int>(
      rows, [&](Index i) { return number[static_cast<std::size_t>(all.labels[static_cast<std::size_t>(i)])]; });
  places_ = values_at(all.places, rows);
  drawn_.emplace(LabelledSpectra{spectra_, labels_, places_, kComparedClasses, all.features,
                                 all.weights.size() > 0 ? Vector(all.weights(rows)) : Vector(), all.standardising});
}

}  // namespace parsimap
