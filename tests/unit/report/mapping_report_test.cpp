#include "parsimap/report/mapping_report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/report/training_json.hpp"
#include "parsimap/report/training_report.hpp"

#include "unit/accuracy/small_assessment.hpp"
#include "unit/classifier/small_model.hpp"
#include "unit/report/document_keys.hpp"

namespace parsimap::test {

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

TEST_CASE("records with nothing in them have texts, pages and documents") {
  // Every field has its default, also those that are added later; lists are empty, or have one such item.
  for (const std::size_t items : {0U, 1U}) {
    MappingRecord map;
    map.classes.resize(items);
    map.classified = static_cast<std::int64_t>(items);
    map.layers.resize(items);
    ScenesRecord scenes;
    scenes.scenes.resize(items);
    for (SceneOutcome& outcome : scenes.scenes) {
      outcome.record = map;
    }
    scenes.mosaic = MosaicRecord{};
    SceneRecord scene;
    scene.bands.resize(items);
    scene.quality.resize(items);
    SimulationRecord simulation;
    simulation.classes.resize(items);
    LabelPlacesRecord places;
    places.places.resize(items);
    TrainingRecord training;
    training.scenes.resize(items);
    training.test = TestRecord{};
    for (const std::string& text :
         {mapping_text(map), scenes_text(scenes), scene_text(scene), simulation_text(simulation),
          label_places_text(places), mapping_json(map), scenes_json(scenes), info_json(scene),
          simulation_json(simulation), label_places_json(places), training_text(small_model(), training),
          training_json(small_model(), training),
          command_html(map_page(map, {}, {}, {}, {}), mapping_data_json(map, std::vector<Colour>(items), {}))}) {
      CHECK_FALSE(text.empty());
      CHECK_FALSE(text.starts_with("nan"));
    }
  }
}

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

TEST_CASE("a map of a region says so in text, page and document, and the STAC item is among the outputs") {
  MappingRecord part = record();
  part.region = "farm/fields.gpkg";
  part.stac = "map.json";
  CHECK(mapping_text(part).ends_with("Region: farm/fields.gpkg\nMap: map.tif\nSTAC item: map.json\n"));
  const auto document = nlohmann::json::parse(mapping_json(part));
  CHECK(document["region"] == "farm/fields.gpkg");
  CHECK(document["stac"] == "map.json");
  CHECK(nlohmann::json::parse(mapping_json(record()))["region"].is_null());
  const std::string page = command_html(map_page(part, {}, {}, {}, {}), mapping_data_json(part, {{}, {}}, {}));
  CHECK(page.find("80 of 1,000 pixels of the region fields.gpkg were classified") != std::string::npos);
  CHECK(page.find("STAC item") != std::string::npos);
}

TEST_CASE("rejected pixels are counted apart from those without data") {
  MappingRecord some = record();
  some.rejected = 7;
  CHECK(mapping_text(some).find("     0  unclassified (rejected)       7\n"
                                "     0  unclassified (no data)      913\n") != std::string::npos);
}

TEST_CASE("what was resampled is reported") {
  MappingRecord resampled = record();
  resampled.resampled = {"scene.vrt", 224, 190, 177, 0, 3.5};
  CHECK(
      mapping_text(resampled).ends_with("Resampled: 190 of the 224 bands of scene.vrt were resampled to 177 by their "
                                        "widths, at most 3.5 nm from the nearest of them\nMap: map.tif\n"));
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

namespace {

MappingRecord page_record() {
  MappingRecord record;
  record.scene = "/data/scene.tif";
  record.model = "models/model";
  record.map = "map.tif";
  record.layers = {{"confidence", std::nullopt}, {"novelty", "novelty.tif"}};
  record.pixels = 5000;
  record.classified = 4000;
  record.rejected = 250;
  record.regularise = "auto";
  record.regularisation = "neighbours:1:2";
  record.classes = {{1, "oak", 1000}, {2, "pine", 3000}};
  return record;
}

MapPictures page_pictures() {
  MapPictures pictures;
  pictures.images = {{"Scene", "data:a"}, {"Map", "data:b"}};
  pictures.legend.resize(2);
  pictures.scene_bands = "bands 3, 2 and 1";
  return pictures;
}

const PageFacts kMappingFacts{
    "2026-11-22", "EPSG:32617", "30 x 30 metre", 900.0, 100, 50, {{"scene", "scene.tif", "1", "ab"}}};

}  // namespace

TEST_CASE("the verdict of a map: pixels, area, largest classes, certainty, what was rejected and what is novel") {
  const CommandPage page = map_page(page_record(), page_pictures(), {0.875, 0.125}, kMappingFacts, {});
  CHECK(page.title == "Map of scene.tif");
  CHECK(page.lead == "4,000 of 5,000 pixels were classified with the model model.");
  CHECK(page.date == "2026-11-22");
  CHECK(page.verdict ==
        std::vector<std::string>{
            "Mapped 4,000 pixels (360.0 ha) in 2 classes; most of it is pine (75.0 %) and oak (25.0 %).",
            "87.5 % of the pixels with data have a class of probability 0.9 or more.",
            "250 pixels (5.9 % of those with data) were rejected and have no class.",
            "12.5 % of the pixels with data are unlike all classes of training (novelty of 0.95 or more); of known "
            "surfaces it would be about 5 %."});
}

TEST_CASE("a map without a classified pixel says so") {
  MappingRecord record = page_record();
  record.classified = 0;
  record.rejected = 0;
  const CommandPage page = map_page(record, page_pictures(), {}, kMappingFacts, {});
  CHECK(page.verdict == std::vector<std::string>{"No pixel was classified: 0 were rejected, and 5,000 have no data."});
}

TEST_CASE("the legend has shares of what is classified, the tables all pixels, areas and files") {
  const CommandPage page = map_page(page_record(), page_pictures(), {}, kMappingFacts, {{"threads", "0"}});
  const Figure& map = page.sections.front().pictures.front();
  CHECK(map.legend[0].name == "oak");
  CHECK(map.legend[0].text == "25.0 %");
  CHECK(map.caption ==
        "Chequered pixels are not classified. The scene: bands 3, 2 and 1, each stretched between its 2nd and 98th "
        "percentile.");
  CHECK(page.sections[1].paragraphs == std::vector<std::string>{"Regularised: neighbours:1:2 (chosen by auto)."});
  CHECK(page.sections[1].tables[0].rows ==
        std::vector<std::vector<std::string>>{{"1", "oak", "1000", "25.0", "90.0"},
                                              {"2", "pine", "3000", "75.0", "270.0"}});
  CHECK(page.sections[1].tables[1].rows ==
        std::vector<std::vector<std::string>>{
            {"classified", "4000"}, {"rejected", "250"}, {"no data", "750"}, {"all", "5000"}});
  CHECK(page.sections[3].tables[2].rows ==
        std::vector<std::vector<std::string>>{{"map", "map.tif"}, {"novelty", "novelty.tif"}});
  const Section& run = page.sections.back();
  CHECK(run.folded);
  CHECK(run.tables[0].rows.front() == std::vector<std::string>{"threads", "0"});
}

TEST_CASE("rejected pixels, confidence and novelty are pictures where they are known") {
  MapPictures pictures = page_pictures();
  CHECK(map_page(page_record(), pictures, {}, kMappingFacts, {}).sections[2].pictures.empty());
  pictures.rejected = {{"Rejected", "data:r"}};
  pictures.confidence = {{"Confidence", "data:c"}};
  pictures.novelty = {{"Novelty", "data:n"}};
  const CommandPage page = map_page(page_record(), pictures, {}, kMappingFacts, {});
  REQUIRE(page.sections[2].pictures.size() == 3);
  CHECK(page.sections[2].pictures[0].legend[0].text == "250 pixels");
  CHECK(page.sections[2].pictures[2].id == "picture-novelty");
  CHECK(page.sections[0].pictures[0].caption.starts_with(
      "Chequered pixels are not classified, those rejected included."));
}

TEST_CASE("scenes that were classified, that failed and the mosaic are reported") {
  ScenesRecord record;
  record.model = "m.parsimap";
  record.seconds = 2;
  MappingRecord done;
  done.map = "out/a_map.tif";
  done.pixels = 100;
  done.classified = 90;
  done.rejected = 4;
  record.scenes = {{"a.tif", done, ""}, {"b.tif", std::nullopt, "b.tif cannot be opened"}};
  record.mosaic = MosaicRecord{"all.tif", 1, 200, 90, 0, {{1, "water", 30}, {2, "forest", 60}}};
  CHECK(scenes_text(record) ==
        "Classified 1 of 2 scenes with m.parsimap.\n\n"
        "  scene  pixels  classified  rejected\n"
        "  a.tif     100          90         4\n"
        "  b.tif       -      failed         -\n\n"
        "Time: 2.00 s\n"
        "Map: out/a_map.tif\n"
        "Failed: b.tif cannot be opened\n\n"
        "Mosaic of 1 maps: 90 of 200 pixels have a class; where several maps have one (0 pixels) the most confident "
        "counts.\n\n"
        "  code  class   pixels  share %\n"
        "     1  water       30     33.3\n"
        "     2  forest      60     66.7\n\n"
        "Mosaic: all.tif\n");
}

TEST_CASE("one page has the verdict, the map with its areas, accuracies, training and inputs") {
  const Model model = small_model();
  const MapContent map{"/maps/map.tif", {{3, "yes", 300}, {7, "no", 1100}}, 1400};
  const Assessment assessment = test::small_assessment({"yes", "no"});
  MapPictures pictures;
  pictures.images = {{"Map", "data:a"}};
  pictures.legend.resize(2);
  const PageFacts facts{"2026-11-22", "EPSG:32617", "30 x 30 metre", 900.0, 50, 40, {}};
  const CommandPage page = combined_page({model, map, assessment, pictures, {}, facts});
  CHECK(page.title == "Map, accuracy and training of map.tif");
  CHECK(page.lead == "The map map.tif of 1,400 pixels (126.0 ha), compared with the reference reference.gpkg.");
  CHECK(page.date == "2026-11-22");
  CHECK(page.verdict.front() == accuracy_verdict(assessment).front());
  CHECK(page.verdict.back() == training_verdict(model).front());
  std::vector<std::string> ids;
  for (const Section& section : page.sections) {
    ids.push_back(section.id);
  }
  CHECK(ids == std::vector<std::string>{"map", "accuracy", "confusion", "classes", "spectra", "classifiers", "metric",
                                        "weights", "inputs", "run"});
  CHECK(page.sections[0].tables[0].rows[1] == std::vector<std::string>{"7", "no", "1100", "78.6", "99.0"});
  CHECK(page.sections[3].paragraphs == training_verdict(model));
  CHECK(page.sections[8].tables[2].rows ==
        std::vector<std::vector<std::string>>{{"scene.hdr", "123456789012"}, {"labels.gpkg", "-"}});
}

using nlohmann::json;

TEST_CASE("classify: shares, speed and memory") {
  MappingRecord record;
  record.map = "map.tif";
  record.pixels = 200;
  record.classified = 80;
  record.classes = {{1, "a", 60}, {2, "b", 20}};
  record.seconds = 0.5;
  record.stages = {{"read", 0.1}};
  record.peak_memory_bytes = std::int64_t{100} << 20U;
  record.layers = {{"probabilities", std::nullopt}, {"novelty", std::nullopt}};
  const std::string text = mapping_json(record);
  CHECK(first_keys(text, 8) == std::vector<std::string>{"map", "pixels", "classified", "classes", "seconds", "stages",
                                                        "pixels_per_second", "peak_memory_mb"});
  const json document = json::parse(text);
  CHECK(document["classes"] == json::array({{{"name", "a"}, {"pixels", 60}, {"code", 1}, {"share", 0.75}},
                                            {{"name", "b"}, {"pixels", 20}, {"code", 2}, {"share", 0.25}}}));
  CHECK(document["pixels_per_second"] == 400.0);
  CHECK(document["peak_memory_mb"] == 100.0);
  CHECK(document["probabilities"].is_null());
  CHECK(document["rejected"] == 0);
  CHECK(document["novelty"].is_null());
  CHECK(document["segments"].is_null());
  CHECK(document["segments_out"].is_null());
  CHECK(document["segment_count"].is_null());

  record.classified = 0;
  record.peak_memory_bytes.reset();
  CHECK(document["regularise"] == "none");
  CHECK(document["regularisation"] == "none");
  record.regularise = "auto";
  record.regularisation = "neighbours:1:2";
  CHECK(json::parse(mapping_json(record))["regularise"] == "auto");
  CHECK(json::parse(mapping_json(record))["regularisation"] == "neighbours:1:2");
  record.layers = {
      {"probabilities", std::nullopt}, {"confidence", "c.tif"}, {"decision values", "d.tif"}, {"novelty", "n.tif"}};
  record.segments = "s.tif";
  record.segments_out = "s.gpkg";
  record.segment_count = 12;
  record.rejected = 80;
  const json empty = json::parse(mapping_json(record));
  CHECK(empty["classes"][0]["share"].is_null());
  CHECK(empty["peak_memory_mb"].is_null());
  CHECK(empty["confidence"] == "c.tif");
  CHECK(empty["decision_values"] == "d.tif");
  CHECK(empty["novelty"] == "n.tif");
  CHECK(document["resampled"].is_null());
  record.resampled = {"scene.tif", 224, 190, 177, 12, 3.5};
  CHECK(json::parse(mapping_json(record))["resampled"] == json{{"scene", "scene.tif"},
                                                               {"scene_bands", 224},
                                                               {"used_bands", 190},
                                                               {"bands", 177},
                                                               {"narrower", 12},
                                                               {"largest_distance", 3.5}});
  CHECK(empty["segments"] == "s.tif");
  CHECK(empty["segments_out"] == "s.gpkg");
  CHECK(empty["segment_count"] == 12);
  CHECK(empty["rejected"] == 80);
}

TEST_CASE("report: the page") { CHECK(json::parse(report_json("page.html")) == json{{"report", "page.html"}}); }

}  // namespace parsimap::test
