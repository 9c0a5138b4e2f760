#include "parsimap/samples/class_colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace parsimap {
namespace {

constexpr std::array<Colour, 16> kListed{{{230, 159, 0},
                                          {86, 180, 233},
                                          {0, 158, 115},
                                          {240, 228, 66},
                                          {0, 114, 178},
                                          {213, 94, 0},
                                          {204, 121, 167},
                                          {51, 34, 136},
                                          {136, 204, 238},
                                          {68, 170, 153},
                                          {17, 119, 51},
                                          {153, 153, 51},
                                          {221, 204, 119},
                                          {204, 102, 119},
                                          {136, 34, 85},
                                          {170, 68, 153}}};

// Hue, saturation and value in [0, 1] to red, green, blue.
Colour from_hsv(double hue, double saturation, double value) {
  const auto channel = [&](double offset) {
    const double k = std::fmod(offset + hue * 6, 6);
    const double level = value - value * saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0);
    return static_cast<std::uint8_t>(std::lround(level * 255));
  };
  return {channel(5), channel(3), channel(1)};
}

Colour numbered(std::size_t number) {
  if (number < kListed.size()) {
    return kListed[number];
  }
  const std::size_t step = number - kListed.size();
  constexpr double kGoldenRatio = 0.61803398874989485;
  constexpr std::array<double, 3> kValues{0.95, 0.7, 0.45};
  constexpr std::array<double, 2> kSaturations{0.85, 0.5};
  const double hue = static_cast<double>(step) * kGoldenRatio;
  return from_hsv(hue - std::floor(hue), kSaturations[step / kValues.size() % kSaturations.size()],
                  kValues[step % kValues.size()]);
}

}  // namespace

std::vector<Colour> class_colours(const ClassTable& classes) {
  std::set<Colour> taken;
  for (const ClassEntry& entry : classes) {
    if (entry.colour) {
      taken.insert(*entry.colour);
    }
  }
  std::vector<Colour> colours;
  std::size_t next = 0;
  for (const ClassEntry& entry : classes) {
    if (entry.colour) {
      colours.push_back(*entry.colour);
      continue;
    }
    while (next < kListed.size() && taken.contains(numbered(next))) {
      ++next;
    }
    colours.push_back(numbered(next++));
  }
  return colours;
}

}  // namespace parsimap
