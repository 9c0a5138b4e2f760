#include "trained_model.hpp"

#include <pybind11/stl.h>

#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/io/json/model_file.hpp"
#include "parsimap/io/json/page_data.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/io/output/shared_file.hpp"
#include "parsimap/report/model_card.hpp"
#include "parsimap/report/model_page.hpp"

#include "arrays.hpp"
#include "job.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

std::shared_ptr<TrainedModel> from_bytes(const py::bytes& bytes, const std::string& name) {
  return std::make_shared<TrainedModel>(model_of_bytes(bytes, name));
}

py::list classes_of(const TrainedModel& self) {
  py::list classes;
  for (const ClassEntry& entry : self.model().classes) {
    classes.append(py::make_tuple(entry.code, entry.name, entry.colour));
  }
  return classes;
}

py::list bands_of(const TrainedModel& self) {
  py::list bands;
  const Model& model = self.model();
  for (std::size_t k = 0; k < model.bands.size(); ++k) {
    bands.append(py::make_tuple(model.bands[k], model.band_table[k].name, model.band_table[k].wavelength));
  }
  return bands;
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

using Predict = void (ArrayPredictor::*)(const PixelRows&, int, ArrayResult, const Progress&) const;

py::array_t<double> predicted(const TrainedModel& self, const py::object& spectra, int threads,
                              const py::object& progress, Index columns, Predict predict) {
  const py::array array = checked_spectra(self, spectra);
  const PixelRows pixels = pixel_rows(array, self.model().bands);
  py::array_t<double> result({pixels.rows(), columns});
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> values(result.mutable_data(),
                                                                                            pixels.rows(), columns);
  const int count = checked_threads(threads);
  run_with_progress(progress, [&](const Progress& told) { (self.predictor().*predict)(pixels, count, values, told); });
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

py::array_t<std::int64_t> labels(const TrainedModel& self, const py::object& spectra, int threads,
                                 const py::object& progress) {
  const py::array array = checked_spectra(self, spectra);
  const PixelRows pixels = pixel_rows(array, self.model().bands);
  py::array_t<std::int64_t> result(pixels.rows());
  const int count = checked_threads(threads);
  run_with_progress(progress, [&, first = result.mutable_data()](const Progress& told) {
    self.predictor().labels(pixels, count, first, told);
  });
  return result;
}

py::array_t<double> log_odds(const TrainedModel& self, const py::object& spectra, int threads,
                             const py::object& progress) {
  if (class_count(self) != 2) {
    throw ConfigError("log_odds are those of two classes, and the model has " + std::to_string(class_count(self)));
  }
  return predicted(self, spectra, threads, progress, 1, &ArrayPredictor::log_odds);
}

}  // namespace

const ArrayPredictor& TrainedModel::predictor() const {
  const std::lock_guard lock(mutex_);
  if (!predictor_) {
    predictor_ = std::make_unique<ArrayPredictor>(model_);
  }
  return *predictor_;
}

void add_model(py::module_& module) {
  const auto arguments = [](auto&& define) {
    define(py::arg("spectra"), py::arg("threads") = 0, py::arg("progress") = py::none());
  };
  py::class_<TrainedModel, std::shared_ptr<TrainedModel>> model(module, "Model",
                                                                "A trained model, which does not change.");
  model.def_static(
      "load", [](const std::string& path) { return std::make_shared<TrainedModel>(load_model(path)); },
      py::arg("path"));
  model.def_static("from_bytes", &from_bytes, py::arg("content"), py::arg("name") = "of bytes");
  model.def("to_bytes", [](const TrainedModel& self) { return py::bytes(model_bytes(self.model())); });
  model.def(
      "save", [](const TrainedModel& self, const std::string& path) { write_anew(path, model_bytes(self.model())); },
      py::arg("path"));
  model.def_property_readonly("classes", &classes_of, "Code, name and colour (or None) of every class.");
  model.def_property_readonly("bands", &bands_of,
                              "Column from 0, name and wavelength in nanometres (or None) of every band used.");
  model.def_property_readonly("scene_bands", [](const TrainedModel& self) { return self.model().scene_bands; });
  model.def(
      "describe", [](const TrainedModel& self, const std::string& path) { return info_json(self.model(), path); },
      py::arg("path") = "", "The document of `parsimap info --json`.");
  model.def_property_readonly(
      "needs_pixel_metres",
      [](const TrainedModel& self) { return self.model().profile && self.model().profile->metres; },
      "Whether its profiles have radii in metres.");
  model.def("card", &card, "A piece of HTML that shows the model in a notebook.");
  model.def("page", &page, "A page of HTML that tells what the model knows of its training.");
  arguments([&](auto... argument) {
    model.def("labels", &labels, argument..., "The index of the class of every row.");
    model.def("log_odds", &log_odds, argument..., "Of two classes, rows x 1.");
    model.def(
        "decision_values",
        [](const TrainedModel& self, const py::object& spectra, int threads, const py::object& progress) {
          return predicted(self, spectra, threads, progress, class_count(self), &ArrayPredictor::decision_values);
        },
        argument..., "Rows x classes.");
    model.def(
        "probabilities",
        [](const TrainedModel& self, const py::object& spectra, int threads, const py::object& progress) {
          return predicted(self, spectra, threads, progress, class_count(self), &ArrayPredictor::probabilities);
        },
        argument..., "Rows x classes.");
    model.def(
        "novelty",
        [](const TrainedModel& self, const py::object& spectra, int threads, const py::object& progress) {
          return predicted(self, spectra, threads, progress, 1, &ArrayPredictor::novelty);
        },
        argument..., "Rows x 1, in [0, 1].");
  });
}

}  // namespace parsimap::python
