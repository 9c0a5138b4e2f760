#include "cli/colour_options.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/json/model_file.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

const Colour blue{0, 0, 255};
const Colour green{1, 102, 3};

std::vector<Colour> colours_of(const std::string& map) {
  std::vector<Colour> colours;
  const auto source = open_class_map(map);
  for (const ClassEntry& entry : source->classes()) {
    colours.push_back(entry.colour.value());
  }
  return colours;
}

}  // namespace

TEST_CASE("train keeps chosen colours in the model, classify uses them or others") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  write_file(folder.file("a.json"), R"({"water": "#0000ff", "forest": "#016603"})");
  const std::string model = folder.file("model");
  const Outcome trained = run({"train", small.scene(), small.polygons(), model, "--class-field", "class", "--colours",
                               folder.file("a.json"), "--samples-per-class", "20"});
  REQUIRE(trained.code == 0);
  CHECK_FALSE(contains(trained.err, "colours"));
  CHECK(load_model(model).classes == ClassTable{{1, "forest", green}, {2, "water", blue}});
  REQUIRE(run({"classify", small.scene(), model, folder.file("a.tif")}).code == 0);
  CHECK(colours_of(folder.file("a.tif")) == std::vector<Colour>{green, blue});

  write_file(folder.file("b.clr"), "2 7 8 9\n5 1 1 1 sand\n");
  const Outcome mapped =
      run({"classify", small.scene(), model, folder.file("b.img"), "--colours", folder.file("b.clr")});
  REQUIRE(mapped.code == 0);
  CHECK(contains(mapped.err, "colours are given for classes that do not exist: 'sand'"));
  CHECK(colours_of(folder.file("b.img")) == std::vector<Colour>{green, {7, 8, 9}});
}

TEST_CASE("colours of a label raster reach the map by way of the model") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::vector<Colour> expected = colours_of(small.reference());
  REQUIRE(run({"train", small.scene(), small.reference(), folder.file("model"), "--samples-per-class", "20"}).code ==
          0);
  REQUIRE(run({"classify", small.scene(), folder.file("model"), folder.file("a.tif")}).code == 0);
  CHECK(colours_of(folder.file("a.tif")) == expected);
  CHECK(load_model(folder.file("model")).classes.front().colour == expected.front());
}

TEST_CASE("a bad colour stops a command before it starts, with code 2 and no file") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string colours = folder.file("a.clr");
  write_file(colours, "1 255 0 0\n2 blue\n");
  for (const Outcome& outcome :
       {run({"train", small.scene(), small.reference(), folder.file("model"), "--colours", colours}),
        run({"classify", small.scene(), small.model(), folder.file("a.tif"), "--colours", colours})}) {
    CHECK(outcome.code == 2);
    CHECK(contains(outcome.err, colours + ": line 2 is '2 blue'"));
  }
  CHECK(folder.names() == std::vector<std::string>{"a.clr"});
}

}  // namespace parsimap::test
