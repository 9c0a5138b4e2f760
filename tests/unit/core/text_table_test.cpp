#include "parsimap/core/text_table.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace parsimap;

namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text) {
  Rows rows;
  for (const TextTable::Row& row : read_text_table(text).rows) {
    rows.push_back(row.fields);
  }
  return rows;
}

// ASCII as UTF-16.
std::string utf16(const std::string& text, bool big_endian) {
  std::string bytes;
  for (const char letter : text) {
    bytes += big_endian ? std::string("\0", 1) + letter : letter + std::string("\0", 1);
  }
  return bytes;
}

}  // namespace

TEST_CASE("bytes are decoded in whatever form programs save text") {
  CHECK(decoded_text("M\xc3\xbcnster").text == "M\xc3\xbcnster");
  CHECK(decoded_text("\xef\xbb\xbfM\xc3\xbcnster").text == "M\xc3\xbcnster");
  CHECK_FALSE(decoded_text("\xef\xbb\xbfM\xc3\xbcnster").latin1);
  CHECK(decoded_text("M\xfcnster").text == "M\xc3\xbcnster");
  CHECK(decoded_text("M\xfcnster").latin1);
  for (const bool big_endian : {false, true}) {
    CAPTURE(big_endian);
    CHECK(decoded_text(utf16("a;b\r\n", big_endian)).text == "a;b\r\n");
    CHECK(decoded_text((big_endian ? "\xfe\xff" : "\xff\xfe") + utf16("a", big_endian)).text == "a");
  }
  // An umlaut, and a pair of surrogates.
  CHECK(decoded_text(std::string("\xff\xfe\xfc\0\x3d\xd8\x00\xde", 8)).text == "\xc3\xbc\xf0\x9f\x98\x80");
  CHECK(decoded_text("").text.empty());
}

TEST_CASE("lines end in any of the three ways") {
  std::string_view text = "a\r\nb\rc\n\nd";
  std::vector<std::string> lines;
  while (!text.empty()) {
    lines.emplace_back(take_line(text));
  }
  CHECK(lines == std::vector<std::string>{"a", "b", "c", "", "d"});
}

TEST_CASE("a table is the same whatever separates its fields and ends its lines") {
  const Rows expected = {{"x", "class"}, {"1.5", "oak, old"}, {"2", "fir"}};
  for (const std::string text :
       {"x,class\n1.5,\"oak, old\"\n2,fir\n", "x;class\r\n1.5;oak, old\r\n2;fir\r\n", "x\tclass\n1.5\toak, old\n2\tfir",
        "x|class\r1.5|oak, old\r2|fir\r", "sep=;\nx;class\n1,5;oak, old\n2;fir\n;\n;;\n",
        "\"sep=,\"\nx,class\n1.5,\"oak, old\"\n2,fir", "sep=\t\nx\tclass\n1,5\toak, old\n2\tfir\n\n\n",
        "SEP=|\r\nx | class\r\n1.5 | \"oak, old\" \r\n\r\n2 | fir"}) {
    CAPTURE(text);
    CHECK(rows_of(text) == expected);
    CHECK(rows_of(csv_text(read_text_table(text))) == expected);
  }
}

TEST_CASE("blanks separate where they alone divide all rows alike") {
  CHECK(rows_of("x class\n1.5 oak\n2 fir\n") == Rows{{"x", "class"}, {"1.5", "oak"}, {"2", "fir"}});
  // As write.table() of R writes them, with and without names of rows, and numpy.savetxt() with a header.
  CHECK(rows_of("\"x\" \"class\"\n1.5 \"oak old\"\n2 \"A#\"\n") ==
        Rows{{"x", "class"}, {"1.5", "oak old"}, {"2", "A#"}});
  CHECK(rows_of("\"x\" \"class\"\n\"1\" 1.5 \"oak\"\n\"2\" 2 \"fir\"\n") ==
        Rows{{"", "x", "class"}, {"1", "1.5", "oak"}, {"2", "2", "fir"}});
  CHECK(rows_of("# x y\n  1.5   2\n10 3\n") == Rows{{"x", "y"}, {"1.5", "2"}, {"10", "3"}});
  CHECK(rows_of("#x y\n1 2\n3 4\n").front() == std::vector<std::string>{"x", "y"});
  // Texts with blanks in a single column, and tables that anything else separates.
  CHECK(rows_of("class\noak\nold fir\n") == Rows{{"class"}, {"oak"}, {"old fir"}});
  CHECK(rows_of("a b;c\n1 2;3\n") == Rows{{"a b", "c"}, {"1 2", "3"}});
  CHECK(read_text_table("# note\nx y\n\n1 2\n3 4\n").rows.back().line == 5);
}

TEST_CASE("quotes protect separators, line ends and quotes where a field begins with them") {
  CHECK(rows_of("a, \"b,\"\"c\"\"\nd\" ,\n\n e,f,g") == Rows{{"a", "b,\"c\"\nd", ""}, {"e", "f", "g"}});
  CHECK(rows_of("5\" pipe,b\n'c',NETCDF:\"a.nc\":r") == Rows{{"5\" pipe", "b"}, {"'c'", "NETCDF:\"a.nc\":r"}});
  CHECK(rows_of("\"open, quote") == Rows{{"open, quote"}});
  CHECK(rows_of("").empty());
  const std::string odd = "\"a \"\"b\"\"\",\"c\n d\",\n";
  CHECK(csv_text(read_text_table(odd)) == odd);
  CHECK(csv_text(read_text_table("a,b\n1,2\n"), {false, true}) == "a,\"b\"\n1,\"2\"\n");
}

TEST_CASE("rows remember where they begin, and what they are") {
  const TextTable table = read_text_table("\nsep=;\n\na;\"b\nc\"\n\nd;e\n");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].line == 4);
  CHECK(table.rows[1].line == 7);
  CHECK(table.rows[1].text == "d;e");
}

TEST_CASE("comments and titles above the header are no rows") {
  const Rows expected = {{"x", "class"}, {"1.5", "oak"}, {"2", "fir"}};
  const std::string rows = "1.5,oak\n2,fir\n";
  for (const std::string above : {"# made, by hand\n", "#\n# 2020, Berlin, ASD\n\n", "Campaign 2020\n\n",
                                  "Berlin,,\n,,\n", "Campaign\n# a\nSite 5\n", "\n\n"}) {
    CAPTURE(above);
    CHECK(rows_of(above + "x,class\n" + rows) == expected);
  }
  // As numpy.savetxt() writes headers.
  CHECK(rows_of("# x,class\n" + rows) == expected);
  CHECK(rows_of("# made by hand\n#x,class\n" + rows) == expected);
  // Lines keep their numbers.
  CHECK(read_text_table("a title\n\nx;y\n1;2\n").rows.back().line == 4);
  CHECK(read_text_table("# a\r\n# x;y\r\n1;2\r\n3;4").rows.back().line == 4);
}

TEST_CASE("a line of one field is the header where no table begins below it") {
  CHECK(rows_of("class\noak\nfir, old\n").front() == std::vector<std::string>{"class"});
  CHECK(rows_of("WKT\nPOLYGON((0 0,1 1,1 0))\nPOLYGON((2 2,1 1,1 0))\n").front() == std::vector<std::string>{"WKT"});
  CHECK(rows_of("#name\noak\n").front() == std::vector<std::string>{"#name"});
  CHECK(rows_of("name\n\"a,b\"\n").size() == 2);
  // As pandas writes one column with its index.
  CHECK(rows_of(",oak\n450,0.1\n460,0.2\n").front() == std::vector<std::string>{"", "oak"});
}

TEST_CASE("columns of numbers are written with points, and other columns stay as they are") {
  CHECK(rows_of("450,5;name\n0,25;1,2\n-3;a\n1,5E-3;\n") ==
        Rows{{"450.5", "name"}, {"0.25", "1,2"}, {"-3", "a"}, {"1.5E-3", ""}});
  CHECK(rows_of("x,y\n\"1,5\",\"1,234\"\n2,\"5,678\"\n") == Rows{{"x", "y"}, {"1.5", "1,234"}, {"2", "5,678"}});
  CHECK(rows_of("x;y\n0,123;1.5\n") == Rows{{"x", "y"}, {"0.123", "1.5"}});
  // Words for a missing number are empty among numbers, and names among names.
  CHECK(rows_of("a,b\n1,oak\nNA,NA\n#N/A,fir\n") == Rows{{"a", "b"}, {"1", "oak"}, {"", "NA"}, {"", "fir"}});
  CHECK(rows_of("a,b\nNA,1\n") == Rows{{"a", "b"}, {"NA", "1"}});
}

TEST_CASE("a number may have a decimal comma") {
  CHECK(with_decimal_point("1,5") == "1.5");
  CHECK(with_decimal_point("-2") == "-2");
  CHECK_FALSE(with_decimal_point("1,5,2"));
  CHECK_FALSE(with_decimal_point("1.5,2"));
  CHECK_FALSE(with_decimal_point("oak"));
}
