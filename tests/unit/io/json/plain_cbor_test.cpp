#include "io/json/plain_cbor.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace parsimap;
using nlohmann::json;

namespace {

std::string encoded(const json& document) {
  std::string bytes;
  json::to_cbor(document, bytes);
  return bytes;
}

}  // namespace

TEST_CASE("what an encoder writes is plain, up to the depth allowed") {
  const json document = {{"a", {1, -2, 3.5, 1e300, nullptr, true, 70000, -5000000000}},
                         {"b", json::binary(std::vector<std::uint8_t>(300))},
                         {"c", {{"d", json::array()}}}};
  CHECK(is_plain_cbor(encoded(document), 3));
  CHECK_FALSE(is_plain_cbor(encoded(document), 2));
  CHECK(is_plain_cbor(encoded(7), 0));
  CHECK(is_plain_cbor(encoded(std::string(70000, 'x')), 0));
}

TEST_CASE("every prefix and every longer text is refused") {
  const std::string bytes = encoded({{"a", {1, 2.5, "text"}}, {"b", json::binary({1, 2})}});
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CHECK_FALSE(is_plain_cbor(bytes.substr(0, length), 5));
  }
  CHECK_FALSE(is_plain_cbor(bytes + bytes, 5));
}

TEST_CASE("indefinite lengths, tags and reserved heads are refused") {
  for (const std::string bytes :
       {"\x9f\xff", "\xbf\xff", "\x7f\x61x\xff", "\x5f\x41x\xff", "\xc1\x01", "\x1c", "\xff"}) {
    CHECK_FALSE(is_plain_cbor(bytes, 5));
  }
}

TEST_CASE("claimed lengths beyond the bytes are refused, also where doubling them would wrap around") {
  const std::string length("\x80\x00\x00\x00\x00\x00\x00\x00", 8);  // 2^63
  for (const char head : {'\x5b', '\x7b', '\x9b', '\xbb'}) {
    CHECK_FALSE(is_plain_cbor(head + length, 5));
  }
}
