#include "parsimap/inspection/label_inspection.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/classifier/train.hpp"
#include "parsimap/inspection/left_out_folds.hpp"

#include "support/toy_regions.hpp"

using namespace parsimap;

namespace {

constexpr double kUnknown = -std::numeric_limits<double>::infinity();

LabelInspection inspect(const SampleSet& samples) {
  const Model model = train_one_vs_all(samples, {}, {});
  const Matrix spectra = model.scaling.apply(samples.spectra);
  const LabelledSpectra labelled{spectra, samples.labels, samples.groups, samples.classes.size()};
  const LeftOutOptions options;
  const Matrix decisions =
      left_out_decisions(labelled, left_out_folds(labelled, {}, options), MachineDesign(model), options);
  return inspect_labels({decisions, samples.labels, samples.regions, model.softmax_slope});
}

}  // namespace

TEST_CASE("margins, probabilities and ranks of pixels and regions") {
  Matrix decisions(5, 3);
  decisions << 1, -1, -1,  //
      0.5, 1, -1,          //
      0.8, -1, -2,         //
      -1, 0.2, 0.5,        //
      -1, -1, 1;
  const std::vector<int> labels = {0, 0, 0, 1, 2};
  const std::vector<std::int64_t> regions = {4, 4, 4, 9, 2};
  const LabelInspection found = inspect_labels({decisions, labels, regions, 2});
  REQUIRE(found.pixels.size() == 5);
  CHECK(found.pixels[0].margin == doctest::Approx(2));
  CHECK(found.pixels[1].margin == doctest::Approx(-0.5));
  CHECK(found.pixels[1].likely == 1);
  const double sum = std::exp(1.0) + std::exp(2.0) + std::exp(-2.0);
  CHECK(found.pixels[1].label_probability == doctest::Approx(std::exp(1.0) / sum));
  CHECK(found.pixels[1].likely_probability == doctest::Approx(std::exp(2.0) / sum));
  CHECK(found.pixels[1].rank == 1);
  CHECK(found.pixels[3].rank == 2);
  // The two pixels with a margin of 2 keep their order.
  CHECK(found.pixels[0].rank == 4);
  CHECK(found.pixels[4].rank == 5);
  REQUIRE(found.regions.size() == 3);
  CHECK(found.regions[0].region == 9);
  CHECK(found.regions[0].evidence.likely == 2);
  // Medians of region 4: 0.8, -1, -1.
  CHECK(found.regions[1].region == 4);
  CHECK(found.regions[1].evidence.margin == doctest::Approx(1.8));
  CHECK(found.regions[1].against == 1);
  CHECK(found.regions[1].pixels == Indices{0, 1, 2});
  CHECK(found.regions[2].evidence.rank == 3);
  CountMatrix confusion(3, 3);
  confusion << 2, 1, 0, 0, 0, 1, 0, 0, 1;
  CHECK(found.confusion == confusion);
}

TEST_CASE("the evidence of an even number of pixels is between the two in the middle") {
  Matrix decisions(4, 2);
  decisions << 1, -1, 0.2, -1, 0.6, -1, -9, -1;
  const LabelInspection found = inspect_labels({decisions, {0, 0, 0, 0}, {1, 1, 1, 1}, 1});
  CHECK(found.regions[0].evidence.margin == doctest::Approx(1.4));
}

TEST_CASE("a label whose class nobody knows is suspicious only where another class claims the region") {
  Matrix decisions(2, 3);
  decisions << -0.7, kUnknown, -1,  //
      0.4, kUnknown, -1;
  const LabelInspection found = inspect_labels({decisions, {1, 1}, {1, 2}, 1});
  CHECK_FALSE(found.pixels[0].label_known);
  CHECK(found.pixels[0].margin == doctest::Approx(0.7));
  CHECK(found.pixels[0].likely == 1);
  CHECK(found.pixels[1].margin == doctest::Approx(-0.4));
  CHECK(found.pixels[1].likely == 0);
  CHECK(found.confusion.sum() == 0);
}

TEST_CASE("a tie speaks for the label, whatever its place") {
  Matrix decisions(2, 2);
  decisions << 0.5, 0.5, 0.5, 0.5;
  const LabelInspection found = inspect_labels({decisions, {0, 1}, {1, 2}, 1});
  CHECK(found.pixels[0].likely == 0);
  CHECK(found.pixels[1].likely == 1);
  CHECK(found.pixels[1].margin == 0);
}

TEST_CASE("regions with wrong labels are found: four of five in the first tenth of the list at least") {
  Index found = 0;
  Index flipped_regions = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    SampleSet samples = toy::labelled_regions(15, seed);
    const std::set<std::int64_t> flipped = toy::flip_regions(samples, 3, seed + 10);
    const LabelInspection inspection = inspect(samples);
    REQUIRE(inspection.regions.size() == 60);
    for (std::size_t i = 0; i < 6; ++i) {
      found += flipped.contains(inspection.regions[i].region) ? 1 : 0;
    }
    flipped_regions += static_cast<Index>(flipped.size());
  }
  CAPTURE(found);
  CHECK(5 * found >= 4 * flipped_regions);
}
