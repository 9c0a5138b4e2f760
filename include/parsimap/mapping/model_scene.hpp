// A scene as a model sees it: its bands, and the profiles of its pixels.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/spatial/profiled_scene.hpp"

namespace parsimap {

// The bands that the model uses, as match_bands() of samples/band.hpp wants them.
WantedBands wanted_bands(const Model& model);

// The scene's band for every band that the model uses, found as there: an index per entry of model.bands. DataError: a
// misfit.
Indices match_bands(const SceneSource& scene, const Model& model);

// The usual_size() of the spectra of the model as they were given; 0 where it keeps none.
double learnt_size(const Model& model);

// What the spectra of a scene are like beside those of training.
struct SceneValues {
  double ratio = 1;    // how many times as large they are, 1 where that is not known
  double outside = 0;  // share of pixels of which most bands lie outside of the values of training
  Indices far = {};    // those of the bands whose mean is 50 times as large, or as small, as all values of training
};

// By a sample of the scene, of the bands `bands`, one for each of the model. DataError where they have other units than
// the training data, as check_units() and check_signs() of samples/sample_set.hpp say.
SceneValues check_units(SceneSource& scene, const Model& model, const Indices& bands, double most_ratio = 20);

// The table of a scene of as many bands as that of the model, whose bands at equal places are those of the model.
BandTable bands_by_place(const BandTable& bands, const Model& model);

// The bands of the model, and behind them the profiles of the pixels where the model has a kernel of profiles.
class ModelScene {
 public:
  // The bands are found by match_bands(). Profiles take a part of `ram_bytes`, which are for all work on the scene.
  // `rows` are those that will be read, by default all. Errors as match_bands() and ProfiledScene.
  ModelScene(SceneSource& scene, const Model& model, std::optional<double> pixel_metres, std::int64_t ram_bytes,
             int threads, const std::optional<ItemRange>& rows = {});

  [[nodiscard]] SceneSource& source() { return profiled_ ? *profiled_ : scene_; }
  // The bands of source() that are used: d + q.
  [[nodiscard]] const Indices& bands() const { return bands_; }
  // What profiles take of the memory.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  SceneSource& scene_;
  Indices bands_;
  std::optional<ProfiledScene> profiled_;
  std::int64_t bytes_ = 0;
};

// Pixels that are drawn from a scene, spread over it.
struct DrawnPixels {
  std::vector<std::int64_t> pixels;  // row * width + column
  Spectra spectra;                   // as Predictor takes them
};

// About `most` of the pixels with a value in windows that have `read` of them, the same ones each time. Errors as
// for_sampled_windows().
DrawnPixels drawn_pixels(ModelScene& scene, Index read, Index most);

// What the F labelled features of a model with origins say on average over a scene: the means of
// Predictor::feature_terms(), K x F, over drawn pixels, the same ones each time. `predictor` is that of the model.
// Errors as drawn_pixels().
Matrix usual_terms(ModelScene& scene, const Model& model, const Predictor& predictor, int threads);

// Numbers that are read for a pixel, d + q.
Index values_of_pixel(const Model& model);

}  // namespace parsimap
