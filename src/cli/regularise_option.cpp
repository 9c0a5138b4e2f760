#include "regularise_option.hpp"

namespace parsimap {

OptionSyntax regularise_option() {
  return {.name = "regularise",
          .kind = OptionKind::text,
          .value_name = "HOW",
          .help = "Judge pixels with their neighbours: none, auto, neighbours:SIGMA[:STRENGTH] or gaussian:SIGMA",
          .default_value = "none",
          .check = [](const std::string& text) { parse_regularisation(text); }};
}

Regularisation regularisation_of(const OptionValues& values) {
  return parse_regularisation(*values.text("regularise"));
}

}  // namespace parsimap
