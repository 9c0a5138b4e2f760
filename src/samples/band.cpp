#include "parsimap/samples/band.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

std::vector<double> wavelengths_of(const BandTable& table, const Indices& indices) {
  // All wavelengths or none: a list with gaps could not be compared with another one.
  const BandTable chosen = values_at(table, indices);
  return std::ranges::all_of(chosen, has_wavelength) ? known_values(chosen, &Band::wavelength) : std::vector<double>();
}

std::vector<double> known_values(const BandTable& bands, std::optional<double> Band::*property) {
  const auto known = filtered(bands, [&](const Band& band) { return (band.*property).has_value(); });
  return mapped<double>(known, [&](const Band& band) { return *(band.*property); });
}

Indices good_bands(const BandTable& bands) {
  return indices_where(bands.size(), [&](std::size_t i) { return !bands[i].bad; });
}

std::string nanometres_text(double wavelength) { return number_text(wavelength, 6) + " nm"; }

std::string band_list(const Indices& bands) {
  std::string text;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    // Bands that follow each other are one range, from `i` to `last`.
    std::size_t last = i;
    while (last + 1 < bands.size() && bands[last + 1] == bands[last] + 1) {
      ++last;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(bands[i] + 1);
    if (last > i) {
      text.append("-").append(std::to_string(bands[last] + 1));
    }
    i = last;
  }
  return text;
}

std::vector<std::pair<std::string, Indices>> bands_by_reason(const std::vector<DroppedBand>& dropped) {
  std::vector<std::pair<std::string, Indices>> groups;
  for (const DroppedBand& band : dropped) {
    auto group = std::ranges::find_if(groups, [&](const auto& one) { return one.first == band.reason; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {band.reason, {}});
    }
    group->second.push_back(band.band);
  }
  return groups;
}

// The factor that makes nanometres of a length in this unit, 0 for a unit that is no length of waves; nothing for other
// words.
static std::optional<double> nanometres_in(const std::string& unit) {
  const std::string name = lower_case(unit);
  // A unit is known by how its name begins, in any language and number.
  static constexpr std::array<std::pair<const char*, double>, 20> kFactors{
      {{"nm", 1},         {"nanomet", 1},    {"um", 1e3},       {"\xc2\xb5m", 1e3}, {"\xce\xbcm", 1e3},
       {"\xb5m", 1e3},    {"micro", 1e3},    {"angstrom", 0.1}, {"millimet", 1e6},  {"mm", 1e6},
       {"centimet", 1e7}, {"cm-", 0},        {"cm^", 0},        {"cm\xe2\x81", 0},  {"cm", 1e7},
       {"1/", 0},         {"wavenumber", 0}, {"index", 0},      {"met", 1e9},       {"band", 0}}};
  for (const auto& [prefix, factor] : kFactors) {
    if (name.starts_with(prefix)) {
      return factor;
    }
  }
  return name.ends_with("hz") ? std::optional<double>(0) : std::nullopt;
}

bool knows_wavelength_unit(const std::string& unit) { return unit.empty() || nanometres_in(unit).value_or(0) > 0; }

std::optional<double> wavelength_nanometres(double value, const std::string& unit) {
  if (const std::optional<double> factor = nanometres_in(unit)) {
    return *factor > 0 ? std::optional<double>(value * *factor) : std::nullopt;
  }
  // Without a known unit a value must be in metres, as in CF, below a ten-thousandth, in micrometres below 100 and
  // otherwise in nanometres: optical sensors measure between some 300 and 15 000 nm.
  return value < 1e-4 ? value * 1e9 : value < 100 ? value * 1e3 : value;
}

namespace {

constexpr double kLargestTolerance = 5;  // nanometres

// "12 (1352.4 nm), 13 (water), 14": the bands at `rows` of a table, whose scene counts them by `places`.
std::string described(const BandTable& bands, const Indices& places, const Indices& rows) {
  return shortened(rows, 20, [&](Index index) {
    const auto row = static_cast<std::size_t>(index);
    const std::string known = bands[row].wavelength ? nanometres_text(*bands[row].wavelength) : bands[row].name;
    return std::to_string(places[row] + 1) + (known.empty() ? "" : " (" + known + ")");
  });
}

// The places whose partner is missing, or is there.
Indices places_where(const Indices& found, bool missing) {
  return indices_where(found.size(), [&](std::size_t i) { return (found[i] == kNoBand) == missing; });
}

BandMatch with_misfit(Indices found, const WantedBands& wanted, const std::string& name, const std::string& rule) {
  BandMatch match{std::move(found), ""};
  const Indices missing = unmatched(match);
  if (!missing.empty()) {
    match.misfit = name + " lacks " + std::to_string(missing.size()) + " of the " +
                   std::to_string(wanted.bands.size()) + " bands " + wanted.user + " (" + rule + "); of " +
                   wanted.scene + " these are the bands " + described(wanted.bands, wanted.places, missing);
  }
  return match;
}

BandMatch nothing_found(const WantedBands& wanted, std::string misfit) {
  return {Indices(wanted.bands.size(), kNoBand), std::move(misfit)};
}

// A band wanted beside one offered, in the order in which pairs are taken: the nearest wavelengths first, then bands of
// the same name, then bands at the same place: distance, other name, distance of places, wanted, offered.
using Pair = std::tuple<double, bool, Index, std::size_t, std::size_t>;

// All pairs of bands whose wavelengths are near enough.
std::vector<Pair> pairs_within(double tolerance, const WantedBands& wanted, const BandTable& offered) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < wanted.bands.size(); ++i) {
    const Band& band = wanted.bands[i];
    for (std::size_t j = 0; j < offered.size(); ++j) {
      const double distance =
          offered[j].wavelength ? std::abs(*offered[j].wavelength - *band.wavelength) : tolerance + 1;
      if (distance <= tolerance + kWavelengthRounding) {
        pairs.emplace_back(distance, offered[j].name != band.name, std::abs(static_cast<Index>(j) - wanted.places[i]),
                           i, j);
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Another date of a series, or a second sensor, has the same wavelengths: then the name of a band tells which is meant,
// or its place in a scene of as many bands.
void refuse_second_choice(const WantedBands& wanted, const BandTable& offered, const Indices& found,
                          const std::vector<bool>& taken, const std::string& name) {
  const bool places_tell = std::ssize(offered) == wanted.scene_bands;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == kNoBand || (places_tell && found[i] == wanted.places[i])) {
      continue;
    }
    const auto chosen = static_cast<std::size_t>(found[i]);
    const std::string& wanted_name = wanted.bands[i].name;
    for (std::size_t other = 0; other < offered.size(); ++other) {
      const bool name_tells = offered[chosen].name == wanted_name && offered[other].name != wanted_name;
      if (!taken[other] && !offered[other].bad && !name_tells && offered[other].wavelength &&
          std::abs(*offered[other].wavelength - *offered[chosen].wavelength) <= kWavelengthRounding) {
        throw DataError(name + " has several bands of " + nanometres_text(*offered[chosen].wavelength) + ", such as " +
                        std::to_string(std::min(chosen, other) + 1) + " and " +
                        std::to_string(std::max(chosen, other) + 1) +
                        ", and nothing tells which of them belongs to the bands " + wanted.user +
                        "; make a scene of those that are meant (gdal_translate -b)");
      }
    }
  }
}

// Each band wanted takes the nearest band offered that no nearer pair has taken.
BandMatch by_wavelength(const WantedBands& wanted, const BandTable& offered, const std::string& name) {
  const double tolerance = wavelength_tolerance(wanted.bands);
  Indices found(wanted.bands.size(), kNoBand);
  std::vector<bool> taken(offered.size(), false);
  for (const auto& [distance, other_name, other_place, i, j] : pairs_within(tolerance, wanted, offered)) {
    if (found[i] == kNoBand && !taken[j]) {
      found[i] = static_cast<Index>(j);
      taken[j] = true;
    }
  }
  refuse_second_choice(wanted, offered, found, taken, name);
  return with_misfit(std::move(found), wanted, name, "a band of its own within " + nanometres_text(tolerance));
}

// Each band wanted takes the band offered with its name, which must be the only one; none is taken twice.
BandMatch by_name(const WantedBands& wanted, const BandTable& offered, const std::string& name) {
  const auto names = mapped<std::string>(offered, &Band::name);
  Indices found;
  for (const Band& band : wanted.bands) {
    if (const auto count = std::ranges::count(names, band.name); count > 1) {
      return nothing_found(wanted, name + " has " + std::to_string(count) + " bands named '" + band.name +
                                       "'; the bands " + wanted.user + " are found by name, so there must be one");
    }
    const auto named = place_of_name(names, band.name);
    const Index place = named ? static_cast<Index>(*named) : kNoBand;
    found.push_back(std::ranges::find(found, place) == found.end() ? place : kNoBand);
  }
  return with_misfit(std::move(found), wanted, name, "by name");
}

std::string both_lists(const WantedBands& wanted, const BandTable& offered, const std::string& name) {
  const Indices all = consecutive(std::ssize(offered));
  return "; bands " + wanted.user + ": " +
         described(wanted.bands, wanted.places, consecutive(std::ssize(wanted.bands))) + "; bands of " + name + ": " +
         described(offered, all, all) + "; --bands-by-position takes bands at equal positions";
}

// True where wavelengths do not ascend, or the names are those of a series whose numbers do not, as B1, B10, B2.
// Letters may follow a number, as in B8A.
bool out_of_order(const BandTable& bands) {
  std::vector<double> numbers = known_values(bands, &Band::wavelength);
  if (!numbers.empty()) {
    return !std::ranges::is_sorted(numbers);
  }
  const std::string& first = bands.front().name;
  constexpr const char* kDigits = "0123456789";
  const std::string stem = first.substr(0, first.find_last_not_of(kDigits, first.find_last_of(kDigits)) + 1);
  for (const Band& band : bands) {
    // Longer numbers are no places in a series.
    constexpr std::size_t kMostDigits = 9;
    const std::string rest = band.name.starts_with(stem) ? band.name.substr(stem.size()) : "";
    const std::string digits = rest.substr(0, rest.find_first_not_of(kDigits));
    if (digits.empty() || digits.size() > kMostDigits) {
      return false;
    }
    numbers.push_back(std::stod(digits));
  }
  return !std::ranges::is_sorted(numbers);
}

// Nothing but their places distinguishes the bands, so there must be as many as in the scene of those wanted, and
// wavelengths that both know must agree.
BandMatch by_order(const WantedBands& wanted, const BandTable& offered, const std::string& name) {
  const auto count = static_cast<Index>(offered.size());
  if (count != wanted.scene_bands) {
    return nothing_found(wanted, name + " has " + std::to_string(count) + " bands, but " + wanted.scene + " has " +
                                     std::to_string(wanted.scene_bands) +
                                     " bands; without wavelengths or names in both they must be the same bands");
  }
  for (std::size_t i = 0; i < wanted.places.size(); ++i) {
    const std::optional<double> found = offered[static_cast<std::size_t>(wanted.places[i])].wavelength;
    const std::optional<double> expected = wanted.bands[i].wavelength;
    if (found && expected && std::abs(*found - *expected) > kLargestTolerance) {
      return nothing_found(wanted, name + ": band " + std::to_string(wanted.places[i] + 1) + " has wavelength " +
                                       nanometres_text(*found) + ", but " + wanted.scene + " has " +
                                       nanometres_text(*expected) + " there; they may differ by " +
                                       nanometres_text(kLargestTolerance) + " at most");
    }
  }
  return {wanted.places, ""};
}

// The first band that has another name than the one it is taken for, where all names are there; empty without one.
std::string other_name(const BandMatch& match, const WantedBands& wanted, const BandTable& offered,
                       const std::string& name) {
  const BandMatch named = by_name(wanted, offered, name);
  for (std::size_t i = 0; match.complete() && named.complete() && i < match.found.size(); ++i) {
    const Band& found = offered[static_cast<std::size_t>(match.found[i])];
    if (lower_case(found.name) != lower_case(wanted.bands[i].name)) {
      return name + ": bands are found by their wavelengths, which their names contradict: band " +
             std::to_string(match.found[i] + 1) + " (" + nanometres_text(*found.wavelength) + ") is called '" +
             found.name + "' and taken for '" + wanted.bands[i].name + "' of " + wanted.scene;
    }
  }
  return "";
}

bool names_differ(const BandTable& bands) {
  // Every band has a name, and no name occurs twice.
  return std::ranges::all_of(bands, has_name) &&
         distinct(mapped<std::string>(bands, &Band::name)).size() == bands.size();
}

}  // namespace

double wavelength_tolerance(const BandTable& bands) {
  const std::vector<double> sorted = distinct(known_values(bands, &Band::wavelength));
  // The median of the steps between neighbouring wavelengths; the first entry of the differences is no step.
  std::vector<double> steps(sorted.size());
  std::adjacent_difference(sorted.begin(), sorted.end(), steps.begin());
  if (steps.size() < 2) {
    return kLargestTolerance;
  }
  // The lower median of the steps: half of it is the largest distance at which a band cannot be its neighbour.
  const auto middle = steps.begin() + 1 + static_cast<std::ptrdiff_t>((steps.size() - 1) / 2);
  std::nth_element(steps.begin() + 1, middle, steps.end());
  return std::min(kLargestTolerance, *middle / 2);
}

BandMatch match_bands(const WantedBands& wanted, const BandTable& offered, const std::string& name) {
  // Wavelengths are the surest sign of a band, then names; places only count where nothing else is known.
  const bool wanted_waves = std::ranges::any_of(wanted.bands, has_wavelength);
  const bool offered_waves = std::ranges::any_of(offered, has_wavelength);
  if (std::ranges::all_of(wanted.bands, has_wavelength) && offered_waves) {
    BandMatch match = by_wavelength(wanted, offered, name);
    match.note = names_differ(wanted.bands) ? other_name(match, wanted, offered, name) : "";
    return match;
  }
  // A stack of several dates often repeats the names of its bands, as B2, B3, B2, B3.
  const bool places = std::ssize(offered) == wanted.scene_bands && std::ranges::all_of(offered, has_name);
  const BandTable there = places ? values_at(offered, wanted.places) : BandTable();
  const bool same_names = std::ranges::equal(wanted.bands, there, {}, &Band::name, &Band::name);
  const bool other_order =
      !same_names && std::ranges::is_permutation(wanted.bands, there, {}, &Band::name, &Band::name);
  if (names_differ(wanted.bands) && std::ranges::any_of(offered, has_name)) {
    BandMatch match = by_name(wanted, offered, name);
    if (match.complete() || (!wanted.by_position && !same_names)) {
      match.misfit += match.complete() ? "" : both_lists(wanted, offered, name);
      return match;
    }
  }
  BandMatch match = by_order(wanted, offered, name);
  if (!match.complete() || (wanted_waves && offered_waves)) {
    return match;
  }
  if (!wanted.by_position && !same_names && (other_order || out_of_order(wanted.bands) || out_of_order(offered))) {
    return nothing_found(wanted, name + " and " + wanted.scene +
                                     " do not both tell which bands they have, and one of both has them in another "
                                     "order than the other, or than that of their wavelengths or numbers" +
                                     both_lists(wanted, offered, name));
  }
  match.by_position = true;
  match.note = "the bands of " + name + " are taken by their position: nothing else tells which bands of " +
               wanted.scene + " they are" + (wanted_waves != offered_waves ? both_lists(wanted, offered, name) : "");
  return match;
}

Indices matched(const BandMatch& match) { return places_where(match.found, false); }
Indices unmatched(const BandMatch& match) { return places_where(match.found, true); }

}  // namespace parsimap
