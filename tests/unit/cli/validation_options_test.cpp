#include "cli/validation_options.hpp"

#include <doctest/doctest.h>

#include "cli/label_options.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap {
namespace {

std::optional<ValidationOptions> options_of(const std::vector<std::string>& arguments) {
  CommandSyntax syntax = {.name = "x", .options = validation_option_syntax()};
  syntax.options.push_back(group_field_option());
  return validation_options(parse_command_line(syntax, arguments), 9);
}

std::string refusal(const std::vector<std::string>& arguments) {
  return message_of([&] { options_of(arguments); });
}

}  // namespace

TEST_CASE("validation options, and what they are when unset") {
  CHECK_FALSE(options_of({}));
  const auto plain = options_of({"--validate", "folds:5"});
  REQUIRE(plain);
  CHECK(plain->design.folds == 5);
  CHECK(plain->design.repeats == 1);
  CHECK(plain->design.buffer == 0);
  CHECK(plain->design.seed == 9);
  CHECK_FALSE(plain->single_pixels);
  CHECK_FALSE(plain->group_field);
  const auto full =
      options_of({"--validate", "folds:10", "--group-field", "plot", "--buffer", "7.5", "--repeats", "3"});
  REQUIRE(full);
  CHECK(full->design.folds == 10);
  CHECK(full->design.repeats == 3);
  CHECK(full->design.buffer == 7.5);
  CHECK(full->group_field == "plot");
  CHECK(options_of({"--validate", "folds:2", "--groups", "pixels"})->single_pixels);
  CHECK_FALSE(options_of({"--validate", "folds:2", "--groups", "regions"})->single_pixels);
}

TEST_CASE("validation options that make no sense are refused") {
  const std::string folds = "; it must be folds:K with K from 2 to 1000, as in folds:5";
  CHECK(refusal({"--validate", "5"}) == "--validate: validation '5' is unknown" + folds);
  CHECK(refusal({"--validate", "folds:1"}) == "--validate: validation 'folds:1' is unknown" + folds);
  CHECK(refusal({"--validate", "folds:x"}) == "--validate: validation 'folds:x' is unknown" + folds);
  CHECK(refusal({"--validate", "folds:5", "--buffer", "-1"}) == "--buffer: '-1' must be a distance, 0 or more");
  CHECK(refusal({"--validate", "folds:5", "--buffer", "10m"}) == "--buffer: '10m' must be a distance, 0 or more");
  CHECK(refusal({"--validate", "folds:5", "--groups", "plots"}) ==
        "--groups is 'plots'; it must be one of regions, pixels");
  CHECK(refusal({"--buffer", "3"}) == "--buffer belongs to --validate, which is not given");
  CHECK_FALSE(options_of({"--group-field", "plot"}));  // goes without
  CHECK(refusal({"--validate", "folds:5", "--groups", "pixels", "--group-field", "plot"}) ==
        "--groups pixels and --group-field plot contradict each other");
}

}  // namespace parsimap
