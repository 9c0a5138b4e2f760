#include "parsimap/report/map_page.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("the legend has shares of what is classified, the tables all pixels and files") {
  MappingRecord record;
  record.scene = "scene.tif";
  record.model = "model";
  record.map = "map.tif";
  record.layers = {{"confidence", std::nullopt}, {"novelty", "novelty.tif"}};
  record.pixels = 100;
  record.classified = 80;
  record.rejected = 5;
  record.regularise = "auto";
  record.regularisation = "neighbours:1:2";
  record.classes = {{1, "oak", 60}, {2, "pine", 20}};
  MapPictures pictures;
  pictures.map.legend.resize(2);
  pictures.scene_bands = "Bands 3, 2 and 1";
  const CommandPage page = map_page(record, pictures, {{"threads", "0"}});
  CHECK(page.lead == "80 of 100 pixels were classified with the model model.");
  const PagePicture& map = page.sections.front().pictures.front();
  CHECK(map.legend[0].name == "oak");
  CHECK(map.legend[0].text == "75.0 %");
  CHECK(page.sections.front().pictures.back().caption.starts_with("Bands 3, 2 and 1, each stretched"));
  CHECK(page.sections[1].paragraphs ==
        std::vector<std::string>{"Judged with the neighbours: neighbours:1:2 (chosen by auto)."});
  CHECK(page.sections[1].tables.front().rows ==
        std::vector<std::vector<std::string>>{
            {"classified", "80"}, {"rejected", "5"}, {"no data", "15"}, {"all", "100"}});
  const PageSection& run = page.sections.back();
  CHECK(run.tables[0].rows.back() == std::vector<std::string>{"novelty", "novelty.tif"});
  CHECK(run.tables[1].rows.front() == std::vector<std::string>{"threads", "0"});
}
