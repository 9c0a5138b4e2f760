#include "parsimap/core/text.hpp"

#include <doctest/doctest.h>

namespace parsimap::test {
TEST_CASE("names are found in upper and lower case, where only one is meant") {
  CHECK(place_of_name({"red", "nir"}, "NIR") == 1);
  CHECK(place_of_name({"NIR", "nir"}, "nir") == 1);
  CHECK_FALSE(place_of_name({"NIR", "nir"}, "Nir"));
  CHECK_FALSE(place_of_name({}, "nir"));
}

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

TEST_CASE("a character has its bytes and the columns of a terminal that it takes") {
  const auto is = [](const char* text, std::size_t bytes, std::size_t columns) {
    const Character character = first_character(text);
    return character.bytes == bytes && character.columns == columns;
  };
  CHECK(is("abc", 1, 1));
  CHECK(is("\xc3\xa9t", 2, 1));                 // e with an acute accent
  CHECK(is("\xcc\x81", 2, 0));                  // a combining acute accent
  CHECK(is("\xe6\xa3\xae\xe6\x9e\x97", 3, 2));  // a Chinese character
  CHECK(is("\xf0\x9f\x8c\xb2", 4, 2));          // a tree
  CHECK(is("\xe9t\xe9", 0, 1));                 // Latin-1
  CHECK(is("\xc0\x80", 0, 1));                  // an overlong form
}

TEST_CASE("UTF-8 is distinguished from what only looks like it") {
  for (const char* text :
       {"", "a", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8c\xb2", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"}) {
    CAPTURE(text);
    CHECK(is_utf8(text));
  }
  // Latin-1, a lone continuation, cut off, overlong, a surrogate, beyond the last code point, no first byte.
  for (const char* text : {"caf\xe9", "\x80", "\xc3", "\xe2\x82", "\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf",
                           "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xc3\xa9\xe9"}) {
    CAPTURE(text);
    CHECK_FALSE(is_utf8(text));
    CHECK(is_utf8(utf8_of_latin1(text)));
  }
  CHECK(utf8_of_latin1("caf\xe9 \xff\x80") == "caf\xc3\xa9 \xc3\xbf\xc2\x80");
}

TEST_CASE("names are UTF-8, trimmed and writable, and what was changed is reported") {
  ClassNameReader reader;
  CHECK(reader.read("for\xeat ") == "for\xc3\xaat");
  CHECK(reader.read("for\xc3\xaat") == "for\xc3\xaat");
  CHECK(reader.read(" a") == "a");
  CHECK(reader.read("a\t") == "a");
  CHECK(reader.read("b\x01"
                    "c") == "b c");
  CHECK(reader.read("   ").empty());
  CHECK(reader.notes("x.shp") ==
        std::vector<std::string>{
            "x.shp: class names that are not UTF-8 were read as Latin-1 (ISO-8859-1): 'for\xc3\xaat'",
            "x.shp: class names were read without the white space around them and without control characters: 'a', "
            "'b c'"});
}

TEST_CASE("names that look equal are equal") {
  // A no-break space behind a name, a byte order mark before it, a wide space in it, and an e with a combining accent.
  ClassNameReader reader;
  CHECK(reader.read("wheat\xc2\xa0") == "wheat");
  CHECK(reader.read("\xef\xbb\xbfwheat") == "wheat");
  CHECK(reader.read("winter\xe2\x80\x83wheat") == "winter wheat");
  CHECK(reader.read("for\x65\xcc\x82t") == "for\xc3\xaat");
  CHECK(class_name("\xc2\xa0 \xe2\x80\x8b").empty());
  CHECK(class_name("dry\ngrass\tand\x01reed\n") == "dry grass and reed");
  CHECK(reader.notes("x").back() == "x: class names were read in the composed form of Unicode (NFC): 'for\xc3\xaat'");
  CHECK(case_folded("\xc3\x89tang") == case_folded("\xc3\xa9TANG"));
  CHECK(case_folded("oak") != case_folded("oaks"));
}

TEST_CASE("names that need nothing give no note, and many are not all listed") {
  ClassNameReader reader;
  CHECK(reader.read("plain name").size() == 10);
  CHECK(reader.notes("x").empty());
  CHECK(quoted_names({"a", "b", "c", "d", "e"}) == "'a', 'b', 'c' and 2 more");
}

TEST_CASE("numbers are as short as they can be") {
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(5.0) == "5");
  CHECK(number_text(0.50000001) == "0.50000001");
  CHECK(number_text(0.1F) == "0.1");
  CHECK(number_text(2.0 / 3, 3) == "0.667");
  CHECK(number_text(1234567, 6) == "1.23457e+06");
}

TEST_CASE("the parts of a text have no white space around them") {
  const std::vector<std::string> parts = {"a", "", "b c"};
  CHECK(parts_of(" a,,\tb c", ",") == parts);
  CHECK(parts_of("a , ,b c, ", ",") == parts);
  CHECK(parts_of("a  b\t\tc", " \t").size() == 3);
  CHECK(parts_of(" \n", ",").empty());
}

}  // namespace parsimap::test
