#include "commands/suspect_layers.hpp"

#include <doctest/doctest.h>

#include "support/small_inspection.hpp"

using namespace parsimap;

TEST_CASE("regions come by rank and pixels the other way round, so that suspicious ones lie above") {
  const InspectionRecord record = test::small_inspection();
  SampleSet samples;
  samples.pixels = {10, 11, 25, 26, 30};
  const std::vector<PixelLayer> layers = suspect_layers(record, samples, 10);
  REQUIRE(layers.size() == 2);
  const PixelLayer& regions = layers[0];
  REQUIRE(regions.features.size() == 3);
  CHECK(regions.features[0].pixels == std::vector<std::int64_t>{25, 26});
  CHECK(regions.features[0].values.size() == regions.fields.size());
  CHECK(regions.fields[2].name == "label");
  CHECK(regions.features[0].values[2] == FieldValue("oak"));
  CHECK(regions.features[0].values[3] == FieldValue("elm"));
  CHECK(regions.features[0].values.back() == FieldValue(std::int64_t{41}));
  CHECK(regions.features[2].values.back() == FieldValue());
  CHECK(std::get<double>(regions.features[1].values[1]) == doctest::Approx(2.0 / 3));
  const PixelLayer& pixels = layers[1];
  REQUIRE(pixels.features.size() == 5);
  CHECK(pixels.features.back().pixels == std::vector<std::int64_t>{26});
  CHECK(pixels.features.back().values.size() == pixels.fields.size());
  CHECK(pixels.features.back().values.back() == FieldValue(std::int64_t{6}));
}

TEST_CASE("steps of the list") {
  const auto step = [](double margin, Index rank) {
    LabelEvidence evidence;
    evidence.margin = margin;
    evidence.rank = rank;
    return suspicion_step(evidence, 100);
  };
  CHECK(step(-1, 5) == 0);
  CHECK(step(-1, 6) == 1);
  CHECK(step(-1, 25) == 2);
  CHECK(step(-1, 100) == 3);
  CHECK(step(0, 1) == suspicion_steps().size() - 1);
}
