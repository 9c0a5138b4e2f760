#include "gdal/file_stamps.hpp"

#include <doctest/doctest.h>

#include <chrono>

#include "parsimap/core/error.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

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
