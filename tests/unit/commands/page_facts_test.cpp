#include "commands/page_facts.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <regex>

#include "parsimap/core/error.hpp"
#include "parsimap/core/sha256.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {

TEST_CASE("the date is that of the day, or of SOURCE_DATE_EPOCH") {
  unsetenv("SOURCE_DATE_EPOCH");
  CHECK(std::regex_match(page_date(), std::regex("20[0-9]{2}-[01][0-9]-[0-3][0-9]")));
  setenv("SOURCE_DATE_EPOCH", "86399", 1);
  CHECK(page_date() == "1970-01-01");
  setenv("SOURCE_DATE_EPOCH", "86400", 1);
  CHECK(page_date() == "1970-01-02");
  for (const char* wrong : {"yesterday", "", "-1", "999999999999"}) {
    setenv("SOURCE_DATE_EPOCH", wrong, 1);
    CHECK_THROWS_AS(page_date(), ConfigError);
  }
  unsetenv("SOURCE_DATE_EPOCH");
}

TEST_CASE("every file of an input is there, the first with its role, and with the sum of its bytes") {
  const SmallScene& small = SmallScene::instance();
  const std::string scene = small.file("scene/scene.img");
  const RasterGrid grid{30, 24, std::array<double, 6>{0, 30, 0, 0, 0, -30}, crs_from_epsg(32617)};
  const PageFacts facts = page_facts("2026-11-22", grid, {{"scene", scene}, {"model", small.model()}});
  CHECK(facts.date == "2026-11-22");
  CHECK(facts.crs == "EPSG:32617 (WGS 84 / UTM zone 17N)");
  CHECK(facts.pixel_size == "30 x 30 metre");
  CHECK(facts.pixel_area == 900);
  REQUIRE(facts.inputs.size() >= 3);
  CHECK(facts.inputs[0].role == "scene");
  CHECK(facts.inputs[0].path == scene);
  CHECK(facts.inputs[0].sum == sha256_of_file(scene));
  CHECK(facts.inputs[0].bytes == std::to_string(file_content(scene).size()));
  CHECK(facts.inputs[1].role.empty());
  CHECK(facts.inputs.back().path == small.model());
  CHECK(facts.inputs.back().role == "model");
}

TEST_CASE("what is no plain file has no sum") {
  const PageFacts facts = page_facts("", {}, {{"scene", "/vsizip/none.zip/a.tif"}});
  REQUIRE(facts.inputs.size() == 1);
  CHECK(facts.inputs[0].sum == "no plain file");
  CHECK(facts.crs == "no CRS");
  CHECK(facts.pixel_size.empty());
}

}  // namespace parsimap::test
