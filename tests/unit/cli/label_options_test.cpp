#include "cli/label_options.hpp"

#include <doctest/doctest.h>

namespace parsimap {

TEST_CASE("label options are those of read_labels, unset unless given") {
  const CommandSyntax syntax = {.name = "x", .options = label_option_syntax()};
  const LabelOptions unset = label_options(parse_command_line(syntax, {}));
  CHECK_FALSE(unset.class_field);
  CHECK_FALSE(unset.where);
  const LabelOptions set =
      label_options(parse_command_line(syntax, {"--class-field", "taxonID", "--where", "split='train'"}));
  CHECK(set.class_field == "taxonID");
  CHECK(set.where == "split='train'");
}

}  // namespace parsimap
