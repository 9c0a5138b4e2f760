#include "commands/training_validation.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/json/model_file.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {
namespace {

ValidationOptions design_of(Index folds, const std::optional<std::string>& groups = {}) {
  return {.folds = folds, .groups = groups};
}

Validation validated(TrainOptions options, const ValidationOptions& design, Listener& listener) {
  options.validation = design;
  const TrainResult result = train_scene(options, listener);
  REQUIRE(result.model.provenance.validation);
  return *result.model.provenance.validation;
}

}  // namespace

TEST_CASE("polygons stay whole, and the model is the one without a validation") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  RecordingListener listener;
  const Validation validation = validated(small.training(folder.file("a")), design_of(2), listener);
  CHECK(validation.folds == 2);
  CHECK(validation.grouping == "regions");
  CHECK(validation.buffer == 0);
  CHECK(validation.results.size() == 2);
  CHECK(static_cast<double>(validation.pooled().trace()) > 0.9 * static_cast<double>(validation.pooled().sum()));
  CHECK(listener.stages == std::vector<std::string>{"reading labelled pixels", "validating", "training"});
  const Model plain = load_model(small.model());
  CHECK(validation.pooled().sum() == plain.provenance.training_pixels);
  const Model model = load_model(folder.file("a"));
  CHECK(model.support_spectra == plain.support_spectra);
  CHECK(model.softmax_slope == plain.softmax_slope);
  CHECK(model.provenance.validation->grouping == "regions");
}

TEST_CASE("a validation is the same for any number of threads and any memory") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  ValidationOptions design = design_of(2);
  design.repeats = 2;
  TrainOptions one = small.training(folder.file("a"));
  one.validation = design;
  one.ram_bytes = std::int64_t{64} << 20U;
  TrainOptions two = small.training(folder.file("b"));
  two.validation = design;
  two.threads = 2;
  train(one);
  train(two);
  CHECK(file_content(folder.file("a")) == file_content(folder.file("b")));
}

TEST_CASE("single pixels of polygons leak, which is said; a buffer counts what it leaves out") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  RecordingListener listener;
  CHECK(validated(small.training(folder.file("a")), design_of(3, "pixels"), listener).grouping == "pixels");
  CHECK(listener.warned("--groups pixels tests on pixels of regions that it also trains on"));
  // The scene has no finer pixels than this: every neighbour is left out.
  ValidationOptions buffered = design_of(2, "pixels");
  buffered.buffer = 1.2;
  const Validation validation = validated(small.training(folder.file("b")), buffered, listener);
  CHECK(validation.buffer_unit == "m");
  for (const ValidationFold& fold : validation.results) {
    CHECK(fold.buffered_pixels > 0);
  }
}

TEST_CASE("connected areas of a label raster stay whole") {
  const TemporaryFolder folder;
  RecordingListener listener;
  TrainOptions options = SmallScene::instance().raster_training(folder.file("a"));
  options.sampling = parse_sampling_rule("constant:20");
  CHECK(validated(options, design_of(2), listener).groups == 4);  // two of each class, which touch at a corner
}

TEST_CASE("a group field keeps features together; groups that are too few are refused, and leave no model") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  RecordingListener listener;
  const auto grouped = [&](const std::string& name, const std::string& field, Index folds) {
    TrainOptions options = small.training(folder.file(name));
    options.labels.options.group_field = field;
    return validated(options, design_of(folds), listener);
  };
  const Validation validation = grouped("a", "split", 2);
  CHECK(validation.grouping == "field split");
  CHECK(validation.groups == 2);
  CHECK(contains(message_of([&] { grouped("b", "class", 2); }),
                 "no fold can train two classes and test one of them: every class needs pixels in two groups"));
  CHECK(contains(message_of([&] { validated(small.training(folder.file("b")), design_of(500), listener); }),
                 "groups, which cannot make 500 folds"));
  CHECK(folder.names() == std::vector<std::string>{"a"});
}

}  // namespace parsimap::test
