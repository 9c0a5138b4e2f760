#include "report/matrix_text.hpp"

#include <doctest/doctest.h>

#include "parsimap/report/text_table.hpp"

using namespace parsimap;

TEST_CASE("rows are reference, columns are map, and sums are on both sides") {
  Matrix values(2, 2);
  values << 20, 5, 10, 15;
  CHECK(matrix_text({"yes", "no"}, values, short_number) ==
        "     reference \\ map   1   2  sum\n"
        "  1  yes              20   5   25\n"
        "  2  no               10  15   25\n"
        "     sum              30  20   50\n");
  CHECK(matrix_text({"yes", "no"}, values / 100, [](double share) { return percent(share); }) ==
        "     reference \\ map     1     2   sum\n"
        "  1  yes              20.0   5.0  25.0\n"
        "  2  no               10.0  15.0  25.0\n"
        "     sum              30.0  20.0  50.0\n");
}
