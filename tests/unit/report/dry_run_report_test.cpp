#include "parsimap/report/dry_run_report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace parsimap;

static DryRunRecord training() {
  DryRunRecord record;
  record.inputs = {{"SCENE", "scene.tif", 1234567}, {"LABELS", "folder", std::nullopt}};
  record.outputs = {{"MODEL", "model", std::nullopt}};
  record.columns = 40;
  record.rows = 30;
  record.bands = 7;
  record.pixels = 25;
  record.classes = {{1, "water", 20}, {4, "forest", 5}};
  record.threads = 3;
  record.memory_bytes = std::int64_t{100} << 20U;
  record.seconds = 2.5;
  record.stages = {{"reading", 0.5}, {"training", 2}};
  return record;
}

TEST_CASE("the text of a dry run names files with known sizes, what is worked on, and that time is estimated") {
  const std::string text = dry_run_text(training());
  for (const char* part :
       {"Nothing was written", "1,234,567", "not known", "40 x 30 pixels, 7 bands", "forest",
        "To train on:    25 pixels", "up to about 100 MB", "Estimated time: 2.50 s (reading 0.50 s"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.find("Windows") == std::string::npos);
  DryRunRecord map = training();
  map.classes.clear();
  map.windows = 4;
  map.window_pixels = 400;
  CHECK(dry_run_text(map).find("4 of at most 400 pixels") != std::string::npos);
  CHECK(dry_run_text(map).find("To map:         25 pixels") != std::string::npos);
  // Of libraries there is no scene.
  map.columns = 0;
  CHECK(dry_run_text(map).find("Scene:") == std::string::npos);
}

TEST_CASE("the document of a dry run has all of its record") {
  const auto document = nlohmann::json::parse(dry_run_json(training()));
  CHECK(document["inputs"][0] == nlohmann::json{{"role", "SCENE"}, {"file", "scene.tif"}, {"bytes", 1234567}});
  CHECK(document["inputs"][1]["bytes"].is_null());
  CHECK(document["outputs"][0]["file"] == "model");
  CHECK(document["classes"][1] == nlohmann::json{{"code", 4}, {"name", "forest"}, {"pixels", 5}});
  CHECK(document["memory_mb"] == 100);
  CHECK(document["stages"]["training"] == 2);
  CHECK(document["windows"] == 0);
}
