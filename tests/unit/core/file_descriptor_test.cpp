#include "parsimap/core/file_descriptor.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>

using namespace parsimap;

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
