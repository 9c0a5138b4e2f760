// The options of commands that read labels.
#pragma once

#include <vector>

#include "parsimap/io/gdal/labels.hpp"

#include "command_line.hpp"

namespace parsimap {

// --class-field, --where and --label-variable (which read_label_file() takes by itself).
std::vector<OptionSyntax> label_option_syntax();
// --labels: further vector files.
OptionSyntax more_labels_option();
// --group-field: what training leaves out together.
OptionSyntax group_field_option();
LabelOptions label_options(const OptionValues& values);

}  // namespace parsimap
