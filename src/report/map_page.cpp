#include "parsimap/report/map_page.hpp"

#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

std::string share_text(std::int64_t pixels, std::int64_t all) {
  return all == 0 ? "" : percent(static_cast<double>(pixels) / static_cast<double>(all)) + " %";
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
  return table;
}

}  // namespace

CommandPage map_page(const MappingRecord& record, MapPictures pictures,
                     const std::vector<std::pair<std::string, std::string>>& options) {
  PagePicture& map = pictures.map;
  map.id = "picture-map";
  map.title = "Class map";
  map.caption = "One pixel out of every few where the map is large; white where nothing is classified.";
  for (std::size_t c = 0; c < map.legend.size(); ++c) {
    map.legend[c].name = record.classes[c].name;
    map.legend[c].text = share_text(record.classes[c].pixels, record.classified);
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
                    {"Judged with the neighbours: " + regularisation_text(record) + "."},
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
