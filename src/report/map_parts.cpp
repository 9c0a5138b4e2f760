#include "parsimap/report/map_parts.hpp"

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/json/model_file.hpp"

#include "json_parts.hpp"

namespace parsimap {

static PARSIMAP_RECORD(ControlPoint, column, row, x, y);
static PARSIMAP_RECORD(RasterGrid, width, height, geotransform, crs, control_points);
static PARSIMAP_RECORD(PlannedLayer, option, file);
static PARSIMAP_RECORD(MapPlan, version, parts, facts, regularise, regularisation, choice_seconds, grid, unit, classes,
                       layers, format, creation_options, scene, model, region, resampled);
static PARSIMAP_RECORD(Shard, number, count);
static PARSIMAP_RECORD(ItemRange, first, last);
static PARSIMAP_RECORD(PartFile, name, bytes, sha256);

// What documents have where there is something to count.
static void list_counts(Fields& field, MapCounts& counts) {
  field.where("undeclared", counts.undeclared, counts.undeclared > 0);
  field.where("deciding", counts.deciding, !counts.deciding.empty());
  field.where("sets", counts.sets, counts.sets.has_value());
}

static void list_fields(MapPart& part, Fields& field) {
  field("part", part.shard);
  field("plan", part.digest);
  PARSIMAP_FIELDS(part, rows, files, classified, rejected, class_pixels, seconds, stages, peak_memory_bytes);
  list_counts(field, part);
}

static PARSIMAP_RECORD(LayerFile, name, file);
static PARSIMAP_RECORD(ClassPixels, code, name, pixels);

static void list_kept_record(Fields& field, MappingRecord& record) {
  PARSIMAP_FIELDS(record, scene, model, map, layers, report, regularise, regularisation, resampled, pixels, classified,
                  rejected, classes, seconds, stages, peak_memory_bytes);
  list_counts(field, record);
}

static void list_fields(SceneMapRecord& record, Fields& field) {
  field("digest", record.digest);
  field.group("record", record.record, [&](MappingRecord& map) { list_kept_record(field, map); });
  field("bytes", record.bytes);
}

// Documents of parts are one line each with a checksum at its end (docs/clusters.md). The chain of checksums that
// journals have is not used: every file has one line, so that the previous checksum is empty.
template <typename Value>
static std::string sealed(Value value) {
  std::string none;
  return sealed_line(line_text([&](Fields& field) { list_fields(value, field); }), none);
}

// Reads the document of a line with its checksum.
template <typename Value>
static Value opened(const std::string& text) {
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

std::string plan_json(const MapPlan& plan) { return sealed(plan); }

std::string part_json(const MapPart& part) { return sealed(part); }

std::string scene_map_json(const SceneMapRecord& record) { return sealed(record); }

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
  // Both lists come from map_facts(), so that a fact is found by its name. Files that are not there have no digest. The
  // first difference is named in the error.
  const auto value_of = [](const auto& list, const std::string& name) {
    const auto found = std::ranges::find(list, name, &std::pair<std::string, std::string>::first);
    return found == list.end() ? std::string("unset") : found->second;
  };
  for (const auto* list : {&facts, &plan.facts}) {
    for (const auto& [name, value] : *list) {
      if (value_of(facts, name) != value_of(plan.facts, name)) {
        return name + " is " + value_of(plan.facts, name) + " there and " + value_of(facts, name) + " here";
      }
    }
  }
  return "";
}

ItemRange part_rows(const MapPlan& plan, const Shard& shard) {
  // Rows are divided in units that are whole storage blocks. The last unit may exceed the height of the grid and is
  // cut. With more parts than units some parts have no rows.
  const ItemRange units = share_of(shard, (plan.grid.height + plan.unit - 1) / plan.unit);
  return {std::min(units.first * plan.unit, plan.grid.height), std::min(units.last * plan.unit, plan.grid.height)};
}

}  // namespace parsimap
