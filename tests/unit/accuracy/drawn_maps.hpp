// A map whose truth is known everywhere, and samples of it.
#pragma once

#include <map>

#include "parsimap/accuracy/drawn_sample.hpp"
#include "parsimap/accuracy/sample_draw.hpp"

#include "unit/accuracy/memory_map.hpp"

namespace parsimap::test {

// 40 x 25 pixels. The map has two classes; the truth differs in every eleventh pixel.
inline std::uint16_t map_code(std::int64_t pixel) { return pixel / 40 < 18 ? 1 : 2; }
inline std::uint16_t true_code(std::int64_t pixel) {
  const std::uint16_t code = map_code(pixel);
  return pixel % 11 == 0 ? static_cast<std::uint16_t>(3 - code) : code;
}

inline MemoryMap known_map(std::int64_t unclassified = 0) {
  std::vector<std::uint16_t> codes;
  for (std::int64_t pixel = 0; pixel < 1000; ++pixel) {
    codes.push_back(pixel < unclassified ? 0 : map_code(pixel));
  }
  return {40, codes, kForestAndWater, true};
}

inline DrawnSample drawn(MemoryMap& map, SamplingDesign design, std::int64_t size, std::uint64_t seed = 1) {
  const std::vector<std::string> names = class_names(map.classes());
  const SamplePlan plan = plan_sample(count_population(map, nullptr).pixels, names, names,
                                      {.design = design, .size = size, .least = 10, .cluster_points = 4});
  DrawnSample sample{
      .file = "plan.gpkg", .design = design, .aims = {parse_aim("overall:0.01")}, .strata = {}, .points = {}};
  for (const PlannedStratum& stratum : plan.strata) {
    sample.strata.push_back(stratum.name);
  }
  for (const DrawnPoint& point : draw_sample(map, nullptr, plan, {5, 4, seed})) {
    sample.points.push_back({point.pixel, point.stratum, point.cluster, point.probability});
  }
  sample.labelled = static_cast<std::int64_t>(sample.points.size());
  return sample;
}

inline LabelledPixels labels_of(const DrawnSample& sample) {
  std::map<std::int64_t, LabelledPixel> pixels;
  for (std::int64_t i = 0; i < sample.labelled; ++i) {
    const std::int64_t pixel = sample.points[static_cast<std::size_t>(i)].pixel;
    pixels[pixel] = {pixel, true_code(pixel) - 1, 0};
  }
  LabelledPixels labels = reference(kForestAndWater, {}, true);
  for (const auto& [pixel, label] : pixels) {
    labels.pixels.push_back(label);
  }
  return labels;
}

}  // namespace parsimap::test
