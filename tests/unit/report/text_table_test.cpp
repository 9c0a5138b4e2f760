#include "parsimap/report/text_table.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace parsimap;

TEST_CASE("columns line up by what a terminal shows") {
  TextTable table({Alignment::left, Alignment::right, Alignment::left});
  table.add_row({"name", "n", "note"});
  table.add_row({"Forêt", "12", ""});
  table.add_row({"e\u0301te\u0301", "3", "x"});  // combining accents
  table.add_row({"森林", "100", "wide"});
  CHECK(table.text() ==
        "  name     n  note\n"
        "  Forêt   12\n"
        "  e\u0301te\u0301      3  x\n"
        "  森林   100  wide\n");
}

TEST_CASE("the width of text is its terminal columns, and broken UTF-8 is counted by byte") {
  CHECK(display_width("") == 0);
  CHECK(display_width("abc") == 3);
  CHECK(display_width("é") == 1);
  CHECK(display_width("🌲") == 2);
  CHECK(display_width("caf\xe9") == 4);
  CHECK(display_width("\xe9\xe9 x") == 4);
  CHECK(display_width("\xff\xfe") == 2);
}

TEST_CASE("a long name is cut at a character, a line break in a name does not break the table") {
  TextTable table({Alignment::left, Alignment::left});
  table.add_row({std::string(80, 'x'), "end"});
  table.add_row({std::string(47, 'x') + "é", "end"});
  table.add_row({std::string(46, 'x') + "éé!", "end"});
  table.add_row({"two\nlines\x1b[31m", "end"});
  CHECK(table.text() == "  " + std::string(47, 'x') + "…  end\n" +       //
                            "  " + std::string(47, 'x') + "é  end\n" +   //
                            "  " + std::string(46, 'x') + "é…  end\n" +  //
                            "  two lines [31m" + std::string(34, ' ') + "  end\n");
}

TEST_CASE("numbers") {
  CHECK(percent(0.985) == "98.5");
  CHECK(percent(1.0) == "100.0");
  CHECK(percent(std::nullopt) == "-");
  CHECK(short_number(1234567.0) == "1.23457e+06");
  CHECK(short_number(0.25) == "0.25");
  CHECK(long_number(4294967295.0) == "4294967295");
  CHECK(long_number(0.1) == "0.1");
  CHECK(long_number(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(coordinate(500000) == "500000");
  CHECK(coordinate(500000.5) == "500000.5");
  CHECK(coordinate(-0.0625) == "-0.062");
  CHECK(coordinate(100.001) == "100.001");
  CHECK(four_decimals(0.70124) == "0.7012");
  CHECK(four_decimals(0.5) == "0.5");
  CHECK(four_decimals(std::nullopt) == "-");
  CHECK(seconds_text(0.517) == "0.52 s");
  CHECK(seconds_text(12.34) == "12.3 s");
  CHECK(seconds_text(133.6) == "134 s");
  CHECK(time_text(1.2, {}) == "Time: 1.20 s\n");
  CHECK(memory_text((std::int64_t{64} << 20U) + 1) == "Peak memory: 65 MB\n");
  CHECK(memory_text({}).empty());
  CHECK(time_text(1.2, {{"read", 0.5}, {"train", 0.7}}) == "Time: 1.20 s (read 0.50 s, train 0.70 s)\n");
}

TEST_CASE("intervals of fractions are percent in brackets, or nothing") {
  CHECK(percent_interval(Interval{0.9712, 1}) == "(97.1 to 100.0)");
  CHECK(percent_interval(std::nullopt).empty());
}
