#include "cli/paths.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap {

TEST_CASE("two outputs may share a name but for the extension when they have no side files") {
  CHECK_NOTHROW(check_different({"--samples-out", "m.gpkg"}, {"MODEL", "m.model"}));
  CHECK_THROWS_WITH(check_different({"--samples-out", "./m"}, {"MODEL", "m"}),
                    "--samples-out './m' is the same file as MODEL");
}

TEST_CASE("an output must not be an input, by whatever name") {
  const TemporaryFolder folder;
  const std::string input = folder.file("scene.tif");
  write_file(input, "x");
  std::filesystem::create_hard_link(input, folder.file("hard.tif"));
  std::filesystem::create_symlink(input, folder.file("soft.tif"));
  for (const std::string name : {"scene.tif", "./scene.tif", "hard.tif", "soft.tif"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(check_outputs_distinct({{"SCENE", input}}, {{"MAP", folder.file(name)}}), ConfigError);
  }
  CHECK_NOTHROW(check_outputs_distinct({{"SCENE", input}}, {{"MAP", folder.file("map.tif")}}));
  CHECK(message_of([&] {
          check_outputs_distinct({{"SCENE", input}}, {{"MAP", input}});
        }) == "MAP '" + input + "' is the same file as SCENE '" + input + "'; an input cannot be replaced");
}

TEST_CASE("outputs must differ from each other, in more than the extension") {
  const TemporaryFolder folder;
  const NamedPath map = {"MAP", folder.file("a.img")};
  CHECK_THROWS_AS(check_outputs_distinct({}, {map, {"--confidence", folder.file("./a.img")}}), ConfigError);
  CHECK_THROWS_AS(check_outputs_distinct({}, {map, {"--confidence", folder.file("a.dat")}}), ConfigError);
  CHECK_NOTHROW(check_outputs_distinct({}, {map, {"--confidence", folder.file("b.img")}}));
}

TEST_CASE("a path that is no raster stands for itself, and missing files have no size") {
  const TemporaryFolder folder;
  write_file(folder.file("notes.txt"), "four");
  const auto files = scene_files("LABELS", folder.file("notes.txt"));
  REQUIRE(files.size() == 1);
  CHECK(files.front().role == "LABELS");
  CHECK(file_bytes(folder.file("notes.txt")) == 4);
  CHECK(file_bytes(folder.file("missing")) == 0);
}

}  // namespace parsimap
