#include "suspect_layers.hpp"

#include <algorithm>
#include <numeric>

namespace parsimap {
namespace {

const std::string& name_of(const InspectionRecord& record, int c) {
  return record.classes[static_cast<std::size_t>(c)].name;
}

std::vector<VectorField> evidence_fields() {
  return {{"rank", FieldKind::integer},  {"share", FieldKind::real},   {"label", FieldKind::text},
          {"likely", FieldKind::text},   {"margin", FieldKind::real},  {"p_label", FieldKind::real},
          {"p_likely", FieldKind::real}, {"known", FieldKind::integer}};
}

std::vector<FieldValue> evidence_values(const InspectionRecord& record, const LabelEvidence& evidence,
                                        std::size_t count) {
  return {std::int64_t{evidence.rank},
          static_cast<double>(evidence.rank) / static_cast<double>(count),
          name_of(record, evidence.label),
          name_of(record, evidence.likely),
          evidence.margin,
          evidence.label_probability,
          evidence.likely_probability,
          std::int64_t{evidence.label_known ? 1 : 0}};
}

// `opacity` is that of what looks like another class.
GradedStyle style_of(const std::string& name, const std::string& opacity) {
  GradedStyle style{name, "CASE WHEN \"margin\" < 0 THEN \"share\" ELSE 2 END", {}};
  for (const SuspicionStep& step : suspicion_steps()) {
    const auto& [red, green, blue] = step.colour;
    style.steps.push_back({step.low, step.high, step.label,
                           std::to_string(red) + "," + std::to_string(green) + "," + std::to_string(blue) + "," +
                               (step.low < 1 ? opacity : "60")});
  }
  return style;
}

PixelLayer region_layer(const InspectionRecord& record, const SampleSet& samples) {
  PixelLayer layer{"regions", PixelGeometry::outline, evidence_fields(), {}, style_of("Suspicious regions", "200")};
  layer.fields.insert(
      layer.fields.end(),
      {{"pixels", FieldKind::integer}, {"against", FieldKind::integer}, {"feature", FieldKind::integer}});
  for (std::size_t i = 0; i < record.evidence.regions.size(); ++i) {
    const RegionEvidence& region = record.evidence.regions[i];
    PixelFeature feature;
    for (const Index row : region.pixels) {
      feature.pixels.push_back(samples.pixels[static_cast<std::size_t>(row)]);
    }
    feature.values = evidence_values(record, region.evidence, record.evidence.regions.size());
    feature.values.emplace_back(static_cast<std::int64_t>(region.pixels.size()));
    feature.values.emplace_back(std::int64_t{region.against});
    const auto& id = record.places[i].feature;
    feature.values.push_back(id ? FieldValue(*id) : FieldValue());
    layer.features.push_back(std::move(feature));
  }
  return layer;
}

// The least suspicious first, so that others are drawn above it.
PixelLayer pixel_layer(const InspectionRecord& record, const SampleSet& samples, Index width) {
  PixelLayer layer{"pixels", PixelGeometry::centre, evidence_fields(), {}, style_of("Suspicious pixels", "255")};
  layer.fields.insert(layer.fields.end(), {{"row", FieldKind::integer}, {"column", FieldKind::integer}});
  const std::vector<LabelEvidence>& pixels = record.evidence.pixels;
  std::vector<std::size_t> order(pixels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return pixels[a].rank > pixels[b].rank; });
  for (const std::size_t i : order) {
    const std::int64_t pixel = samples.pixels[i];
    PixelFeature feature{{pixel}, evidence_values(record, pixels[i], pixels.size())};
    feature.values.emplace_back(pixel / width);
    feature.values.emplace_back(pixel % width);
    layer.features.push_back(std::move(feature));
  }
  return layer;
}

}  // namespace

const std::vector<SuspicionStep>& suspicion_steps() {
  // From red to yellow by how early in the list.
  static const std::vector<SuspicionStep> steps = {{0, 0.05, "first 5 % of the list", {189, 0, 38}},
                                                   {0.05, 0.1, "first 10 %", {240, 59, 32}},
                                                   {0.1, 0.25, "first 25 %", {254, 178, 76}},
                                                   {0.25, 1, "later, but looks like another class", {255, 237, 111}},
                                                   {1.5, 2.5, "looks like its label", {90, 140, 190}}};
  return steps;
}

std::size_t suspicion_step(const LabelEvidence& evidence, std::size_t count) {
  const std::size_t last = suspicion_steps().size() - 1;
  if (evidence.margin >= 0) {
    return last;
  }
  const double share = static_cast<double>(evidence.rank) / static_cast<double>(count);
  std::size_t step = 0;
  while (step + 1 < last && share > suspicion_steps()[step].high) {
    ++step;
  }
  return step;
}

std::vector<PixelLayer> suspect_layers(const InspectionRecord& record, const SampleSet& samples, Index scene_width) {
  return {region_layer(record, samples), pixel_layer(record, samples, scene_width)};
}

}  // namespace parsimap
