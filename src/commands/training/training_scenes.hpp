// The scenes of a training as one raster to read samples from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/commands/training/train.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/samples/spectral_library.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/scene/scene_stack.hpp"

#include "scene_positions.hpp"

namespace parsimap {

// The bands of a scene that `choice` names, or that are good, said to the listener. DataError: a list of bad bands that
// does not fit the scene; and as choose_bands().
ChosenBands choose_scene_bands(const InputScene& scene, const BandChoice& choice, Listener& listener);

// One scene is left as it is: then nothing here costs anything, and pixels are its own. Several are stacked: the bands
// are those of the first.
class TrainingScenes {
 public:
  // Opens the further scenes of the options. `first` must outlive this. ConfigError: a scene twice. Errors as
  // open_input_scene().
  TrainingScenes(InputScene& first, const TrainOptions& options, Listener& listener);

  [[nodiscard]] bool several() const { return !further_.empty(); }

  // Of several scenes: reads the labels of all, and looks for the bands `chosen` of the first in the others. Where a
  // scene lacks some, it is resampled, or these are left out for all scenes, as the options say; the listener is
  // informed. Returns what is chosen then. DataError: a scene that has none of the bands, or lists of bad bands that do
  // not fit; and as read_label_input(), plan_resampling() and stack_labels().
  ChosenBands prepare(ChosenBands chosen, Listener& listener);

  // The scene, or all of them; after prepare().
  [[nodiscard]] SceneSource& source() const;
  // The labels of several scenes, once.
  LabelledPixels take_labels() { return std::move(labels_); }

  // Of several scenes: says of the samples which of them show the same place. DataError: those of a scene are in other
  // units than those of the first.
  void check_samples(SampleSet& samples) const;

  [[nodiscard]] const ScenePositions& where() const { return where_; }
  // Every scene with its files and the number of samples from it.
  [[nodiscard]] std::vector<TrainingSceneRecord> records(const SampleSet& samples) const;
  // Where the samples lie, scene by scene, for the model.
  [[nodiscard]] std::vector<TrainedScene> trained(const SampleSet& samples) const;
  // The size of a scene, or of another file.
  [[nodiscard]] std::int64_t bytes_of(const std::string& path) const;

 private:
  [[nodiscard]] InputScene& scene(std::size_t i) const { return i == 0 ? first_ : *further_[i - 1]; }
  [[nodiscard]] std::size_t count() const { return further_.size() + 1; }
  [[nodiscard]] const LabelInput& labels_of(std::size_t i) const;
  [[nodiscard]] std::vector<std::pair<std::string, RasterGrid>> paths_and_grids() const;
  [[nodiscard]] std::vector<SceneLabels> read_labels() const;
  void find_cells(std::vector<SceneLabels>& labels) const;
  // The partners in a further scene of the bands chosen; kNoBand for those it lacks.
  Indices find_bands(std::size_t i, const ChosenBands& chosen, Listener& listener);

  const TrainOptions& options_;
  InputScene& first_;
  std::vector<std::unique_ptr<InputScene>> further_;
  std::vector<std::optional<ResamplingFacts>> resampled_;  // of all scenes
  std::unique_ptr<SceneStack> stack_;
  ScenePositions where_;
  StackedLabels labels_;
};

}  // namespace parsimap
