#include "parsimap/gdal/raster/files.hpp"

#include <doctest/doctest.h>

#include <chrono>

#include "parsimap/core/error.hpp"

#include "raster_fixture.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("rasters and vector files are distinguished from what is neither") {
  const TemporaryFolder folder;
  create_raster(folder.file("a.tif"), 2, 2, 1, GDT_Byte);
  write_file(folder.file("b.geojson"), R"({"type": "FeatureCollection", "features": []})");
  write_file(folder.file("c.txt"), "neither");
  CHECK(file_kind(folder.file("a.tif")) == FileKind::raster);
  CHECK(file_kind(folder.file("b.geojson")) == FileKind::vector);
  CHECK(file_kind(folder.file("c.txt")) == FileKind::unknown);
  CHECK(file_kind(folder.file("absent")) == FileKind::unknown);
}

TEST_CASE("a copy has the same digest, whatever it is called") {
  const TemporaryFolder folder;
  write_file(folder.file("a"), std::string(300000, 'x'));
  write_file(folder.file("b"), std::string(300000, 'x'));
  CHECK(sampled_digest({folder.file("a")}) == sampled_digest({folder.file("b")}));
  CHECK(sampled_digest({folder.file("a")}) != sampled_digest({folder.file("a"), folder.file("b")}));
}

TEST_CASE("another size, or another byte at either end or in the middle, is noticed") {
  const TemporaryFolder folder;
  const std::string text(300000, 'x');
  write_file(folder.file("a"), text);
  const std::string digest = sampled_digest({folder.file("a")});
  for (const std::size_t place : {std::size_t{0}, text.size() / 2, text.size() - 1}) {
    std::string other = text;
    other[place] = 'y';
    write_file(folder.file("b"), other);
    CHECK(sampled_digest({folder.file("b")}) != digest);
  }
  write_file(folder.file("b"), text + "x");
  CHECK(sampled_digest({folder.file("b")}) != digest);
}

TEST_CASE("empty files, folders and names of other things have digests, too") {
  const TemporaryFolder folder;
  write_file(folder.file("empty"), "");
  CHECK(sampled_digest({folder.file("empty")}) != sampled_digest({}));
  CHECK(sampled_digest({folder.file("")}) == sampled_digest({folder.file("")}));
  CHECK(sampled_digest({"PG:one"}) != sampled_digest({"PG:other"}));
}

TEST_CASE("of many files some are looked into, the first and the last among them") {
  const TemporaryFolder folder;
  std::vector<std::string> files;
  for (int i = 0; i < 100; ++i) {
    files.push_back(folder.file(std::to_string(i)));
    write_file(files.back(), "text");
  }
  const std::string digest = sampled_digest(files);
  write_file(files.back(), "tex!");
  CHECK(sampled_digest(files) != digest);
  write_file(files.back(), "text");
  write_file(files.front(), "tex!");
  CHECK(sampled_digest(files) != digest);
}

TEST_CASE("a file that gets another size or another time of change, or goes away, is no longer what it was") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.bin");
  write_file(path, "12345");
  const auto message = [&](const std::function<void()>& change) {
    const FileStamps stamps({path, "/vsimem/other"});
    CHECK_NOTHROW(stamps.check_unchanged());
    change();
    return message_of<IoError>([&] { stamps.check_unchanged(); });
  };
  CHECK(message([] {}).empty());
  CHECK(contains(message([&] { std::filesystem::resize_file(path, 3); }), path + " changed while it was read"));
  CHECK_FALSE(message([&] {
                std::filesystem::last_write_time(path,
                                                 std::filesystem::last_write_time(path) + std::chrono::seconds(2));
              }).empty());
  CHECK_FALSE(message([&] { std::filesystem::remove(path); }).empty());
}
