#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/report/mapping_report.hpp"

#include "unit/report/document_keys.hpp"

using namespace parsimap;
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
