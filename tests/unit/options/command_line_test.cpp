#include "parsimap/options/command_line.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

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

TEST_CASE("words beyond those that an option leaves room for are too many, unless all arguments are given") {
  PaintOptions options;
  std::string house;
  CommandSyntax syntax = paint_syntax(options);
  syntax.arguments.insert(syntax.arguments.begin(), {.name = "HOUSE", .help = "Whose wall", .field = bound(house)});
  syntax.arguments[0].instead = syntax.arguments[1].instead = {"shed"};
  const auto parse = [&](const std::vector<std::string>& words) { parse_command_line(syntax, words); };
  CHECK_THROWS_WITH_AS(parse({"--shed", "s", "matt", "--quiet", "record.json"}),
                       "argument 'record.json' is one too many; 'parsimap paint --help' shows the usage", ConfigError);
  parse({"--shed", "s", "matt"});
  CHECK(options.finish == "matt");
  parse({"--shed", "s", "house", "wall", "matt"});
  CHECK(house == "house");
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

namespace {

std::vector<OptionSyntax> sample_options() {
  static PaintOptions paint;
  static std::vector<std::string> tools;
  const auto check = [](const std::string& text) {
    if (text.empty()) {
      throw ConfigError("a tool has a name");
    }
  };
  return {{.name = "coats", .field = bound(paint.coats), .least = 1},
          {.name = "tool", .field = bound(tools, check)},
          {.name = "colour", .field = bound(paint.colour), .choices = {"red", "blue"}},
          {.name = "gloss", .field = bound(paint.gloss, NumberRange{.least = 0})},
          {.name = "dry", .field = bound(paint.dry)},
          {.name = "help", .field = bound(paint.help), .only_command_line = true}};
}

class Files {
 public:
  std::map<std::string, OptionValue> read(const std::string& text) {
    write_file(folder_.file("o.json"), text);
    return read_options_file(folder_.file("o.json"), sample_options());
  }
  // The message without the folder's name.
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const ConfigError& error) {
      const std::string message = error.what();
      const std::size_t at = message.find("o.json");
      return at == std::string::npos ? message : message.substr(at);
    }
    return "accepted";
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("an options file gives values of every kind") {
  Files files;
  const auto values = files.read(R"({"coats": 3, "tool": ["brush", "comb"], "colour": "red", "dry": false})");
  CHECK(values.size() == 4);
  CHECK(std::get<std::int64_t>(values.at("coats")) == 3);
  CHECK(std::get<std::vector<std::string>>(values.at("tool")) == std::vector<std::string>{"brush", "comb"});
  CHECK(std::get<std::string>(values.at("colour")) == "red");
  CHECK_FALSE(std::get<bool>(values.at("dry")));
  CHECK(files.read(R"({"coats": null})").empty());
  CHECK(files.read("{}").empty());
  CHECK(std::get<double>(files.read(R"({"gloss": 0.5})").at("gloss")) == 0.5);
  CHECK(std::get<double>(files.read(R"({"gloss": "0.5"})").at("gloss")) == 0.5);  // as before version 0.2.0
}

TEST_CASE("a wrong value is named by file, JSON path, value and rule") {
  Files files;
  CHECK(files.refusal(R"({"colour": "green"})") == "o.json: /colour is \"green\"; it must be one of red, blue");
  CHECK(files.refusal(R"({"coats": "two"})") == "o.json: /coats is \"two\"; it must be an integer of at least 1");
  CHECK(files.refusal(R"({"coats": 0})") == "o.json: /coats is 0; it must be an integer of at least 1");
  CHECK(files.refusal(R"({"coats": 2.5})") == "o.json: /coats is 2.5; it must be an integer of at least 1");
  CHECK(files.refusal(R"({"coats": 18446744073709551615})") ==
        "o.json: /coats is 18446744073709551615; it must be an integer of at least 1");
  CHECK(files.refusal(R"({"gloss": -1})") == "o.json: /gloss is -1; it must be a number of at least 0");
  CHECK(files.refusal(R"({"gloss": "much"})") == "o.json: /gloss is \"much\"; it must be a number of at least 0");
  CHECK(files.refusal(R"({"dry": 1})") == "o.json: /dry is 1; it must be true or false");
  CHECK(files.refusal(R"({"colour": ["red"]})") == "o.json: /colour is [\"red\"]; it must be a text");
  CHECK(files.refusal(R"({"tool": "brush"})") == "o.json: /tool is \"brush\"; it must be an array of texts");
  CHECK(files.refusal(R"({"tool": ["brush", 7]})") == "o.json: /tool/1 is 7; it must be a text");
  CHECK(files.refusal(R"({"tool": ["brush", ""]})") == "o.json: /tool/1: a tool has a name");
}

TEST_CASE("a wrong key is an error, with a suggestion or all that is allowed") {
  Files files;
  CHECK(files.refusal(R"({"coat": 3})") == "o.json: /coat is not an option that a file can set; did you mean 'coats'?");
  CHECK(files.refusal(R"({"a/b": 3})") ==
        "o.json: /a~1b is not an option that a file can set; it must be one of coats, tool, colour, gloss, dry");
  CHECK(files.refusal(R"({"help": true})").rfind("o.json: /help is not an option", 0) == 0);
  CHECK(files.refusal(R"({"coats": 3, "coats": 4})") == "o.json: key 'coats' is there twice");
}

TEST_CASE("options of GDAL cannot be set by a file") {
  TemporaryFolder folder;
  write_file(folder.file("o.json"), R"({"config": ["GDAL_VRT_ENABLE_PYTHON=YES"]})");
  CHECK(message_of([&] { read_options_file(folder.file("o.json"), sample_options()); }) ==
        folder.file("o.json") +
            ": /config is not an option that a file can set; it changes GDAL itself, which can run code that "
            "stands in a file; give it on the command line");
}

TEST_CASE("what no type can hold, and what is nested too deep, is refused with the file's name") {
  Files files;
  CHECK(files.refusal(R"({"coats": 1e999})").rfind("o.json is not JSON: ", 0) == 0);
  CHECK(files.refusal(std::string(200'000, '[')).rfind("o.json: not valid JSON for this program: lists", 0) == 0);
  CHECK(message_of([] { read_options_file("/dev/zero", {}); }) ==
        "options file '/dev/zero' is a device; an input must be a regular file");
}

TEST_CASE("what is not one JSON object is refused") {
  Files files;
  CHECK(files.refusal("[1]") == "o.json holds array; it must be an object of options");
  CHECK(files.refusal("{\"coats\": ").rfind("o.json is not JSON: ", 0) == 0);
  CHECK(files.refusal("").rfind("o.json' is empty", 0) == 0);
  CHECK_THROWS_AS(read_options_file("/no/such/file", {}), ConfigError);
  CHECK_THROWS_AS(read_options_file("/tmp", {}), ConfigError);
}

}  // namespace parsimap::test
