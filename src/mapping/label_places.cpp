#include "parsimap/mapping/label_places.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/mapping/classify_scene.hpp"
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
      const std::int64_t pixel = (std::int64_t{input.window.row} + position / input.window.width) * grid_width_ +
                                 input.window.column + position % input.window.width;
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

}  // namespace parsimap
