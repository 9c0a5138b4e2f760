#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <set>

#include "parsimap/commands/command.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {

TEST_CASE("every format has every command and option") {
  const Outcome man = run({"usage", "man"});
  const Outcome bash = run({"usage", "bash"});
  const Outcome json = run({"usage", "json"});
  CHECK(man.code + bash.code + json.code == 0);
  const nlohmann::json document = nlohmann::json::parse(json.out);
  REQUIRE(document["commands"].size() == commands().size());
  for (std::size_t i = 0; i < commands().size(); ++i) {
    const CommandCall call = commands()[i].call();
    const CommandSyntax& syntax = call.syntax;
    CAPTURE(syntax.name);
    CHECK(contains(man.out, ".SS parsimap " + syntax.name + "\n"));
    CHECK(contains(bash.out, syntax.name + "/-*)"));
    CHECK(document["commands"][i]["name"] == syntax.name);
    CHECK(document["commands"][i]["options"].size() == syntax.options.size());
    for (const OptionSyntax& option : syntax.options) {
      CHECK(contains(bash.out, "--" + option.name));
    }
  }
}

TEST_CASE("defaults and choices agree") {
  for (const Command& command : commands()) {
    const CommandCall call = command.call();
    for (const OptionSyntax& option : all_options(call.syntax)) {
      CAPTURE(option.name);
      if (!default_text(option).empty()) {
        CHECK_NOTHROW(parse_option_value(option, default_text(option)));
      }
      for (const std::string& choice : option.choices) {
        if (choice.back() != ':') {
          CHECK_NOTHROW(parse_option_value(option, choice));
        }
      }
    }
  }
}

// Dialogs, such as those of QGIS, are made of these facts alone.
TEST_CASE("an option or argument that names a file says which") {
  const std::set<std::string> files = {"FILE", "MAP", "DIR"};
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    const CommandCall call = command.call();
    for (const ArgumentSyntax& argument : call.syntax.arguments) {
      CAPTURE(argument.name);
      CHECK(argument.file.contents.empty() != argument.choices.empty());
    }
    for (const OptionSyntax& option : all_options(call.syntax)) {
      CAPTURE(option.name);
      CHECK(option.file.contents.empty() != files.contains(option.value_name));
    }
  }
}

TEST_CASE("only JSON is given with --json") {
  CHECK(run({"usage", "json", "--json"}).code == 0);
  const Outcome outcome = run({"usage", "bash", "--json"});
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == "parsimap: --json is given, and FORMAT is 'bash'; it must be json\n");
}

}  // namespace parsimap::test
