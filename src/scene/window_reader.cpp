#include "parsimap/scene/window_reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parsimap/core/random.hpp"
#include "parsimap/samples/band.hpp"

namespace parsimap {

// Moves the spectra without NaN to the front, in their order, and drops the others: only these are classified, and the
// positions say where they belong.
static void keep_valid(ValidSpectra& input) {
  const Index bands = input.spectra.cols();
  Indices valid = indices_where(input.spectra.rows(), [&](Index i) {
    // Without an exit, so that it is vectorised.
    const float* const spectrum = &input.spectra(i, 0);
    unsigned missing = 0;
    for (Index b = 0; b < bands; ++b) {
      missing |= static_cast<unsigned>(!(std::abs(spectrum[b]) <= std::numeric_limits<float>::max()));
    }
    return missing == 0;
  });
  const auto count = static_cast<Index>(valid.size());
  if (count == input.spectra.rows()) {
    return;
  }
  for (Index i = 0; i < count; ++i) {
    const Index from = valid[static_cast<std::size_t>(i)];
    if (from != i) {
      input.spectra.row(i) = input.spectra.row(from);
    }
  }
  input.spectra.conservativeResize(count, Eigen::NoChange);
  input.positions = std::move(valid);
}

Window WindowReader::occupied_window(const Window& window) {
  Spectra probe;
  scene_.read(window, {bands_.front()}, probe);
  // The bounding box of the finite pixels of one band: a pixel that has no value there cannot be valid.
  const Indices finite = indices_where(probe.rows(), [&](Index i) { return std::isfinite(probe(i, 0)); });
  const Window occupied = bounds_of(finite, window.width).window();
  return {window.column + occupied.column, window.row + occupied.row, occupied.width, occupied.height};
}

ValidSpectra WindowReader::read(const Window& window) {
  ValidSpectra input;
  // Three ways to find the pixels with values, the cheapest first: the storage knows that there are none, one band
  // shows where they are, or everything is read.
  input.window = {window.column, window.row, 0, 0};
  if (scene_.known_empty(window)) {
    dense_ = false;
    return input;
  }
  input.window = dense_ ? window : occupied_window(window);
  if (input.window.pixels() > 0) {
    scene_.read(input.window, bands_, input.spectra);
    keep_valid(input);
  }
  // Windows follow each other in the picture, so the next one is likely to be as full as this one.
  dense_ = 2 * input.spectra.rows() > window.pixels();
  return input;
}

namespace {

constexpr Index kSide = 64;
constexpr Index kMostWindows = 512;

// The scene cut into windows of about equal size, at most kSide x kSide pixels, from which samples are drawn.
class Places {
 public:
  explicit Places(const RasterGrid& grid)
      : grid_(grid), across_((grid.width + kSide - 1) / kSide), down_((grid.height + kSide - 1) / kSide) {}

  [[nodiscard]] Index count() const { return across_ * down_; }
  [[nodiscard]] Window window(Index i) const {
    const Index column = i % across_ * grid_.width / across_;
    const Index row = i / across_ * grid_.height / down_;
    return {column, row, (i % across_ + 1) * grid_.width / across_ - column,
            (i / across_ + 1) * grid_.height / down_ - row};
  }

 private:
  const RasterGrid& grid_;
  Index across_;
  Index down_;
};

}  // namespace

void count_partial(const Spectra& values, PartialPixels& partial) {
  partial.missing.resize(partial.bands.size(), 0);
  partial.looked_at += values.rows();
  for (const auto& pixel : values.rowwise()) {
    const Index known = pixel.array().isFinite().count();
    if (known == 0 || known == pixel.size()) {
      continue;
    }
    ++partial.count;
    for (std::size_t b = 0; b < partial.missing.size(); ++b) {
      partial.missing[b] += std::isfinite(pixel(static_cast<Index>(b))) ? 0 : 1;
    }
  }
}

std::string missing_bands_text(const PartialPixels& partial) {
  // The bands that half of these pixels lack, which are those of a date or a detector, or the one that most of them do.
  const Index most = *std::ranges::max_element(partial.missing);
  Indices bands;
  Index least = most;
  for (std::size_t b = 0; b < partial.bands.size(); ++b) {
    if (2 * partial.missing[b] >= partial.count || partial.missing[b] == most) {
      bands.push_back(partial.bands[b]);
      least = std::min(least, partial.missing[b]);
    }
  }
  std::ranges::sort(bands);
  const std::string list = band_list(bands);
  const std::string text = (bands.size() == 1 ? "band " + list + " lacks" : "bands " + list + " lack") +
                           " a value in " + std::to_string(least) +
                           (least < most ? " to " + std::to_string(most) : "") + " of " +
                           std::to_string(partial.count) + " such pixels";
  // Gaps that change from date to date leave no pixel complete, whichever of the bands are left out.
  return text +
         (3 * most < partial.count
              ? ", and others in the rest: gaps have to be filled first, as from one date to the next"
              : "; training with --exclude-bands " + list + " does without " + (bands.size() == 1 ? "it" : "them"));
}

PartialPixels partial_pixels(SceneSource& scene, const Indices& bands) {
  constexpr Index kEnough = 65536;
  PartialPixels partial{bands, {}};
  const Places places(scene.grid());
  Spectra values;
  for (const Index i : Random(0).permutation(places.count())) {
    if (partial.looked_at >= kEnough) {
      break;
    }
    scene.read(places.window(i), bands, values);
    count_partial(values, partial);
  }
  return partial;
}

void for_sampled_windows(SceneSource& scene, const Indices& bands, const std::function<void(ValidSpectra&&)>& use,
                         Index enough) {
  // The windows are visited in a random order with a fixed seed until enough pixels with values are found, so the
  // sample is spread over the scene and the same in every run.
  const Places places(scene.grid());
  WindowReader reader(scene, bands);
  Index pixels = 0;
  Index looked_at = 0;
  for (const Index i : Random(0).permutation(places.count())) {
    if (pixels >= enough || looked_at == kMostWindows) {
      return;
    }
    const Window window = places.window(i);
    if (scene.known_empty(window)) {
      continue;
    }
    ++looked_at;
    if (ValidSpectra input = reader.read(window); input.spectra.rows() > 0) {
      pixels += input.spectra.rows();
      use(std::move(input));
    }
  }
}

}  // namespace parsimap
