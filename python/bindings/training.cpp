// Training on the rows of an array: each of them is a pixel of a scene of one row.
#include <pybind11/stl.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "arrays.hpp"
#include "background_work.hpp"
#include "trained_model.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

using Options = std::map<std::string, std::string>;
using ClassNames = std::vector<std::pair<int, std::string>>;  // code and name
using Weights = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Whole = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

TrainingOptions training_options(const Options& options, int threads) {
  TrainingOptions training;
  training.family = parse_kernel_family(options.at("kernel"));
  training.criterion = parse_criterion(options.at("criterion"));
  training.class_weights = parse_class_weights(options.at("class-weights"));
  training.dimension = parse_dimension_rule(options.at("dimension"));
  training.scaling = parse_scaling_choice(options.at("scaling"));
  const auto seed = parse_number<std::uint64_t>(options.at("seed"));
  if (!seed) {
    throw ConfigError("seed '" + options.at("seed") + "' must be a whole number, 0 or more");
  }
  training.seed = *seed;
  if (options.contains("centres")) {
    training.centres = parse_centres(options.at("centres"));
  }
  training.threads = checked_threads(threads);
  check_training_options(training);
  return training;
}

// A group is a region, and a row without one is a region of its own.
LabelledPixels labelled_rows(const Whole& labels, const ClassNames& classes, const std::optional<Whole>& groups) {
  LabelledPixels labelled;
  labelled.has_regions = true;
  for (const auto& [code, name] : classes) {
    labelled.classes.push_back({code, name, std::nullopt});
  }
  for (py::ssize_t i = 0; i < labels.shape(0); ++i) {
    labelled.pixels.push_back({i, static_cast<int>(labels.at(i)), 1 + (groups ? groups->at(i) : i)});
  }
  return labelled;
}

void check_sizes(const py::array& spectra, const Whole& labels, std::size_t classes, const std::optional<Whole>& groups,
                 const std::optional<Weights>& weights) {
  if (spectra.size() == 0) {
    throw py::value_error("spectra has no values: it is " + std::to_string(spectra.shape(0)) + " x " +
                          std::to_string(spectra.shape(1)));
  }
  if (labels.ndim() != 1 || labels.shape(0) != spectra.shape(0)) {
    throw py::value_error("labels must be one for every row of spectra");
  }
  if (groups && (groups->ndim() != 1 || groups->shape(0) != spectra.shape(0))) {
    throw py::value_error("groups must be one for every row of spectra");
  }
  if (weights && (weights->ndim() != 1 || weights->shape(0) != spectra.shape(0))) {
    throw py::value_error("weights must be one for every row of spectra");
  }
  for (py::ssize_t i = 0; i < labels.shape(0); ++i) {
    if (weights && !(weights->at(i) > 0 && std::isfinite(weights->at(i)))) {
      throw py::value_error("weights must be finite numbers above 0");
    }
    if (labels.at(i) < 0 || labels.at(i) >= static_cast<std::int64_t>(classes)) {
      throw py::value_error("labels must be indices of classes");
    }
    if (groups && groups->at(i) < 0) {
      throw py::value_error("groups must be numbers from 0");
    }
  }
}

Model trained(SceneSource& scene, const LabelledPixels& labelled, const Options& options, TrainingOptions training,
              const Vector& weights, const Progress& progress) {
  Indices all(scene.bands().size());
  std::iota(all.begin(), all.end(), Index{0});
  Extraction extraction = extract_samples(scene, labelled, all, std::numeric_limits<std::int64_t>::max(), Progress());
  if (extraction.invalid_pixels > 0 || !extraction.empty_bands.empty()) {
    throw DataError(scene.name() + " contains NaN or infinity, or values too large for single precision");
  }
  if (weights.size() > 0) {
    extraction.samples.weights.resize(extraction.samples.size());
    for (Index i = 0; i < extraction.samples.size(); ++i) {
      extraction.samples.weights(i) = weights(extraction.samples.places[static_cast<std::size_t>(i)].pixel);
    }
  }
  const SampleSet samples = without_outliers(extraction.samples, outlying_samples(extraction.samples));
  TrainingSource source;
  source.scene_bands = static_cast<Index>(all.size());
  source.bands = extraction.bands;
  for (const Index band : extraction.bands) {
    source.band_table.push_back(scene.bands()[static_cast<std::size_t>(band)]);
  }
  for (const Index band : extraction.constant_bands) {
    source.dropped_bands.push_back({band, "constant"});
  }
  source.options.assign(options.begin(), options.end());
  training.classes_at_once =
      classes_at_once(samples.size(), samples.spectra.cols(), 0, training, physical_memory_bytes());
  return train_one_vs_all(samples, source, training, progress);
}

std::shared_ptr<TrainedModel> train(const py::object& values, const Whole& labels, const ClassNames& classes,
                                    const std::optional<Whole>& groups, const BandNames& bands, const Options& options,
                                    int threads, const std::optional<Weights>& weights) {
  py::array spectra = spectra_array(values, "spectra");
  check_sizes(spectra, labels, classes.size(), groups, weights);
  const TrainingOptions training = training_options(options, threads);
  const LabelledPixels labelled = labelled_rows(labels, classes, groups);
  RasterGrid grid;
  grid.width = spectra.shape(0);
  grid.height = 1;
  py::array rows = spectra.reshape({py::ssize_t{1}, spectra.shape(0), spectra.shape(1)});
  const SceneArray array = scene_array(rows, {0, 1, 2});
  ArrayScene scene("the array of spectra", grid, band_table(bands, spectra.shape(1)), array, std::nullopt);
  const Vector own = weights ? Vector(Eigen::Map<const Vector>(weights->data(), weights->size())) : Vector();
  std::shared_ptr<TrainedModel> model;
  run_with_progress(py::none(), [&](const Progress& report) {
    model = std::make_shared<TrainedModel>(trained(scene, labelled, options, training, own, report));
  });
  return model;
}

}  // namespace

void add_training(py::module_& module) {
  module.def("train", &train, py::arg("spectra"), py::arg("labels"), py::arg("classes"), py::arg("groups"),
             py::arg("bands"), py::arg("options"), py::arg("threads") = 0, py::arg("weights") = py::none(),
             "A model of the rows of `spectra`, whose labels are indices of `classes`.");
}

}  // namespace parsimap::python
