#include "commands/inspected_samples.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/json/model_file.hpp"

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
  const std::set<std::int64_t> regions(data.samples.regions.begin(), data.samples.regions.end());
  CHECK(data.features.size() == regions.size());
  CHECK(listener.warnings.empty());
}

TEST_CASE("the connected areas of a raster are its regions, and no features") {
  const SmallScene& small = SmallScene::instance();
  const Model model = load_model(small.model());
  Listener deaf;
  const InspectedSamples data = samples_to_inspect(options_for_labels(small.reference(), std::nullopt), model, deaf);
  CHECK(data.samples.size() == 30 * 24);
  CHECK(data.features.empty());
  const std::set<std::int64_t> regions(data.samples.regions.begin(), data.samples.regions.end());
  CHECK(regions.size() > 1);
}

TEST_CASE("classes are those of the model by name; others are left out, and one alone is refused") {
  const SmallScene& small = SmallScene::instance();
  Model model = load_model(small.model());
  // The labels name "forest" and "water"; codes count for nothing where a name is the same.
  std::swap(model.classes[0].name, model.classes[1].name);
  Listener deaf;
  const InspectOptions options = options_for_labels(small.polygons(), "class");
  const InspectedSamples swapped = samples_to_inspect(options, model, deaf);
  const Model same = load_model(small.model());
  const InspectedSamples straight = samples_to_inspect(options, same, deaf);
  for (std::size_t i = 0; i < swapped.samples.labels.size(); ++i) {
    CHECK(swapped.samples.labels[i] == 1 - straight.samples.labels[i]);
  }
  model.classes = {{1, "forest", {}}, {2, "bare", {}}};
  CHECK_THROWS_WITH_AS(samples_to_inspect(options, model, deaf), doctest::Contains("two of them are the same at least"),
                       DataError);
  model.classes = {{1, "forest", {}}, {2, "bare", {}}, {3, "water", {}}};
  const InspectedSamples more = samples_to_inspect(options, model, deaf);
  CHECK(std::count(more.samples.labels.begin(), more.samples.labels.end(), 1) == 0);
}

}  // namespace parsimap::test
