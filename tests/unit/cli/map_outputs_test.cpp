#include "cli/map_outputs.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

RasterGrid small_grid() {
  RasterGrid grid;
  grid.width = 4;
  grid.height = 3;
  return grid;
}

const ClassTable kClasses = {{1, "a", {}}, {2, "b", {}}};

MapFiles all_files(const TemporaryFolder& folder) {
  MapFiles files;
  files.map = folder.file("map.tif");
  for (const MapLayerDescription& layer : map_layers()) {
    files.layers[layer.layer] = folder.file(layer.option + ".tif");
  }
  files.layers[MapLayer::decision_values] = folder.file("decisions.img");
  return files;
}

}  // namespace

TEST_CASE("options name the files, the map comes first") {
  CommandSyntax syntax{.name = "classify", .arguments = {{"MAP", ""}}, .options = map_output_syntax()};
  const OptionValues values = parse_command_line(
      syntax, {"map.tif", "--novelty", "n.tif", "--decision-values", "d.tif", "--of", "GTiff", "--co", "A=B"});
  const MapFiles files = map_files(values);
  CHECK(files.layers.count(MapLayer::probabilities) == 0);
  CHECK(files.output.format == "GTiff");
  CHECK(files.output.creation_options == std::vector<std::string>{"A=B"});
  const std::vector<NamedPath> paths = named_paths(files);
  REQUIRE(paths.size() == 3);
  CHECK(paths[0].role == "MAP");
  CHECK(paths[0].path == "map.tif");
  CHECK(paths[1].role == "--decision-values");
  CHECK(paths[2].role == "--novelty");
}

TEST_CASE("sinks are there for what is asked, and files after the commit") {
  const TemporaryFolder folder;
  {
    MapFileSinks sinks(all_files(folder), small_grid(), kClasses);
    const MapOutputs outputs = sinks.sinks();
    CHECK(outputs.map != nullptr);
    CHECK(outputs.layers.size() == map_layers().size());
    sinks.commit();
  }
  for (const NamedPath& file : named_paths(all_files(folder))) {
    CHECK(std::filesystem::exists(file.path));
  }
  MapFiles map_alone;
  map_alone.map = folder.file("alone.tif");
  CHECK(MapFileSinks(map_alone, small_grid(), kClasses).sinks().layers.empty());
  CHECK_FALSE(std::filesystem::exists(map_alone.map));
}

TEST_CASE("when the map cannot appear, the fields do not stay") {
  const TemporaryFolder folder;
  {
    MapFileSinks sinks(all_files(folder), small_grid(), kClasses);
    write_file(folder.file("map.tif"), "another program was faster");
    CHECK_THROWS_AS(sinks.commit(), IoError);
  }
  CHECK(folder.names() == std::vector<std::string>{"map.tif"});
}

}  // namespace parsimap::test
