#include "parsimap/scene/band_choice.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

// Characters of a number or range, at most: what is longer can only be a name. Regular expressions recurse with the
// length of a text, and numbers of several hundred digits are too large for double.
constexpr std::size_t kLongestRange = 100;

// Reads one list against the bands of one scene.
class BandListReader {
 public:
  BandListReader(const std::string& entry, const BandTable& table, const std::string& scene_name)
      : entry_(entry), table_(table), scene_name_(scene_name) {}

  [[nodiscard]] Indices read() const {
    if (entry_.find(',') != std::string::npos) {
      if (const std::optional<Index> band = named(std::string(trimmed(entry_)))) {
        return {*band};
      }
    }
    std::set<Index> bands;
    std::istringstream parts(entry_);
    for (std::string part; std::getline(parts, part, ',');) {
      bands.merge(read_part(std::string(trimmed(part))));
    }
    if (bands.empty()) {
      refuse("names no band");
    }
    return {bands.begin(), bands.end()};
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw ConfigError("the list of bands '" + entry_ + "' " + reason);
  }

  [[nodiscard]] std::set<Index> read_part(const std::string& part) const {
    static const std::regex numbers(R"((\d{1,9})(?:\s*-\s*(\d{1,9}))?)");
    static const std::regex wavelengths(
        R"((\d+(?:\.\d*)?|\.\d+)\s*(nm|um|µm)?\s*-\s*(\d+(?:\.\d*)?|\.\d+)\s*(nm|um|µm))");
    std::smatch match;
    const bool may_be_range = part.size() <= kLongestRange;
    if (may_be_range && std::regex_match(part, match, numbers)) {
      const Index first = std::stol(match[1]);
      return numbered(part, first, match[2].matched ? std::stol(match[2]) : first);
    }
    if (may_be_range && std::regex_match(part, match, wavelengths)) {
      const std::string unit = match[4];
      const std::string first_unit = match[2].matched ? match[2].str() : unit;
      return between(part, std::stod(match[1]) * nanometres(first_unit), std::stod(match[3]) * nanometres(unit));
    }
    if (const std::optional<Index> band = named(part)) {
      return {*band};
    }
    refuse("has '" + part + "', which is no band of " + scene_name_ +
           "; bands are given by number (7), range (10-25), range of wavelengths (1350-1450nm, 1.35-1.45um) or name");
  }

  static double nanometres(const std::string& unit) { return unit == "nm" ? 1 : 1000; }

  [[nodiscard]] std::set<Index> numbered(const std::string& part, Index first, Index last) const {
    const auto count = static_cast<Index>(table_.size());
    if (first < 1 || last > count || first > last) {
      refuse("has '" + part + "', but bands of " + scene_name_ + " count from 1 to " + std::to_string(count) +
             ", and ranges ascend");
    }
    std::set<Index> bands;
    for (Index number = first; number <= last; ++number) {
      bands.insert(number - 1);
    }
    return bands;
  }

  [[nodiscard]] std::set<Index> between(const std::string& part, double low, double high) const {
    std::set<Index> bands;
    bool known = false;
    // Micrometres and nanometres of the same band differ in rounding.
    const double rounding = 1e-9 * high;
    for (std::size_t i = 0; i < table_.size(); ++i) {
      if (const std::optional<double>& wavelength = table_[i].wavelength) {
        known = true;
        if (*wavelength >= low - rounding && *wavelength <= high + rounding) {
          bands.insert(static_cast<Index>(i));
        }
      }
    }
    if (bands.empty()) {
      refuse("has '" + part + "', but " +
             (known ? "no band of " + scene_name_ + " lies in this range"
                    : scene_name_ + " does not say the wavelengths of its bands"));
    }
    return bands;
  }

  [[nodiscard]] std::optional<Index> named(const std::string& name) const {
    std::optional<Index> found;
    for (std::size_t i = 0; i < table_.size(); ++i) {
      if (!name.empty() && table_[i].name == name) {
        if (found) {
          refuse("has '" + name + "', which is the name of several bands of " + scene_name_);
        }
        found = static_cast<Index>(i);
      }
    }
    return found;
  }

  const std::string& entry_;
  const BandTable& table_;
  const std::string& scene_name_;
};

std::set<Index> bands_of_lists(const std::vector<std::string>& lists, const BandTable& table,
                               const std::string& scene_name) {
  std::set<Index> bands;
  for (const std::string& list : lists) {
    const Indices some = bands_of_list(list, table, scene_name);
    bands.insert(some.begin(), some.end());
  }
  return bands;
}

}  // namespace

Indices bands_of_list(const std::string& entry, const BandTable& table, const std::string& scene_name) {
  return BandListReader(entry, table, scene_name).read();
}

ChosenBands choose_bands(const BandTable& table, const BandChoice& choice, const std::string& scene_name) {
  const std::set<Index> use = bands_of_lists(choice.use, table, scene_name);
  const std::set<Index> exclude = bands_of_lists(choice.exclude, table, scene_name);
  const bool all_bad = std::all_of(table.begin(), table.end(), [](const Band& band) { return band.bad; });
  if (all_bad && choice.use.empty()) {
    throw DataError(scene_name + ": its list of bad bands marks every one of its " + std::to_string(table.size()) +
                    " bands as bad; correct the list, or name the bands to use");
  }
  ChosenBands chosen;
  for (Index band = 0; band < static_cast<Index>(table.size()); ++band) {
    const bool bad = table[static_cast<std::size_t>(band)].bad;
    if (exclude.count(band) != 0) {
      chosen.dropped.push_back({band, "excluded"});
    } else if (!use.empty() && use.count(band) == 0) {
      chosen.dropped.push_back({band, "not chosen"});
    } else if (use.empty() && bad) {
      chosen.dropped.push_back({band, "marked as bad"});
    } else {
      chosen.bands.push_back(band);
      if (bad) {
        chosen.bad.push_back(band);
      }
    }
  }
  if (chosen.bands.empty()) {
    throw ConfigError("no band of " + scene_name + " is left to use: all " + std::to_string(table.size()) +
                      " are bad, excluded or not chosen");
  }
  return chosen;
}

}  // namespace parsimap
