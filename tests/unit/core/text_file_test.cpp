#include "parsimap/core/text_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("a text file is read whole, whatever its bytes") {
  const TemporaryFolder folder;
  const std::string content = std::string(200'000, 'x') + std::string("\0\xff\n", 3);
  write_file(folder.file("a"), content);
  CHECK(read_text_file(folder.file("a")) == content);
  write_file(folder.file("a"), "");
  CHECK(read_text_file(folder.file("a")).empty());
}

TEST_CASE("a file that is too large is refused, as far as it has been read") {
  const TemporaryFolder folder;
  write_file(folder.file("a"), "12345");
  CHECK(read_text_file(folder.file("a"), 5) == "12345");
  CHECK_THROWS_WITH_AS(read_text_file(folder.file("a"), 4),
                       (folder.file("a") + " has more than 4 bytes; that is too much for a file of its kind").c_str(),
                       DataError);
  // A file of a terabyte, of which nothing is on the disk.
  std::filesystem::resize_file(folder.file("a"), std::uintmax_t{1} << 40U);
  CHECK_THROWS_AS(read_text_file(folder.file("a"), kLargestConfiguration), DataError);
}

TEST_CASE("what is no regular file is refused without waiting for it") {
  const TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(message_of([&] { read_text_file(pipe); }) == pipe + " is a named pipe; an input must be a regular file");
  CHECK(message_of([] { read_text_file("/dev/zero"); }) == "/dev/zero is a device; an input must be a regular file");
  CHECK(special_file(folder.file("none")).empty());
  CHECK(special_file(folder.file("")).empty());
  CHECK_NOTHROW(refuse_special_file("NETCDF:\"a.nc\":band"));
}

TEST_CASE("what cannot be read is told with the system's reason") {
  const TemporaryFolder folder;
  CHECK(message_of([&] { read_text_file(folder.file("none")); }) ==
        folder.file("none") + " cannot be read: No such file or directory");
  CHECK(message_of([&] { read_text_file(folder.file("")); }) == folder.file("") + " cannot be read: Is a directory");
}

}  // namespace parsimap::test
