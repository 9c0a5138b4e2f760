// Training on the rows of an array: each of them is a pixel of a scene of one row.
#include <cmath>
#include <limits>
#include <numeric>
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
#include "parsimap/validation/expected_accuracy.hpp"

#include "arrays.hpp"
#include "settings.hpp"
#include "work.hpp"

namespace parsimap::interface {
namespace {

// What a model is trained on. Arrays are the caller's; groups and weights may be null.
struct Rows {
  const parsimap_array* spectra;
  const std::int64_t* labels;
  const std::int64_t* groups;
  const double* weights;
};

std::uint64_t parse_seed(const std::string& text) {
  const auto seed = parse_number<std::uint64_t>(text);
  if (!seed) {
    throw ConfigError("seed '" + text + "' must be a whole number, 0 or more");
  }
  return *seed;
}

// Sets the field to the parsed setting of this name where there is one, and adds it to `given`.
template <typename Field, typename Parse>
void store(const Settings& settings, const std::string& name, Field& field, Parse parse,
           std::vector<std::pair<std::string, std::string>>& given) {
  if (const auto text = text_called(settings, name)) {
    field = parse(*text);
    given.emplace_back(name, *text);
  }
}

TrainingOptions training_options(const Settings& settings, int all_threads,
                                 std::vector<std::pair<std::string, std::string>>& given) {
  check_names(settings, {"centres", "class-weights", "criterion", "dimension", "kernel", "scaling", "seed", "threads"});
  TrainingOptions training;
  // In the order of their names, as they are kept in the model.
  store(settings, "centres", training.centres, parse_centres, given);
  store(settings, "class-weights", training.class_weights, parse_class_weights, given);
  store(settings, "criterion", training.criterion, parse_criterion, given);
  store(settings, "dimension", training.dimension, parse_dimension_rule, given);
  store(settings, "kernel", training.family, parse_kernel_family, given);
  store(settings, "scaling", training.scaling, parse_scaling_choice, given);
  store(settings, "seed", training.seed, parse_seed, given);
  training.threads = checked_threads(threads_called(settings), all_threads);
  check_training_options(training);
  return training;
}

void check_values(const Rows& rows, std::size_t classes) {
  check_spectra(rows.spectra);
  if (rows.spectra->shape[0] < 1 || rows.spectra->shape[1] < 1) {
    throw ConfigError("spectra has no values: it is " + std::to_string(rows.spectra->shape[0]) + " x " +
                      std::to_string(rows.spectra->shape[1]));
  }
  for (Index i = 0; i < rows.spectra->shape[0]; ++i) {
    if (rows.weights != nullptr && !(rows.weights[i] > 0 && std::isfinite(rows.weights[i]))) {
      throw ConfigError("weights must be finite numbers above 0");
    }
    if (rows.labels[i] < 0 || rows.labels[i] >= static_cast<std::int64_t>(classes)) {
      throw ConfigError("labels must be indices of classes");
    }
    if (rows.groups != nullptr && rows.groups[i] < 0) {
      throw ConfigError("groups must be numbers from 0");
    }
  }
}

// A group is a region, and a row without one is a region of its own.
LabelledPixels labelled_rows(const Rows& rows, const ClassTable& classes) {
  LabelledPixels labelled;
  labelled.has_regions = true;
  labelled.classes = classes;
  for (Index i = 0; i < rows.spectra->shape[0]; ++i) {
    labelled.pixels.push_back({i, static_cast<int>(rows.labels[i]), 1 + (rows.groups != nullptr ? rows.groups[i] : i)});
  }
  return labelled;
}

// The rows as a scene of one row.
ArrayScene scene_of(const parsimap_array& spectra, const BandTable& bands) {
  parsimap_array scene = spectra;
  scene.dimensions = 3;
  std::tie(scene.shape[0], scene.shape[1], scene.shape[2]) = std::tuple(1, spectra.shape[0], spectra.shape[1]);
  std::tie(scene.steps[0], scene.steps[1], scene.steps[2]) = std::tuple(0, spectra.steps[0], spectra.steps[1]);
  RasterGrid grid;
  grid.width = spectra.shape[0];
  grid.height = 1;
  return {"the array of spectra", grid, band_table(bands, spectra.shape[1]), scene_array(scene, "spectra"),
          std::nullopt};
}

// A band may seem constant or empty where samples lack its value, so that every value is looked at.
void check_finite(ArrayScene& scene, const Indices& bands) {
  Spectra values;
  scene.read({0, 0, scene.grid().width, 1}, bands, values);
  for (Index row = 0; row < values.rows(); ++row) {
    for (Index band = 0; band < values.cols(); ++band) {
      if (!std::isfinite(values(row, band))) {
        throw DataError(scene.name() + " contains NaN or infinity, or a value too large for single precision: sample " +
                        std::to_string(row + 1) + ", band " + std::to_string(band + 1) + ", counted from 1");
      }
    }
  }
}

Model trained(const Rows& rows, const Settings& settings, parsimap_work& work) {
  TrainingSource source;
  TrainingOptions training = training_options(settings, work.all_threads(), source.options);
  check_values(rows, settings.classes.size());
  ArrayScene scene = scene_of(*rows.spectra, settings.bands);
  Indices all(scene.bands().size());
  std::iota(all.begin(), all.end(), Index{0});
  check_finite(scene, all);
  Extraction extraction = extract_samples(scene, labelled_rows(rows, settings.classes), all,
                                          std::numeric_limits<std::int64_t>::max(), Progress());
  if (rows.weights != nullptr) {
    extraction.samples.weights.resize(extraction.samples.size());
    for (Index i = 0; i < extraction.samples.size(); ++i) {
      extraction.samples.weights(i) = rows.weights[extraction.samples.places[static_cast<std::size_t>(i)].pixel];
    }
  }
  const SampleSet samples = without_outliers(extraction.samples, outlying_samples(extraction.samples));
  source.scene_bands = static_cast<Index>(all.size());
  source.bands = extraction.bands;
  for (const Index band : extraction.bands) {
    source.band_table.push_back(scene.bands()[static_cast<std::size_t>(band)]);
  }
  for (const Index band : extraction.constant_bands) {
    source.dropped_bands.push_back({band, "constant"});
  }
  training.classes_at_once =
      classes_at_once(samples.size(), samples.spectra.cols(), 0, training, physical_memory_bytes());
  Model model = train_one_vs_all(samples, source, training, work.progress(""));
  LeftOutResults results = left_out_results(samples.labels, samples.classes.size());
  results.records = std::exchange(model.provenance.left_out.records, {});
  model.provenance.expected = expected_accuracy(results, {}, {training.seed, training.threads});
  return model;
}

}  // namespace
}  // namespace parsimap::interface

void parsimap_train(parsimap_work* work, const parsimap_array* spectra, const int64_t* labels, const int64_t* groups,
                    const double* weights, const parsimap_settings* settings) {
  using namespace parsimap;
  work->start([&] {
    return [=, given = interface::copied(settings)](parsimap_work& self) {
      self.model = std::make_unique<Model>(interface::trained({spectra, labels, groups, weights}, given, self));
    };
  });
}
