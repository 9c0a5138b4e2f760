#include "commands/training/training_units.hpp"

#include <doctest/doctest.h>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/validation/unit_design.hpp"

#include "support/memory_scene.hpp"
#include "support/small_scene.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("pixels for testing are whole features, blocks or groups, and leave the others for training") {
  // Ten regions of class 0, four pixels each in a row of 40, and one of class 1 far below.
  LabelledPixels labelled;
  labelled.classes = {{1, "a", {}}, {7, "b", {}}};
  labelled.has_regions = true;
  PixelPositions positions{Matrix(44, 2), true};
  for (std::int64_t i = 0; i < 44; ++i) {
    labelled.pixels.push_back({i, i < 40 ? 0 : 1, 1 + i / 4});
    positions.points.row(static_cast<Index>(i)) << 30.0 * static_cast<double>(i % 40), i < 40 ? 0.0 : 900.0;
  }
  RecordingListener listener;
  LabelledPixels rest = labelled;
  const TestPart part = take_test_pixels({0.3, {}, "test.gpkg"}, 5, positions, rest, listener);
  // By default units are the features.
  REQUIRE(part.units.size() == 12);
  for (std::size_t i = 0; i < part.units.size(); ++i) {
    CHECK(part.units[i] == SampleUnit{part.labelled.pixels[i].region, SampleUnit::Reason::feature});
  }
  CHECK(part.labelled.pixels.size() == 12);
  CHECK(rest.pixels.size() == 32);
  // Blocks are advised of which the class has several: of four pixels at least two by two.
  CHECK(listener.has_warning(
      "1 of 2 classes are not tested: 'b' lies in one unit (polygon), which is trained on; --test-by "
      "block:2 divides it"));
  const TestRecord& record = part.record;
  CHECK(record.untested == std::vector<std::string>{"b"});
  CHECK(record.units == 3);
  CHECK(record.training_units == 8);
  CHECK(record.pixels == 12);
  CHECK(record.training_pixels == 32);
  CHECK(record.nearest == 30);
  CHECK(record.median_distance >= 30);
  CHECK(record.distance_unit == "m");
  // Blocks of 240 m have eight pixels each.
  rest = labelled;
  const TestPart blocks = take_test_pixels({0.5, "block:240", "t"}, 5, positions, rest, listener);
  CHECK(blocks.labelled.pixels.size() % 8 == 0);
  CHECK(unit_count(blocks.units) == std::ssize(blocks.labelled.pixels) / 8);
  CHECK(blocks.record.by == "block:240");
  // A group of a field is one unit, of which class 0 has two.
  rest = labelled;
  for (std::int64_t region = 1; region <= 10; ++region) {
    rest.region_units[region] = {region / 6, SampleUnit::Reason::group};
  }
  CHECK(take_test_pixels({0.5, "field", "t"}, 5, positions, rest, listener).labelled.pixels.size() == 20);
  labelled.pixels.resize(4);
  positions.points.conservativeResize(4, 2);
  CHECK_THROWS_AS(take_test_pixels({0.3, {}, "t"}, 5, positions, labelled, listener), DataError);
}

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
  const Validation validation = validated(small.training(folder.file("a")), design_of(2, "regions"), listener);
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

TEST_CASE("a validation leaves out what was matched to the map where nothing else is asked for") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  RecordingListener listener;
  const Validation validation = validated(small.training(folder.file("a")), design_of(3), listener);
  const UnitDesign units = load_model(small.model()).provenance.units.value();
  CHECK(validation.grouping == units.unit);
  CHECK(validation.groups == units.count);
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
  CHECK(listener.has_warning("--groups pixels tests on pixels of regions that it also trains on"));
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
  CHECK(validated(options, design_of(2, "regions"), listener).groups ==
        4);  // two of each class, which touch at a corner
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
