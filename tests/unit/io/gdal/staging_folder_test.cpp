#include "../../../../src/io/gdal/staging_folder.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

using Names = std::vector<std::string>;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("nothing appears before publishing, everything after it, and no folder stays") {
  const TemporaryFolder folder;
  {
    gdal::StagingFolder staging(folder / "a.txt");
    write_text(staging.path_of("a.txt"), "main");
    write_text(staging.path_of("a.txt.aux.xml"), "side");
    REQUIRE(folder.names().size() == 1);
    CHECK(folder.names()[0].starts_with(".parsimap-"));
    staging.publish("a.txt", {}, false);
    CHECK(text_of(folder / "a.txt") == "main");
  }
  CHECK(folder.names() == Names{"a.txt", "a.txt.aux.xml"});
  {
    const gdal::StagingFolder abandoned(folder / "b.txt");
    write_text(abandoned.path_of("b.txt"), "half");
  }
  CHECK(folder.names() == Names{"a.txt", "a.txt.aux.xml"});
}

TEST_CASE("overwriting replaces the old files and removes stale ones; without it they are safe") {
  const TemporaryFolder folder;
  const auto publish = [&](bool overwrite) {
    gdal::StagingFolder staging(folder / "a.txt");
    write_text(staging.path_of("a.txt"), "new");
    staging.publish("a.txt", {folder / "a.txt", folder / "a.hdr"}, overwrite);
  };
  write_text(folder / "a.txt", "old");
  write_text(folder / "a.hdr", "old header");
  CHECK(contains(message_of<IoError>([&] { publish(false); }), "has appeared"));
  CHECK(text_of(folder / "a.txt") == "old");
  publish(true);
  CHECK(text_of(folder / "a.txt") == "new");
  CHECK(folder.names() == Names{"a.txt"});
}

TEST_CASE("a target that cannot be is found beforehand") {
  const TemporaryFolder folder;
  write_text(folder / "file", "x");
  const auto refused = [&](const std::string& path) {
    return message_of<ConfigError>([&] { gdal::check_target(path, {path}, false); });
  };
  CHECK(contains(refused(folder / "absent/a.tif"), "absent does not exist"));
  CHECK(contains(refused(folder / "file/a.tif"), "is not a folder"));
  CHECK(contains(refused(folder / "file"), "exists already"));
  CHECK(contains(refused("/proc/a.tif"), "/proc is not writable"));
  CHECK(refused(folder / "new.tif").empty());
  gdal::check_target(folder / "file", {folder / "file"}, true);
  CHECK(
      contains(message_of<ConfigError>([&] { gdal::check_target(folder / "", {folder / ""}, true); }), "is a folder"));
  CHECK(folder.names() == Names{"file"});
}

TEST_CASE("virtual file systems can be targets") {
  gdal::StagingFolder staging("/vsimem/parsimap_stage.txt");
  VSILFILE* file = VSIFOpenL(staging.path_of("parsimap_stage.txt").c_str(), "wb");
  REQUIRE(file != nullptr);
  VSIFCloseL(file);
  staging.publish("parsimap_stage.txt", {}, false);
  VSIStatBufL status;
  CHECK(VSIStatL("/vsimem/parsimap_stage.txt", &status) == 0);
  VSIUnlink("/vsimem/parsimap_stage.txt");
}
