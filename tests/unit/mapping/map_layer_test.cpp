#include "parsimap/mapping/map_layer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <set>

#include "parsimap/mapping/classify_scene.hpp"

#include "support/memory_scene.hpp"
#include "unit/mapping/hand_made_scene.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("every layer has one entry, with an option and bands of its own") {
  const ClassTable classes = {{1, "oak", {}}, {2, "pine", {}}};
  std::set<MapLayer> layers;
  std::set<std::string> options;
  for (const MapLayerDescription& description : map_layers()) {
    layers.insert(description.layer);
    options.insert(description.option);
    CHECK(&map_layer(description.layer) == &description);
    std::vector<std::string> names = description.fixed_bands;
    if (description.each_class) {
      names.insert(names.end(), {"oak", "pine"});
    }
    CHECK(description.bands(classes) == names);
    CHECK(!names.empty());
  }
  CHECK(layers.size() == map_layers().size());
  CHECK(options == std::set<std::string>{"probabilities", "confidence", "uncertainty", "decision-values", "novelty",
                                         "deciding", "sets-out", "applicability"});
}

TEST_CASE("a layer shows the numbers of its pixel") {
  OwnDecisions own;
  own.decision_values = Spectra{{1, -1}, {0.5F, 2}};
  own.novelty = Spectra{{0.25F}, {0.75F}};
  own.deciding = Spectra{{1, 2, 0.5F}, {3, 1, -0.5F}};
  own.applicability = Spectra{{0.25F, 0.5F, 0.5F, 0.25F}, {0.75F, 0.125F, 0.75F, 0.875F}};
  own.sets = Spectra{{2, 1, 1}, {1, 0, 1}};
  FinalDecisions decided;
  decided.probabilities = Spectra{{0.9F, 0.1F}, {0.2F, 0.8F}};
  decided.confidence = Spectra{{0.9F}, {0.8F}};
  const auto second_pixel = [&](MapLayer layer) {
    std::array<float, 4> values{};
    const auto& fill = map_layer(layer).values;
    if (const auto* of_spectrum = std::get_if<LayerValues<OwnDecisions>>(&fill)) {
      (*of_spectrum)(own, 1, values.data());
    } else {
      std::get<LayerValues<FinalDecisions>>(fill)(decided, 1, values.data());
    }
    return values;
  };
  CHECK(second_pixel(MapLayer::probabilities) == std::array<float, 4>{0.2F, 0.8F});
  CHECK(second_pixel(MapLayer::confidence) == std::array<float, 4>{0.8F, 0});
  const std::array<float, 4> uncertainty = second_pixel(MapLayer::uncertainty);
  CHECK(uncertainty[0] == doctest::Approx(0.4));  // 1 - (0.8 - 0.2)
  CHECK(uncertainty[1] == doctest::Approx(-0.2 * std::log2(0.2) - 0.8 * std::log2(0.8)));
  CHECK(second_pixel(MapLayer::decision_values) == std::array<float, 4>{0.5F, 2});
  CHECK(second_pixel(MapLayer::novelty) == std::array<float, 4>{0.75F, 0});
  CHECK(second_pixel(MapLayer::deciding) == std::array<float, 4>{3, 1, -0.5F});
  CHECK(second_pixel(MapLayer::applicability) == std::array<float, 4>{0.75F, 0.125F, 0.75F, 0.875F});
  CHECK(second_pixel(MapLayer::sets) == std::array<float, 4>{1, 0, 1});
}

TEST_CASE("uncertainty has the closed forms of its two measures") {
  const auto uncertainty = [](const std::vector<float>& p) { return uncertainty_of(p.data(), std::ssize(p)); };
  // One class is certain, wherever it stands.
  for (const auto& certain : {std::vector<float>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
    CHECK(uncertainty(certain).margin == 0);
    CHECK(uncertainty(certain).entropy == 0);
  }
  // Two of four classes are equally likely: no margin is left, and log 2 of log 4.
  CHECK(uncertainty({0, 0.5F, 0, 0.5F}).margin == 1);
  CHECK(uncertainty({0, 0.5F, 0, 0.5F}).entropy == doctest::Approx(0.5));
  // All classes are equally likely.
  for (const int classes : {2, 3, 7}) {
    const std::vector<float> equal(static_cast<std::size_t>(classes), 1.0F / static_cast<float>(classes));
    CHECK(uncertainty(equal).margin == 1);
    CHECK(uncertainty(equal).entropy == doctest::Approx(1));
    CHECK(uncertainty(equal).entropy <= 1);
  }
  // The order of the classes says nothing.
  CHECK(uncertainty({0.5F, 0.3F, 0.2F}).margin == doctest::Approx(0.8));
  CHECK(uncertainty({0.2F, 0.3F, 0.5F}).margin == doctest::Approx(0.8));
  CHECK(uncertainty({0.2F, 0.3F, 0.5F}).entropy ==
        doctest::Approx(-(0.5 * std::log(0.5) + 0.3 * std::log(0.3) + 0.2 * std::log(0.2)) / std::log(3.0)));
}

TEST_CASE("early stages decide labels, and no layer nor a limit on the confidence") {
  Model model = hand_made_model();
  const auto classes = static_cast<Index>(model.classes.size());
  // This one takes every pixel for one of the last class.
  EarlyStage stage{{0}, Matrix::Zero(3, classes), Vector::Constant(classes, 0.5), 1};
  stage.coefficients(2, classes - 1) = 1;
  model.early_stages = EarlyStages{Matrix::Zero(model.support_spectra.cols(), 1), {stage}, 5000};
  MemoryScene scene = scene_of(dense_values());
  const auto mapped = [&](const Model& by, const MappingOptions& options) {
    MemoryClassMapSink map(scene.grid());
    return classify_scene(scene, by, {&map, {}}, options, {}).class_pixels;
  };
  CHECK(mapped(model, {}) == std::vector<std::int64_t>{0, 0, kWidth * kHeight});
  // Neighbours look at probabilities, which this stage does not promise.
  const MappingOptions neighbours{.regularisation = {RegularisationMethod::neighbours, 1.0}};
  CHECK(mapped(model, neighbours) == mapped(hand_made_model(), neighbours));
  const Outcome with_layers = map_of(scene, model, {});
  const Outcome exact = map_of(scene, hand_made_model(), {});
  CHECK(with_layers.codes == exact.codes);
  CHECK(same_values(with_layers.confidence, exact.confidence));
  CHECK(mapped(model, {.reject = 0.1}) == mapped(hand_made_model(), {.reject = 0.1}));
}
