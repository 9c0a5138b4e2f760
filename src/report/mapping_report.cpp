#include "parsimap/report/mapping_report.hpp"

#include <cctype>
#include <utility>

#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

std::optional<double> share_of(std::int64_t pixels, std::int64_t all) {
  return all == 0 ? std::nullopt : std::optional(static_cast<double>(pixels) / static_cast<double>(all));
}

PageTable pixel_table(const MappingRecord& record) {
  PageTable table{"Pixels of the scene", {"", "pixels"}, {}, 1};
  table.rows = {{"classified", std::to_string(record.classified)},
                {"rejected", std::to_string(record.rejected)},
                {"no data", std::to_string(record.pixels - record.classified - record.rejected)},
                {"all", std::to_string(record.pixels)}};
  return table;
}

PageTable file_table(const MappingRecord& record) {
  PageTable table{
      "Files", {"what", "file"}, {{"scene", record.scene}, {"model", record.model}, {"map", record.map}}, 2};
  for (const LayerFile& layer : record.layers) {
    if (layer.file) {
      table.rows.push_back({layer.name, *layer.file});
    }
  }
  for (const auto& [name, file] :
       {std::pair{"segments", record.segments}, {"segments classified", record.segments_out}}) {
    if (file) {
      table.rows.push_back({name, *file});
    }
  }
  return table;
}

}  // namespace

std::string regularisation_text(const MappingRecord& record) {
  return record.regularisation +
         (record.regularise == record.regularisation ? "" : " (chosen by " + record.regularise + ")");
}

std::string mapping_text(const MappingRecord& record) {
  TextTable table({Alignment::right, Alignment::left, Alignment::right, Alignment::right});
  table.add_row({"code", "class", "pixels", "share %"});
  for (const ClassPixels& entry : record.classes) {
    table.add_row({std::to_string(entry.code), entry.name, std::to_string(entry.pixels),
                   percent(share_of(entry.pixels, record.classified))});
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
  if (record.segments) {
    text += "Segments: " + std::to_string(record.segment_count) + " of " + *record.segments + "\n";
  }
  text += "Map: " + record.map + "\n";
  for (const LayerFile& layer : record.layers) {
    if (layer.file) {
      std::string name = layer.name;
      name[0] = static_cast<char>(std::toupper(name[0]));
      text += name + ": " + *layer.file + "\n";
    }
  }
  if (record.segments_out) {
    text += "Segments classified: " + *record.segments_out + "\n";
  }
  return text + (record.report ? "Report: " + *record.report + "\n" : "");
}

CommandPage map_page(const MappingRecord& record, MapPictures pictures,
                     const std::vector<std::pair<std::string, std::string>>& options) {
  PagePicture& map = pictures.map;
  map.id = "picture-map";
  map.title = "Class map";
  map.caption = "Of a large map evenly spread pixels are shown. White pixels are not classified.";
  for (std::size_t c = 0; c < map.legend.size(); ++c) {
    map.legend[c].name = record.classes[c].name;
    if (const auto share = share_of(record.classes[c].pixels, record.classified)) {
      map.legend[c].text = percent(share) + " %";
    }
  }
  PagePicture& scene = pictures.scene;
  scene.id = "picture-scene";
  scene.title = "Scene";
  scene.caption = pictures.scene_bands + ", each stretched between its 2nd and 98th percentile; white without data.";

  CommandPage page;
  page.title = "Map of " + record.scene;
  page.lead = std::to_string(record.classified) + " of " + std::to_string(record.pixels) +
              " pixels were classified with the model " + record.model + ".";
  page.sections = {{"map", "Map", {}, {map, scene}, {}, {}},
                   {"classes",
                    "Classes",
                    {"Regularised: " + regularisation_text(record) + "."},
                    {},
                    {pixel_table(record)},
                    {"areas"}},
                   {"certainty", "Certainty", {}, {}, {}, {"histogram"}},
                   {"run",
                    "This run",
                    {},
                    {},
                    {file_table(record), option_table("Options as resolved", options),
                     stage_table(record.seconds, record.stages, record.peak_memory_bytes)},
                    {}}};
  return page;
}

}  // namespace parsimap
