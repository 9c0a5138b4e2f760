#include "parsimap/accuracy/drawn_sample.hpp"

#include <doctest/doctest.h>

#include "parsimap/accuracy/agreement_map.hpp"
#include "parsimap/core/error.hpp"

#include "unit/accuracy/drawn_maps.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("too few labels, and a map with further pixels, are refused") {
  MemoryMap map = known_map();
  const auto check = [&](const DrawnSample& sample, std::int64_t mapped) {
    const LabelledPixels labels = labels_of(sample);
    const std::vector<DrawnStratum> strata = drawn_strata(sample);
    check_population(sample, strata, mapped);
    check_enough(sample, strata, labelled_units(sample, labels, compare(map, labels, "plan.gpkg")));
  };
  DrawnSample sample = drawn(map, SamplingDesign::stratified, 50);
  CHECK_NOTHROW(check(sample, 1000));
  sample.labelled = 3;
  CHECK(message_of([&] { check(sample, 1000); }).starts_with("plan.gpkg has 1 labelled points in stratum"));
  DrawnSample clusters = drawn(map, SamplingDesign::clusters, 50);
  clusters.labelled = 5;
  CHECK(message_of([&] { check(clusters, 1000); }) ==
        "plan.gpkg has 1 completely labelled clusters; two are the least that show a variance");
  MemoryMap smaller = known_map(300);
  const DrawnSample other = drawn(smaller, SamplingDesign::simple, 50);
  CHECK(message_of([&] { check(other, 1000); }) ==
        "the strata of plan.gpkg have 700 pixels by its inclusion probabilities, and the map classifies 1000: points "
        "without a label were removed, or it was drawn from another map");
}

TEST_CASE("strata have the pixels that they were drawn from, whatever the design") {
  MemoryMap map = known_map();
  for (const SamplingDesign design : {SamplingDesign::simple, SamplingDesign::stratified, SamplingDesign::clusters}) {
    double pixels = 0;
    for (const DrawnStratum& stratum : drawn_strata(drawn(map, design, 60))) {
      pixels += stratum.pixels;
    }
    CHECK(pixels == doctest::Approx(1000));
  }
}

TEST_CASE("a sample with a stratum of the pixels where maps differ compares them, unless it has other aims") {
  DrawnSample sample{
      .file = "plan.gpkg", .aims = {parse_aim("difference:0.01")}, .strata = {"the maps agree", kMapsDiffer}};
  CHECK(sample.only_compares());
  sample.aims.push_back(parse_aim("overall:0.02"));
  CHECK(!sample.only_compares());
  sample.aims = {};
  CHECK(sample.only_compares());
  sample.strata = {"forest", "water"};
  CHECK(!sample.only_compares());
}

TEST_CASE("how many points an aim needs follows from the error so far") {
  // Of very many pixels a quarter of the error needs 16 times as many points, and of few pixels no more than there are.
  CHECK(points_for(0.01, 0.04, 50, 1e12) == 800);
  CHECK(points_for(1e-6, 0.04, 50, 1000) == 1000);
  CHECK(points_for(0.04, 0.04, 50, 1000) == 50);
}

}  // namespace parsimap::test
