// `train --validate` and the options that go with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/folds.hpp"

#include "command_line.hpp"

namespace parsimap {

struct ValidationOptions {
  FoldDesign design;
  bool single_pixels = false;              // otherwise groups stay whole: regions, or those of the field
  std::optional<std::string> group_field;  // of vector labels
};

// --validate, --groups, --buffer, --repeats.
std::vector<OptionSyntax> validation_option_syntax();

// Nothing without --validate. ConfigError: one of the others without it, --groups pixels with the --group-field of
// label_options.hpp. The seed is the caller's.
std::optional<ValidationOptions> validation_options(const OptionValues& values, std::uint64_t seed);

}  // namespace parsimap
