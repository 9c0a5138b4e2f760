#include "commands/training_samples.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <set>
#include <utility>

#include "parsimap/core/random.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {
namespace {

TrainingSamples samples_to_train(const LabelInput& labels, const std::string& sampling = "all") {
  Listener deaf;
  TrainOptions options;
  options.labels = labels;
  options.sampling = parse_sampling_rule(sampling);
  options.training.seed = 4;
  const OpenScene scene = open_scene(SmallScene::instance().scene());
  Indices bands;
  for (Index b = 0; b < static_cast<Index>(scene.source->bands().size()); ++b) {
    bands.push_back(b);
  }
  return read_training_samples(options, *scene.source, bands, deaf);
}

// Pixels of the first row of the scene: 0, 1 and 5 of one feature, 9 and 10 of two.
std::string write_points(const TemporaryFolder& folder) {
  write_file(folder.file("points.geojson"), R"({"type": "FeatureCollection",
    "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32631"}}, "features": [
    {"type": "Feature", "properties": {"class": "water", "plot": "a"}, "geometry": {"type": "MultiPoint",
     "coordinates": [[500000.5, 3999999.5], [500001.5, 3999999.5], [500005.5, 3999999.5]]}},
    {"type": "Feature", "properties": {"class": "forest", "plot": "b", "visit": 7}, "geometry": {"type": "Point",
     "coordinates": [500009.5, 3999999.5]}},
    {"type": "Feature", "properties": {"class": "forest", "plot": "b"}, "geometry": {"type": "Point",
     "coordinates": [500010.5, 3999999.5]}}]})");
  return folder.file("points.geojson");
}

// A label raster on 10 x 10 pixels: class 1 in rows 0 to 4, 2 in 5 to 7, 3 in row 8, 4 in the first pixel of row 9.
std::string write_raster(const TemporaryFolder& folder) {
  std::string text = "ncols 10\nnrows 10\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
  for (int row = 0; row < 10; ++row) {
    for (int column = 0; column < 10; ++column) {
      text += row < 5 ? "1 " : row < 8 ? "2 " : row == 8 ? "3 " : column == 0 ? "4 " : "0 ";
    }
    text += "\n";
  }
  write_file(folder.file("labels.asc"), text);
  return folder.file("labels.asc");
}

// Two random bands on its grid; eight of the ten pixels of class 3 have no value in the first.
MemoryScene scene_with_holes() {
  RasterGrid grid;
  grid.width = 10;
  grid.height = 10;
  Spectra values = Random(1).normal_matrix(100, 2).cast<float>();
  values.block(80, 0, 8, 1).setConstant(std::numeric_limits<float>::quiet_NaN());
  return {"scene", grid, BandTable(2), values};
}

// The classes with their numbers of samples, and what was said.
std::map<std::string, Index> classes_of(Index min_samples, RecordingListener& listener,
                                        const std::string& sampling = "all") {
  const TemporaryFolder folder;
  TrainOptions options;
  options.labels = {{write_raster(folder)}, {}};
  options.min_samples = min_samples;
  options.sampling = parse_sampling_rule(sampling);
  MemoryScene scene = scene_with_holes();
  const TrainingSamples data = read_training_samples(options, scene, {0, 1}, listener);
  std::map<std::string, Index> classes;
  const std::vector<Index> counts = class_counts(data.extraction.samples);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    CHECK(std::to_string(data.extraction.samples.classes[c].code) == data.extraction.samples.classes[c].name);
    classes[data.extraction.samples.classes[c].name] = counts[c];
  }
  return classes;
}

}  // namespace

TEST_CASE("the regions of a label raster are its connected areas, also where few of their pixels are drawn") {
  const TrainingSamples data = samples_to_train({{SmallScene::instance().reference()}, {}}, "constant:30");
  const SampleSet& samples = data.extraction.samples;
  CHECK(samples.size() == 60);
  const std::set<std::int64_t> regions(samples.regions.begin(), samples.regions.end());
  CHECK(regions == std::set<std::int64_t>{1, 2, 3, 4});  // two of each class, which touch at a corner
}

TEST_CASE("the regions of vector labels are the parts of their features") {
  const TemporaryFolder folder;
  const TrainingSamples data = samples_to_train({{write_points(folder)}, {"class", {}}});
  CHECK(data.extraction.samples.pixels == std::vector<std::int64_t>{0, 1, 5, 9, 10});
  CHECK(data.extraction.samples.regions == std::vector<std::int64_t>{1, 2, 3, 4, 5});
  CHECK(data.extraction.samples.groups == data.extraction.samples.regions);
}

TEST_CASE("classes of fewer usable pixels are dropped, as if they had not been labelled") {
  using Classes = std::map<std::string, Index>;
  const std::string message = "classes dropped because they have fewer than ";
  RecordingListener three;
  CHECK(classes_of(3, three) == Classes{{"1", 50}, {"2", 30}});
  CHECK(three.said(message + "3 training pixels: 4 (1), 3 (2)"));
  CHECK(three.warnings.empty());
  RecordingListener two;
  CHECK(classes_of(2, two) == Classes{{"1", 50}, {"2", 30}, {"3", 2}});
  CHECK(two.said(message + "2 training pixels: 4 (1)"));
  CHECK(two.said("labelled pixels dropped because a band has no value there: 8"));
  // The smallest class is that of those left.
  RecordingListener other;
  CHECK(classes_of(3, other, "smallest") == Classes{{"1", 30}, {"2", 30}});
  CHECK(message_of([&] { classes_of(31, other); }) ==
        "scene: fewer than two classes have 31 training pixels or more, as --min-samples asks; the others are 2 "
        "(30), 3 (10), 4 (1)");
}

TEST_CASE("features of equal value in the group field are one group, regions stay what they are") {
  const TemporaryFolder folder;
  const auto groups = [&](const std::string& field) {
    const TrainingSamples data = samples_to_train({{write_points(folder)}, {"class", {}, field}});
    CHECK(data.extraction.samples.regions == std::vector<std::int64_t>{1, 2, 3, 4, 5});
    return data.extraction.samples.groups;
  };
  CHECK(groups("plot") == std::vector<std::int64_t>{-1, -1, -1, -2, -2});
  CHECK(groups("visit") == std::vector<std::int64_t>{1, 2, 3, -1, 5});  // only one feature has a value
}

}  // namespace parsimap::test
