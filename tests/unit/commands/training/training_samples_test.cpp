#include "commands/training/training_samples.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/samples/sampling.hpp"

#include "support/memory_scene.hpp"
#include "support/small_scene.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

namespace {

// 5000 pixels of class 0 and 300 of class 1.
LabelledPixels fully_labelled() {
  LabelledPixels labelled;
  labelled.classes = {{1, "a", {}}, {7, "b", {}}};
  for (std::int64_t i = 0; i < 5300; ++i) {
    labelled.pixels.push_back({i, i % 53 < 50 ? 0 : 1, 0});
  }
  return labelled;
}

// The samples of the pixels for which `usable` holds, spectrum = pixel.
template <typename Usable>
SampleSet samples_of(const LabelledPixels& labelled, Usable usable) {
  SampleSet samples;
  samples.classes = labelled.classes;
  for (const LabelledPixel& pixel : labelled.pixels) {
    if (usable(pixel.pixel)) {
      samples.labels.push_back(pixel.label);
      samples.places.push_back({pixel.pixel});
    }
  }
  samples.spectra = Matrix::Zero(static_cast<Index>(samples.labels.size()), 1);
  return samples;
}

std::vector<Index> drawn(const std::string& rule, LabelledPixels labelled) {
  SampleDraw draw(parse_sampling_rule(rule), labelled.classes, 3);
  draw.choose_candidates(labelled);
  SampleSet samples = samples_of(labelled, [](std::int64_t pixel) { return pixel % 2 == 0; });
  draw.draw(samples);
  return class_counts(samples);
}

}  // namespace

TEST_CASE("draws when half of the pixels have no spectrum") {
  const LabelledPixels labelled = fully_labelled();
  CHECK(drawn("all", labelled) == std::vector<Index>{2500, 150});
  CHECK(drawn("constant:40", labelled) == std::vector<Index>{40, 40});
  CHECK(drawn("smallest", labelled) == std::vector<Index>{150, 150});
  CHECK(drawn("percent:10", labelled) == std::vector<Index>{250, 15});
  CHECK(drawn("total:53", labelled) == std::vector<Index>{50, 3});
  // Of 5000 pixels 2000 are candidates: what they stand for is estimated.
  const std::vector<Index> few = drawn("percent:2", labelled);
  CHECK(std::abs(few[0] - 50) <= 3);
  CHECK(few[1] == 3);
}

TEST_CASE("the samples of a class do not depend on the others, nor on candidates") {
  LabelledPixels labelled = fully_labelled();
  SampleDraw draw(parse_sampling_rule("constant:20"), labelled.classes, 3);
  LabelledPixels candidates = labelled;
  draw.choose_candidates(candidates);
  CHECK(candidates.pixels.size() == 400 + 300);
  const auto all = [](std::int64_t) { return true; };
  SampleSet samples = samples_of(candidates, all);
  draw.draw(samples);
  std::erase_if(labelled.pixels, [](const LabelledPixel& pixel) { return pixel.label == 0 && pixel.pixel > 3000; });
  SampleDraw other(parse_sampling_rule("constant:20"), labelled.classes, 3);
  other.choose_candidates(labelled);
  SampleSet others = samples_of(labelled, all);
  other.draw(others);
  const auto second_class = [](const SampleSet& set) {
    std::vector<std::int64_t> pixels;
    for (std::size_t i = 0; i < set.labels.size(); ++i) {
      if (set.labels[i] == 1) {
        pixels.push_back(set.places[i].pixel);
      }
    }
    return pixels;
  };
  CHECK(second_class(samples).size() == 20);
  CHECK(second_class(samples) == second_class(others));
}

TEST_CASE("candidates tell whether a class reaches a size") {
  LabelledPixels labelled = fully_labelled();
  SampleDraw draw(parse_sampling_rule("constant:5"), labelled.classes, 3);
  draw.choose_candidates(labelled, 20);
  CHECK(labelled.pixels.size() == 400 + 300);
  // One pixel in nine: 300 labelled pixels are read to the last, 5000 are estimated.
  const SampleSet samples = samples_of(labelled, [](std::int64_t pixel) { return pixel % 9 == 0; });
  const std::vector<Index> sizes = draw.sizes(samples);
  CHECK(std::abs(sizes[0] - 556) < 200);
  CHECK(sizes[1] == class_counts(samples)[1]);
}

TEST_CASE("a table also holds for a part of the classes") {
  const TemporaryFolder folder;
  write_file(folder.file("counts.csv"), "a,30\nb,20\n");
  LabelledPixels labelled = fully_labelled();
  SampleDraw draw(parse_sampling_rule("byclass:" + folder.file("counts.csv")), labelled.classes, 3);
  labelled.classes.erase(labelled.classes.begin());
  std::erase_if(labelled.pixels, [](const LabelledPixel& pixel) { return pixel.label == 0; });
  for (LabelledPixel& pixel : labelled.pixels) {
    pixel.label = 0;
  }
  draw.choose_candidates(labelled);
  SampleSet samples = samples_of(labelled, [](std::int64_t) { return true; });
  draw.draw(samples);
  CHECK(class_counts(samples) == std::vector<Index>{20});
}

TEST_CASE("a table says how many of every class, by name or by code") {
  const TemporaryFolder folder;
  const std::string path = folder.file("counts.csv");
  const ClassTable classes = {{1, "oak", {}}, {7, "pine", {}}};
  const auto counts = [&](const std::string& content) {
    write_file(path, content);
    return class_table_counts(parse_sampling_rule("byclass:" + path), classes);
  };
  CHECK(counts("pine,30\n1,20\n") == std::vector<Index>{20, 30});
  CHECK(class_table_counts({}, classes).empty());
  CHECK(message_of([&] { counts("pine,30\n"); }) == path + ": class 'oak' of the labels is missing");
  CHECK(message_of([&] { counts("pine,30\noak,20\nelm,5\n"); }) == path + ": there is no class 'elm' in the labels");
  CHECK(message_of([&] { counts("pine,30\noak,0\n"); }) ==
        path + ": class 'oak' is to have 0 pixels; training takes 1 or more");
}

namespace {

TrainingSamples samples_to_train(const LabelInput& labels, const std::string& sampling = "all") {
  Listener silent;
  TrainOptions options;
  options.labels = labels;
  options.sampling = parse_sampling_rule(sampling);
  options.training.seed = 4;
  const OpenScene scene = open_scene(SmallScene::instance().scene());
  Indices bands;
  for (Index b = 0; b < static_cast<Index>(scene.source->bands().size()); ++b) {
    bands.push_back(b);
  }
  return read_training_samples(options, read_training_labels(options, *scene.source), *scene.source, bands, silent);
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
  const TrainingSamples data =
      read_training_samples(options, read_training_labels(options, scene), scene, {0, 1}, listener);
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
  const std::vector<std::int64_t> all = regions_of(samples.places);
  const std::set<std::int64_t> regions(all.begin(), all.end());
  CHECK(regions == std::set<std::int64_t>{1, 2, 3, 4});  // two of each class, which touch at a corner
}

TEST_CASE("the regions of vector labels are the parts of their features") {
  const TemporaryFolder folder;
  const TrainingSamples data = samples_to_train({{write_points(folder)}, {"class", {}}});
  CHECK(data.extraction.samples.places ==
        std::vector<SamplePlace>{{0, 1, {1}}, {1, 2, {2}}, {5, 3, {3}}, {9, 4, {4}}, {10, 5, {5}}});
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

TEST_CASE("a class of which no feature is on the scene is an error, unless small classes are dropped") {
  const TemporaryFolder folder;
  const SmallScene& small = SmallScene::instance();
  const RasterGrid grid = open_scene(small.scene()).source->grid();
  const auto at = [&](Index column, Index row) {
    const auto [x, y] = map_point(grid, static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5);
    return std::to_string(x) + "," + std::to_string(y);
  };
  std::string table = "x,y,class\n";
  for (Index i = 0; i < 10; ++i) {
    table += at(i, 3) + ",a\n" + at(29 - i, 20) + ",b\n";
  }
  write_file(folder.file("p.csv"), table + at(500, 3) + ",a\n" + at(500, 4) + ",c\n" + at(501, 4) + ",c\n");
  TrainOptions options = small.training("");
  options.labels.files = {folder.file("p.csv")};
  CHECK(contains(message_of([&] { train(options); }), "p.csv: no feature of 'c' has a pixel of " + small.scene() +
                                                          "; features without a pixel: 3 (class 'a': 1, class 'c': 2); "
                                                          "--min-samples 1 trains without classes that have"));
  options.min_samples = 1;
  RecordingListener listener;
  CHECK(train_scene(options, listener).model.classes.size() == 2);
  CHECK(listener.said("no feature of 'c' has a pixel of"));
}

TEST_CASE("names that differ only in case are refused unless a table merges them") {
  const TemporaryFolder folder;
  TrainOptions options = SmallScene::instance().training("");
  options.labels.class_table = folder.file("classes.csv");
  write_file(*options.labels.class_table, "from,to\nforest,Water\n");
  CHECK(contains(message_of([&] { train(options); }),
                 "the classes 'Water' and 'water' of " + options.labels.files.front() + " differ only in"));
  write_file(*options.labels.class_table, "from,to\nforest,Forest\n");
  CHECK(train(options).model.classes.size() == 2);
}

TEST_CASE("features of equal value in the group field are one group, regions stay what they are") {
  const TemporaryFolder folder;
  const auto groups = [&](const std::string& field) {
    const TrainingSamples data = samples_to_train({{write_points(folder)}, {"class", {}, field}});
    CHECK(regions_of(data.extraction.samples.places) == std::vector<std::int64_t>{1, 2, 3, 4, 5});
    return units_of(data.extraction.samples.places);
  };
  const SampleUnit first{0, SampleUnit::Reason::group};
  const SampleUnit second{1, SampleUnit::Reason::group};
  CHECK(groups("plot") == std::vector<SampleUnit>{first, first, first, second, second});
  CHECK(groups("visit") == std::vector<SampleUnit>{{1}, {2}, {3}, first, {5}});  // only one feature has a value
}

TEST_CASE("a class without a pixel is trained on the spectra of a library, and missing from both it is refused") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions options = small.training(folder.file("m"));
  options.training.family = KernelFamily::gaussian;
  options.samples_out = folder.file("lib.csv");
  train(options);
  options.samples_out.reset();
  options.overwrite = true;
  // Two points in the forest, and one of water far outside.
  const RasterGrid grid = open_scene(small.scene()).source->grid();
  const LabelledPixels truth = read_labels(small.reference(), {}, grid, "s");
  std::string points = "x,y,class\n0,0,water\n";
  int forest = 0;
  for (const LabelledPixel& pixel : truth.pixels) {
    if (forest < 2 && truth.classes[static_cast<std::size_t>(pixel.label)].name == "forest") {
      const auto place = map_point(grid, static_cast<double>(pixel.pixel % grid.width) + 0.5,
                                   static_cast<double>(pixel.pixel / grid.width) + 0.5);
      points += std::to_string(place[0]) + "," + std::to_string(place[1]) + ",forest\n";
      ++forest;
    }
  }
  write_file(folder.file("points.csv"), points);
  options.labels = {{folder.file("points.csv")}, {"class", {}}};
  CHECK(contains(message_of([&] { train(options); }), "no feature of 'water' has a pixel"));
  options.library.files = {folder.file("lib.csv")};
  for (const std::optional<Index> least : {std::optional<Index>(), std::optional<Index>(3)}) {
    options.min_samples = least;
    RecordingListener listener;
    const Model model = train_scene(options, listener).model;
    REQUIRE(model.classes.size() == 2);
    CHECK(model.classes[1].name == "water");
    CHECK(model.classifiers[1].samples > 3);
    CHECK_FALSE(listener.said("no feature of"));
    CHECK(listener.said("features without a pixel on the scene: 1 (class 'water': 1)"));
  }
}

}  // namespace parsimap::test
