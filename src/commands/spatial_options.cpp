#include "parsimap/commands/spatial_options.hpp"

#include <cmath>
#include <optional>
#include <sstream>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/options/field.hpp"

namespace parsimap {
namespace {

constexpr std::size_t kMostRadii = 8;
constexpr double kLargestRadius = 32;  // pixels

[[noreturn]] void refuse(const std::string& text, const std::string& rule) {
  throw ConfigError("radii '" + text + "' are not known: " + rule + ", as in 1,4,8 (pixels) or 30m,60m (metres)");
}

bool is_metres(const std::string& word) { return !word.empty() && word.back() == 'm'; }

}  // namespace

SpatialRule parse_spatial_rule(const std::string& text) {
  for (const SpatialRule rule :
       {SpatialRule::none, SpatialRule::automatic, SpatialRule::profiles, SpatialRule::neighbours}) {
    if (text == to_string(rule)) {
      return rule;
    }
  }
  throw ConfigError("spatial rule '" + text + "' is unknown; it must be auto, none, profiles or neighbours");
}

std::string to_string(SpatialRule rule) {
  switch (rule) {
    case SpatialRule::automatic:
      return "auto";
    case SpatialRule::profiles:
      return "profiles";
    case SpatialRule::neighbours:
      return "neighbours";
    case SpatialRule::none:
      break;
  }
  return "none";
}

ProfileRadii parse_profile_radii(const std::string& text) {
  ProfileRadii radii{{}, is_metres(text)};
  std::istringstream words(text + ",");
  for (std::string word; std::getline(words, word, ',');) {
    if (is_metres(word) != radii.metres) {
      refuse(text, "all must be in pixels, or all in metres");
    }
    const auto value = parse_number<double>(radii.metres ? word.substr(0, word.size() - 1) : word);
    if (!value || !std::isfinite(*value) || *value <= (radii.values.empty() ? 0 : radii.values.back())) {
      refuse(text, "they must be numbers above 0 that ascend");
    }
    if (!radii.metres && (*value > kLargestRadius || *value != std::floor(*value))) {
      refuse(text, "in pixels they must be whole numbers of at most 32");
    }
    radii.values.push_back(*value);
  }
  if (radii.values.size() > kMostRadii) {
    refuse(text, "there may be eight at most");
  }
  return radii;
}

std::string to_string(const ProfileRadii& radii) {
  std::string text;
  for (const double radius : radii.values) {
    text += (text.empty() ? "" : ",") + number_text(radius) + (radii.metres ? "m" : "");
  }
  return text;
}

}  // namespace parsimap
