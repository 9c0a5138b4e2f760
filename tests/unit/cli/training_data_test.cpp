#include "parsimap/cli/training_data.hpp"

#include <doctest/doctest.h>

#include <set>

#include "parsimap/io/gdal/scene.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

TrainingDataRequest request_of(const std::vector<std::string>& arguments) {
  const CommandSyntax syntax = {
      .name = "x", .arguments = {{"LABELS", "labels"}}, .options = training_data_option_syntax()};
  return training_data_request(parse_command_line(syntax, arguments), 4);
}

TrainingData read(const TrainingDataRequest& request) {
  std::ostringstream out;
  std::ostringstream err;
  Console console(out, err, {.quiet = true}, [] { return 0.0; });
  const auto scene = open_scene(SmallScene::instance().scene());
  Indices bands;
  for (Index b = 0; b < static_cast<Index>(scene->bands().size()); ++b) {
    bands.push_back(b);
  }
  return read_training_data(request, *scene, bands, std::int64_t{1} << 26U, console);
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

}  // namespace

TEST_CASE("a request is made of its options") {
  const TrainingDataRequest request = request_of({"a.gpkg", "--labels", "b.gpkg", "--labels", "c.gpkg", "--class-field",
                                                  "species", "--group-field", "plot", "--sampling", "percent:5"});
  CHECK(request.labels == std::vector<std::string>{"a.gpkg", "b.gpkg", "c.gpkg"});
  CHECK(request.label_options.class_field == "species");
  CHECK(request.label_options.group_field == "plot");
  CHECK(request.sampling.strategy == SamplingStrategy::percent);
  CHECK(request.seed == 4);
}

TEST_CASE("the regions of a label raster are its connected areas, also where few of their pixels are drawn") {
  const TrainingData data = read(request_of({SmallScene::instance().reference(), "--sampling", "constant:30"}));
  const SampleSet& samples = data.extraction.samples;
  CHECK(samples.size() == 60);
  const std::set<std::int64_t> regions(samples.regions.begin(), samples.regions.end());
  CHECK(regions == std::set<std::int64_t>{1, 2, 3, 4});  // two of each class, which touch at a corner
}

TEST_CASE("the regions of vector labels are the parts of their features") {
  const TemporaryFolder folder;
  const TrainingData data = read(request_of({write_points(folder), "--class-field", "class"}));
  CHECK(data.extraction.samples.pixels == std::vector<std::int64_t>{0, 1, 5, 9, 10});
  CHECK(data.extraction.samples.regions == std::vector<std::int64_t>{1, 2, 3, 4, 5});
  CHECK(data.extraction.samples.groups == data.extraction.samples.regions);
}

TEST_CASE("features of equal value in the group field are one group, regions stay what they are") {
  const TemporaryFolder folder;
  const auto groups = [&](const std::string& field) {
    const TrainingData data =
        read(request_of({write_points(folder), "--class-field", "class", "--group-field", field}));
    CHECK(data.extraction.samples.regions == std::vector<std::int64_t>{1, 2, 3, 4, 5});
    return data.extraction.samples.groups;
  };
  CHECK(groups("plot") == std::vector<std::int64_t>{-1, -1, -1, -2, -2});
  CHECK(groups("visit") == std::vector<std::int64_t>{1, 2, 3, -1, 5});  // only one feature has a value
}

}  // namespace parsimap::test
