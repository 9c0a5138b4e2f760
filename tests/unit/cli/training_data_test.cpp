#include "parsimap/cli/training_data.hpp"

#include <doctest/doctest.h>

#include "parsimap/io/gdal/scene.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

TrainingDataRequest request_of(const std::vector<std::string>& arguments) {
  CommandSyntax syntax = {.name = "x", .arguments = {{"LABELS", "labels"}}, .options = training_data_option_syntax()};
  syntax.options.push_back({.name = "group-field", .kind = OptionKind::text});
  return training_data_request(parse_command_line(syntax, arguments), 4);
}

TrainingData read(TrainingDataRequest request, bool regions) {
  request.regions = regions;
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

TEST_CASE("the same samples with and without regions, which the areas of a raster have when they are wanted") {
  const TrainingDataRequest request = request_of({SmallScene::instance().reference(), "--sampling", "constant:30"});
  const TrainingData without = read(request, false);
  const TrainingData with = read(request, true);
  CHECK(with.extraction.samples.pixels == without.extraction.samples.pixels);
  CHECK(with.extraction.samples.size() == 60);
  for (const std::int64_t region : without.extraction.samples.regions) {
    CHECK(region == 0);
  }
  for (const std::int64_t region : with.extraction.samples.regions) {
    CHECK(region > 0);
  }
}

}  // namespace parsimap::test
