#include "cli/command_line.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap {
namespace {

CommandSyntax sample_syntax() {
  return {.name = "paint",
          .summary = "Paint",
          .details = "Paints a wall.",
          .arguments = {{"WALL", "What to paint"}, {"TIN", "What with"}},
          .options = {{.name = "coats",
                       .kind = OptionKind::integer,
                       .value_name = "N",
                       .help = "How often",
                       .default_value = "2",
                       .least = 1,
                       .most = 9},
                      {.name = "colour",
                       .kind = OptionKind::text,
                       .value_name = "NAME",
                       .help = "Which colour",
                       .check =
                           [](const std::string& text) {
                             if (text != "red" && text != "blue") {
                               throw ConfigError("colour '" + text + "' is not in the tin");
                             }
                           }},
                      {.name = "tool", .kind = OptionKind::list, .value_name = "NAME", .help = "Tool"},
                      {.name = "dry", .help = "Wait"}}};
}

std::string refusal(const std::vector<std::string>& words) {
  try {
    parse_command_line(sample_syntax(), words);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("options of every kind may stand before, between and after the arguments") {
  const OptionValues values = parse_command_line(
      sample_syntax(), {"--coats", "3", "north", "--tool=brush", "tin.txt", "--dry", "--tool", "roller", "-q"});
  CHECK(values.argument("WALL") == "north");
  CHECK(values.argument("TIN") == "tin.txt");
  CHECK(values.integer("coats") == 3);
  CHECK(values.list("tool") == std::vector<std::string>{"brush", "roller"});
  CHECK(values.flag("dry"));
  CHECK(values.flag("quiet"));
  CHECK_FALSE(values.flag("json"));
  CHECK_FALSE(values.text("colour"));
}

TEST_CASE("defaults fill what is not given") {
  const OptionValues values = parse_command_line(sample_syntax(), {"a", "b"});
  CHECK(values.integer("coats") == 2);
  CHECK_FALSE(values.integer("threads"));
  CHECK(values.list("tool").empty());
}

TEST_CASE("words after -- are arguments") {
  const OptionValues values = parse_command_line(sample_syntax(), {"a", "--", "--dry"});
  CHECK(values.argument("TIN") == "--dry");
  CHECK_FALSE(values.flag("dry"));
}

TEST_CASE("every mistake gets a sentence that names it") {
  CHECK(refusal({"a"}) == "argument TIN is missing; 'parsimap paint --help' shows the usage");
  CHECK(refusal({"a", "b", "c"}) == "argument 'c' is one too many; 'parsimap paint --help' shows the usage");
  CHECK(refusal({"a", ""}) == "argument TIN is empty; 'parsimap paint --help' shows the usage");
  CHECK(refusal({"a", "b", "--colours", "red"}) == "unknown option '--colours'; did you mean '--colour'?");
  CHECK(refusal({"a", "b", "--zzz"}) == "unknown option '--zzz'; 'parsimap paint --help' lists the options");
  CHECK(refusal({"a", "b", "--coats", "0"}) == "--coats is '0'; it must be an integer from 1 to 9");
  CHECK(refusal({"a", "b", "--coats", "3.5"}) == "--coats is '3.5'; it must be an integer from 1 to 9");
  CHECK(refusal({"a", "b", "--coats", "-1"}) == "--coats is '-1'; it must be an integer from 1 to 9");
  CHECK(refusal({"a", "b", "--coats", "99999999999999999999"}) ==
        "--coats is '99999999999999999999'; it must be an integer from 1 to 9");
  CHECK(refusal({"a", "b", "--colour", "green"}) == "--colour: colour 'green' is not in the tin");
  CHECK(refusal({"a", "b", "--config", "KEY"}) == "--config: 'KEY' must have the form KEY=VALUE");
  CHECK(refusal({"a", "b", "--colour"}).find("--colour") != std::string::npos);
  CHECK(refusal({"a", "b", "--dry=1"}).find("--dry") != std::string::npos);
  CHECK(refusal({"a", "b", "--coats", "1", "--coats", "2"}).find("--coats") != std::string::npos);
}

TEST_CASE("choices are all that a text or an argument may be, unless a check says otherwise") {
  const OptionSyntax choice = {
      .name = "finish", .kind = OptionKind::text, .help = "Finish", .choices = {"matt", "gloss"}};
  CHECK(std::get<std::string>(parse_option_value(choice, "gloss")) == "gloss");
  CHECK_THROWS_WITH_AS(parse_option_value(choice, "satin"), "--finish is 'satin'; it must be one of matt, gloss",
                       ConfigError);
  OptionSyntax checked = choice;
  checked.check = [](const std::string&) {};
  CHECK(std::get<std::string>(parse_option_value(checked, "satin")) == "satin");
  CommandSyntax syntax = sample_syntax();
  syntax.arguments[1].choices = {"small", "large"};
  CHECK(parse_command_line(syntax, {"wall", "large"}).argument("TIN") == "large");
  CHECK_THROWS_WITH_AS(parse_command_line(syntax, {"wall", "tiny"}),
                       "argument TIN is 'tiny'; it must be one of small, large", ConfigError);
}

TEST_CASE("names are not abbreviated") {
  CHECK(refusal({"a", "b", "--coat", "3"}) == "unknown option '--coat'; did you mean '--coats'?");
  CHECK(refusal({"a", "b", "--ove"}) == "unknown option '--ove'; 'parsimap paint --help' lists the options");
}

TEST_CASE("help and version need nothing else") {
  CHECK(parse_command_line(sample_syntax(), {"--help"}).flag("help"));
  CHECK(parse_command_line(sample_syntax(), {"a", "-h"}).flag("help"));
  CHECK(parse_command_line(sample_syntax(), {"--version"}).flag("version"));
}

TEST_CASE("the command line wins over the options file, which wins over defaults") {
  const TemporaryFolder folder;
  write_file(folder.file("o.json"), R"({"coats": 5, "colour": "red", "tool": ["comb"], "dry": true})");
  const OptionValues from_file =
      parse_command_line(sample_syntax(), {"a", "b", "--options-file", folder.file("o.json")});
  CHECK(from_file.integer("coats") == 5);
  CHECK(from_file.text("colour") == "red");
  CHECK(from_file.flag("dry"));
  const OptionValues both = parse_command_line(
      sample_syntax(), {"a", "b", "--options-file", folder.file("o.json"), "--coats", "7", "--tool", "brush"});
  CHECK(both.integer("coats") == 7);
  CHECK(both.list("tool") == std::vector<std::string>{"brush"});
  CHECK(both.text("colour") == "red");
}

TEST_CASE("resolved values come back as text") {
  const OptionValues values = parse_command_line(sample_syntax(), {"a", "b", "--tool", "x", "--tool", "y", "--dry"});
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"coats", "2"}, {"dry", "true"}, {"progress", "auto"}, {"tool", "x"}, {"tool", "y"}};
  CHECK(values.as_text() == expected);
}

TEST_CASE("help lists every argument and option once, with defaults") {
  const std::string text = help_text(sample_syntax());
  CHECK(text.rfind("Usage: parsimap paint WALL TIN [options]\n", 0) == 0);
  for (const OptionSyntax& option : all_options(sample_syntax())) {
    CAPTURE(option.name);
    const std::size_t first = text.find("--" + option.name + " ");
    CHECK(first != std::string::npos);
    CHECK(text.find("--" + option.name + " ", first + 1) == std::string::npos);
  }
  CHECK(text.find("How often (default 2)") != std::string::npos);
  CHECK(text.find("(may be repeated)") != std::string::npos);
}

TEST_CASE("expectations state the range") {
  CHECK(expectation({.kind = OptionKind::integer, .least = 2}) == "an integer of at least 2");
  CHECK(expectation({.kind = OptionKind::integer, .least = 2, .most = 4}) == "an integer from 2 to 4");
  CHECK(expectation({.kind = OptionKind::text}) == "a text");
  CHECK(expectation({.kind = OptionKind::text, .choices = {"red", "blue"}}) == "one of red, blue");
}

TEST_CASE("names in words") {
  CHECK(name_in_words("class-field") == "Class field");
  CHECK(name_in_words("OUTPUT_DIR") == "Output dir");
}

}  // namespace parsimap
