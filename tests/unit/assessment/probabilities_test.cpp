#include "parsimap/assessment/probabilities.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "parsimap/scene/memory_scene.hpp"

#include "unit/assessment/memory_map.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap {
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
        "p.tif: no band has the name of a class; it must be a raster of 'classify --probabilities'");
}

}  // namespace parsimap
