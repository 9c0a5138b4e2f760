#include "parsimap/report/mapping_report.hpp"

#include <cctype>

#include "parsimap/report/text_table.hpp"

namespace parsimap {

std::string regularisation_text(const MappingRecord& record) {
  return record.regularisation +
         (record.regularise == record.regularisation ? "" : " (chosen by " + record.regularise + ")");
}

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
  if (record.rejected > 0) {
    table.add_row({"0", "unclassified (rejected)", std::to_string(record.rejected), ""});
  }
  table.add_row(
      {"0", "unclassified (no data)", std::to_string(record.pixels - record.classified - record.rejected), ""});
  std::string text = "Classified " + std::to_string(record.classified) + " of " + std::to_string(record.pixels) +
                     " pixels of " + record.scene + " with " + record.model + ".\n\n" + table.text() + "\n" +
                     time_text(record.seconds, record.stages) + memory_text(record.peak_memory_bytes);
  if (record.regularise != "none") {
    text += "Regularised: " + regularisation_text(record) + "\n";
  }
  text += "Map: " + record.map + "\n";
  for (const LayerFile& layer : record.layers) {
    if (layer.file) {
      std::string name = layer.name;
      name[0] = static_cast<char>(std::toupper(name[0]));
      text += name + ": " + *layer.file + "\n";
    }
  }
  return text + (record.report ? "Report: " + *record.report + "\n" : "");
}

}  // namespace parsimap
