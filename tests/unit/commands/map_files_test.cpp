#include "commands/map_files.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/scene.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("the files of a map appear together when they are published, and are checked before") {
  const TemporaryFolder folder;
  RasterGrid grid;
  grid.width = 3;
  grid.height = 2;
  const ClassTable classes = {{1, "water", {}}, {2, "forest", {}}};
  MapOptions options;
  options.map = folder.file("map.tif");
  options.layers = {{MapLayer::confidence, folder.file("confidence.tif")}};
  {
    MapFiles files(options, options.format);
    const MapOutputs outputs = files.create(grid, classes);
    outputs.map->write({0, 0, 3, 2}, {0, 1, 2, 2, 1, 0});
    CHECK_FALSE(std::filesystem::exists(options.map));
    files.publish();
  }
  CHECK(open_class_map(options.map)->classes().at(1).name == "forest");
  CHECK(std::filesystem::exists(folder.file("confidence.tif")));
  CHECK_THROWS_AS(MapFiles(options, options.format), ConfigError);
}

TEST_CASE("writing has a progress where there is something to tell") {
  std::vector<std::string> stages;
  class Stages final : public Listener {
   public:
    explicit Stages(std::vector<std::string>& all) : all_(all) {}
    Progress progress(const std::string& stage) override {
      all_.push_back(stage);
      return {};
    }

   private:
    std::vector<std::string>& all_;
  } listener(stages);
  const OutputOptions format = with_progress({"COG", {}}, listener);
  CHECK(stages.empty());
  format.progress(0.5);
  CHECK(stages == std::vector<std::string>{"writing"});
  CHECK(format.format == "COG");
}

}  // namespace parsimap::test
