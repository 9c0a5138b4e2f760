#include "parsimap/core/file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
TEST_CASE("a file is closed once, by its last owner, or when it is asked for") {
  FileDescriptor first(open("/dev/null", O_RDONLY));
  const int number = first.number();
  REQUIRE(first.is_open());
  {
    const FileDescriptor second(std::move(first));
    CHECK(second.number() == number);
    CHECK(fcntl(number, F_GETFD) >= 0);
  }
  CHECK(fcntl(number, F_GETFD) < 0);
  FileDescriptor full(open("/dev/null", O_WRONLY));
  CHECK(full.close());
  CHECK_FALSE(full.is_open());
}

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

TEST_CASE("a whole text is written to an open file, or the reason is known") {
  const TemporaryFolder folder;
  const std::string text(200000, 'x');
  const FileDescriptor file(open(folder.file("x").c_str(), O_RDWR | O_CREAT, 0600));
  REQUIRE(write_all(file.number(), text));
  CHECK(read_text_file(folder.file("x")) == text);
  const FileDescriptor full(open("/dev/full", O_WRONLY));
  CHECK(!write_all(full.number(), text));
  CHECK(errno == ENOSPC);
  std::string rest = "y";
  CHECK(!read_all(full.number(), rest));
  CHECK(rest == "y");
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

TEST_CASE("what cannot be read is reported with the system's reason") {
  const TemporaryFolder folder;
  CHECK(message_of([&] { read_text_file(folder.file("none")); }) ==
        folder.file("none") + " cannot be read: No such file or directory");
  CHECK(message_of([&] { read_text_file(folder.file("")); }) == folder.file("") + " cannot be read: Is a directory");
}

namespace {

std::string sum_of(const std::string& text) {
  Sha256 sum;
  sum.update(text);
  return sum.digits();
}

}  // namespace

TEST_CASE("the examples of the standard") {
  CHECK(sum_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sum_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sum_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sum_of(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the sum does not depend on the pieces") {
  const std::string text(200, 'x');
  for (const std::size_t piece : {1U, 7U, 55U, 56U, 63U, 64U, 65U}) {
    Sha256 sum;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      sum.update(std::string_view(text).substr(at, piece));
    }
    CAPTURE(piece);
    CHECK(sum.digits() == sum_of(text));
  }
}

TEST_CASE("a file has the sum of its bytes, and one that cannot be read is an error") {
  const TemporaryFolder folder;
  write_file(folder.file("data"), "abc");
  CHECK(sha256_of_file(folder.file("data")) == sum_of("abc"));
  CHECK_THROWS_AS(sha256_of_file(folder.file("missing")), IoError);
}

}  // namespace parsimap::test
