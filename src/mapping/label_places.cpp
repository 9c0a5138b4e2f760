#include "parsimap/mapping/label_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/mapping/model_scene.hpp"

#include "place_choice.hpp"
#include "windows.hpp"

namespace parsimap {
namespace {

// About 5 % of the pixels of known surfaces have a larger novelty (docs/method.md, Novelty).
constexpr float kUsualNovelty = 0.95F;
constexpr Index kFewestWindowPixels = 256;
constexpr Index kMostPixels = Index{1} << 16U;

struct Candidate {
  LabelPlace place;
  VectorF spectrum;  // raw, without the profile: places are to be unlike each other in themselves
};

LabelPlace place_of(std::int64_t pixel, const float* probabilities, Index classes, float novelty) {
  LabelPlace place{.pixel = pixel, .label = -1, .second = -1, .novelty = novelty};
  // The most probable class and the second: a class that takes the first place moves the one before it to the second.
  for (int c = 0; c < classes; ++c) {
    if (place.label < 0 || probabilities[c] > probabilities[place.label]) {
      place.second = place.label;
      place.label = c;
    } else if (place.second < 0 || probabilities[c] > probabilities[place.second]) {
      place.second = c;
    }
  }
  place.probability = probabilities[place.label];
  place.second_probability = probabilities[place.second];
  place.uncertainty = uncertainty_of(probabilities, classes).margin;
  return place;
}

// A label helps most where the classes compete (uncertainty near 1) or where the surface is unlike all classes. Novelty
// counts by its excess over the usual limit, scaled to 0 .. 1, and the larger of both decides.
double weight_of(const LabelPlace& place) {
  const float excess = std::max(0.0F, place.novelty - kUsualNovelty) / (1 - kUsualNovelty);
  return static_cast<double>(std::max(place.uncertainty, excess));
}

// Gathers the candidates of a scene, window by window.
class CandidateSearch {
 public:
  CandidateSearch(const Model& model, Index grid_width, SegmentSource* excluded, const PlaceOptions& options)
      : model_(model),
        predictor_(model),
        grid_width_(grid_width),
        excluded_(excluded),
        threads_(resolve_threads(options.threads)),
        sample_(static_cast<std::size_t>(options.candidates)) {}

  [[nodiscard]] std::int64_t working_bytes() const {
    return static_cast<std::int64_t>(predictor_.decision_bytes(threads_) + predictor_.novelty_bytes(threads_));
  }

  // Pixels of a window, of which one is read while another is worked on.
  [[nodiscard]] Index window_pixels(std::int64_t bytes) const {
    // Two windows of spectra, and probabilities, decision values and novelty of one, with their positions.
    const auto numbers = 2 * values_of_pixel(model_) + static_cast<std::int64_t>(2 * model_.classes.size() + 1);
    const std::int64_t pixel =
        numbers * static_cast<std::int64_t>(sizeof(float)) + 3 * static_cast<std::int64_t>(sizeof(Index));
    return std::clamp<std::int64_t>(bytes / pixel, kFewestWindowPixels, kMostPixels);
  }

  void add(const ValidSpectra& input) {
    if (input.spectra.rows() == 0) {
      return;
    }
    if (excluded_ != nullptr) {
      excluded_->read(input.window, taken_);
    }
    // Every pixel is weighed by how little is known of it, and enters a sample of fixed size: memory does not grow
    // with the scene.
    predictor_.probabilities(input.spectra, threads_, values_);
    predictor_.novelty(input.spectra, threads_, novelties_);
    for (Index i = 0; i < input.spectra.rows(); ++i) {
      const Index position = input.position(i);
      if (excluded_ != nullptr && taken_[static_cast<std::size_t>(position)] != 0) {
        continue;
      }
      ++pixels_;
      const std::int64_t pixel = input.pixel(i, grid_width_);
      const LabelPlace place = place_of(pixel, values_.row(i).data(), values_.cols(), novelties_(i, 0));
      sample_.add(pixel, weight_of(place), {place, input.spectra.row(i).head(static_cast<Index>(model_.bands.size()))});
    }
  }

  [[nodiscard]] std::int64_t pixels() const { return pixels_; }
  [[nodiscard]] std::vector<WeightedSample<Candidate>::Entry> take() { return sample_.take(); }

 private:
  const Model& model_;
  Predictor predictor_;
  Index grid_width_;
  SegmentSource* excluded_;  // may be null
  int threads_;
  WeightedSample<Candidate> sample_;
  std::int64_t pixels_ = 0;
  std::vector<std::int64_t> taken_;  // of the window: not 0 where a pixel is excluded
  Spectra values_;
  Spectra novelties_;
};

PlaceCandidates candidates_of(const std::vector<WeightedSample<Candidate>::Entry>& entries, const Model& model,
                              Index grid_width) {
  const auto count = static_cast<Index>(entries.size());
  Matrix spectra(count, static_cast<Index>(model.bands.size()));
  PlaceCandidates candidates;
  candidates.weights.resize(count);
  for (Index i = 0; i < count; ++i) {
    const auto& entry = entries[static_cast<std::size_t>(i)];
    spectra.row(i) = entry.item.spectrum.transpose().cast<double>();
    candidates.weights[i] = entry.weight;
    candidates.positions.push_back(
        {static_cast<double>(entry.number % grid_width), static_cast<double>(entry.number / grid_width)});
  }
  candidates.spectra = model.scaling.apply(spectra);
  return candidates;
}

}  // namespace

LabelPlaces choose_label_places(SceneSource& scene, const Model& model, SegmentSource* excluded,
                                const PlaceOptions& options, const Progress& progress) {
  CandidateSearch search(model, scene.grid().width, excluded, options);
  const std::int64_t bytes = options.ram_bytes - search.working_bytes();
  ModelScene seen(scene, model, options.pixel_metres, bytes, resolve_threads(options.threads));
  const std::vector<Window> windows =
      plan_windows(scene.grid(), {0, scene.grid().height}, seen.source().block_width(), seen.source().block_height(),
                   search.window_pixels(bytes - seen.bytes()));
  for_each_window(
      seen.source(), seen.bands(), windows, [&](const ValidSpectra& input) { search.add(input); }, progress);
  scene.check_unchanged();
  if (excluded != nullptr) {
    excluded->check_unchanged();
  }

  LabelPlaces result;
  result.pixels = search.pixels();
  // Unless the user says so, places are at least half as far apart as they would be if they were spread evenly:
  // sqrt(pixels / count) pixels is the side of the square that each place would stand for.
  result.least_distance = options.least_distance.value_or(
      0.5 * std::sqrt(static_cast<double>(result.pixels) / static_cast<double>(options.count)));
  const auto entries = search.take();
  const PlaceCandidates candidates = candidates_of(entries, model, scene.grid().width);
  const Matrix known = model.support_spectra.leftCols(static_cast<Index>(model.bands.size()));
  for (const ChosenPlace& place : choose_places(candidates, known, options.count, result.least_distance)) {
    result.places.push_back(entries[static_cast<std::size_t>(place.candidate)].item.place);
  }
  return result;
}

// A number in (0, 1] that depends on `number` only: 53 bits of the hash, plus one so that 0 does not occur, over 2^53.
double hashed_share(std::int64_t number) {
  const std::uint64_t bits = hashed(static_cast<std::uint64_t>(number) + 0x9e3779b97f4a7c15U);
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
    return std::ranges::all_of(chosen, [&](const ChosenPlace& place) {
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
