#include "cli/reference_probabilities.hpp"

#include <doctest/doctest.h>

#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/gdal/labels.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

// The probabilities of the small scene, written into `folder`.
std::string classified_probabilities(const TemporaryFolder& folder) {
  const SmallScene& small = SmallScene::instance();
  const std::string probabilities = folder.file("p.tif");
  REQUIRE(
      run({"classify", small.scene(), small.model(), folder.file("map.tif"), "--probabilities", probabilities}).code ==
      0);
  return probabilities;
}

}  // namespace

TEST_CASE("probabilities are held against the reference, by the names of the classes") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string probabilities = classified_probabilities(folder);
  const auto map = open_class_map(small.map());
  const LabelledPixels reference = read_labels(small.reference(), {}, map->grid(), map->name());
  const ClassMatch match = match_classes(*map, reference, small.reference());
  const Reliability reliability = read_reliability(probabilities, *map, reference, match);
  std::int64_t pixels = 0;
  double right = 0;
  for (const ReliabilityBin& bin : reliability.bins()) {
    pixels += bin.pixels;
    right += bin.accuracy * static_cast<double>(bin.pixels);
  }
  CHECK(pixels == static_cast<std::int64_t>(reference.pixels.size()));
  auto compared = open_class_map(small.map());
  const Comparison comparison = compare(*compared, reference, match);
  CHECK(right / static_cast<double>(pixels) == doctest::Approx(*comparison.confusion.overall_accuracy()));
  CHECK(message_of([&] { read_reliability(small.scene(), *map, reference, match); }) ==
        small.scene() + ": no band has the name of a class; it must be a raster of 'classify --probabilities'");
}

TEST_CASE("assess shows them in its report") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string probabilities = classified_probabilities(folder);
  const std::string report = folder.file("accuracy.html");
  REQUIRE(run({"assess", small.map(), small.reference(), "--probabilities", probabilities, "--report", report}).code ==
          0);
  CHECK(contains(file_content(report), "expected calibration error"));
  const Outcome alone = run({"assess", small.map(), small.reference(), "--probabilities", probabilities});
  CHECK(alone.code == 2);
  CHECK(contains(alone.err, "--probabilities only goes with --predictions or --report"));
}

}  // namespace parsimap::test
