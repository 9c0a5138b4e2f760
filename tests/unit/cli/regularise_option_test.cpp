#include "cli/regularise_option.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

namespace parsimap {

TEST_CASE("nothing is regularised unless --regularise says so") {
  const CommandSyntax syntax = {.name = "x", .options = {regularise_option()}};
  CHECK(regularisation_of(parse_command_line(syntax, {})) == Regularisation{});
  CHECK(regularisation_of(parse_command_line(syntax, {"--regularise", "auto"})).method ==
        RegularisationMethod::automatic);
  CHECK(regularisation_of(parse_command_line(syntax, {"--regularise=neighbours:1.5:3"})) ==
        Regularisation{RegularisationMethod::neighbours, 1.5, 3});
  CHECK_THROWS_AS(parse_command_line(syntax, {"--regularise", "majority"}), ConfigError);
}

}  // namespace parsimap
