#include "parsimap/report/map_parts.hpp"

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/json/model_file.hpp"

#include "json_parts.hpp"

namespace parsimap {

// ---- documents ----

static void list_fields(ControlPoint& point, Fields& field) {
  field("column", point.column);
  field("row", point.row);
  field("x", point.x);
  field("y", point.y);
}

static void list_fields(RasterGrid& grid, Fields& field) {
  field("width", grid.width);
  field("height", grid.height);
  field("geotransform", grid.geotransform);
  field("crs", grid.crs);
  field("control_points", grid.control_points);
}

static void list_fields(PlannedLayer& layer, Fields& field) {
  field("option", layer.option);
  field("file", layer.file);
}

static void list_fields(MapPlan& plan, Fields& field) {
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
}

static void list_fields(Shard& shard, Fields& field) {
  field("number", shard.number);
  field("count", shard.count);
}

static void list_fields(ItemRange& range, Fields& field) {
  field("first", range.first);
  field("last", range.last);
}

static void list_fields(PartFile& file, Fields& field) {
  field("name", file.name);
  field("bytes", file.bytes);
  field("sha256", file.sha256);
}

static void list_fields(MapPart& part, Fields& field) {
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
}

static void list_fields(LayerFile& layer, Fields& field) {
  field("name", layer.name);
  field("file", layer.file);
}

static void list_fields(ClassPixels& entry, Fields& field) {
  field("code", entry.code);
  field("name", entry.name);
  field("pixels", entry.pixels);
}

static void list_kept_record(Fields& field, MappingRecord& record) {
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
}

static void list_fields(SceneMapRecord& record, Fields& field) {
  field("digest", record.digest);
  field.group("record", record.record, [&](MappingRecord& map) { list_kept_record(field, map); });
  field("bytes", record.bytes);
}

namespace {

// Documents of parts are one line each with a checksum at its end (docs/clusters.md). The chain of checksums that
// journals have is not used: every file has one line, so that the previous checksum is empty.
std::string sealed(const FieldList& list) {
  std::string none;
  return sealed_line(line_text(list), none);
}

// Reads the document of a line with its checksum.
template <typename Value>
Value opened(const std::string& text) {
  std::string none;
  const std::optional<std::string> object = opened_line(text, none);
  if (!object) {
    throw DataError("it does not fit its checksum");
  }
  Value value;
  try {
    read_document(*object, [&](Fields& field) { list_fields(value, field); });
  } catch (const ConfigError& error) {
    throw DataError(error.what());
  }
  return value;
}

}  // namespace

std::string plan_json(const MapPlan& plan) {
  MapPlan written = plan;
  return sealed([&](Fields& field) { list_fields(written, field); });
}

std::string part_json(const MapPart& part) {
  MapPart written = part;
  return sealed([&](Fields& field) { list_fields(written, field); });
}

std::string scene_map_json(const SceneMapRecord& record) {
  SceneMapRecord written = record;
  return sealed([&](Fields& field) { list_fields(written, field); });
}

MapPlan plan_of_json(const std::string& text) {
  MapPlan plan = opened<MapPlan>(text);
  // A document with a valid checksum may still be of another kind; these values are used as divisors and sizes.
  if (plan.parts < 1 || plan.unit < 1 || plan.grid.width < 1 || plan.grid.height < 1 || plan.classes.empty()) {
    throw DataError("it is no plan of a map");
  }
  return plan;
}

MapPart part_of_json(const std::string& text) { return opened<MapPart>(text); }

SceneMapRecord scene_map_of_json(const std::string& text) { return opened<SceneMapRecord>(text); }

// ---- what decides what is in a map ----

std::string facts_digest(const std::vector<std::pair<std::string, std::string>>& facts) {
  Sha256 sum;
  const auto add = [&](const std::string& text) {
    // With their lengths, so that no two lists of texts are the same bytes.
    sum.update(std::to_string(text.size()) + ":" + text);
  };
  for (const auto& [name, value] : facts) {
    add(name);
    add(value);
  }
  return sum.digits();
}

std::string plan_digest(const MapPlan& plan) {
  std::vector<std::pair<std::string, std::string>> facts = plan.facts;
  // The digest identifies what is in the map. Besides the facts it depends on the regularisation that was chosen when
  // the plan was made, since parts with different ones do not fit together.
  facts.emplace_back("regularised", plan.regularisation);
  return facts_digest(facts);
}

std::string plan_difference(const MapPlan& plan, const std::vector<std::pair<std::string, std::string>>& facts) {
  // Both lists come from map_facts(), so that a fact is found by its name. The first difference is named in the error.
  for (const auto& [name, here] : facts) {
    const auto there = std::find_if(plan.facts.begin(), plan.facts.end(),
                                    [&, wanted = name](const auto& fact) { return fact.first == wanted; });
    if (there == plan.facts.end()) {
      return name + " is not known there";
    }
    if (there->second != here) {
      return name + " is " + there->second + " there and " + here + " here";
    }
  }
  return facts.size() == plan.facts.size() ? "" : "more is known there";
}

ItemRange part_rows(const MapPlan& plan, const Shard& shard) {
  // Rows are divided in units that are whole storage blocks. The last unit may exceed the height of the grid and is
  // cut. With more parts than units some parts have no rows.
  const ItemRange units = share_of(shard, (plan.grid.height + plan.unit - 1) / plan.unit);
  return {std::min(units.first * plan.unit, plan.grid.height), std::min(units.last * plan.unit, plan.grid.height)};
}

}  // namespace parsimap
