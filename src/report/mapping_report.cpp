#include "parsimap/report/mapping_report.hpp"

#include "parsimap/report/text_table.hpp"

namespace parsimap {

std::string mapping_text(const MappingRecord& record) {
  const auto share = [&](std::int64_t pixels) {
    return record.classified == 0
               ? std::nullopt
               : std::optional<double>(static_cast<double>(pixels) / static_cast<double>(record.classified));
  };
  TextTable table({Alignment::right, Alignment::left, Alignment::right, Alignment::right});
  table.add_row({"code", "class", "pixels", "share %"});
  for (const ClassPixels& entry : record.classes) {
    table.add_row({std::to_string(entry.code), entry.name, std::to_string(entry.pixels), percent(share(entry.pixels))});
  }
  table.add_row({"0", "unclassified (no data)", std::to_string(record.pixels - record.classified), ""});
  std::string text = "Classified " + std::to_string(record.classified) + " of " + std::to_string(record.pixels) +
                     " pixels of " + record.scene + " with " + record.model + ".\n\n" + table.text() + "\n" +
                     time_text(record.seconds, record.stages) + memory_text(record.peak_memory_bytes);
  text += "Map: " + record.map + "\n";
  if (record.probabilities) {
    text += "Probabilities: " + *record.probabilities + "\n";
  }
  if (record.confidence) {
    text += "Confidence: " + *record.confidence + "\n";
  }
  return text;
}

}  // namespace parsimap
