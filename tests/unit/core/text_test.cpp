#include "parsimap/core/text.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("text is trimmed at both ends, and inside it stays as it is") {
  CHECK(trimmed("  a b\t\r\n") == "a b");
  CHECK(trimmed("a") == "a");
  CHECK(trimmed(" \t").empty());
  CHECK(trimmed("").empty());
}

TEST_CASE("a number is the whole text, finite and within its type") {
  CHECK(parse_number<double>("-1.5e3") == -1500);
  CHECK(parse_number<double>("+2") == 2);
  CHECK(parse_number<int>("12") == 12);
  for (const char* text : {"", "+", "+-1", "1 ", " 1", "1,5", "nan", "inf", "1e999", "0x10"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number<double>(text));
  }
  CHECK_FALSE(parse_number<int>("1.5"));
  CHECK_FALSE(parse_number<int>("99999999999"));
}

TEST_CASE("values of an enumeration are found by their names, and names by their values") {
  enum class Fruit { apple, pear, plum };
  const Names<Fruit> names = {{Fruit::apple, "apple"}, {Fruit::pear, "pear"}, {Fruit::plum, "plum"}};
  CHECK(parse_name("fruit", "pear", names) == Fruit::pear);
  CHECK(name_among(Fruit::plum, names) == "plum");
  CHECK_THROWS_WITH_AS(parse_name("fruit", "nut", names), "fruit 'nut' is unknown; it must be apple, pear or plum",
                       ConfigError);
}
