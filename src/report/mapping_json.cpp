// What `classify` and `report` made, as documents.
#include <algorithm>

#include "parsimap/json/json_text.hpp"
#include "parsimap/report/mapping_report.hpp"

#include "json_parts.hpp"

namespace parsimap {

void list_fields(ResamplingFacts& facts, Fields& field) {
  field("scene", facts.scene);
  field("scene_bands", facts.scene_bands);
  field("used_bands", facts.used_bands);
  field("bands", facts.bands);
  field("narrower", facts.narrower);
  field("largest_distance", facts.largest_distance);
}

void list_band(Fields& field, Index band, const Band& known) {
  Band written = known;
  field("band", band + 1);
  list_fields(written, field);
}

// Rows count from 0.
static void list_fields(const MapShard& shard, Fields& field) {
  field("number", shard.shard.number);
  field("count", shard.shard.count);
  field("first_row", shard.rows.first);
  field("rows", shard.rows.size());
  field("complete_before", shard.done);
  field("folder", shard.folder);
}

namespace {

void list_entry(Fields& field, const ClassPixels& entry) {
  field("name", entry.name);
  field("pixels", entry.pixels);
  field("code", entry.code);
}

}  // namespace

void list_class_pixels(Fields& field, const std::vector<ClassPixels>& classes) {
  field.groups("classes", classes.size(), [&](std::size_t c) { list_entry(field, classes[c]); });
}

void list_class_shares(Fields& field, const std::vector<ClassPixels>& classes, std::int64_t classified) {
  field.groups("classes", classes.size(), [&](std::size_t c) {
    list_entry(field, classes[c]);
    field("share", quotient(static_cast<double>(classes[c].pixels), static_cast<double>(classified)));
  });
}

void list_fields(const MappingRecord& record, Fields& field) {
  field("map", record.map);
  field("pixels", record.pixels);
  field("classified", record.classified);
  list_class_shares(field, record.classes, record.classified);
  field("seconds", record.seconds);
  field.numbers_by_name("stages", record.stages);
  // All pixels of the scene count, also those without data, over the wall-clock time of the complete command.
  field("pixels_per_second", quotient(static_cast<double>(record.pixels), record.seconds));
  field("peak_memory_mb", megabytes(record.peak_memory_bytes));
  field("scene", record.scene);
  field("model", record.model);
  for (const LayerFile& layer : record.layers) {
    // Every possible layer has a key, null where it was not written, so that the document always has the same keys.
    std::string key = layer.name;
    std::replace(key.begin(), key.end(), ' ', '_');
    field(key, layer.file);
  }
  field("segments", record.segments);
  field("segments_out", record.segments_out);
  field("segment_count", record.segments ? std::optional(record.segment_count) : std::nullopt);
  field("resampled", record.resampled);
  field("report", record.report);
  field("rejected", record.rejected);
  field("regularise", record.regularise);
  field("regularisation", record.regularisation);
  field("shard", record.shard);
}

std::string mapping_json(const MappingRecord& record) {
  return document_text([&](Fields& field) { list_fields(record, field); });
}

std::string scenes_json(const ScenesRecord& record) {
  return document_text([&](Fields& field) {
    field("model", record.model);
    field.groups("scenes", record.scenes.size(), [&](std::size_t i) {
      const SceneOutcome& outcome = record.scenes[i];
      if (outcome.record) {
        list_fields(*outcome.record, field);
      } else {
        field("scene", outcome.scene);
        field("failure", outcome.failure);
      }
    });
    field.group("mosaic", record.mosaic, [&](const MosaicRecord& mosaic) {
      field("map", mosaic.path);
      field("scenes", mosaic.scenes);
      field("pixels", mosaic.pixels);
      field("classified", mosaic.classified);
      field("contested", mosaic.contested);
      list_class_shares(field, mosaic.classes, mosaic.classified);
    });
    field("seconds", record.seconds);
  });
}

std::string report_json(const std::string& page) {
  return document_text([&](Fields& field) { field("report", page); });
}

}  // namespace parsimap
