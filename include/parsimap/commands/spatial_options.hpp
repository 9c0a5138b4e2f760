// What a training does with what lies around the pixels.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace parsimap {

enum class SpatialRule {
  none,
  automatic,  // judged on left-out pixels
  profiles,
  neighbours
};

// "none", "auto", "profiles" or "neighbours", and back; another text is a ConfigError that lists them.
SpatialRule parse_spatial_rule(const std::string& text);
std::string to_string(SpatialRule rule);

// The radii of morphological profiles, ascending.
struct ProfileRadii {
  std::vector<double> values = {1, 4, 8};
  bool metres = false;  // else pixels
};

// "2,4,8" or, in metres, "30m,60m"; ConfigError with what is broken: one to eight numbers above 0 that ascend, of one
// unit, and in pixels whole numbers of at most 32.
ProfileRadii parse_profile_radii(const std::string& text);
std::string to_string(const ProfileRadii& radii);

struct SpatialOptions {
  std::optional<SpatialRule> asked = {};   // unset: none
  bool profiles_always = false;            // whatever the rule says of them
  std::optional<ProfileRadii> radii = {};  // unset: the default ones

  [[nodiscard]] SpatialRule rule() const { return asked.value_or(SpatialRule::none); }

  // Whether profiles are computed, to be used or to be judged.
  [[nodiscard]] bool wants_profiles() const {
    return profiles_always || rule() == SpatialRule::profiles || rule() == SpatialRule::automatic;
  }
};

}  // namespace parsimap
