#include "parsimap/accuracy/comparison.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <memory>

#include "parsimap/accuracy/change_map.hpp"
#include "parsimap/core/error.hpp"

#include "support/memory_scene.hpp"
#include "unit/accuracy/memory_map.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

using test::MemoryMap;
using test::reference;

const ClassTable kNamed = {{1, "forest", {}}, {2, "water", {}}};
const ClassTable kUnnamed = {{1, "1", {}}, {2, "2", {}}};

//  1 1 2
//  0 2 2
MemoryMap small_map(const ClassTable& classes, bool named) { return {3, {1, 1, 2, 0, 2, 2}, classes, named}; }

}  // namespace

TEST_CASE("classes without names are matched by code") {
  MemoryMap map = small_map(kUnnamed, false);
  const LabelledPixels labels = reference(kUnnamed, {{0, 0, 0}, {1, 1, 0}, {3, 0, 0}, {5, 1, 0}}, false);
  const ClassMatch match = match_classes(map, labels, "reference.tif");
  CHECK_FALSE(match.by_name);
  CHECK(match.names == std::vector<std::string>{"1", "2"});
  CHECK(match.codes == std::vector<std::optional<int>>{1, 2});
  const Comparison comparison = compare(map, labels, "reference.tif");
  CHECK(comparison.match.row == match.row);
  CountMatrix expected(2, 2);
  expected << 1, 0, 1, 1;
  CHECK(comparison.confusion.counts() == expected);
  CHECK(comparison.unclassified == 1);
}

TEST_CASE("text classes are matched by name whatever their codes") {
  MemoryMap map = small_map(kNamed, true);
  const LabelledPixels labels = reference({{1, "water", {}}, {2, "forest", {}}}, {{0, 1, 0}, {2, 0, 0}}, true);
  const ClassMatch match = match_classes(map, labels, "labels.gpkg");
  CHECK(match.by_name);
  CHECK(match.row == Indices{1, 0});
  CHECK(compare(map, labels, "labels.gpkg").confusion.overall_accuracy() == 1.0);
}

TEST_CASE("a named reference raster with other codes is matched by name") {
  MemoryMap map = small_map(kNamed, true);
  const LabelledPixels labels = reference({{1, "water", {}}, {2, "forest", {}}}, {{0, 1, 0}, {2, 0, 0}}, false);
  CHECK(match_classes(map, labels, "reference.tif").by_name);
}

TEST_CASE("classes without names among others with names are matched by code, unless a name leads there") {
  MemoryMap map = small_map(kNamed, true);
  const LabelledPixels labels = reference({{2, "2", {}}, {5, "forest", {}}}, {{0, 1, 0}, {2, 0, 0}}, false);
  CHECK(match_classes(map, labels, "reference.tif").row == Indices{1, 0});
  const LabelledPixels taken = reference({{1, "1", {}}, {5, "forest", {}}}, {{0, 1, 0}, {2, 0, 0}}, false);
  CHECK(match_classes(map, taken, "reference.tif").row == Indices{2, 0});
}

TEST_CASE("without a common name both lists of classes are shown, and codes do not decide") {
  MemoryMap map = small_map(kNamed, true);
  const LabelledPixels labels = reference({{1, "Wald", {}}, {2, "Wasser", {}}}, {{0, 0, 0}, {2, 1, 0}}, false);
  CHECK(message_of([&] { match_classes(map, labels, "reference.tif"); }) ==
        "reference.tif: 0 of its 2 classes are classes of map.tif by name; --class-field may name another field, and "
        "--classes FILE may rename classes\n  reference.tif  map.tif\n  1 Wald         1 forest\n  2 Wasser       2 "
        "water");
}

TEST_CASE("a reference of which few classes are those of the map is refused") {
  MemoryMap map = small_map(kNamed, true);
  const ClassTable classes = {{1, "forest", {}}, {2, "sand", {}}, {3, "snow", {}}};
  LabelledPixels labels = reference(classes, {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}, true);
  labels.other_texts = {{"level", {{"forest", {"forest"}}, {"water", {"sand", "snow"}}}}};
  CHECK(contains(message_of([&] { match_classes(map, labels, "labels.shp"); }),
                 "labels.shp: 1 of its 3 classes are classes of map.tif by name; --class-field level has the names"));
}

TEST_CASE("changes that the map never shows are classes of a reference, and other names are not") {
  const ChangeMap map(std::make_unique<MemoryMap>(small_map(kNamed, true)),
                      std::make_unique<MemoryMap>(small_map(kNamed, true)));
  REQUIRE(map.classes().size() == 2);
  const ClassTable pairs = {{1, "forest -> water", {}}, {2, "water -> forest", {}}, {3, "water -> water", {}}};
  const ClassMatch match =
      match_classes(map, reference(pairs, {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}, true), "changes.gpkg");
  CHECK(match.reference_only == std::vector<std::string>{"forest -> water", "water -> forest"});
  CHECK(match.row == Indices{2, 3, 1});
  const ClassTable others = {{1, "forest -> sand", {}}, {2, "sand -> forest", {}}, {3, "water -> water", {}}};
  CHECK(contains(message_of([&] {
                   match_classes(map, reference(others, {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}, true), "changes.gpkg");
                 }),
                 "changes.gpkg: 1 of its 3 classes are classes of map.tif by name"));
  // Codes mean the pairs of the map.
  const ClassTable codes = {{2, "2", {}}, {3, "3", {}}, {4, "4", {}}};
  CHECK(contains(message_of([&] {
                   match_classes(map, reference(codes, {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}, false), "changes.tif");
                 }),
                 "changes.tif: 1 of its 3 classes are classes of map.tif by code"));
}

TEST_CASE("codes decide unless the reference has the map's names in another field, with other codes") {
  MemoryMap map = small_map(kNamed, true);
  LabelledPixels labels = reference(kUnnamed, {{0, 0, 0}, {2, 1, 0}}, false);
  labels.other_texts = {{"remark", {{"forest", {"2"}}}},
                        {"level", {{"forest", {"1"}}, {"water", {"2"}}, {"sand", {"4"}}}}};
  CHECK(match_classes(map, labels, "labels.shp").row == Indices{0, 1});
  labels.other_texts["level"]["water"] = {"2", "3"};
  CHECK(contains(message_of([&] { match_classes(map, labels, "labels.shp"); }),
                 "labels.shp: the codes of its classes are not those of map.tif, whose classes have other codes in the "
                 "field 'level'; --class-field level has the names of the map\n  labels.shp  map.tif\n  1           1 "
                 "forest"));
}

TEST_CASE("a map without names takes those of the reference, but cannot be held against text classes") {
  MemoryMap map = small_map(kUnnamed, false);
  CHECK(match_classes(map, reference(kNamed, {}, false), "reference.tif").names ==
        std::vector<std::string>{"forest", "water"});
  CHECK(
      message_of([&] { match_classes(map, reference(kNamed, {}, true), "labels.gpkg"); }) ==
      "map.tif has no class names, but the classes of labels.gpkg are texts; assess with a class field of integers or "
      "a map with names");
  MemoryMap empty = small_map({}, false);
  CHECK(message_of([&] { match_classes(empty, reference(kNamed, {}, true), "labels.gpkg"); }) ==
        "map.tif has no pixel with a class");
}

TEST_CASE("reference classes that the map lacks become rows of errors") {
  MemoryMap map = small_map(kNamed, true);
  const ClassTable classes = {{1, "forest", {}}, {2, "sand", {}}, {3, "snow", {}}};
  const LabelledPixels labels = reference(classes, {{0, 0, 0}, {2, 2, 0}}, true);
  const ClassMatch match = match_classes(map, labels, "labels.gpkg");
  CHECK(match.names == std::vector<std::string>{"forest", "water", "snow"});  // no pixel is sand
  CHECK(match.reference_only == std::vector<std::string>{"snow"});
  const Comparison comparison = compare(map, labels, "labels.gpkg");
  CHECK(comparison.confusion.counts()(2, 1) == 1);
  CHECK(comparison.confusion.overall_accuracy() == 0.5);
}

TEST_CASE("names in the matrix stay unique") {
  // A map of texts that were numbers has names that equal those of codes.
  MemoryMap map = small_map({{1, "3", {}}, {2, "water", {}}}, true);
  const LabelledPixels labels = reference({{3, "3", {}}}, {{0, 0, 0}}, false);
  CHECK(match_classes(map, labels, "reference.tif").names == std::vector<std::string>{"3", "water"});
}

TEST_CASE("a reference without a labelled pixel on the map is refused as such") {
  MemoryMap map = small_map(kUnnamed, false);
  CHECK(message_of([&] {
          compare(map, reference(kUnnamed, {}, false), "reference.tif");
        }).starts_with("reference.tif has no labelled pixel on "));
}

TEST_CASE("a map that is unclassified at all reference pixels cannot be assessed") {
  MemoryMap map = small_map(kUnnamed, false);
  const LabelledPixels labels = reference(kUnnamed, {{3, 0, 0}}, false);
  CHECK_THROWS_AS(compare(map, labels, "reference.tif"), DataError);
}

TEST_CASE("of a large map only the part with reference pixels is read") {
  constexpr Index kWidth = 3000;
  constexpr Index kHeight = 3000;
  MemoryMap map(kWidth, std::vector<std::uint16_t>(static_cast<std::size_t>(kWidth * kHeight), 2), kUnnamed, false);
  std::vector<LabelledPixel> pixels;
  for (const Index row : {5, 6, 2999}) {
    for (const Index column : {7, 9}) {
      pixels.push_back({row * kWidth + column, 1, 0});
    }
  }
  const LabelledPixels labels = reference(kUnnamed, pixels, false);
  const Comparison comparison = compare(map, labels, "reference.tif");
  CHECK(comparison.confusion.counts()(1, 1) == 6);
  CHECK(map.pixels_read == 3 * 2 + 3);  // two rows and one row, three columns each
}

TEST_CASE("every reference pixel has its column, and its code") {
  MemoryMap map = small_map(kUnnamed, false);
  const LabelledPixels labels = reference(kUnnamed, {{0, 0, 0}, {2, 1, 0}, {3, 0, 0}, {5, 1, 0}}, false);
  CHECK(codes_at(map, labels.pixels) == std::vector<std::uint16_t>{1, 2, 0, 2});
  CHECK(compare(map, labels, "reference.tif").columns == Indices{0, 1, -1, 1});
}

TEST_CASE("intervals are those of features where there are any, of pixels otherwise") {
  MemoryMap map(4, std::vector<std::uint16_t>(16, 1), kUnnamed, false);
  std::vector<LabelledPixel> pixels;
  for (std::int64_t i = 0; i < 16; ++i) {
    pixels.push_back({i, i < 12 ? 0 : 1, 0});
  }
  const LabelledPixels raster = reference(kUnnamed, pixels, false);
  for (LabelledPixel& pixel : pixels) {
    pixel.region = 1 + pixel.pixel / 4;
  }
  const LabelledPixels polygons = reference(kUnnamed, pixels, false);
  const Comparison comparison = compare(map, raster, "reference");
  const AccuracyIntervals by_pixel = comparison_intervals(comparison, raster);
  const AccuracyIntervals by_feature = comparison_intervals(comparison, polygons);
  CHECK_FALSE(by_pixel.regions);
  CHECK(by_pixel.overall_accuracy == wilson_interval(0.75, 16));
  CHECK(by_feature.regions == 4);
  CHECK(by_feature.overall_accuracy->low < by_pixel.overall_accuracy->low);
  CHECK(by_feature.classes[0].regions == 3);
  CHECK(by_feature.classes[1].regions == 1);
  CHECK_FALSE(by_pixel.classes[0].regions);
  // The pixels of two of the four features have one value of the group field.
  LabelledPixels plots = polygons;
  plots.region_units = {{1, {0, SampleUnit::Reason::group}}, {2, {0, SampleUnit::Reason::group}}};
  const AccuracyIntervals by_plot = comparison_intervals(comparison, plots);
  CHECK(by_plot.regions == 3);
  CHECK(by_plot.classes[0].regions == 2);
  CHECK(by_plot.overall_accuracy->low < by_feature.overall_accuracy->low);
  const MapComparison other = compare_maps(map, map, plots, right_of_pairs(comparison, map, plots, "reference"));
  CHECK(other.regions == 3);
  TrainingOverlap overlap;
  count_overlap(comparison, plots, {0}, overlap);
  CHECK(overlap.regions == 1);
  CHECK(overlap.other_pixels == 8);
}

namespace {

using test::kForestAndWater;
using test::MemoryMap;
using test::reference;

// 3 x 2 in bands of the given names; the last pixel has no probabilities.
MemoryScene small_probabilities(const std::string& first, const std::string& second) {
  Spectra values(6, 2);
  values << 0.75F, 0.25F, 0.875F, 0.125F, 0.25F, 0.75F, 0.5F, 0.5F, 0.375F, 0.625F, 0, 0;
  values.row(5).setConstant(std::numeric_limits<float>::quiet_NaN());
  return {"p.tif", {3, 2, std::nullopt, ""}, {Band{first}, Band{second}}, values};
}

}  // namespace

TEST_CASE("every reference pixel is visited in its order, with its probabilities where there are any") {
  MemoryScene probabilities = small_probabilities("forest", "water");
  std::vector<std::vector<double>> visited;
  std::vector<double> progress;
  visit_probabilities(
      probabilities, reference(kForestAndWater, {{1, 1, 0}, {2, 0, 0}, {5, 1, 0}}, true),
      [&](double fraction) { progress.push_back(fraction); },
      [&](std::size_t i, const std::vector<double>& values) {
        CHECK(i == visited.size());
        visited.push_back(values);
      });
  CHECK(visited == std::vector<std::vector<double>>{{0.875, 0.125}, {0.25, 0.75}, {}});
  CHECK(progress == std::vector<double>{1});
  CHECK(probabilities.values_read() < 6 * 2);
}

TEST_CASE("more reference pixels than are held at a time are all visited once") {
  constexpr Index kSide = 300;
  Spectra values(kSide * kSide, 1);
  std::vector<LabelledPixel> pixels;
  for (Index i = 0; i < kSide * kSide; ++i) {
    values(i, 0) = static_cast<float>(i);
    pixels.push_back({i, 0, 0});
  }
  MemoryScene probabilities("p.tif", {kSide, kSide, std::nullopt, ""}, {Band{"forest"}}, values);
  bool in_order = true;
  std::size_t visited = 0;
  visit_probabilities(probabilities, reference(kForestAndWater, pixels, true), {},
                      [&](std::size_t i, const std::vector<double>& found) {
                        in_order = in_order && i == visited && found.front() == static_cast<double>(i);
                        ++visited;
                      });
  CHECK(in_order);
  CHECK(visited == pixels.size());
}

TEST_CASE("a pixel is right where the class of its largest probability is the reference's, by name") {
  // The bands are not in the order of the classes. Pixel 0 is right, 2 is wrong, 4 is right, 5 has no probabilities.
  MemoryScene probabilities = small_probabilities("water", "forest");
  MemoryMap map(3, {1, 1, 1, 2, 2, 2}, kForestAndWater, true);
  const LabelledPixels labels = reference(kForestAndWater, {{0, 1, 0}, {2, 1, 0}, {4, 0, 0}, {5, 0, 0}}, true);
  const ClassMatch match = match_classes(map, labels, "labels");
  const Reliability reliability = assess_probabilities(probabilities, labels, match, {});
  std::int64_t pixels = 0;
  for (const ReliabilityBin& bin : reliability.bins()) {
    pixels += bin.pixels;
    if (bin.low <= 0.625 && 0.625 < bin.high) {
      CHECK(bin.pixels == 1);
      CHECK(bin.accuracy == 1);
      CHECK(bin.confidence == 0.625);
    }
    if (bin.low <= 0.76 && 0.76 < bin.high) {
      CHECK(bin.pixels == 2);
      CHECK(bin.accuracy == 0.5);
    }
  }
  CHECK(pixels == 3);
  MemoryScene scene = small_probabilities("band 1", "band 2");
  CHECK(message_of([&] { assess_probabilities(scene, labels, match, {}); }) ==
        "p.tif: the band 'band 1' has not the name of a class; it must be a raster of 'classify --probabilities'");
  // The probabilities of another legend may have some names of classes.
  MemoryScene other = small_probabilities("water", "meadow");
  CHECK(contains(message_of([&] { assess_probabilities(other, labels, match, {}); }), "the band 'meadow' has not"));
}

}  // namespace parsimap::test
