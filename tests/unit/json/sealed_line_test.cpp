#include "parsimap/json/sealed_line.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace parsimap::test {

TEST_CASE("a sealed line is JSON with a checksum, and opens to what it was") {
  std::string writing;
  const std::string first = sealed_line(R"({"a":1})", writing);
  // Of zlib.crc32(b'{"a":1') in Python.
  CHECK(first == "{\"a\":1,\"checksum\":\"a702fc6e\"}\n");
  CHECK(nlohmann::json::parse(first)["a"] == 1);
  const std::string second = sealed_line(R"({"a":1})", writing);
  CHECK(first != second);
  std::string reading;
  CHECK(opened_line(first, reading) == R"({"a":1})");
  CHECK(opened_line(second, reading) == R"({"a":1})");
  CHECK(reading == writing);
}

TEST_CASE("no altered byte, and no other order of lines, goes unnoticed") {
  std::string chain;
  const std::string first = sealed_line(R"({"a":1})", chain);
  const std::string after_first = chain;
  const std::string second = sealed_line(R"({"b":"x"})", chain);
  for (std::size_t i = 0; i < second.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = second;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      std::string previous = after_first;
      REQUIRE_FALSE(opened_line(damaged, previous));
      REQUIRE(previous == after_first);
    }
  }
  std::string previous;
  CHECK_FALSE(opened_line(second, previous));
  CHECK_FALSE(opened_line("", previous));
  CHECK_FALSE(opened_line("{}\n", previous));
  CHECK(opened_line(first, previous));
  CHECK_FALSE(opened_line(first, previous));
}

}  // namespace parsimap::test
