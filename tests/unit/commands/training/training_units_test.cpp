#include "commands/training/training_units.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "parsimap/classifier/classifier_design.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/validation/unit_design.hpp"

#include "support/memory_scene.hpp"
#include "support/small_scene.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("pixels for testing are whole units of every class, and their distance from the others is known") {
  // Ten regions of class 0, four pixels each in a row of 40, and one of class 1 far below.
  LabelledPixels labelled;
  labelled.classes = {{1, "a", {}}, {7, "b", {}}};
  labelled.has_regions = true;
  PixelPositions positions{Matrix(44, 2), true};
  for (std::int64_t i = 0; i < 44; ++i) {
    labelled.pixels.push_back({i, i < 40 ? 0 : 1, 1 + i / 4});
    positions.points.row(static_cast<Index>(i)) << 30.0 * static_cast<double>(i % 40), i < 40 ? 0.0 : 900.0;
  }
  const auto regions = [](const LabelledPixels& pixels) {
    std::set<std::int64_t> all;
    for (const LabelledPixel& pixel : pixels.pixels) {
      all.insert(pixel.region);
    }
    return all;
  };
  RecordingListener listener;
  LabelledPixels rest = labelled;
  const TestPart part = take_test_pixels({0.3, {}, "test.gpkg"}, 5, positions, rest, listener);
  const LabelledPixels& test = part.labelled;
  const TestRecord& record = part.record;
  // By default units are the features.
  REQUIRE(part.units.size() == 12);
  for (std::size_t i = 0; i < part.units.size(); ++i) {
    CHECK(part.units[i] == test.pixels[i].region);
  }
  CHECK(test.pixels.size() == 12);
  CHECK(rest.pixels.size() == 32);
  CHECK(regions(test).size() == 3);
  CHECK(regions(rest).size() == 8);
  // Blocks are advised of which the class has several: of four pixels at least two by two.
  CHECK(
      listener.warned("1 of 2 classes are not tested: 'b' lies in one unit (polygon), which is trained on; --test-by "
                      "block:2 divides it"));
  CHECK(record.untested == std::vector<std::string>{"b"});
  CHECK(record.units == 3);
  CHECK(record.training_pixels == 32);
  CHECK(record.nearest == 30);
  // Of every test pixel its nearest training pixel, by the double loop; the median is that of the pixels.
  std::vector<double> distances;
  for (const LabelledPixel& tested : test.pixels) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const LabelledPixel& trained : rest.pixels) {
      nearest = std::min(nearest, (positions.points.row(tested.pixel) - positions.points.row(trained.pixel)).norm());
    }
    distances.push_back(nearest);
  }
  std::ranges::sort(distances);
  CHECK(record.median_distance == distances[distances.size() / 2]);
  CHECK(record.distance_unit == "m");
  // The same draw with the same seed, whatever the other classes are.
  LabelledPixels again = labelled;
  CHECK(take_test_pixels({0.3, {}, "test.gpkg"}, 5, positions, again, listener).units == part.units);
  CHECK(regions(again) == regions(rest));
  // Blocks of 240 m have eight pixels each.
  again = labelled;
  const TestPart blocks = take_test_pixels({0.5, "block:240", "t"}, 5, positions, again, listener);
  CHECK(blocks.labelled.pixels.size() % 8 == 0);
  CHECK(std::set<std::int64_t>(blocks.units.begin(), blocks.units.end()).size() == blocks.labelled.pixels.size() / 8);
  CHECK(blocks.record.by == "block:240");
  CHECK(blocks.record.untested == std::vector<std::string>{"b"});
  CHECK(blocks.record.units + blocks.record.training_units == 6);
  labelled.pixels.resize(4);
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
