#include "parsimap/options/command_line.hpp"

#include <doctest/doctest.h>

#include "unit/core/temporary_folder.hpp"
#include "unit/options/sample_syntax.hpp"

namespace parsimap::test {
namespace {

PaintOptions parsed(const std::vector<std::string>& words) {
  PaintOptions options;
  parse_command_line(paint_syntax(options), words);
  return options;
}

std::string refusal(const std::vector<std::string>& words) {
  try {
    parsed(words);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

PaintOptions checked(const GivenValues& values, const std::vector<std::string>& may_be_missing = {}) {
  PaintOptions options;
  store_checked(paint_syntax(options), values, may_be_missing);
  return options;
}

}  // namespace

TEST_CASE("options of every kind may stand before, between and after the arguments") {
  const PaintOptions options =
      parsed({"--coats", "3", "north", "--tin=white", "matt", "--dry", "--tin", "grey", "-q", "--gloss", "0.25"});
  CHECK(options.wall == "north");
  CHECK(options.finish == "matt");
  CHECK(options.coats == 3);
  CHECK(options.tins == std::vector<std::string>{"white", "grey"});
  CHECK(options.gloss == 0.25);
  CHECK(options.dry);
  CHECK(options.quiet);
  CHECK_FALSE(options.colour);
}

TEST_CASE("defaults stay where nothing is given") {
  const PaintOptions options = parsed({"a", "matt"});
  CHECK(options.coats == 2);
  CHECK_FALSE(options.gloss);
  CHECK(options.tins.empty());
}

TEST_CASE("words after -- are arguments") {
  const PaintOptions options = parsed({"--", "--dry", "matt"});
  CHECK(options.wall == "--dry");
  CHECK_FALSE(options.dry);
}

TEST_CASE("every mistake gets a sentence that names it") {
  CHECK(refusal({"a"}) == "argument FINISH is missing; 'parsimap paint --help' shows the usage");
  CHECK(refusal({"a", "matt", "c"}) == "argument 'c' is one too many; 'parsimap paint --help' shows the usage");
  CHECK(refusal({"", "matt"}) == "argument WALL is empty; 'parsimap paint --help' shows the usage");
  CHECK(refusal({"a", "satin"}) == "argument FINISH is 'satin'; it must be one of matt, gloss");
  CHECK(refusal({"a", "matt", "--colours", "red"}) == "unknown option '--colours'; did you mean '--colour'?");
  CHECK(refusal({"a", "matt", "--zzz"}) == "unknown option '--zzz'; 'parsimap paint --help' lists the options");
  CHECK(refusal({"a", "matt", "--coats", "0"}) == "--coats is '0'; it must be an integer from 1 to 9");
  CHECK(refusal({"a", "matt", "--coats", "3.5"}) == "--coats is '3.5'; it must be an integer from 1 to 9");
  CHECK(refusal({"a", "matt", "--coats", "-1"}) == "--coats is '-1'; it must be an integer from 1 to 9");
  CHECK(refusal({"a", "matt", "--coats", "99999999999999999999"}) ==
        "--coats is '99999999999999999999'; it must be an integer from 1 to 9");
  CHECK(refusal({"a", "matt", "--gloss", "0"}) == "--gloss is '0'; it must be a number above 0 and at most 1");
  CHECK(refusal({"a", "matt", "--gloss", "nan"}) == "--gloss is 'nan'; it must be a number above 0 and at most 1");
  CHECK(refusal({"a", "matt", "--colour", "green"}) == "--colour is 'green'; it must be one of red, rose, ral:");
  CHECK(refusal({"a", "matt", "--tool", "saw"}) == "--tool: tool 'saw' is not in the shed");
  CHECK(refusal({"a", "matt", "--colour"}).find("--colour") != std::string::npos);
  CHECK(refusal({"a", "matt", "--dry=1"}).find("--dry") != std::string::npos);
  CHECK(refusal({"a", "matt", "--coats", "1", "--coats", "2"}).find("--coats") != std::string::npos);
}

TEST_CASE("names are not abbreviated") {
  CHECK(refusal({"a", "matt", "--coat", "3"}) == "unknown option '--coat'; did you mean '--coats'?");
  CHECK(refusal({"a", "matt", "--gl", "1"}) == "unknown option '--gl'; 'parsimap paint --help' lists the options");
}

TEST_CASE("help needs nothing else") {
  CHECK(parsed({"--help"}).help);
  CHECK(parsed({"a", "-h"}).help);
}

TEST_CASE("the command line wins over the options file, which wins over defaults") {
  const TemporaryFolder folder;
  write_file(folder.file("o.json"), R"({"coats": 5, "colour": "red", "tin": ["white"], "dry": true})");
  const PaintOptions from_file = parsed({"a", "matt", "--options-file", folder.file("o.json")});
  CHECK(from_file.coats == 5);
  CHECK(from_file.colour == "red");
  CHECK(from_file.dry);
  const PaintOptions both =
      parsed({"a", "matt", "--options-file", folder.file("o.json"), "--coats", "7", "--tin", "grey"});
  CHECK(both.coats == 7);
  CHECK(both.tins == std::vector<std::string>{"grey"});
  CHECK(both.colour == "red");
}

TEST_CASE("values of programs are checked like those of a command line") {
  const PaintOptions options = checked({{{"coats", std::int64_t{4}}, {"gloss", std::int64_t{1}}, {"tin", "white"}},
                                        {{"WALL", "north"}, {"FINISH", "matt"}}});
  CHECK(options.coats == 4);
  CHECK(options.gloss == 1);
  CHECK(options.tins == std::vector<std::string>{"white"});
  CHECK(checked({{}, {{"WALL", "north"}}}, {"FINISH"}).finish.empty());
  CHECK_THROWS_WITH_AS(checked({{}, {{"WALL", "north"}}}), "argument FINISH is missing", ConfigError);
  CHECK_THROWS_WITH_AS(checked({{{"coats", std::int64_t{40}}}, {}}, {"WALL", "FINISH"}),
                       "--coats is '40'; it must be an integer from 1 to 9", ConfigError);
  CHECK_THROWS_WITH_AS(checked({{{"dry", "yes"}}, {}}, {"WALL", "FINISH"}),
                       "--dry has a value of the wrong type; it must be true or false", ConfigError);
}

TEST_CASE("help lists every argument and option once, with defaults") {
  PaintOptions options;
  const CommandSyntax syntax = paint_syntax(options);
  const std::string text = help_text(syntax);
  CHECK(text.rfind("Usage: parsimap paint WALL FINISH [options]\n", 0) == 0);
  for (const OptionSyntax& option : all_options(syntax)) {
    CAPTURE(option.name);
    const std::size_t first = text.find("--" + option.name + " ");
    CHECK(first != std::string::npos);
    CHECK(text.find("--" + option.name + " ", first + 1) == std::string::npos);
  }
  CHECK(text.find("How often (default 2)") != std::string::npos);
  CHECK(text.find("(may be repeated)") != std::string::npos);
}

TEST_CASE("help on more than a dozen options shows the main ones, or with `all` each under its heading") {
  PaintOptions options;
  CommandSyntax syntax = paint_syntax(options);
  std::vector<std::optional<std::string>> values(8);
  for (std::size_t k = 0; k < values.size(); ++k) {
    syntax.options.push_back({.name = "layer-" + std::to_string(k),
                              .value_name = "L",
                              .help = "Layer",
                              .field = bound(values[k]),
                              .former = k == 7 ? "--coats" : "",
                              .group = k % 2 == 0 ? "Even layers" : "Odd layers"});
  }
  const std::string text = help_text(syntax);
  CHECK(text.find("--coats N") != std::string::npos);
  CHECK(text.find("--gloss") == std::string::npos);
  CHECK(text.find("'parsimap paint --help all' describes 13 more options, and those of every command:\n  --help "
                  "--quiet --options-file --config\n") != std::string::npos);
  const std::string all = help_text(syntax, true);
  for (const std::string part :
       {"Options:\n", "Even layers:\n", "Odd layers:\n", "--gloss G", "--layer-5 L", "--quiet"}) {
    CAPTURE(part);
    CHECK(all.find(part) != std::string::npos);
  }
  CHECK(all.find("--layer-2") < all.find("Odd layers:"));
  // A former name works, but is not shown.
  CHECK(all.find("--layer-7") == std::string::npos);
  parse_command_line(syntax, {"a", "matt", "--layer-7", "x"});
  CHECK(values[7] == "x");
}

}  // namespace parsimap::test
