#include "model.hpp"

#include <algorithm>
#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/model_card.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/samples/sample_set.hpp"

#include "arrays.hpp"
#include "errors.hpp"
#include "work.hpp"

namespace parsimap::interface {
namespace {

std::string content_of(const Model& model, int part) {
  switch (part) {
    case PARSIMAP_MODEL_FILE:
      return model_bytes(model);
    case PARSIMAP_MODEL_DESCRIPTION:
      return info_json(model, "");
    case PARSIMAP_MODEL_CARD:
      return model_card(model);
    case PARSIMAP_MODEL_PAGE:
      return command_html(model_page(model), model_data_json(model));
    default:
      throw ConfigError("part " + std::to_string(part) + " of a model is unknown");
  }
}

PixelRows pixel_rows(const Model& model, const parsimap_array* spectra) {
  check_spectra(spectra);
  const Index rows = spectra->shape[0];
  const Index columns = spectra->shape[1];
  if (columns != model.scene_bands) {
    throw ConfigError("spectra has " + std::to_string(columns) + " columns; the model was trained on " +
                      std::to_string(model.scene_bands) + " bands");
  }
  if (spectra->type == PARSIMAP_FLOAT32) {
    return {static_cast<const float*>(spectra->data), rows, columns, model.bands};
  }
  if (spectra->type != PARSIMAP_FLOAT64) {
    throw ConfigError("spectra must be float32 or float64");
  }
  return {static_cast<const double*>(spectra->data), rows, columns, model.bands};
}

using Predict = void (Predictor::*)(const PixelRows&, int, ArrayResult, const Progress&) const;

Predict function_of(const Model& model, int quantity) {
  switch (quantity) {
    case PARSIMAP_LOG_ODDS:
      if (model.classes.size() != 2) {
        throw ConfigError("log_odds are those of two classes, and the model has " +
                          std::to_string(model.classes.size()));
      }
      return &Predictor::log_odds;
    case PARSIMAP_DECISION_VALUES:
      return &Predictor::decision_values;
    case PARSIMAP_PROBABILITIES:
      return &Predictor::probabilities;
    case PARSIMAP_NOVELTY:
      return &Predictor::novelty;
    default:
      throw ConfigError("quantity " + std::to_string(quantity) + " is unknown");
  }
}

void predict(const parsimap_model& self, int quantity, const PixelRows& pixels, int threads, void* values,
             const Progress& progress) {
  if (quantity == PARSIMAP_LABELS) {
    self.predictor().labels(pixels, threads, static_cast<std::int64_t*>(values), progress);
    return;
  }
  const Predict function = function_of(self.model, quantity);
  const bool of_classes = quantity == PARSIMAP_DECISION_VALUES || quantity == PARSIMAP_PROBABILITIES;
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> result(
      static_cast<double*>(values), pixels.rows(), of_classes ? static_cast<Index>(self.model.classes.size()) : 1);
  (self.predictor().*function)(pixels, threads, result, progress);
}

// How many times as large as those of training the spectra usually are, by blocks of rows that are spread over them.
double size_ratio(const parsimap_model& self, const PixelRows& pixels) {
  constexpr Index kBlocks = 64;
  constexpr Index kRows = 16;
  Vector sizes(std::min(kBlocks, pixels.rows()));
  Spectra buffer;
  for (Index i = 0; i < sizes.size(); ++i) {
    const Index first = i * pixels.rows() / sizes.size();
    sizes(i) = usual_size(pixels.read(first, std::min(kRows, pixels.rows() - first), buffer).cast<double>());
  }
  const double found = sizes.size() == 0 ? 0 : usual_size(sizes);
  return found > 0 && self.learnt_size() > 0 ? found / self.learnt_size() : 1;
}

int made(parsimap_model** model, parsimap_array* error, const std::function<Model()>& make) {
  return status_of(error, [&] { *model = std::make_unique<parsimap_model>(make()).release(); });
}

const ClassEntry& class_at(const parsimap_model* model, int64_t index) {
  return model->model.classes[static_cast<std::size_t>(index)];
}

}  // namespace
}  // namespace parsimap::interface

using namespace parsimap;
using parsimap::interface::class_at;
using parsimap::interface::made;
using parsimap::interface::status_of;

const Predictor& parsimap_model::predictor() const {
  const std::lock_guard lock(mutex_);
  if (!predictor_) {
    predictor_ = std::make_unique<Predictor>(model);
  }
  return *predictor_;
}

double parsimap_model::learnt_size() const {
  const std::lock_guard lock(mutex_);
  if (!learnt_size_) {
    learnt_size_ = parsimap::learnt_size(model);
  }
  return *learnt_size_;
}

void parsimap::interface::check_ratio(double ratio, parsimap_work& work) {
  constexpr double kUsual = 50;
  if (std::max(ratio, 1 / ratio) > kUsual) {
    work.say(PARSIMAP_WARNING, "the spectra are usually " + number_text(ratio, 2) +
                                   " times as large as those of training; their units may differ");
  }
}

const char* parsimap_version(void) { return PARSIMAP_VERSION; }

int parsimap_load_model(const char* path, parsimap_model** model, parsimap_array* error) {
  return made(model, error, [&] { return load_model(path); });
}

int parsimap_model_of_bytes(const void* bytes, size_t size, parsimap_model** model, parsimap_array* error) {
  return made(model, error,
              [&] { return model_of_bytes(std::string(static_cast<const char*>(bytes), size), "of bytes"); });
}

int parsimap_save_model(const parsimap_model* model, const char* path, parsimap_array* error) {
  return status_of(error, [&] { write_anew(path, model_bytes(model->model)); });
}

void parsimap_free_model(parsimap_model* model) { delete model; }

int parsimap_model_content(const parsimap_model* model, int part, parsimap_array* content, parsimap_array* error) {
  return status_of(error, [&] { *content = interface::text_array(interface::content_of(model->model, part)); });
}

int64_t parsimap_band_count(const parsimap_model* model) { return model->model.scene_bands; }
int64_t parsimap_class_count(const parsimap_model* model) { return static_cast<int64_t>(model->model.classes.size()); }
int32_t parsimap_class_code(const parsimap_model* model, int64_t index) { return class_at(model, index).code; }
const char* parsimap_class_name(const parsimap_model* model, int64_t index) {
  return class_at(model, index).name.c_str();
}

int parsimap_class_colour(const parsimap_model* model, int64_t index, uint8_t colour[3]) {
  const auto& own = class_at(model, index).colour;
  if (own) {
    std::ranges::copy(*own, colour);
  }
  return own ? 1 : 0;
}

int parsimap_needs_pixel_metres(const parsimap_model* model) {
  return model->model.profile && model->model.profile->metres ? 1 : 0;
}

void parsimap_predict(parsimap_work* work, const parsimap_model* model, int quantity, const parsimap_array* spectra,
                      int64_t threads, void* values) {
  work->start([&] {
    return [=](parsimap_work& self) {
      const PixelRows pixels = interface::pixel_rows(model->model, spectra);
      interface::predict(*model, quantity, pixels, interface::checked_threads(threads, self.all_threads()), values,
                         self.progress(""));
      interface::check_ratio(interface::size_ratio(*model, pixels), self);
    };
  });
}
