#include "cli/manual_page.hpp"

#include <doctest/doctest.h>

#include "unit/cli/sample_syntax.hpp"

namespace parsimap::test {

TEST_CASE("the manual page shows every command, argument and option, with escapes") {
  const std::string page = manual_page({paint_syntax()});
  CHECK(page.rfind(".TH PARSIMAP 1 \"\" \"parsimap ", 0) == 0);
  for (const char* const part :
       {".SS parsimap paint\n\\fBparsimap paint\\fR \\fIWALL\\fR \\fIFINISH\\fR [options]\n",
        "Paints a wall.\n\\&.Twice\n", ".TP\n\\fIWALL\\fR\nWhat to paint\n",
        ".TP\n\\fB\\-\\-coats\\fR \\fIN\\fR\nHow often (default 2)\n",
        ".TP\n\\fB\\-s\\fR, \\fB\\-\\-shed\\fR \\fIDIR\\fR\nShed\n", "Tin \\e can (may be repeated)\n",
        ".TP\n\\fB\\-\\-dry\\fR\nWait\n", ".SH COMMON OPTIONS\n", ".SH EXIT STATUS\n"}) {
    CAPTURE(part);
    CHECK(page.find(part) != std::string::npos);
  }
  for (const OptionSyntax& option : common_options()) {
    CHECK(page.find(option.help.substr(0, 5)) != std::string::npos);
  }
}

}  // namespace parsimap::test
