#include "parsimap/mapping/view_map.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/random.hpp"

#include "hand_made_scene.hpp"
#include "support/toy_model.hpp"

namespace parsimap::test {

TEST_CASE("a view has the label and the probability of every pixel, whatever the number of threads and of calls") {
  const Model model = toy::random_model(4, 6, 40, 9);
  const Predictor predictor(model);
  Random random(2);
  Spectra spectra = (2000 + 500 * random.normal_matrix(9001, 6).array()).cast<float>();
  spectra(17, 3) = std::numeric_limits<float>::quiet_NaN();
  spectra(9000, 0) = std::numeric_limits<float>::infinity();
  ViewMap map;
  append_pixels(model, predictor, spectra, 2, map);
  REQUIRE(map.codes.size() == 9001);
  REQUIRE(map.confidences.size() == 9001);
  for (const Index i : {0, 1, 17, 4095, 4096, 8999, 9000}) {
    CAPTURE(i);
    const auto at = static_cast<std::size_t>(i);
    if (i == 17 || i == 9000) {
      CHECK(map.codes[at] == 0);
      CHECK(map.confidences[at] == 0);
      continue;
    }
    Spectra probabilities;
    predictor.probabilities(spectra.middleRows(i, 1), 1, probabilities);
    Index label = 0;
    const float most = probabilities.row(0).maxCoeff(&label);
    CHECK(map.codes[at] == model.classes[static_cast<std::size_t>(label)].code);
    CHECK(std::abs(static_cast<float>(map.confidences[at]) - 255 * most) < 0.51F);
  }
  ViewMap parts;
  append_pixels(model, predictor, spectra.topRows(5000), 1, parts);
  append_pixels(model, predictor, spectra.bottomRows(4001), 1, parts);
  CHECK(parts.codes == map.codes);
  CHECK(parts.confidences == map.confidences);
}

TEST_CASE(
    "a view with neighbours has the labels and confidences of a map by the same rule, also beside missing pixels") {
  const Model model = hand_made_model();
  const Predictor predictor(model);
  MemoryScene scene = scene_of(sparse_values());
  for (const char* rule : {"gaussian:2:0.9", "neighbours:1:3"}) {
    CAPTURE(rule);
    MappingOptions options;
    options.regularisation = parse_regularisation(rule);
    options.exponent = 1.4;
    options.threads = 2;
    const Outcome whole = map_of(scene, model, options);
    PixelBlock block(kWidth, kHeight, kClasses, gaussian_reach(options.regularisation.sigma));
    block.reset({0, 0, kWidth, kHeight});
    for (const Window& part : {Window{0, 0, kWidth, 13}, Window{0, 13, kWidth, kHeight - 13}}) {
      Spectra spectra;
      scene.read(part, model.bands, spectra);
      fill_probabilities(model, predictor, part, spectra, 2, block);
    }
    // Nothing, some and all of a window have a value.
    for (const Window& window : {Window{20, 2, 9, 9}, Window{4, 2, 30, 22}, Window{6, 4, 5, 5}}) {
      ViewMap map;
      append_block(model, block, window, options, map);
      REQUIRE(std::ssize(map.codes) == window.pixels());
      for (Index i = 0; i < window.pixels(); ++i) {
        const Index pixel = (window.row + i / window.width) * kWidth + window.column + i % window.width;
        const auto at = static_cast<std::size_t>(i);
        CHECK(map.codes[at] == whole.codes[static_cast<std::size_t>(pixel)]);
        const float confidence = map.codes[at] == 0 ? 0 : whole.confidence(pixel, 0);
        CHECK(map.confidences[at] == std::lround(255 * confidence));
      }
    }
  }
}

}  // namespace parsimap::test
