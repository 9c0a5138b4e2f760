#include "commands/training/samples_output.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/library/library_file.hpp"

#include "commands/training/training_scenes.hpp"
#include "support/small_scene.hpp"

namespace parsimap::test {

namespace {

// The bytes of a model but for where it comes from.
std::string without_provenance(Model model) {
  model.provenance.options.clear();
  model.provenance.inputs.clear();
  model.provenance.trained.clear();
  model.provenance.units.reset();
  model.origins.reset();
  model.provenance.left_out.map_shares.resize(0);
  model.provenance.expected.reset();  // which knows the scene and its distances
  return model_bytes(model);
}

TrainOptions training_of_library(const std::string& library, const std::string& model) {
  TrainOptions options;
  options.library.files = {library};
  options.model = model;
  options.training.family = KernelFamily::gaussian;  // which is chosen soonest
  return options;
}

}  // namespace

TEST_CASE("training on kept samples gives the model that kept them") {
  const SmallScene& small = SmallScene::instance();
  for (const std::string extension : {"gpkg", "geojson", "sli", "fgb"}) {
    CAPTURE(extension);
    const TemporaryFolder folder;
    TrainOptions options = small.training(folder.file("first"));
    options.training.family = KernelFamily::gaussian;
    options.samples_out = folder.file("kept." + extension);
    options.bands.exclude = {"3-4"};
    options.colours = folder.file("colours.json");
    write_file(*options.colours, R"({"water": "#0000ff"})");
    const Model first = train(options).model;
    TrainOptions again = training_of_library(folder.file("kept." + extension), folder.file("second"));
    again.samples_out = folder.file("kept again." + (extension == "fgb" ? "gpkg" : extension));
    const TrainResult second = train(again);
    CHECK(without_provenance(first) == without_provenance(second.model));
    CHECK(second.record.scene.empty());
    CHECK(second.model.provenance.inputs.size() == (extension == "sli" ? 3 : 1));  // with its header and its table
    const Model third = train(training_of_library(*again.samples_out, folder.file("third"))).model;
    CHECK(without_provenance(first) == without_provenance(third));
  }
}

TEST_CASE("a page of a training on a library lists all files of the library") {
  const TemporaryFolder folder;
  TrainOptions options = SmallScene::instance().training(folder.file("first"));
  options.training.family = KernelFamily::gaussian;
  options.samples_out = folder.file("kept.sli");
  train(options);
  for (const std::string named : {"kept.sli", "kept.hdr"}) {
    TrainOptions again = training_of_library(folder.file(named), folder.file(named + ".model"));
    again.report = folder.file("page of " + named + ".html");
    train(again);
    for (const std::string file : {"kept.sli", "kept.hdr", "kept.csv"}) {
      CHECK(file_content(*again.report).find(folder.file(file)) != std::string::npos);
    }
  }
}

TEST_CASE("a table of kept samples gives the same machines, though it knows fewer facts of the bands") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions options = small.raster_training(folder.file("first"));
  options.sampling = parse_sampling_rule("constant:30");
  options.samples_out = folder.file("kept.csv");
  const Model first = train(options).model;
  const Model second = train(training_of_library(folder.file("kept.csv"), folder.file("second"))).model;
  CHECK(first.support_spectra == second.support_spectra);
  for (std::size_t c = 0; c < first.classifiers.size(); ++c) {
    CHECK(first.classifiers[c].coefficients == second.classifiers[c].coefficients);
    CHECK(first.classifiers[c].bias == second.classifiers[c].bias);
  }
}

TEST_CASE("kept samples have a place where they lie, and none where they are spectra of a library") {
  SampleSet samples;
  samples.spectra = Matrix::Constant(2, 1, 0.5);
  samples.classes = {{3, "oak", Colour{1, 2, 255}}};
  samples.labels = {0, 0};
  samples.places = {{5, 4, {1, SampleUnit::Reason::group}}, {SamplePlace::kNoPixel, 9, {9}}};
  const TrainingSource source{2, {1}, {{.wavelength = 500}}, {{0, "constant"}}};
  const RasterGrid grid{4, 3, std::array<double, 6>{100, 10, 0, 200, 0, -10}, ""};
  const PixelPlaces places{grid, false, {PixelPlace{1, 1, {115, 185}, "scene.tif"}, std::nullopt}};
  const SpectralLibrary library = library_of_samples(samples, source, places, "kept.sli");
  CHECK(library.attributes ==
        std::vector<std::string>{"class", "code", "region", "group", "row", "column", "x", "y", "colour"});
  CHECK(library.values[0] == std::vector<std::string>{"oak", "3", "4", "-2", "1", "1", "115", "185", "#0102ff"});
  CHECK(library.values[1] == std::vector<std::string>{"oak", "3", "9", "9", "", "", "", "", "#0102ff"});
  CHECK(library.names == std::vector<std::string>{"oak 1", "oak 2"});
  CHECK(library.origin->dropped == source.dropped_bands);
  check_library(library);
}

TEST_CASE("a format that leaves out what has no place is refused for spectra of libraries") {
  OutputSet outputs(false);
  CHECK_THROWS_AS(stage_samples(outputs, "--samples-out", "kept.fgb", false), ConfigError);
}

TEST_CASE("a Shapefile of samples has points without spectra") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions options = small.training(folder.file("model"));
  options.samples_out = folder.file("kept.shp");
  train(options);
  CHECK_FALSE(is_library(folder.file("kept.shp")));
}

}  // namespace parsimap::test
