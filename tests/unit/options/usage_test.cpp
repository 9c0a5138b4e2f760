#include "parsimap/options/usage.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "unit/options/sample_syntax.hpp"

namespace parsimap::test {
namespace {

std::vector<CommandSyntax> one_command() {
  static PaintOptions options;
  return {paint_syntax(options)};
}

}  // namespace

TEST_CASE("the command line as JSON") {
  const nlohmann::json json = nlohmann::json::parse(usage_json(one_command()));
  CHECK(json["program"] == "parsimap");
  CHECK(json["version"] == PARSIMAP_VERSION);
  REQUIRE(json["commands"].size() == 1);
  const nlohmann::json expected = nlohmann::json::parse(R"({
    "name": "paint", "summary": "Paint", "description": "Paints a wall.\n.Twice",
    "arguments": [{"name": "WALL", "label": "Wall", "description": "What to paint",
                   "file": {"contents": ["document"], "written": true, "extensions": [".wall"]}},
                  {"name": "FINISH", "label": "Finish", "description": "How it looks", "choices": ["matt", "gloss"]}],
    "options": [
      {"name": "coats", "label": "Layers of paint", "kind": "integer", "basic": true, "description": "How often", "value": "N",
       "default": "2", "least": 1, "most": 9},
      {"name": "colour", "label": "Colour", "kind": "text", "basic": false, "description": "Which colour", "value": "NAME",
       "names_field": true, "choices": ["red", "rose", "ral:"]},
      {"name": "tin", "label": "Tin", "kind": "list", "basic": false, "description": "Tin \\ can", "value": "FILE",
       "file": {"contents": ["raster", "vector"], "written": false, "extensions": []}},
      {"name": "shed", "label": "Shed", "kind": "text", "basic": false, "description": "Shed", "value": "DIR",
       "file": {"contents": ["folder"], "written": false, "extensions": []}},
      {"name": "gloss", "label": "Gloss", "kind": "number", "basic": false, "description": "How much it shines",
       "value": "G", "least": 0.0, "most": 1.0},
      {"name": "tool", "label": "Tool", "kind": "text", "basic": false, "description": "Tool", "value": "NAME"},
      {"name": "dry", "label": "Dry", "kind": "flag", "basic": false, "description": "Wait"}]})");
  CHECK(json["commands"][0] == expected);
  CHECK(json["common_options"].size() == 4);
}

TEST_CASE("the manual page shows every command, argument and option, with escapes") {
  const std::string page = manual_page(one_command());
  CHECK(page.rfind(".TH PARSIMAP 1 \"\" \"parsimap ", 0) == 0);
  for (const char* const part :
       {".SS parsimap paint\n\\fBparsimap paint\\fR \\fIWALL\\fR \\fIFINISH\\fR [options]\n",
        "Paints a wall.\n\\&.Twice\n", ".TP\n\\fIWALL\\fR\nWhat to paint\n",
        ".TP\n\\fB\\-\\-coats\\fR \\fIN\\fR\nHow often (default 2)\n",
        ".TP\n\\fB\\-s\\fR, \\fB\\-\\-shed\\fR \\fIDIR\\fR\nShed\n", "Tin \\e can (may be repeated)\n",
        ".TP\n\\fB\\-\\-dry\\fR\nWait\n", ".SH COMMON OPTIONS\n", "Say nothing", ".SH EXIT STATUS\n"}) {
    CAPTURE(part);
    CHECK(page.find(part) != std::string::npos);
  }
}

// What bash makes of such a script is tested by tests/run/usage.sh.
TEST_CASE("a value is completed by its choices, files, folders or nothing") {
  const std::string script = bash_completion(one_command());
  for (const char* const line :
       {"    _parsimap_words '--help --version paint'\n", "    paint/--coats) :; return ;;\n",
        "    paint/--colour) _parsimap_words 'red rose ral:'; return ;;\n",
        "    paint/--tin) _parsimap_paths -f; return ;;\n", "    paint/--shed) _parsimap_paths -d; return ;;\n",
        "    */--options-file) _parsimap_paths -f; return ;;\n", "    paint/*) _parsimap_words 'matt gloss' ;;\n",
        "    paint/-*) _parsimap_words '--coats --colour --tin --shed -s --gloss --tool --dry --help -h "}) {
    CAPTURE(line);
    CHECK(script.find(line) != std::string::npos);
  }
  CHECK(script.find("paint/--dry)") == std::string::npos);
}

}  // namespace parsimap::test
