// What the spectra of pixels say, each by itself, as far as the layers and limits of a map ask for it.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

class OwnEvaluator {
 public:
  // Model, predictor and options are kept by the caller. `layers` has those of the map for its keys; `segments`: pixels
  // are joined by segments.
  template <typename Layers>
  OwnEvaluator(const Model& model, const Predictor& predictor, const Layers& layers, const MappingOptions& options,
               int threads, bool segments)
      : model_(model),
        predictor_(predictor),
        options_(options),
        threads_(threads),
        labels_only_(layers.empty() && !options.reject && !segments) {
    for (const auto& [layer, target] : layers) {
      layers_.insert(layer);
    }
    set_limits();
  }

  // Beside the decision values.
  [[nodiscard]] std::int64_t working_bytes() const;
  // Whether an early stage may decide a label; with neighbours, it has to know their probabilities, too.
  [[nodiscard]] bool decides_early(bool neighbours) const {
    return labels_only_ && (!neighbours || (model_.early_stages && model_.early_stages->probabilities));
  }
  // Of the values that are kept with the probabilities of a pixel until its neighbours are known.
  [[nodiscard]] Index limits() const { return std::ssize(limits_); }
  // Whether a pixel with such values (n x L) exceeds one of the limits.
  [[nodiscard]] bool exceeds(const Spectra& limited, Index i) const;

  // Finds what labelled features say on average over the scene, where the layer asks for it: of drawn pixels, the same
  // ones for every part of a map.
  void prepare(SceneSource& scene, std::int64_t window_bytes, MappingSummary& summary);

  // `neighbours`: probabilities, and not labels alone, are needed of every pixel.
  [[nodiscard]] OwnDecisions evaluate(const Spectra& spectra, bool neighbours) const;

  // Counts what layers say, of the pixels of which is_written(position in the window).
  template <typename Written>
  void count(const ValidPixels& pixels, const OwnDecisions& own, const Written& is_written,
             MappingSummary& summary) const {
    for (Index i = 0; i < own.deciding.rows(); ++i) {
      if (is_written(pixels.position(i))) {
        DecidedPixels& feature = summary.deciding[static_cast<std::size_t>(own.deciding(i, 0)) - 1];
        ++feature.pixels;
        feature.hanging += own.deciding(i, 2) < 0 ? 1 : 0;
      }
    }
    for (Index i = 0; i < own.sets.rows(); ++i) {
      if (is_written(pixels.position(i))) {
        ++summary.set_sizes[static_cast<std::size_t>(own.sets(i, 0))];
      }
    }
  }

 private:
  [[nodiscard]] bool wants(MapLayer layer) const { return layers_.contains(layer); }
  void set_limits();
  [[nodiscard]] Index class_count() const { return static_cast<Index>(model_.classes.size()); }
  void add_unlikeness(const Spectra& spectra, OwnDecisions& own) const;
  [[nodiscard]] Spectra sets_of(const Spectra& probabilities) const;

  const Model& model_;
  const Predictor& predictor_;
  const MappingOptions& options_;
  int threads_;
  std::set<MapLayer> layers_;
  bool needs_unlikeness_ = false;
  bool labels_only_;               // values matter only as far as labels depend on them
  std::vector<float> limits_;      // L: of novelty and of what is outside, as far as they are given
  Matrix usual_terms_;             // K x F, where features decide
  std::vector<float> thresholds_;  // K, of prediction sets, where the layer is asked for
};

}  // namespace parsimap
