#include "place_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "parsimap/hdda/class_statistics.hpp"

namespace parsimap {

// The finaliser of SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014).
// A number in (0, 1] that depends on `number` only: 53 bits of the hash, plus one so that 0 does not occur, over 2^53.
double hashed_share(std::int64_t number) {
  auto bits = static_cast<std::uint64_t>(number) + 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  bits ^= bits >> 31U;
  return static_cast<double>((bits >> 11U) + 1) / 9007199254740992.0;
}

namespace {

constexpr Index kDirections = 10;
constexpr double kExponent = 0.25;  // of the variance that a coordinate is divided by

// Coordinates of points, a column each.
struct Coordinates {
  Matrix candidates;
  Matrix known;
};

Coordinates coordinates_of(const Matrix& candidates, const Matrix& known) {
  // Principal directions of the candidates, each divided by the fourth root of its variance (see the header).
  const ClassStatistics statistics = class_statistics(candidates);
  const Index count = std::min<Index>(kDirections, statistics.eigenvalues.size());
  const Vector scale = statistics.eigenvalues.head(count).array().pow(-kExponent);
  const Matrix projection = scale.asDiagonal() * statistics.eigenvectors.leftCols(count).transpose();
  const auto project = [&](const Matrix& spectra) -> Matrix {
    return projection * (spectra.rowwise() - statistics.mean.transpose()).transpose();
  };
  return {project(candidates), project(known)};
}

// What is open, place by place.
class Coverage {
 public:
  Coverage(const Matrix& candidates, const Vector& weights, const Matrix& known)
      : points_(candidates),
        weights_(weights),
        open_(Vector::Constant(candidates.cols(), std::numeric_limits<double>::infinity())) {
    for (Index i = 0; i < known.cols(); ++i) {
      open_ = open_.cwiseMin(distances_to(known.col(i)));
    }
  }

  // Places are chosen greedily for sum_j w_j (decrease of D_j), where D_j is the distance of candidate j from the
  // nearest known or chosen spectrum and w_j its weight. Gains only decrease as more places are chosen (the sum is
  // submodular), so that an old gain is an upper bound.
  [[nodiscard]] double gain(Index i) const {
    return (weights_.array() * (open_ - distances_to(points_.col(i))).array().max(0)).sum();
  }
  void cover(Index i) { open_ = open_.cwiseMin(distances_to(points_.col(i))); }

 private:
  [[nodiscard]] Vector distances_to(const Eigen::Ref<const Vector>& point) const {
    return (points_.colwise() - point).colwise().norm();
  }

  const Matrix& points_;
  const Vector& weights_;
  Vector open_;  // D_j
};

// A gain, and how many places had been chosen when it was computed: an upper bound of the gain now.
struct Bound {
  double gain;
  Index candidate;
  std::size_t places;

  bool operator<(const Bound& other) const {
    return gain < other.gain || (gain == other.gain && candidate > other.candidate);
  }
};

class PlaceChoice {
 public:
  PlaceChoice(const PlaceCandidates& candidates, const Coordinates& coordinates, double least_distance)
      : candidates_(candidates),
        coverage_(coordinates.candidates, candidates.weights, coordinates.known),
        least_distance_(least_distance) {
    for (Index i = 0; i < candidates.spectra.rows(); ++i) {
      bounds_.push({coverage_.gain(i), i, 0});
    }
  }

  // Chooses one more; false where there is none.
  bool next(std::vector<ChosenPlace>& chosen) {
    while (!bounds_.empty()) {
      const Bound top = bounds_.top();
      bounds_.pop();
      if (top.gain <= 0) {
        return false;
      }
      if (!far_enough(top.candidate, chosen)) {
        continue;
      }
      // A gain that is up to date and still on top is the largest of all: no other can have grown. An older one is
      // computed anew and put back, which is rare for most candidates (lazy evaluation, Minoux 1978).
      if (top.places == chosen.size()) {
        chosen.push_back({top.candidate, top.gain});
        coverage_.cover(top.candidate);
        return true;
      }
      bounds_.push({coverage_.gain(top.candidate), top.candidate, chosen.size()});
    }
    return false;
  }

 private:
  [[nodiscard]] bool far_enough(Index i, const std::vector<ChosenPlace>& chosen) const {
    const auto& position = candidates_.positions[static_cast<std::size_t>(i)];
    return std::all_of(chosen.begin(), chosen.end(), [&](const ChosenPlace& place) {
      const auto& [x, y] = candidates_.positions[static_cast<std::size_t>(place.candidate)];
      return std::hypot(x - position[0], y - position[1]) >= least_distance_;
    });
  }

  const PlaceCandidates& candidates_;
  Coverage coverage_;
  double least_distance_;
  std::priority_queue<Bound> bounds_;
};

}  // namespace

std::vector<ChosenPlace> choose_places(const PlaceCandidates& candidates, const Matrix& known, Index count,
                                       double least_distance) {
  std::vector<ChosenPlace> chosen;
  if (candidates.spectra.rows() == 0) {
    return chosen;
  }
  const Coordinates coordinates = coordinates_of(candidates.spectra, known);
  PlaceChoice choice(candidates, coordinates, least_distance);
  while (static_cast<Index>(chosen.size()) < count && choice.next(chosen)) {
  }
  return chosen;
}

}  // namespace parsimap
