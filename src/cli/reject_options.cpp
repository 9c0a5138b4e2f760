#include "reject_options.hpp"

#include <charconv>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

double parse_share(const std::string& text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !(value > 0 && value <= 1)) {
    throw ConfigError("'" + text + "' is not a number above 0 and at most 1");
  }
  return value;
}

std::optional<double> share(const OptionValues& values, const std::string& name) {
  const std::optional<std::string> text = values.text(name);
  return text ? std::optional(parse_share(*text)) : std::nullopt;
}

}  // namespace

std::vector<OptionSyntax> reject_option_syntax() {
  return {{.name = "reject",
           .kind = OptionKind::text,
           .value_name = "P",
           .help = "Leave pixels unclassified whose largest probability is below P",
           .check = [](const std::string& text) { parse_share(text); }},
          {.name = "reject-novelty",
           .kind = OptionKind::text,
           .value_name = "P",
           .help = "Leave pixels unclassified whose novelty is above P",
           .check = [](const std::string& text) { parse_share(text); }}};
}

void read_reject_options(const OptionValues& values, MappingOptions& options) {
  options.reject = share(values, "reject");
  options.reject_novelty = share(values, "reject-novelty");
}

}  // namespace parsimap
