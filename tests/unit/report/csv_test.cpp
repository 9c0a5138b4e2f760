#include "report/csv.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("fields are quoted only where they have to be, and short rows are filled up") {
  CHECK(csv_line({"a", "b c"}, 2) == "a,b c\r\n");
  CHECK(csv_line({"a,b", "say \"x\"", "two\nlines"}, 3) == "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\r\n");
  CHECK(csv_line({"a"}, 3) == "a,,\r\n");
}

TEST_CASE("numbers read back as the same double") {
  CHECK(csv_number(0.1) == "0.1");
  CHECK(csv_number(1.0 / 3.0) == "0.3333333333333333");
  CHECK(csv_number(1e-300) == "1e-300");
  CHECK(csv_number(std::nullopt) == "");
}
