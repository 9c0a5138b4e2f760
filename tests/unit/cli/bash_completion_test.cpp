#include "cli/bash_completion.hpp"

#include <doctest/doctest.h>

#include "unit/cli/sample_syntax.hpp"

namespace parsimap::test {

// What bash makes of such a script is tested by tests/run/usage.sh.
TEST_CASE("a value is completed by its choices, files, folders or nothing") {
  const std::string script = bash_completion({paint_syntax()});
  for (const char* const line :
       {"    _parsimap_words '--help --version paint'\n", "    paint/--coats) :; return ;;\n",
        "    paint/--colour) _parsimap_words 'red rose ral:'; return ;;\n",
        "    paint/--tin) _parsimap_paths -f; return ;;\n", "    paint/--shed) _parsimap_paths -d; return ;;\n",
        "    */--progress) _parsimap_words 'auto bar json'; return ;;\n",
        "    paint/*) _parsimap_words 'matt gloss' ;;\n",
        "    paint/-*) _parsimap_words '--coats --colour --tin --shed -s --dry --help -h "}) {
    CAPTURE(line);
    CHECK(script.find(line) != std::string::npos);
  }
  CHECK(script.find("paint/--dry)") == std::string::npos);
}

}  // namespace parsimap::test
