#include "parsimap/core/sha256.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
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
