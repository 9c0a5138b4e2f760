#include "parsimap/samples/sample_place.hpp"

#include <set>

namespace parsimap {

std::int64_t number_in_file(const SampleUnit& unit) {
  const bool falls = unit.reason == SampleUnit::Reason::group || unit.reason == SampleUnit::Reason::overlap;
  return falls ? -1 - unit.number : unit.number;
}

SampleUnit unit_from_file(std::int64_t number) {
  return number < 0 ? SampleUnit{-1 - number, SampleUnit::Reason::group} : SampleUnit{number, SampleUnit::Reason::kept};
}

std::vector<std::int64_t> pixels_of(const std::vector<SamplePlace>& places) {
  return mapped<std::int64_t>(places, &SamplePlace::pixel);
}

std::vector<std::int64_t> regions_of(const std::vector<SamplePlace>& places) {
  return mapped<std::int64_t>(places, &SamplePlace::region);
}

std::vector<SampleUnit> units_of(const std::vector<SamplePlace>& places) {
  return mapped<SampleUnit>(places, &SamplePlace::unit);
}

std::vector<SampleUnit> single_units(const std::vector<SamplePlace>& places) {
  // Numbers are those of the pixels, and for spectra of libraries behind them.
  auto next = largest<std::int64_t>(places, [](const SamplePlace& place) { return place.pixel + 1; });
  return mapped<SampleUnit>(places, [&](const SamplePlace& place) {
    return SampleUnit{place.in_scene() ? place.ground.value_or(place.pixel) : next++, SampleUnit::Reason::single};
  });
}

std::vector<SamplePlace> with_units(std::vector<SamplePlace> places, const std::vector<SampleUnit>& units) {
  for (std::size_t i = 0; i < units.size(); ++i) {
    places[i].unit = units[i];
  }
  return places;
}

Index unit_count(const std::vector<SampleUnit>& units) { return std::ssize(distinct(units)); }

std::vector<Index> units_by_class(const std::vector<int>& labels, std::size_t classes,
                                  const std::vector<SampleUnit>& units) {
  std::vector<std::set<SampleUnit>> of_class(classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    of_class[static_cast<std::size_t>(labels[i])].insert(units[i]);
  }
  return mapped<Index>(of_class, [](const std::set<SampleUnit>& units_of_class) { return std::ssize(units_of_class); });
}

}  // namespace parsimap
