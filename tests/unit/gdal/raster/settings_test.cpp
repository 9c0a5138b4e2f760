#include "parsimap/gdal/raster/settings.hpp"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <doctest/doctest.h>
#include <gdal_priv.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <new>
#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/core/system.hpp"

#include "raster_fixture.hpp"
#include "support/write_limit.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

namespace {

// Reads `count` bytes of a file in GDAL's way.
std::size_t read_bytes(const std::string& path, std::size_t count) {
  VSILFILE* file = VSIFOpenL(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  std::string bytes(count, '\0');
  const std::size_t got = VSIFReadL(bytes.data(), 1, count, file);
  VSIFCloseL(file);
  return got;
}

}  // namespace

TEST_CASE("what the system fails to read is noticed, and what is not there is no failure") {
  initialise_gdal();
  const TemporaryFolder folder;
  write_file(folder.file("five.bin"), "12345");
  const ErrorCollector errors;
  CHECK(read_bytes(folder.file("five.bin"), 9) == 5);
  CHECK(VSIFOpenL(folder.file("missing").c_str(), "rb") == nullptr);
  CHECK_FALSE(exists(folder.file("missing")));
  CHECK(VSIUnlink(folder.file("missing").c_str()) != 0);
  CHECK(CPLStringList(VSIReadDir(folder.file("missing").c_str())).empty());
  CHECK(read_bytes(folder.file("."), 9) == 0);
  CHECK_FALSE(errors.failed());
  // Nothing is mapped at the first address.
  CHECK(read_bytes("/proc/self/mem", 9) == 0);
  CHECK(errors.file_failed());
  CHECK(errors.text() == "reading byte 0 of /proc/self/mem failed");
}

TEST_CASE("a file that becomes shorter while it is open is noticed, one that is written is held to no size") {
  initialise_gdal();
  const TemporaryFolder folder;
  const std::string path = folder.file("a.bin");
  write_file(path, std::string(20000, 'x'));
  VSILFILE* file = VSIFOpenL(path.c_str(), "rb");
  std::string bytes(9000, '\0');
  {
    const ErrorCollector errors;
    CHECK(VSIFReadL(bytes.data(), 1, 9000, file) == 9000);
    CHECK_FALSE(errors.failed());
    std::filesystem::resize_file(path, 10000);
    VSIFSeekL(file, 15000, SEEK_SET);
    CHECK(VSIFReadL(bytes.data(), 1, 9000, file) == 0);
    CHECK(errors.text() == "reading byte 15000 of " + path + " failed");
  }
  VSIFCloseL(file);
  const ErrorCollector errors;
  file = VSIFOpenL(path.c_str(), "wb+");
  CHECK(VSIFWriteL("abc", 1, 3, file) == 3);
  VSIFSeekL(file, 0, SEEK_SET);
  CHECK(VSIFReadL(bytes.data(), 1, 9, file) == 3);
  CHECK(VSIFCloseL(file) == 0);
  CHECK_FALSE(errors.failed());
}

TEST_CASE("a write that fails is noticed, at once or when the file is closed") {
  initialise_gdal();
  for (const std::size_t count : {std::size_t{3}, std::size_t{1} << 20}) {
    const ErrorCollector errors;
    VSILFILE* file = VSIFOpenL("/dev/full", "wb");
    REQUIRE(file != nullptr);
    const std::string bytes(count, 'x');
    VSIFWriteL(bytes.data(), 1, count, file);
    VSIFCloseL(file);
    CAPTURE(count);
    CHECK(contains(errors.text(), "writing /dev/full failed: No space left on device"));
  }
}

TEST_CASE("a file of which something is lost is neither read nor written any more") {
  initialise_gdal();
  const TemporaryFolder folder;
  const std::string path = folder.file("a.bin");
  CHECK(with_limit(path, 100, [&] {
          const ErrorCollector errors;
          VSILFILE* file = VSIFOpenL(path.c_str(), "wb+");
          std::string bytes(200, 'x');
          VSIFWriteL(bytes.data(), 1, 50, file);
          VSIFFlushL(file);
          VSIFWriteL(bytes.data(), 1, 200, file);
          VSIFFlushL(file);
          VSIFSeekL(file, 0, SEEK_SET);
          const bool refused = VSIFReadL(bytes.data(), 1, 10, file) == 0 && VSIFWriteL(bytes.data(), 1, 10, file) == 0;
          VSIFCloseL(file);
          if (refused) {
            errors.check_files(path + " cannot be written:");
          }
        }) == 0);
}

TEST_CASE("a folder is listed as GDAL does it") {
  initialise_gdal();
  const TemporaryFolder folder;
  const ErrorCollector errors;
  const auto listed = [&](int most) {
    CPLStringList list(VSIReadDirEx(folder.file(".").c_str(), most));
    CHECK(list.List() != nullptr);
    return list.size();
  };
  CHECK(listed(0) == 2);
  for (const char* name : {"a", "b", "c"}) {
    write_file(folder.file(name), "");
  }
  CHECK(listed(0) == 5);
  CHECK(listed(3) == 4);  // one more says that there are more
  CHECK_FALSE(errors.failed());
}

TEST_CASE("beside a compressed file that is read nothing is left") {
  const TemporaryFolder folder;
  const std::string path = "/vsigzip/" + folder.file("a.gz");
  initialise_gdal();
  VSILFILE* file = VSIFOpenL(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  VSIFWriteL("abc", 1, 3, file);
  VSIFCloseL(file);
  VSIStatBufL status;
  REQUIRE(VSIStatL(path.c_str(), &status) == 0);
  CHECK(status.st_size == 3);
  CHECK(CPLStringList(VSIReadDirRecursive(folder.file("").c_str())).size() == 1);
}

TEST_CASE("memory that SQLite does not get is remembered") {
  const pid_t child = fork();
  if (child == 0) {
    initialise_gdal();  // which watches it before anything uses it
    watch_memory();
    void* some = sqlite3_malloc(1000);
    check_memory();
    sqlite3_free(some);
    constexpr rlim_t kLimit = rlim_t{1} << 30U;
    const rlimit limit{kLimit, kLimit};
    setrlimit(RLIMIT_AS, &limit);
    bool remembered = false;
    try {
      sqlite3_free(sqlite3_malloc64(std::size_t{3} << 29U));
      check_memory();
    } catch (const std::bad_alloc&) {
      remembered = true;
    }
    _exit(some != nullptr && remembered ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
#ifndef PARSIMAP_SANITIZED  // which reserves more than the limit
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
#endif
}

TEST_CASE("drivers are registered and errors stay off the terminal") {
  initialise_gdal();
  CHECK(GetGDALDriverManager()->GetDriverByName("GTiff") != nullptr);
  CPLErrorReset();
  CPLError(CE_Failure, CPLE_AppDefined, "kept, not printed");
  CHECK(std::string(CPLGetLastErrorMsg()) == "kept, not printed");
  CPLErrorReset();
}

TEST_CASE("what the environment names for another GDAL is said where it is ignored") {
  const std::array<std::string, 4> names{"GDAL_DATA", "GDAL_DRIVER_PATH", "PROJ_DATA", "PROJ_LIB"};
  for (const std::string& name : names) {
    unsetenv(name.c_str());
  }
  CHECK(ignored_environment(true).empty());
  setenv("PROJ_LIB", "/nowhere", 1);
  setenv("GDAL_DATA", "/nowhere", 1);
  CHECK(ignored_environment(true) ==
        "this program has GDAL and PROJ inside and ignores the environment's GDAL_DATA, PROJ_LIB");
  CHECK(ignored_environment(false).empty());
  CHECK_FALSE(has_own_data());
  unsetenv("PROJ_LIB");
  unsetenv("GDAL_DATA");
}

TEST_CASE("options and the cache size reach GDAL") {
  set_gdal_option("PARSIMAP_TEST_KEY", "value=1");
  CHECK(std::string(CPLGetConfigOption("PARSIMAP_TEST_KEY", "")) == "value=1");
  CPLSetConfigOption("PARSIMAP_TEST_KEY", nullptr);
  CHECK(contains(message_of<ConfigError>([] { set_gdal_option("GDAL_PAM_ENABLED", "no"); }),
                 "GDAL_PAM_ENABLED=no would take the names of the classes from maps"));
  CHECK_NOTHROW(set_gdal_option("GDAL_PAM_ENABLED", "YES"));
  // Without PAM, GDAL would read no side file of a GeoTIFF.
  for (const auto& [sources, expected] :
       {std::pair("INTERNAL", "INTERNAL,PAM"), std::pair("pam,INTERNAL", "pam,INTERNAL")}) {
    set_gdal_option("GDAL_GEOREF_SOURCES", sources);
    CHECK(std::string(CPLGetConfigOption("GDAL_GEOREF_SOURCES", "")) == expected);
  }
  CPLSetConfigOption("GDAL_GEOREF_SOURCES", nullptr);
  const GIntBig before = GDALGetCacheMax64();
  set_gdal_cache(std::int64_t{5} << 30);
  CHECK(GDALGetCacheMax64() == GIntBig{5} << 30);
  set_gdal_cache(before);
}

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

TEST_CASE("side files are written and read where the environment switches them off") {
  setenv("GDAL_PAM_ENABLED", "NO", 1);
  initialise_gdal();
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  create_raster(path, 2, 2, 1, GDT_Byte);
  open_raster(path)->SetMetadataItem("key", "value");
  CHECK(exists(path + ".aux.xml"));
  CHECK(metadata_item(*open_raster(path), "key") == "value");
  unsetenv("GDAL_PAM_ENABLED");
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

}  // namespace parsimap::test
