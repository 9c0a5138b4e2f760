#include "io/gdal/staging_folder.hpp"

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
    gdal::StagingFolder staging(folder.file("a.txt"));
    write_file(staging.path_of("a.txt"), "main");
    write_file(staging.path_of("a.txt.aux.xml"), "side");
    REQUIRE(folder.names().size() == 1);
    CHECK(folder.names()[0].starts_with(".parsimap-"));
    staging.publish("a.txt", {}, false);
    CHECK(text_of(folder.file("a.txt")) == "main");
  }
  CHECK(folder.names() == Names{"a.txt", "a.txt.aux.xml"});
  {
    const gdal::StagingFolder abandoned(folder.file("b.txt"));
    write_file(abandoned.path_of("b.txt"), "half");
  }
  CHECK(folder.names() == Names{"a.txt", "a.txt.aux.xml"});
}

TEST_CASE("overwriting replaces the old files and removes stale ones; without it they are safe") {
  const TemporaryFolder folder;
  const auto publish = [&](bool overwrite) {
    gdal::StagingFolder staging(folder.file("a.txt"));
    write_file(staging.path_of("a.txt"), "new");
    staging.publish("a.txt", {folder.file("a.txt"), folder.file("a.hdr")}, overwrite);
  };
  write_file(folder.file("a.txt"), "old");
  write_file(folder.file("a.hdr"), "old header");
  CHECK(contains(message_of<IoError>([&] { publish(false); }), "has appeared"));
  CHECK(text_of(folder.file("a.txt")) == "old");
  publish(true);
  CHECK(text_of(folder.file("a.txt")) == "new");
  CHECK(folder.names() == Names{"a.txt"});
}

TEST_CASE("a target that cannot be is found beforehand") {
  const TemporaryFolder folder;
  write_file(folder.file("file"), "x");
  const auto refused = [&](const std::string& path) {
    return message_of<ConfigError>([&] { gdal::check_target(path, {path}, false); });
  };
  CHECK(contains(refused(folder.file("absent/a.tif")), "absent does not exist"));
  CHECK(contains(refused(folder.file("file/a.tif")), "is not a folder"));
  CHECK(contains(refused(folder.file("file")), "exists already"));
  CHECK(contains(refused("/proc/a.tif"), "/proc is not writable"));
  CHECK(refused(folder.file("new.tif")).empty());
  gdal::check_target(folder.file("file"), {folder.file("file")}, true);
  CHECK(contains(message_of<ConfigError>([&] { gdal::check_target(folder.file(""), {folder.file("")}, true); }),
                 "is a folder"));
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
