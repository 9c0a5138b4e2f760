#include "commands/serve/line_reader.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "parsimap/core/error.hpp"

namespace parsimap::test {
namespace {

// A pipe, both ends of which are closed in the end.
struct Pipe {
  Pipe() { REQUIRE(pipe(ends.data()) == 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(ends[0]);
    finish();
  }
  void put(const std::string& text) const {
    REQUIRE(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void finish() {
    if (ends[1] >= 0) {
      close(ends[1]);
    }
    ends[1] = -1;
  }

  std::array<int, 2> ends{};
};

std::vector<std::string> line_texts(LineReader& reader) {
  std::vector<std::string> found;
  for (const InputLine& line : reader.lines()) {
    found.push_back(line.text);
  }
  reader.lines().clear();
  return found;
}

}  // namespace

TEST_CASE("lines are complete, in their order, and reading does not wait unless it is to") {
  Pipe pipe;
  LineReader reader(pipe.ends[0], 100);
  reader.read(false);
  CHECK(reader.lines().empty());
  pipe.put("one\ntw");
  reader.read(true);
  CHECK(line_texts(reader) == std::vector<std::string>{"one"});
  pipe.put("o\n\nthree");
  reader.read(false);
  CHECK(line_texts(reader) == std::vector<std::string>{"two", ""});
  CHECK_FALSE(reader.ended());
  pipe.finish();
  reader.read(true);
  CHECK(reader.ended());
  CHECK(line_texts(reader) == std::vector<std::string>{"three"});
}

TEST_CASE("a long line is cut, whatever its parts, and the next one is whole") {
  Pipe pipe;
  LineReader reader(pipe.ends[0], 5);
  pipe.put("123");
  reader.read(true);
  pipe.put("456");
  reader.read(true);
  pipe.put("789\nnext\n12345\n");
  reader.read(true);
  REQUIRE(reader.lines().size() == 3);
  CHECK(reader.lines()[0].text == "12345");
  CHECK(reader.lines()[0].too_long);
  CHECK(reader.lines()[1].text == "next");
  CHECK_FALSE(reader.lines()[1].too_long);
  CHECK_FALSE(reader.lines()[2].too_long);
}

TEST_CASE("a descriptor that cannot be read is an error") {
  const int folder = open("/", O_RDONLY);
  REQUIRE(folder >= 0);
  LineReader reader(folder, 5);
  CHECK_THROWS_AS(reader.read(true), IoError);
  close(folder);
}

}  // namespace parsimap::test
