#include "parsimap/mapping/map_layer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <set>

using namespace parsimap;

TEST_CASE("every layer has one entry, with an option and bands of its own") {
  const ClassTable classes = {{1, "oak", {}}, {2, "pine", {}}};
  std::set<MapLayer> layers;
  std::set<std::string> options;
  for (const MapLayerDescription& description : map_layers()) {
    layers.insert(description.layer);
    options.insert(description.option);
    CHECK(&map_layer(description.layer) == &description);
    CHECK(description.bands(classes) == (description.per_class ? std::vector<std::string>{"oak", "pine"}
                                                               : std::vector<std::string>{description.option}));
  }
  CHECK(layers.size() == map_layers().size());
  CHECK(options == std::set<std::string>{"probabilities", "confidence", "decision-values", "novelty"});
}

TEST_CASE("a layer shows the numbers of its pixel") {
  OwnDecisions own;
  own.decision_values = Spectra{{1, -1}, {0.5F, 2}};
  own.novelty = Spectra{{0.25F}, {0.75F}};
  FinalDecisions decided;
  decided.probabilities = Spectra{{0.9F, 0.1F}, {0.2F, 0.8F}};
  decided.confidence = Spectra{{0.9F}, {0.8F}};
  const auto second_pixel = [&](MapLayer layer) {
    std::array<float, 2> values{};
    const auto& fill = map_layer(layer).values;
    if (const auto* of_spectrum = std::get_if<LayerValues<OwnDecisions>>(&fill)) {
      (*of_spectrum)(own, 1, values.data());
    } else {
      std::get<LayerValues<FinalDecisions>>(fill)(decided, 1, values.data());
    }
    return values;
  };
  CHECK(second_pixel(MapLayer::probabilities) == std::array<float, 2>{0.2F, 0.8F});
  CHECK(second_pixel(MapLayer::confidence) == std::array<float, 2>{0.8F, 0});
  CHECK(second_pixel(MapLayer::decision_values) == std::array<float, 2>{0.5F, 2});
  CHECK(second_pixel(MapLayer::novelty) == std::array<float, 2>{0.75F, 0});
}
