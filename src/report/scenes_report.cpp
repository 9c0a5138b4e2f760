#include "parsimap/report/scenes_report.hpp"

#include <algorithm>

#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

std::string share_text(std::int64_t pixels, std::int64_t all) {
  return percent(all == 0 ? std::nullopt : std::optional(static_cast<double>(pixels) / static_cast<double>(all)));
}

std::string mosaic_text(const MosaicRecord& mosaic) {
  TextTable table({Alignment::right, Alignment::left, Alignment::right, Alignment::right});
  table.add_row({"code", "class", "pixels", "share %"});
  for (const ClassPixels& entry : mosaic.classes) {
    table.add_row({std::to_string(entry.code), entry.name, std::to_string(entry.pixels),
                   share_text(entry.pixels, mosaic.classified)});
  }
  return "\nMosaic of " + std::to_string(mosaic.scenes) + " maps: " + std::to_string(mosaic.classified) + " of " +
         std::to_string(mosaic.pixels) + " pixels have a class; where several maps have one (" +
         std::to_string(mosaic.contested) + " pixels) the most confident counts.\n\n" + table.text() +
         "\nMosaic: " + mosaic.path + "\n";
}

}  // namespace

std::string scenes_text(const ScenesRecord& record) {
  TextTable table({Alignment::left, Alignment::right, Alignment::right, Alignment::right});
  table.add_row({"scene", "pixels", "classified", "rejected"});
  std::string files;
  std::string failures;
  for (const SceneOutcome& outcome : record.scenes) {
    if (outcome.record) {
      const MappingRecord& map = *outcome.record;
      table.add_row(
          {outcome.scene, std::to_string(map.pixels), std::to_string(map.classified), std::to_string(map.rejected)});
      files += map.map.empty() ? "" : "Map: " + map.map + "\n";
    } else {
      table.add_row({outcome.scene, "-", "failed", "-"});
      failures += "Failed: " + outcome.failure + "\n";
    }
  }
  const auto done = std::count_if(record.scenes.begin(), record.scenes.end(),
                                  [](const SceneOutcome& outcome) { return outcome.record.has_value(); });
  return "Classified " + std::to_string(done) + " of " + std::to_string(record.scenes.size()) + " scenes with " +
         record.model + ".\n\n" + table.text() + "\n" + time_text(record.seconds, {}) + files + failures +
         (record.mosaic ? mosaic_text(*record.mosaic) : "");
}

}  // namespace parsimap
