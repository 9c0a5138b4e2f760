#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "library/formats.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("fields of an ENVI header are texts, numbers and lists over several lines") {
  const EnviHeader header("a.hdr", "ENVI\r\n Samples = 12\r\n; lines = 3\nfwhm = {1,\n 2.5 }\nnames={ a , b\n c,}\n");
  CHECK(header.integer("samples", std::nullopt, 1) == 12);
  CHECK(header.integer("lines", 7, 1) == 7);
  CHECK(header.numbers("fwhm") == std::vector<double>{1, 2.5});
  CHECK(header.list("names") == std::vector<std::string>{"a", "b  c"});
  CHECK(header.list("bbl").empty());
  CHECK(header.text("bbl").empty());
}

TEST_CASE("a header that is none, and fields of another kind, are refused") {
  CHECK(message_of([] { EnviHeader("a.hdr", "samples = 3"); }).find("does not begin with ENVI") != std::string::npos);
  CHECK(message_of([] { EnviHeader("a.hdr", "ENVI\nbbl = {1, 0"); }).find("no closing brace") != std::string::npos);
  const EnviHeader header("a.hdr", "ENVI\nsamples = 1.5\nbbl = {1, two}\n");
  CHECK(message_of([&] { (void)header.integer("samples", std::nullopt, 1); }) ==
        "a.hdr: 'samples' is '1.5'; it must be a whole number of at least 1");
  CHECK(message_of([&] { (void)header.integer("lines", std::nullopt, 1); }).find("'lines' is ''") != std::string::npos);
  CHECK(message_of([&] { (void)header.numbers("bbl"); }) == "a.hdr: 'two' in the list 'bbl' is not a number");
}

TEST_CASE("types of ENVI have their sizes, and complex ones none") {
  CHECK(envi_type_bytes(1) == 1);
  CHECK(envi_type_bytes(12) == 2);
  CHECK(envi_type_bytes(4) == 4);
  CHECK(envi_type_bytes(15) == 8);
  for (const Index type : {-1, 0, 6, 9, 16}) {
    CHECK(envi_type_bytes(type) == 0);
  }
}

TEST_CASE("numbers are read row by row in either byte order") {
  const Spectra little = envi_values(std::string("\1\0\2\0\3\0\xff\xff", 8), 2, false, 2, 2);
  const Spectra big = envi_values(std::string("\0\1\0\2\0\3\xff\xff", 8), 2, true, 2, 2);
  CHECK(little == big);
  CHECK(little(0, 1) == 2);
  CHECK(little(1, 1) == -1);
}

}  // namespace parsimap::test
