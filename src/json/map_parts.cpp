#include "parsimap/json/map_parts.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/json/sealed_line.hpp"

#include "model_fields.hpp"

namespace parsimap {

template <>
inline constexpr auto fields<ControlPoint> = [](auto& point, const auto& field) {
  field("column", point.column);
  field("row", point.row);
  field("x", point.x);
  field("y", point.y);
};

template <>
inline constexpr auto fields<RasterGrid> = [](auto& grid, const auto& field) {
  field("width", grid.width);
  field("height", grid.height);
  field("geotransform", grid.geotransform);
  field("crs", grid.crs);
  field("control_points", grid.control_points);
};

template <>
inline constexpr auto fields<ResamplingFacts> = [](auto& facts, const auto& field) {
  field("scene", facts.scene);
  field("scene_bands", facts.scene_bands);
  field("used_bands", facts.used_bands);
  field("bands", facts.bands);
  field("narrower", facts.narrower);
  field("largest_distance", facts.largest_distance);
};

template <>
inline constexpr auto fields<PlannedLayer> = [](auto& layer, const auto& field) {
  field("option", layer.option);
  field("file", layer.file);
};

template <>
inline constexpr auto fields<MapPlan> = [](auto& plan, const auto& field) {
  field("version", plan.version);
  field("parts", plan.parts);
  field("facts", plan.facts);
  field("regularise", plan.regularise);
  field("regularisation", plan.regularisation);
  field("choice_seconds", plan.choice_seconds);
  field("grid", plan.grid);
  field("unit", plan.unit);
  field("classes", plan.classes);
  field("layers", plan.layers);
  field("format", plan.format);
  field("creation_options", plan.creation_options);
  field("scene", plan.scene);
  field("model", plan.model);
  field("resampled", plan.resampled);
};

template <>
inline constexpr auto fields<Shard> = [](auto& shard, const auto& field) {
  field("number", shard.number);
  field("count", shard.count);
};

template <>
inline constexpr auto fields<ItemRange> = [](auto& range, const auto& field) {
  field("first", range.first);
  field("last", range.last);
};

template <>
inline constexpr auto fields<PartFile> = [](auto& file, const auto& field) {
  field("name", file.name);
  field("bytes", file.bytes);
  field("sha256", file.sha256);
};

template <>
inline constexpr auto fields<MapPart> = [](auto& part, const auto& field) {
  field("part", part.shard);
  field("plan", part.digest);
  field("rows", part.rows);
  field("files", part.files);
  field("classified", part.classified);
  field("rejected", part.rejected);
  field("class_pixels", part.class_pixels);
  field("seconds", part.seconds);
  field("stages", part.stages);
  field("peak_memory_bytes", part.peak_memory_bytes);
};

template <>
inline constexpr auto fields<LayerFile> = [](auto& layer, const auto& field) {
  field("name", layer.name);
  field("file", layer.file);
};

template <>
inline constexpr auto fields<ClassPixels> = [](auto& entry, const auto& field) {
  field("code", entry.code);
  field("name", entry.name);
  field("pixels", entry.pixels);
};

template <>
inline constexpr auto fields<MappingRecord> = [](auto& record, const auto& field) {
  field("scene", record.scene);
  field("model", record.model);
  field("map", record.map);
  field("layers", record.layers);
  field("report", record.report);
  field("regularise", record.regularise);
  field("regularisation", record.regularisation);
  field("resampled", record.resampled);
  field("pixels", record.pixels);
  field("classified", record.classified);
  field("rejected", record.rejected);
  field("classes", record.classes);
  field("seconds", record.seconds);
  field("stages", record.stages);
  field("peak_memory_bytes", record.peak_memory_bytes);
};

template <>
inline constexpr auto fields<SceneMapRecord> = [](auto& record, const auto& field) {
  field("digest", record.digest);
  field("record", record.record);
  field("bytes", record.bytes);
};

namespace {

template <typename Value>
std::string sealed(const Value& value) {
  std::string none;
  return sealed_line(line_text(document_of<Form::record>(value)), none);
}

template <typename Value>
Value opened(const std::string& text) {
  std::string none;
  const std::optional<std::string> object = opened_line(text, none);
  if (!object) {
    throw DataError("it does not fit its checksum");
  }
  try {
    const Json document = parse_json(*object);
    return value_of<Form::record, Value>(Node(document));
  } catch (const ConfigError& error) {
    throw DataError(error.what());
  }
}

}  // namespace

std::string plan_json(const MapPlan& plan) { return sealed(plan); }
std::string part_json(const MapPart& part) { return sealed(part); }
std::string scene_map_json(const SceneMapRecord& record) { return sealed(record); }

MapPlan plan_of_json(const std::string& text) {
  MapPlan plan = opened<MapPlan>(text);
  if (plan.parts < 1 || plan.unit < 1 || plan.grid.width < 1 || plan.grid.height < 1 || plan.classes.empty()) {
    throw DataError("it is no plan of a map");
  }
  return plan;
}

MapPart part_of_json(const std::string& text) { return opened<MapPart>(text); }

SceneMapRecord scene_map_of_json(const std::string& text) { return opened<SceneMapRecord>(text); }

}  // namespace parsimap
