#include "parsimap/options/option.hpp"

#include <doctest/doctest.h>

#include "unit/options/sample_syntax.hpp"

namespace parsimap::test {

TEST_CASE("a misspelt word stands for the closest candidate") {
  const std::vector<std::string> commands = {"train", "classify", "assess", "info", "simulate"};
  CHECK(closest("tarin", commands) == "train");  // letters that changed places are one mistake
  CHECK(closest("clasify", commands) == "classify");
  CHECK(closest("simulates", commands) == "simulate");
  CHECK(closest("imfo", commands) == "info");
}

TEST_CASE("a word far from all candidates stands for none, and the first of equals is preferred") {
  CHECK_FALSE(closest("predict", {"train", "classify"}));
  CHECK_FALSE(closest("a", {}));
  CHECK_FALSE(closest("inf", {"x"}));
  CHECK(closest("bat", {"cat", "hat"}) == "cat");
}

TEST_CASE("values are stored in the fields, and read back from them") {
  PaintOptions options;
  const CommandSyntax syntax = paint_syntax(options);
  store_values(syntax, {{{"coats", std::int64_t{3}},
                         {"tin", std::vector<std::string>{"a", "b"}},
                         {"gloss", 0.50000001},
                         {"dry", true},
                         {"tool", std::string("comb")}},
                        {{"WALL", "north"}}});
  CHECK(options.coats == 3);
  CHECK(options.tins == std::vector<std::string>{"a", "b"});
  CHECK(options.gloss == 0.50000001);
  CHECK(options.dry);
  CHECK(options.tool == "comb");
  CHECK(options.wall == "north");
  const Settings expected = {{"coats", "3"}, {"dry", "true"}, {"gloss", "0.50000001"},
                             {"tin", "a"},   {"tin", "b"},    {"tool", "comb"}};
  CHECK(settings_of(syntax.options) == expected);
  const Settings of_results =
      settings_of(syntax.options, [](const OptionSyntax& option) { return option.effect == Effect::result; });
  CHECK(of_results.size() == expected.size() - 1);  // without --gloss
}

TEST_CASE("options that are unset have no value; defaults are those of the fields") {
  PaintOptions options;
  const CommandSyntax syntax = paint_syntax(options);
  CHECK(settings_of(syntax.options) == Settings{{"coats", "2"}});
  CHECK(default_text(syntax.options[0]) == "2");
  CHECK(default_text(syntax.options[1]).empty());
}

TEST_CASE("all files that values name are known, with what they are") {
  PaintOptions options;
  options.wall = "w";
  options.tins = {"t1", "t2"};
  options.options_file = "o.json";
  const std::vector<NamedFile> files = named_files(paint_syntax(options));
  REQUIRE(files.size() == 4);
  CHECK(files[0].role == "WALL");
  CHECK(files[0].syntax.written);
  CHECK(files[1].role == "--tin");
  CHECK(files[2].path == "t2");
  CHECK(files[3].role == "--options-file");
}

TEST_CASE("files inside of a value are files, too") {
  PaintOptions options;
  options.tool = "comb";
  CommandSyntax syntax = paint_syntax(options);
  syntax.options[5].files = [] { return std::vector<std::string>{"inside"}; };
  const std::vector<NamedFile> files = named_files(syntax);
  REQUIRE(files.size() == 1);
  CHECK(files[0].path == "inside");
}

TEST_CASE("ranges of numbers are said in words") {
  CHECK(NumberRange{.least = 0, .most = 1, .above = true}.text() == "a number above 0 and at most 1");
  CHECK(NumberRange{.least = 0}.text() == "a number of at least 0");
}

TEST_CASE("expectations state the range") {
  int number = 0;
  std::string text;
  CHECK(expectation({.field = bound(number), .least = 2}) == "an integer of at least 2");
  CHECK(expectation({.field = bound(number), .least = 2, .most = 4}) == "an integer from 2 to 4");
  CHECK(expectation({.field = bound(text)}) == "a text");
  CHECK(expectation({.field = bound(text), .choices = {"red", "blue"}}) == "one of red, blue");
}

TEST_CASE("names in words") {
  CHECK(name_in_words("class-field") == "Class field");
  CHECK(name_in_words("OUTPUT_DIR") == "Output dir");
}

}  // namespace parsimap::test
