#include "io/text/text_lines.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("lines come one by one without the space around them, whatever ends them") {
  std::string_view text = "  a b\t\r\n\n c";
  CHECK(next_line(text) == "a b");
  CHECK(next_line(text).empty());
  CHECK(next_line(text) == "c");
  CHECK(text.empty());
}

TEST_CASE("a file is read to its end, zero bytes included; a folder and nothing are refused") {
  const TemporaryFolder folder;
  const std::string content("a\0b\n", 4);
  write_file(folder.file("a"), content);
  CHECK(file_text(folder.file("a")) == content);
  CHECK_THROWS_AS(file_text(folder.file("")), DataError);
  CHECK_THROWS_WITH(file_text(folder.file("none")),
                    (folder.file("none") + " cannot be read: No such file or directory").c_str());
}

}  // namespace parsimap::test
