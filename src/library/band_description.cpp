// What files of libraries say of their bands.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/samples/band.hpp"

#include "formats.hpp"

namespace parsimap {
namespace {

constexpr Index kMostBands = 100000;  // of a scene; keeps a damaged text from taking memory

[[noreturn]] void refuse(const std::string& path, std::string_view text) {
  throw DataError(path + ": '" + std::string(text) + "' must be ranges of bands, as in '1-60 62-177'");
}

// Takes what is before the first `mark`, and the mark, off `text`.
std::string_view take_part(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trimmed(part);
}

// Reads ascending ranges of bands that do not overlap, counted from 1, into indices from 0.
Indices bands_of(std::string_view ranges, const std::string& path) {
  Indices bands;
  // Each pass takes one range "first-last" or a single number. A range must begin behind the last band so far.
  while (!trimmed(ranges).empty()) {
    ranges = trimmed(ranges);
    std::string_view range = take_part(ranges, ' ');
    const std::string_view whole = range;
    const auto first = parse_number<Index>(take_part(range, '-'));
    const auto last = range.empty() ? first : parse_number<Index>(range);
    if (!first || !last || *first < 1 || *last < *first || *last > kMostBands ||
        (!bands.empty() && *first - 1 <= bands.back())) {
      refuse(path, whole);
    }
    for (Index band = *first; band <= *last; ++band) {
      bands.push_back(band - 1);
    }
  }
  return bands;
}

}  // namespace

// Widths are in the unit of the wavelengths, so that both are converted by the same factor, which is the quotient of
// the converted and the written wavelength.
BandTable described_bands(std::size_t count, const BandLists& lists) {
  BandTable bands(count);
  for (std::size_t b = 0; b < count; ++b) {
    if (!lists.wavelengths.empty() && lists.wavelengths[b] > 0 && std::isfinite(lists.wavelengths[b])) {
      bands[b].wavelength = wavelength_nanometres(lists.wavelengths[b], lists.unit);
      if (!lists.widths.empty() && lists.widths[b] > 0 && bands[b].wavelength) {
        bands[b].fwhm = lists.widths[b] * (*bands[b].wavelength / lists.wavelengths[b]);
      }
    }
    bands[b].bad = !lists.good.empty() && lists.good[b] == 0;
  }
  return bands;
}

std::string band_ranges(const Indices& bands) {
  std::string text = band_list(bands);
  std::erase(text, ',');
  return text;
}

std::string dropped_ranges(const std::vector<DroppedBand>& dropped) {
  std::string text;
  for (const auto& [reason, bands] : bands_by_reason(dropped)) {
    text += (text.empty() ? "" : "; ") + reason + ": " + band_ranges(bands);
  }
  return text;
}

std::optional<BandOrigin> band_origin_of(const std::string& scene_bands, const std::string& bands,
                                         const std::string& dropped, std::size_t count, const std::string& path) {
  if (scene_bands.empty()) {
    return std::nullopt;
  }
  BandOrigin origin;
  const auto total = parse_number<Index>(scene_bands);
  if (!total || *total < 1 || *total > kMostBands) {
    throw DataError(path + ": '" + scene_bands + "' must be the number of bands of a scene");
  }
  origin.scene_bands = *total;
  origin.bands = bands_of(bands, path);
  // Dropped bands have the form "reason: ranges; reason: ranges", as dropped_ranges() writes them.
  std::string_view rest = dropped;
  while (!trimmed(rest).empty()) {
    std::string_view part = take_part(rest, ';');
    const std::string reason(take_part(part, ':'));
    for (const Index band : bands_of(part, path)) {
      origin.dropped.push_back({band, reason});
    }
  }
  std::stable_sort(origin.dropped.begin(), origin.dropped.end(),
                   [](const auto& a, const auto& b) { return a.band < b.band; });
  // Used and dropped bands together must be each band of the scene once: only then can a model that is trained on the
  // library find its bands in the scene again.
  std::vector<char> seen(static_cast<std::size_t>(*total), 0);
  const auto is_new = [&](Index band) {
    return band < *total && std::exchange(seen[static_cast<std::size_t>(band)], 1) == 0;
  };
  if (origin.bands.size() != count || static_cast<Index>(origin.bands.size() + origin.dropped.size()) != *total ||
      !std::all_of(origin.bands.begin(), origin.bands.end(), is_new) ||
      !std::all_of(origin.dropped.begin(), origin.dropped.end(),
                   [&](const DroppedBand& entry) { return is_new(entry.band); })) {
    throw DataError(path + ": the bands used (" + bands + ") and dropped (" + dropped + ") do not make up the " +
                    scene_bands + " bands of the scene");
  }
  return origin;
}

}  // namespace parsimap
