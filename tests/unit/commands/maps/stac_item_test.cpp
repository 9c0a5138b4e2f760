#include "commands/maps/stac_item.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

using Item = nlohmann::json;

const ClassTable kNamed = {{1, "bare soil / sand", Colour{1, 2, 255}}, {300, "water", {}}};

// The item catalog/item.json of a map and a layer in maps, which are in the folder already.
Item item_of(const TemporaryFolder& folder, const RasterGrid& grid) {
  for (const char* name : {"maps/map.tif", "maps/c.img", "model.parsimap"}) {
    std::filesystem::create_directories(folder.file("maps"));
    write_file(folder.file(name), name);
  }
  MappingRecord record;
  record.map = folder.file("maps/map.tif");
  record.scene = folder.file("scene.tif");
  record.model = folder.file("model.parsimap");
  record.regularisation = "none";
  record.classes = {{1, kNamed[0].name, 5}, {300, "water", 7}};
  return Item::parse(stac_item(folder.file("catalog/item.json"), grid, kNamed,
                               {{"map", record.map, record.map, {}},
                                {"probabilities", folder.file("maps/p.img"), folder.file("maps/c.img"), {"a", "b"}}},
                               record));
}

RasterGrid placed_grid() {
  RasterGrid grid;
  grid.width = 40;
  grid.height = 30;
  grid.crs = crs_from_epsg(32631);
  // The central meridian of the zone is 3 degrees east, at x = 500 km.
  grid.geotransform = std::array<double, 6>{500000, 10, 0, 4000300, 0, -10};
  return grid;
}

}  // namespace

TEST_CASE("an item says where its map lies, what its classes are and what it was made of") {
  const TemporaryFolder folder;
  const Item item = item_of(folder, placed_grid());
  CHECK(item["stac_version"] == "1.1.0");
  CHECK(item["id"] == "map");
  const Item& properties = item["properties"];
  CHECK(properties["proj:code"] == "EPSG:32631");
  CHECK(properties["proj:shape"] == Item{30, 40});
  CHECK(properties["proj:transform"] == Item{10.0, 0.0, 500000.0, 0.0, -10.0, 4000300.0});
  CHECK(properties["processing:software"]["parsimap"] == PARSIMAP_VERSION);
  CHECK(properties["datetime"].get<std::string>().ends_with("T00:00:00Z"));
  CHECK(item["bbox"][0].get<double>() == doctest::Approx(3).epsilon(1e-9));
  CHECK(item["bbox"][3].get<double>() - item["bbox"][1].get<double>() == doctest::Approx(300 / 110950.0).epsilon(0.01));
  const Item& ring = item["geometry"]["coordinates"][0];
  REQUIRE(ring.size() == 5);
  CHECK(ring.front() == ring.back());
  // Counterclockwise, by the sign of the area.
  double area = 0;
  for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
    area += ring[i][0].get<double>() * ring[i + 1][1].get<double>() -
            ring[i + 1][0].get<double>() * ring[i][1].get<double>();
  }
  CHECK(area > 0);
  const Item& map = item["assets"]["map"];
  CHECK(map["href"] == "../maps/map.tif");
  CHECK(map["type"] == "image/tiff; application=geotiff");
  CHECK(map["file:size"] == 12);
  CHECK(map["file:checksum"] == "1220" + sha256_of_file(folder.file("maps/map.tif")));
  CHECK(map["bands"] == Item::array({{{"data_type", "uint16"}, {"nodata", 0}}}));
  const Item& classes = map["classification:classes"];
  REQUIRE(classes.size() == 3);
  CHECK(classes[0]["value"] == 0);
  CHECK(classes[1] == Item{{"value", 1},
                           {"name", "bare_soil___sand"},
                           {"title", "bare soil / sand"},
                           {"color_hint", "0102FF"},
                           {"count", 5}});
  CHECK(classes[2]["value"] == 300);
  const Item& layer = item["assets"]["probabilities"];
  CHECK(layer["href"] == "../maps/p.img");
  CHECK(layer["file:checksum"] == "1220" + sha256_of_file(folder.file("maps/c.img")));
  CHECK(layer["bands"].size() == 2);
  CHECK_FALSE(layer.contains("type"));
  CHECK_FALSE(layer.contains("classification:classes"));
  CHECK(item["links"][0]["rel"] == "derived_from");
  CHECK(item["links"][0]["href"] == "../scene.tif");
  CHECK(item["links"][1]["mlm:name"] == "model");
  CHECK(item["links"][1]["file:checksum"] == "1220" + sha256_of_file(folder.file("model.parsimap")));
}

TEST_CASE("the outline of a map across the antimeridian is cut there, and its box has the western end first") {
  const TemporaryFolder folder;
  RasterGrid grid = placed_grid();
  grid.crs = crs_from_epsg(4326);
  const auto placed = [&](double west) {
    grid.geotransform = std::array<double, 6>{west, 0.01, 0, 10, 0, -0.01};
    return item_of(folder, grid);
  };
  for (const double west : {179.9, -180.1}) {
    const Item item = placed(west);
    CHECK(item["geometry"]["type"] == "MultiPolygon");
    CHECK(item["bbox"][0].get<double>() == doctest::Approx(179.9));
    CHECK(item["bbox"][2].get<double>() == doctest::Approx(-179.7));
    const Item& parts = item["geometry"]["coordinates"];
    REQUIRE(parts.size() == 2);
    for (const Item& part : parts) {
      CHECK(part[0].size() == 5);
      CHECK(part[0].front() == part[0].back());
    }
    CHECK(parts[0][0][1] == Item{180.0, 9.7});
  }
  CHECK(placed(200)["bbox"][0].get<double>() == doctest::Approx(-160));
  CHECK(placed(200)["geometry"]["type"] == "Polygon");
  // The same in metres, where longitudes jump.
  grid.crs = crs_from_epsg(3832);
  grid.geotransform = std::array<double, 6>{3339584, 1000, 0, 10000, 0, -1000};
  const Item metres = item_of(folder, grid);
  CHECK(metres["geometry"]["type"] == "MultiPolygon");
  CHECK(metres["bbox"][0].get<double>() == doctest::Approx(180).epsilon(1e-5));
  CHECK(metres["bbox"][2].get<double>() == doctest::Approx(-179.64).epsilon(1e-3));
  // All of the earth is no crossing.
  grid.crs = crs_from_epsg(3857);
  grid.geotransform = std::array<double, 6>{-20037508.342789244, 1001875.4171394622, 0, 10000, 0, -1000};
  CHECK(item_of(folder, grid)["geometry"]["type"] == "Polygon");
}

TEST_CASE("the outline of a map with a pole reaches the pole and has all longitudes") {
  const TemporaryFolder folder;
  RasterGrid grid = placed_grid();
  const auto outline = [&](int epsg, double left, double top) {
    grid.crs = crs_from_epsg(epsg);
    grid.geotransform = std::array<double, 6>{left, 50000, 0, top, 0, -50000};  // 2000 x 1500 km
    return item_of(folder, grid);
  };
  const Item north = outline(3413, -1500000, 900000);
  // The corner at (-1500, 900) km, by the scale of about 0.97 to 1 near the pole.
  CHECK(north["bbox"][1].get<double>() == doctest::Approx(90 - std::hypot(1500, 900) / 111.7 / 0.975).epsilon(0.005));
  CHECK(north["bbox"][0] == -180.0);
  CHECK(north["bbox"][2] == 180.0);
  CHECK(north["bbox"][3] == 90.0);
  CHECK(north["geometry"]["type"] == "Polygon");
  CHECK(north["geometry"]["coordinates"][0].size() == 5);
  const Item south = outline(3031, -100000, 1400000);
  CHECK(south["bbox"][1] == -90.0);
  CHECK(south["bbox"][3].get<double>() < -65);
  CHECK(outline(3413, 100000, 900000)["bbox"][3].get<double>() < 90);  // beside the pole
}

TEST_CASE("a map without a place on the earth has no outline") {
  const TemporaryFolder folder;
  RasterGrid grid = placed_grid();
  grid.crs.clear();
  const Item item = item_of(folder, grid);
  CHECK(item["geometry"].is_null());
  CHECK_FALSE(item.contains("bbox"));
  CHECK_FALSE(item["properties"].contains("proj:code"));
}

}  // namespace parsimap::test
