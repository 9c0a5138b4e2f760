#include "parsimap/io/json/page_data.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "unit/io/json/toy_run.hpp"

using namespace parsimap;

TEST_CASE("everything that figures are drawn from is in the text") {
  PageData data;
  data.data = {{"scene", 2, {}, 8, {{"one", 4, {1, 2}, {0.5, 0.25}, {3, 1}, {}}}}};
  data.runs = {toy_run()};
  data.band_numbers = {0, 2};
  data.dropped_bands = {1};
  data.areas = {{{3, "one", 17}, {255, 0, 16}}};
  data.histograms = {{"confidence", "Of all.", {1, 2, 3}}};
  data.reliability = {{0.5, 0.75, 8, 0.625, 0.5}};
  const auto json = nlohmann::json::parse(page_data_json(data));
  CHECK(json["data"][0]["classes"][0]["mean"] == nlohmann::json({1.0, 2.0}));
  CHECK(json["runs"][0]["classes"][0]["name"] == "one");
  CHECK(json["band_numbers"] == nlohmann::json({1, 3}));
  CHECK(json["dropped_bands"] == nlohmann::json({2}));
  CHECK(json["areas"][0] == nlohmann::json{{"code", 3}, {"name", "one"}, {"colour", "#ff0010"}, {"pixels", 17}});
  CHECK(json["reliability"][0] ==
        nlohmann::json{{"low", 0.5}, {"high", 0.75}, {"pixels", 8}, {"confidence", 0.625}, {"accuracy", 0.5}});
  CHECK(json["histograms"][0]["counts"] == nlohmann::json({1, 2, 3}));
}

TEST_CASE("what is absent is an empty list") {
  const auto json = nlohmann::json::parse(page_data_json({}));
  for (const char* key : {"data", "runs", "areas", "histograms", "reliability", "dropped_bands"}) {
    CHECK(json[key] == nlohmann::json::array());
  }
}
