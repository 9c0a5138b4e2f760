#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "library/formats.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("lines end in any of the three ways") {
  std::string_view text = "a\r\nb\rc\n\nd";
  std::vector<std::string> lines;
  while (!text.empty()) {
    lines.emplace_back(take_line(text));
  }
  CHECK(lines == std::vector<std::string>{"a", "b", "c", "", "d"});
}

TEST_CASE("fields of a table may be in quotes") {
  const auto rows = table_rows("a, \"b,\"\"c\"\"\nd\" ,\n\n e,f,g", ',');
  CHECK(rows == std::vector<std::vector<std::string>>{{"a", "b,\"c\"\nd", ""}, {"e", "f", "g"}});
  CHECK(table_rows("", ',').empty());
  CHECK(table_rows("\"open, quote", ',') == std::vector<std::vector<std::string>>{{"open, quote"}});
  CHECK(separator_of_header("a;b,c") == ';');
  CHECK(separator_of_header("a b") == ',');
}

TEST_CASE("texts are UTF-8 without a byte order mark, and heads are short") {
  const TemporaryFolder folder;
  write_file(folder.file("a"), "\xef\xbb\xbfM\xc3\xbcnster");
  write_file(folder.file("b"), "M\xfcnster");
  CHECK(library_text(folder.file("a")) == "M\xc3\xbcnster");
  CHECK(library_text(folder.file("b")) == "M\xc3\xbcnster");
  CHECK(file_head(folder.file("b"), 2) == "M\xfc");
  CHECK(file_head(folder.file("absent")).empty());
  CHECK(file_head(folder.file("")).empty());
}

}  // namespace parsimap::test
