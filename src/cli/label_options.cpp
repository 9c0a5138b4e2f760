#include "label_options.hpp"

namespace parsimap {

std::vector<OptionSyntax> label_option_syntax() {
  return {{.name = "class-field",
           .kind = OptionKind::text,
           .value_name = "NAME",
           .help = "Field of a vector file that holds the class, integer or text"},
          {.name = "where",
           .kind = OptionKind::text,
           .value_name = "SQL",
           .help = "Condition that selects features of a vector file"},
          {.name = "label-variable",
           .kind = OptionKind::text,
           .value_name = "NAME",
           .help = "Array of a MATLAB file of labels (.mat), where its shape does not tell which"}};
}

OptionSyntax more_labels_option() {
  return {.name = "labels",
          .kind = OptionKind::list,
          .value_name = "FILE",
          .help = "A further vector file of labels, read like LABELS; classes are the same by name, or by code"};
}

OptionSyntax group_field_option() {
  return {.name = "group-field",
          .kind = OptionKind::text,
          .value_name = "NAME",
          .help =
              "Field of vector labels, such as a plot; what is left out of training to judge it, and by --validate, is "
              "all features of a value together"};
}

LabelOptions label_options(const OptionValues& values) { return {values.text("class-field"), values.text("where")}; }

}  // namespace parsimap
