#include "commands/inspected_samples.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/json/model_file.hpp"

#include "support/small_inspection.hpp"
#include "support/small_scene.hpp"

namespace parsimap::test {

namespace {

InspectedSamples samples_to_inspect(const InspectOptions& options, const Model& model, Listener& listener) {
  const InputScene scene = open_input_scene(options.scene);
  return read_inspected_samples(options, model, *scene.source, listener);
}

InspectOptions options_for_labels(const std::string& labels, const std::optional<std::string>& field) {
  const SmallScene& small = SmallScene::instance();
  InspectOptions options;
  options.model = small.model();
  options.scene.path = small.scene();
  options.labels = {{labels}, {field, {}}};
  return options;
}

}  // namespace

TEST_CASE("samples of vector labels know the features that their regions are parts of") {
  const SmallScene& small = SmallScene::instance();
  const Model model = load_model(small.model());
  RecordingListener listener;
  const InspectedSamples data = samples_to_inspect(options_for_labels(small.polygons(), "class"), model, listener);
  CHECK(data.samples.classes == model.classes);
  CHECK(data.samples.size() == model.provenance.training_pixels);
  const std::vector<std::int64_t> all = regions_of(data.samples.places);
  const std::set<std::int64_t> regions(all.begin(), all.end());
  CHECK(data.features.size() == regions.size());
  CHECK(listener.warnings.empty());
}

TEST_CASE("the connected areas of a raster are its regions, and no features") {
  const SmallScene& small = SmallScene::instance();
  const Model model = load_model(small.model());
  Listener silent;
  const InspectedSamples data = samples_to_inspect(options_for_labels(small.reference(), std::nullopt), model, silent);
  CHECK(data.samples.size() == 30 * 24);
  CHECK(data.features.empty());
  const std::vector<std::int64_t> all = regions_of(data.samples.places);
  const std::set<std::int64_t> regions(all.begin(), all.end());
  CHECK(regions.size() > 1);
}

TEST_CASE("classes are those of the model by name; others are left out, and one alone is refused") {
  const SmallScene& small = SmallScene::instance();
  Model model = load_model(small.model());
  // The labels name "forest" and "water"; codes count for nothing where a name is the same.
  std::swap(model.classes[0].name, model.classes[1].name);
  Listener silent;
  const InspectOptions options = options_for_labels(small.polygons(), "class");
  const InspectedSamples swapped = samples_to_inspect(options, model, silent);
  const Model same = load_model(small.model());
  const InspectedSamples straight = samples_to_inspect(options, same, silent);
  for (std::size_t i = 0; i < swapped.samples.labels.size(); ++i) {
    CHECK(swapped.samples.labels[i] == 1 - straight.samples.labels[i]);
  }
  model.classes = {{1, "forest", {}}, {2, "bare", {}}};
  CHECK_THROWS_WITH_AS(samples_to_inspect(options, model, silent),
                       doctest::Contains("two classes at least are those of the model"), DataError);
  model.classes = {{1, "forest", {}}, {2, "bare", {}}, {3, "water", {}}};
  const InspectedSamples more = samples_to_inspect(options, model, silent);
  CHECK(std::count(more.samples.labels.begin(), more.samples.labels.end(), 1) == 0);
}

TEST_CASE("every band of the model is in one interval, and the intervals say where they are") {
  const SmallScene& small = SmallScene::instance();
  Model model = load_model(small.model());
  InspectOptions options;
  options.model = small.model();
  options.scene.path = small.scene();
  options.labels = {{small.polygons()}, {"class", {}}};
  const InputScene scene = open_input_scene(options.scene);
  RecordingListener listener;
  const SampleSet samples = read_inspected_samples(options, model, *scene.source, listener).samples;
  const Matrix spectra = model.scaling.apply(samples.spectra);
  const auto inspected = [&](const Indices& untrusted) {
    return inspect_wavelengths(options, model, design_of(model), samples, spectra, untrusted, listener);
  };
  const WavelengthRecord record = inspected({});
  REQUIRE(record.ranges.size() == record.importance.intervals.size());
  std::size_t bands = 0;
  for (const Indices& interval : record.importance.intervals) {
    bands += interval.size();
  }
  CHECK(bands == model.bands.size());
  CHECK(record.ranges.front().first == 0);
  CHECK(record.ranges.back().last == 11);
  REQUIRE(record.ranges.front().wavelengths);
  CHECK((*record.ranges.front().wavelengths)[0] == doctest::Approx(400));
  CHECK(record.importance.all.samples == samples.size());
  REQUIRE(record.pairs.size() == 1);
  CHECK(record.pairs[0].jeffries_matusita > 1);
  CHECK(listener.stages.back() == "evaluating wavelengths");
  CHECK(inspected({0, 1}).importance.all.samples == samples.size() - 2);
  // Without wavelengths the order is that of the bands.
  model.band_table[3].wavelength.reset();
  CHECK_FALSE(inspected({}).ranges.front().wavelengths);
}

TEST_CASE("regions come by rank and pixels the other way round, so that suspicious ones lie above") {
  const InspectionRecord record = test::small_inspection();
  SampleSet samples;
  samples.places = {{10}, {11}, {25}, {26}, {30}};
  const std::vector<PixelLayer> layers = suspect_layers(record, samples, 10);
  REQUIRE(layers.size() == 2);
  const PixelLayer& regions = layers[0];
  REQUIRE(regions.features.size() == 3);
  CHECK(regions.features[0].pixels == std::vector<std::int64_t>{25, 26});
  CHECK(regions.features[0].values.size() == regions.fields.size());
  CHECK(regions.fields[2].name == "label");
  CHECK(regions.features[0].values[2] == FieldValue("oak"));
  CHECK(regions.features[0].values[3] == FieldValue("elm"));
  CHECK(regions.features[0].values.back() == FieldValue(std::int64_t{41}));
  CHECK(regions.features[2].values.back() == FieldValue());
  CHECK(std::get<double>(regions.features[1].values[1]) == doctest::Approx(2.0 / 3));
  const PixelLayer& pixels = layers[1];
  REQUIRE(pixels.features.size() == 5);
  CHECK(pixels.features.back().pixels == std::vector<std::int64_t>{26});
  CHECK(pixels.features.back().values.size() == pixels.fields.size());
  CHECK(pixels.features.back().values.back() == FieldValue(std::int64_t{6}));
}

TEST_CASE("steps of the list") {
  const auto step = [](double margin, Index rank) {
    LabelEvidence evidence;
    evidence.margin = margin;
    evidence.rank = rank;
    return suspicion_step(evidence, 100);
  };
  CHECK(step(-1, 5) == 0);
  CHECK(step(-1, 6) == 1);
  CHECK(step(-1, 25) == 2);
  CHECK(step(-1, 100) == 3);
  CHECK(step(0, 1) == suspicion_steps().size() - 1);
}

}  // namespace parsimap::test
