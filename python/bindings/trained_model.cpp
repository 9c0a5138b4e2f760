#include "trained_model.hpp"

#include <pybind11/stl.h>

#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/model_card.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/training_report.hpp"

#include "arrays.hpp"
#include "background_work.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

std::shared_ptr<TrainedModel> from_bytes(const py::bytes& bytes) {
  return std::make_shared<TrainedModel>(model_of_bytes(bytes, "of bytes"));
}

py::list classes_of(const TrainedModel& self) {
  py::list classes;
  for (const ClassEntry& entry : self.model().classes) {
    classes.append(py::make_tuple(entry.code, entry.name, entry.colour));
  }
  return classes;
}

// The array, of the width that the model needs.
py::array checked_spectra(const TrainedModel& self, const py::object& spectra) {
  py::array array = spectra_array(spectra, "spectra");
  if (array.shape(1) != self.model().scene_bands) {
    throw py::value_error("spectra has " + std::to_string(array.shape(1)) + " columns; the model was trained on " +
                          std::to_string(self.model().scene_bands) + " bands");
  }
  return array;
}

using Predict = void (Predictor::*)(const PixelRows&, int, ArrayResult, const Progress&) const;

py::array_t<double> predicted(const TrainedModel& self, const py::object& spectra, int threads, Index columns,
                              Predict predict) {
  const py::array array = checked_spectra(self, spectra);
  const PixelRows pixels = pixel_rows(array, self.model().bands);
  py::array_t<double> result({pixels.rows(), columns});
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> values(result.mutable_data(),
                                                                                            pixels.rows(), columns);
  const int count = checked_threads(threads);
  run_with_progress(py::none(),
                    [&](const Progress& report) { (self.predictor().*predict)(pixels, count, values, report); });
  return result;
}

// Names of files may be no UTF-8.
py::str html(const std::string& text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
}

py::str card(const TrainedModel& self) { return html(model_card(self.model())); }

py::str page(const TrainedModel& self) {
  return html(command_html(model_page(self.model()), model_data_json(self.model())));
}

Index class_count(const TrainedModel& self) { return static_cast<Index>(self.model().classes.size()); }

py::array_t<std::int64_t> labels(const TrainedModel& self, const py::object& spectra, int threads) {
  const py::array array = checked_spectra(self, spectra);
  const PixelRows pixels = pixel_rows(array, self.model().bands);
  py::array_t<std::int64_t> result(pixels.rows());
  const int count = checked_threads(threads);
  run_with_progress(py::none(), [&, first = result.mutable_data()](const Progress& report) {
    self.predictor().labels(pixels, count, first, report);
  });
  return result;
}

py::array_t<double> log_odds(const TrainedModel& self, const py::object& spectra, int threads) {
  if (class_count(self) != 2) {
    throw ConfigError("log_odds are those of two classes, and the model has " + std::to_string(class_count(self)));
  }
  return predicted(self, spectra, threads, 1, &Predictor::log_odds);
}

py::array_t<double> novelty(const TrainedModel& self, const py::object& spectra, int threads) {
  return predicted(self, spectra, threads, 1, &Predictor::novelty);
}

// A function that gives a value of every class.
template <Predict predict>
py::array_t<double> of_classes(const TrainedModel& self, const py::object& spectra, int threads) {
  return predicted(self, spectra, threads, class_count(self), predict);
}

}  // namespace

const Predictor& TrainedModel::predictor() const {
  const std::lock_guard lock(mutex_);
  if (!predictor_) {
    predictor_ = std::make_unique<Predictor>(model_);
  }
  return *predictor_;
}

void add_model(py::module_& module) {
  py::class_<TrainedModel, std::shared_ptr<TrainedModel>> model(module, "Model",
                                                                "A trained model, which does not change.");
  model.def_static(
      "load", [](const std::string& path) { return std::make_shared<TrainedModel>(load_model(path)); },
      py::arg("path"));
  model.def_static("from_bytes", &from_bytes, py::arg("content"));
  model.def("to_bytes", [](const TrainedModel& self) { return py::bytes(model_bytes(self.model())); });
  model.def(
      "save", [](const TrainedModel& self, const std::string& path) { write_anew(path, model_bytes(self.model())); },
      py::arg("path"));
  model.def_property_readonly("classes", &classes_of, "Code, name and colour (or None) of every class.");
  model.def_property_readonly("scene_bands", [](const TrainedModel& self) { return self.model().scene_bands; });
  model.def(
      "describe", [](const TrainedModel& self) { return info_json(self.model(), ""); },
      "The document of `parsimap info --json`.");
  model.def_property_readonly(
      "needs_pixel_metres",
      [](const TrainedModel& self) { return self.model().profile && self.model().profile->metres; },
      "Whether its profiles have radii in metres.");
  model.def("card", &card, "A piece of HTML that shows the model in a notebook.");
  model.def("page", &page, "An HTML page about the training of the model.");
  const auto define = [&](const char* name, auto function, const char* text) {
    model.def(name, function, py::arg("spectra"), py::arg("threads") = 0, text);
  };
  define("labels", &labels, "The index of the class of every row.");
  define("log_odds", &log_odds, "Of two classes, rows x 1.");
  define("decision_values", &of_classes<&Predictor::decision_values>, "Rows x classes.");
  define("probabilities", &of_classes<&Predictor::probabilities>, "Rows x classes.");
  define("novelty", &novelty, "Rows x 1, in [0, 1].");
}

}  // namespace parsimap::python
