#include "cli/reject_options.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

OptionValues parse(const std::vector<std::string>& arguments) {
  return parse_command_line({.name = "classify", .options = reject_option_syntax()}, arguments);
}

}  // namespace

TEST_CASE("limits are unset unless given") {
  MappingOptions options;
  read_reject_options(parse({}), options);
  CHECK_FALSE(options.reject);
  CHECK_FALSE(options.reject_novelty);
  read_reject_options(parse({"--reject", "0.7", "--reject-novelty", "1"}), options);
  CHECK(options.reject == 0.7);
  CHECK(options.reject_novelty == 1);
}

TEST_CASE("limits that are no share are refused") {
  for (const std::string text : {"0", "-0.5", "1.01", "nan", "half", "0.5x", ""}) {
    CHECK_THROWS_WITH_AS(parse({"--reject", text}),
                         ("--reject: '" + text + "' is not a number above 0 and at most 1").c_str(), ConfigError);
  }
}

}  // namespace parsimap
