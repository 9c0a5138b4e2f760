// A session of labelling: a scene that stays open, labels that change, and the models that are trained on them.
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/commands/training/train.hpp"
#include "parsimap/mapping/kept_scene.hpp"
#include "parsimap/mapping/view_map.hpp"
#include "parsimap/mapping/view_scene.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/selection/metric_selection.hpp"

#include "label_store.hpp"

namespace parsimap {

// Where it says labels, models say so, too, whatever file in memory they are read from.
class SessionListener : public Listener {
 public:
  [[nodiscard]] std::string with_names(std::string text) const override;
  std::string labels_path = {};  // empty: there are none
};

// Members of answers by name, in their order.
using Answer = nlohmann::ordered_json;

// What was trained last.
struct TrainedSession {
  Model model;
  bool full = false;
  // With spectra alone where the model has a kernel of profiles: what labels are judged by.
  std::optional<Model> spectral = {};
  SampleSet samples = {};                  // unscaled, those that warm models are trained on
  LabelledPixels labelled = {};            // of these
  LabelStore labels = {};                  // likewise
  std::string document = {};               // of all labels
  bool stages_tried = false;               // early stages of a warm model
  Matrix left_out = {};                    // decision values of the samples, once they were asked for
  std::unique_ptr<Predictor> tables = {};  // of the model
  Matrix usual = {};                       // usual_terms(), once a pixel was asked for

  [[nodiscard]] const Model& judged() const { return spectral ? *spectral : model; }
};

class LabelSession {
 public:
  // `options` are those of the job: threads and memory. Both are kept by the caller.
  LabelSession(const JobOptions& options, SessionListener& listener) : job_(options), listener_(listener) {}

  // The requests of config/serve.schema.json, which they fit. Each leaves the session as it was where it throws.
  // ConfigError also: there is no scene, no model, or no model of a full training, where one is needed.
  Answer open(const Answer& request);
  Answer change_labels(const Answer& request);
  Answer train(const Answer& request);
  // `frame` gets the labels of all pixels, row by row, and then their confidences.
  Answer classify(const Answer& request, std::string& frame);
  Answer pixel(const Answer& request);
  Answer accuracy();
  Answer suspects(const Answer& request);
  Answer places(const Answer& request);
  Answer save(const Answer& request);

 private:
  struct Opened {
    TrainOptions asked;  // as given, with the scene
    InputScene input;    // whose source is behind `kept`
    ChosenBands chosen;
    std::shared_ptr<KeptScene> kept;
    std::unique_ptr<LabelledScene> labelled;
  };

  [[nodiscard]] Opened& opened();
  [[nodiscard]] TrainedSession& trained();
  [[nodiscard]] Window window_of(const Answer& request);
  // The options of a training on the labels of a file in memory.
  [[nodiscard]] TrainOptions options_with(const std::string& labels_path);
  [[nodiscard]] TrainedSession warm_training(const std::optional<MetricSelection>& known);
  [[nodiscard]] Model full_training(const std::string& document);
  // The view as the model sees it: without fill that nobody declared.
  [[nodiscard]] std::unique_ptr<SceneSource> screened(std::unique_ptr<SceneSource> scene, const Model& model);
  // What the model takes of the pixels of a view: reads rows of the view until use(first row, spectra) has seen all.
  void for_each_rows(const Window& window, Index step, const Model& model, const std::string& stage,
                     const std::function<void(Index row, const Spectra& spectra)>& use);
  void find_stages(const Window& window);
  // How neighbours count in maps by a model.
  [[nodiscard]] MappingOptions neighbours_of(const Model& model);
  // Appends a view at every pixel, whose neighbours count.
  void append_with_neighbours(const Window& window, ViewMap& map);
  const Matrix& left_out();

  const JobOptions& job_;
  SessionListener& listener_;
  std::optional<Opened> opened_;
  LabelStore labels_;
  LabelledPixels labelled_;
  std::optional<MetricSelection> choice_;  // of the last full training, or the first quick one
  std::optional<SpatialRecord> spatial_;   // of the last full training
  MappingOptions neighbours_;              // of its model
  std::vector<std::string> choice_classes_;
  std::optional<TrainedSession> trained_;
};

}  // namespace parsimap
