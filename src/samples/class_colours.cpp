// The colours in which classes are shown.
#include "parsimap/samples/class_colours.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

#include "parsimap/core/text.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {
namespace {

// Seven colours of Okabe and Ito (2008), then nine of the scheme "muted" of Tol (2021), as 0xRRGGBB.
constexpr std::array<std::uint32_t, 16> kListed{0xE69F00, 0x56B4E9, 0x009E73, 0xF0E442, 0x0072B2, 0xD55E00,
                                                0xCC79A7, 0x332288, 0x88CCEE, 0x44AA99, 0x117733, 0x999933,
                                                0xDDCC77, 0xCC6677, 0x882255, 0xAA4499};

Colour colour_of(std::uint32_t number) {
  return {static_cast<std::uint8_t>(number >> 16U), static_cast<std::uint8_t>(number >> 8U & 0xFFU),
          static_cast<std::uint8_t>(number & 0xFFU)};
}

// Colours as points of CIELAB for normal sight, protanopia and deuteranopia.
using Appearance = std::array<std::array<double, 3>, 3>;

Appearance appearance_of(const Colour& colour) {
  // Linear sRGB, the matrices of Machado, Oliveira and Fernandes (2009) for the complete absence of a type of cones,
  // and CIELAB for the white of D65.
  using Rows = std::array<std::array<double, 3>, 3>;
  constexpr std::array<Rows, 3> kSights = {
      {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
       {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
       {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}}};
  constexpr Rows kToXyz = {{{0.4339, 0.3762, 0.1899}, {0.2126, 0.7152, 0.0722}, {0.0177, 0.1095, 0.8728}}};
  const auto product = [](const Rows& rows, const std::array<double, 3>& values) {
    std::array<double, 3> result{};
    for (std::size_t i = 0; i < 3; ++i) {
      result[i] = std::clamp(rows[i][0] * values[0] + rows[i][1] * values[1] + rows[i][2] * values[2], 0.0, 1.0);
    }
    return result;
  };
  std::array<double, 3> linear{};
  std::transform(colour.begin(), colour.end(), linear.begin(), [](std::uint8_t level) {
    const double value = level / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  });
  Appearance appearance{};
  std::transform(kSights.begin(), kSights.end(), appearance.begin(), [&](const Rows& sight) {
    std::array<double, 3> xyz = product(kToXyz, product(sight, linear));
    for (double& value : xyz) {
      value = value > 0.008856 ? std::cbrt(value) : 7.787 * value + 16.0 / 116;
    }
    return std::array<double, 3>{116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
  });
  return appearance;
}

// The difference of two colours to the reader who sees least of it.
double difference(const Appearance& a, const Appearance& b) {
  double least = 1000;
  for (std::size_t sight = 0; sight < a.size(); ++sight) {
    least =
        std::min(least, std::hypot(a[sight][0] - b[sight][0], a[sight][1] - b[sight][1], a[sight][2] - b[sight][2]));
  }
  return least;
}

// Words in names of classes, and the colours that maps commonly give to them: the first that is unlike all others is
// used.
struct CustomaryColours {
  std::vector<std::string> words;
  std::vector<Colour> colours;
};

const std::vector<CustomaryColours>& customary_colours() {
  // "street" must come before "tree", which it contains.
  static const std::vector<CustomaryColours> all = {
      {{"wetland", "marsh", "swamp", "reed"}, {{66, 197, 203}}},
      {{"water", "lake", "river", "pond", "ocean"}, {{40, 75, 165}, {86, 180, 233}}},
      {{"road", "street", "asphalt", "pavement", "parking"}, {{90, 90, 90}, {153, 153, 153}}},
      {{"built", "urban", "building", "roof", "house", "residential", "impervious"}, {{240, 95, 140}, {136, 34, 85}}},
      {{"grass", "meadow", "pasture", "lawn"}, {{145, 180, 90}, {68, 170, 153}}},
      {{"forest", "tree", "wood", "conifer"}, {{10, 70, 10}, {0, 120, 80}}},
      {{"sand", "beach"}, {{242, 218, 179}}},
      {{"soil", "bare", "fallow"}, {{130, 98, 60}, {213, 94, 0}}},
      {{"crop", "wheat", "barley", "maize", "corn", "sunflower", "cereal", "arable", "rapeseed", "soybean", "oats"},
       {{250, 235, 130}, {249, 173, 11}, {153, 153, 51}}}};
  return all;
}

// Gives classes their colours one by one.
class Palette {
 public:
  // White and black are left to the ground of pictures, magenta to errors on maps. Readers who take magenta for blue
  // see errors on a grey ground.
  Palette() {
    taken_ = {appearance_of({255, 255, 255}), appearance_of({0, 0, 0}), appearance_of({230, 0, 230})};
    taken_[2][1].fill(1000);
    taken_[2][2].fill(1000);
    listed_ = mapped<Colour>(kListed, colour_of);
    for (int code = 0; code < 216; ++code) {
      const auto level = [&](int divisor) { return static_cast<std::uint8_t>(code / divisor % 6 * 51); };
      grid_.push_back({level(36), level(6), level(1)});
    }
    std::transform(grid_.begin(), grid_.end(), std::back_inserter(seen_), appearance_of);
  }

  void take(const Colour& colour) {
    used_.insert(colour);
    taken_.push_back(appearance_of(colour));
  }

  // The first of the colours that differs well from all that are taken.
  template <typename Colours>
  std::optional<Colour> first_of(const Colours& colours) {
    constexpr double kApart = 15;  // units of CIELAB, of which 2 are just seen side by side
    const auto found =
        std::ranges::find_if(colours, [&](const Colour& colour) { return distance(appearance_of(colour)) >= kApart; });
    if (found == colours.end()) {
      return std::nullopt;
    }
    take(*found);
    return *found;
  }

  // From the list; then that of the cube of 6 x 6 x 6 colours which differs most from all that are taken; and for more
  // classes than it has, any other colour.
  Colour next() {
    if (const std::optional<Colour> listed = first_of(listed_)) {
      return *listed;
    }
    listed_.clear();  // what is like a colour that is taken stays so
    // Distances to the taken colours only fall, so that each colour of the cube is compared with the new ones alone.
    nearest_.resize(grid_.size(), 1000);
    std::size_t best = 0;
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      for (std::size_t t = compared_; t < taken_.size(); ++t) {
        nearest_[i] = std::min(nearest_[i], difference(seen_[i], taken_[t]));
      }
      best = nearest_[i] > nearest_[best] ? i : best;
    }
    compared_ = taken_.size();
    Colour colour = grid_[best];
    while (used_.contains(colour)) {
      // Steps of an odd number reach every one of the 2^24 colours.
      number_ = (number_ + 10368889U) & 0xFFFFFFU;
      colour = colour_of(number_);
    }
    take(colour);
    return colour;
  }

 private:
  [[nodiscard]] double distance(const Appearance& colour) const {
    double least = 1000;
    for (const Appearance& taken : taken_) {
      least = std::min(least, difference(colour, taken));
    }
    return least;
  }

  std::set<Colour> used_;
  std::vector<Appearance> taken_;
  std::vector<Colour> listed_;
  std::vector<Colour> grid_;
  std::vector<Appearance> seen_;  // of grid_
  std::vector<double> nearest_;   // of grid_, to the first compared_ of taken_
  std::size_t compared_ = 0;
  std::uint32_t number_ = 0;
};

std::optional<Colour> customary_colour(const std::string& name, Palette& palette) {
  const std::string lower = lower_case(name);
  for (const CustomaryColours& customary : customary_colours()) {
    if (std::ranges::any_of(customary.words,
                            [&](const std::string& word) { return lower.find(word) != std::string::npos; })) {
      return palette.first_of(customary.colours);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Colour> class_colours(const ClassTable& classes) {
  // Colours that classes have come first, then those that their names suggest, and then the palette, so that no class
  // gets a colour that is like that of another.
  Palette palette;
  auto colours = mapped<std::optional<Colour>>(classes, &ClassEntry::colour);
  for (const auto& colour : colours) {
    if (colour) {
      palette.take(*colour);
    }
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    colours[c] = colours[c] ? colours[c] : customary_colour(classes[c].name, palette);
  }
  return mapped<Colour>(colours, [&](const auto& colour) { return colour ? *colour : palette.next(); });
}

std::optional<Colour> parse_colour(std::string_view text) {
  constexpr std::size_t kHexadecimal = 7;
  text = trimmed(text);
  const bool hexadecimal = text.starts_with('#') && text.size() == kHexadecimal;
  if (hexadecimal) {
    text.remove_prefix(1);
  } else if (text.starts_with('{') && text.ends_with('}')) {
    text = text.substr(1, text.size() - 2);
  }
  Colour colour{};
  for (std::uint8_t& channel : colour) {
    const std::size_t end = hexadecimal ? 2 : std::min(text.find(','), text.size());
    const std::string_view part = trimmed(text.substr(0, end));
    const auto [last, failure] =
        std::from_chars(part.data(), part.data() + part.size(), channel, hexadecimal ? 16 : 10);
    // A comma stands between two numbers, and nothing behind the last.
    const bool is_last = &channel == &colour.back();
    if (failure != std::errc() || last != part.data() + part.size() || (end == text.size()) != is_last) {
      return std::nullopt;
    }
    text.remove_prefix(std::min(end + (hexadecimal ? 0 : 1), text.size()));
  }
  return colour;
}

}  // namespace parsimap
