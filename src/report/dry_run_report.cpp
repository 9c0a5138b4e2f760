#include "parsimap/report/dry_run_report.hpp"

#include "parsimap/json/json_text.hpp"

#include "json_parts.hpp"

namespace parsimap {

PARSIMAP_RECORD(PlannedFile, role, file, bytes);

static std::string table_of(const std::vector<PlannedFile>& files) {
  Table table{"", {"", "file", "bytes"}, {}, "llr"};
  for (const auto& [role, file, bytes] : files) {
    table.rows.push_back({role, file, bytes ? grouped(*bytes) : "not known"});
  }
  return table_text(table, Titles::hidden);
}

std::string dry_run_text(const DryRunRecord& record) {
  std::string text = "Nothing was written. This would be read (sizes in bytes):\n\n" + table_of(record.inputs) + "\n";
  if (record.columns > 0) {
    text += fact_line("Scene", std::to_string(record.columns) + " x " + std::to_string(record.rows) + " pixels, " +
                                   counted(record.bands, "band"));
  }
  text += fact_line(record.windows > 0 ? "To map" : "To train on", counted(record.pixels, "pixel"));
  if (!record.classes.empty()) {
    text += "\n" + table_text(class_pixel_table(record.classes, "pixels"));
  }
  text += "\nThis would be written (sizes before compression):\n\n" + table_of(record.outputs) + "\n";
  if (record.windows > 0) {
    text +=
        fact_line("Windows", std::to_string(record.windows) + " of at most " + counted(record.window_pixels, "pixel"));
  }
  return text + fact_line("Threads", std::to_string(record.threads)) +
         fact_line("Memory", "up to about " + fixed(*megabytes(record.memory_bytes), 0) + " MB") +
         "Estimated time: " + time_text(record).substr(std::string("Time: ").size());
}

std::string dry_run_json(const DryRunRecord& record) {
  return document_text([&](Fields& field) {
    PARSIMAP_FIELDS(record, inputs, outputs, columns, rows, bands, pixels);
    list_class_pixels(field, record.classes);
    PARSIMAP_FIELDS(record, windows, window_pixels, threads);
    field("memory_mb", megabytes(record.memory_bytes));
    PARSIMAP_FIELDS(record, seconds);
    field.numbers_by_name("stages", record.stages);
  });
}

}  // namespace parsimap
