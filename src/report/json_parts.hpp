// What several documents have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/record_fields.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/report/table.hpp"

namespace parsimap {

void list_fields(ResamplingFacts& facts, Fields& field);
void list_fields(DecidingFeature& feature, Fields& field);
void list_fields(SetSizes& sets, Fields& field);

// A band with its number, from 1.
void list_band(Fields& field, Index band, const Band& known);

// Name, pixels and code; `classified` adds the share of these.
void list_class_pixels(Fields& field, const std::vector<ClassPixels>& classes);
void list_class_shares(Fields& field, const std::vector<ClassPixels>& classes, std::int64_t classified);

// A table of classes with code, name and pixels, the title of which is `pixels`.
Table class_pixel_table(const std::vector<ClassPixels>& classes, const std::string& pixels);

// The fields of the document of `classify`.
void list_fields(const MappingRecord& record, Fields& field);

inline std::optional<double> megabytes(const std::optional<std::int64_t>& bytes) {
  constexpr double kBytesPerMb = 1 << 20;
  return bytes ? std::optional(static_cast<double>(*bytes) / kBytesPerMb) : std::nullopt;
}

inline void list_cost(Fields& field, const RunCost& cost) {
  PARSIMAP_FIELDS(cost, seconds);
  field.numbers_by_name("stages", cost.stages);
  field("peak_memory_mb", megabytes(cost.peak_memory_bytes));
}

inline std::optional<std::string> text_or_null(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace parsimap
