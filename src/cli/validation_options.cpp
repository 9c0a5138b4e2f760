#include "validation_options.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

Index parse_folds(const std::string& text) {
  constexpr Index kMostFolds = 1000;
  const std::string prefix = "folds:";
  const auto folds = text.starts_with(prefix) ? parse_number<Index>(text.substr(prefix.size())) : std::nullopt;
  if (!folds || *folds < 2 || *folds > kMostFolds) {
    throw ConfigError("validation '" + text + "' is unknown; it must be folds:K with K from 2 to " +
                      std::to_string(kMostFolds) + ", as in folds:5");
  }
  return *folds;
}

double parse_buffer(const std::string& text) {
  const auto metres = parse_number<double>(text);
  if (!metres || *metres < 0) {
    throw ConfigError("'" + text + "' must be a distance, 0 or more");
  }
  return *metres;
}

}  // namespace

std::vector<OptionSyntax> validation_option_syntax() {
  constexpr std::int64_t kMostRepeats = 1000;
  return {{.name = "validate",
           .kind = OptionKind::text,
           .value_name = "folds:K",
           .help = "Also estimate the accuracy: train K times anew, each time without a K-th of the regions, and test "
                   "on these",
           .choices = {"folds:"},
           .check = [](const std::string& text) { parse_folds(text); }},
          {.name = "groups",
           .kind = OptionKind::text,
           .value_name = "WHAT",
           .help = "What --validate keeps together: regions (polygons, or connected areas of a label raster) or single "
                   "pixels; unset: regions, or those of --group-field",
           .choices = {"regions", "pixels"}},
          {.name = "buffer",
           .kind = OptionKind::text,
           .value_name = "METRES",
           .help = "Let --validate not train on pixels nearer than this to a test pixel; in pixels where the scene has "
                   "no CRS",
           .check = [](const std::string& text) { parse_buffer(text); }},
          {.name = "repeats",
           .kind = OptionKind::integer,
           .value_name = "R",
           .help = "Let --validate share out its folds R times; unset: once",
           .least = 1,
           .most = kMostRepeats}};
}

std::optional<ValidationOptions> validation_options(const OptionValues& values, std::uint64_t seed) {
  const auto folds = values.text("validate");
  const auto groups = values.text("groups");
  const auto field = values.text("group-field");
  const auto buffer = values.text("buffer");
  const auto repeats = values.integer("repeats");
  if (!folds) {
    const char* const given = groups ? "groups" : buffer ? "buffer" : repeats ? "repeats" : "";
    if (*given != '\0') {
      throw ConfigError("--" + std::string(given) + " belongs to --validate, which is not given");
    }
    return std::nullopt;
  }
  ValidationOptions options;
  options.design.folds = parse_folds(*folds);
  options.design.repeats = repeats.value_or(1);
  options.design.buffer = buffer ? parse_buffer(*buffer) : 0;
  options.design.seed = seed;
  options.single_pixels = groups == "pixels";
  options.group_field = field;
  if (options.single_pixels && field) {
    throw ConfigError("--groups pixels and --group-field " + *field + " contradict each other");
  }
  return options;
}

}  // namespace parsimap
