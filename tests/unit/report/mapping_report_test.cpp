#include "parsimap/report/mapping_report.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

namespace {

MappingRecord record() {
  MappingRecord record;
  record.scene = "scene.vrt";
  record.model = "m.model";
  record.map = "map.tif";
  record.pixels = 1000;
  record.classified = 80;
  record.classes = {{1, "PIPA2", 60}, {12, "Forêt", 20}};
  record.seconds = 0.5;
  return record;
}

}  // namespace

TEST_CASE("classes with shares of what was classified") {
  CHECK(mapping_text(record()) ==
        "Classified 80 of 1000 pixels of scene.vrt with m.model.\n"
        "\n"
        "  code  class                   pixels  share %\n"
        "     1  PIPA2                       60     75.0\n"
        "    12  Forêt                       20     25.0\n"
        "     0  unclassified (no data)     920\n"
        "\n"
        "Time: 0.50 s\n"
        "Map: map.tif\n");
}

TEST_CASE("all outputs and the peak memory are named, rounded up") {
  MappingRecord more = record();
  more.layers = {
      {"probabilities", "p.tif"}, {"confidence", std::nullopt}, {"decision values", "d.tif"}, {"novelty", "n.tif"}};
  more.report = "r.html";
  more.peak_memory_bytes = (std::int64_t{64} << 20U) + 1;
  CHECK(
      mapping_text(more).ends_with("Peak memory: 65 MB\nMap: map.tif\nProbabilities: p.tif\n"
                                   "Decision values: d.tif\nNovelty: n.tif\nReport: r.html\n"));
}

TEST_CASE("rejected pixels are counted apart from those without data") {
  MappingRecord some = record();
  some.rejected = 7;
  CHECK(mapping_text(some).find("     0  unclassified (rejected)       7\n"
                                "     0  unclassified (no data)      913\n") != std::string::npos);
}

TEST_CASE("what was regularised is named, and who chose it") {
  MappingRecord regularised = record();
  CHECK(mapping_text(regularised).find("Regularised") == std::string::npos);
  regularised.regularise = regularised.regularisation = "gaussian:1.5";
  CHECK(mapping_text(regularised).ends_with("Regularised: gaussian:1.5\nMap: map.tif\n"));
  regularised.regularise = "auto";
  regularised.regularisation = "none";
  CHECK(mapping_text(regularised).ends_with("Regularised: none (chosen by auto)\nMap: map.tif\n"));
}

TEST_CASE("a map without a classified pixel has no shares") {
  MappingRecord empty = record();
  empty.classified = 0;
  empty.classes = {{1, "PIPA2", 0}};
  CHECK(mapping_text(empty).find("  PIPA2                        0        -\n") != std::string::npos);
}

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
  CHECK(page.sections[1].paragraphs == std::vector<std::string>{"Regularised: neighbours:1:2 (chosen by auto)."});
  CHECK(page.sections[1].tables.front().rows ==
        std::vector<std::vector<std::string>>{
            {"classified", "80"}, {"rejected", "5"}, {"no data", "15"}, {"all", "100"}});
  const PageSection& run = page.sections.back();
  CHECK(run.tables[0].rows.back() == std::vector<std::string>{"novelty", "novelty.tif"});
  CHECK(run.tables[1].rows.front() == std::vector<std::string>{"threads", "0"});
}
