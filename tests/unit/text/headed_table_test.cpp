#include "text/headed_table.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("a table is read by the names of its columns, with the lines of its rows") {
  const TemporaryFolder folder;
  write_file(folder.file("t.csv"), "\na;\"b;c\"\n\n1; \"2\"\"\" ;3\n");
  const HeadedTable table = read_headed_table(folder.file("t.csv"), {"a"}, "a", {});
  CHECK(table.column("a") == std::size_t{0});
  CHECK(table.column("b;c") == std::size_t{1});
  CHECK_FALSE(table.column("d"));
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].line == 4);
  CHECK(table.rows[0].fields == std::vector<std::string>{"1", "2\"", "3"});
  CHECK(message_of([&] {
          read_headed_table(folder.file("t.csv"), {"a", "x", "y"}, "a;x;y", {});
        }) ==
        folder.file("t.csv") + ": line 2: 'a;\"b;c\"' must be a header with the columns a, x and y, as in 'a;x;y'");
}
