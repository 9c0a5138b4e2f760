#include "parsimap/samples/sample_place.hpp"

#include <map>
#include <set>

namespace parsimap {

namespace {

template <typename Member>
auto members(const std::vector<SamplePlace>& places, Member member) {
  std::vector<std::remove_cvref_t<decltype(places.front().*member)>> list;
  list.reserve(places.size());
  for (const SamplePlace& place : places) {
    list.push_back(place.*member);
  }
  return list;
}

}  // namespace

std::int64_t number_in_file(const SampleUnit& unit) {
  const bool falls = unit.reason == SampleUnit::Reason::group || unit.reason == SampleUnit::Reason::overlap;
  return falls ? -1 - unit.number : unit.number;
}

SampleUnit unit_from_file(std::int64_t number) {
  return number < 0 ? SampleUnit{-1 - number, SampleUnit::Reason::group} : SampleUnit{number, SampleUnit::Reason::kept};
}

std::vector<std::int64_t> pixels_of(const std::vector<SamplePlace>& places) {
  return members(places, &SamplePlace::pixel);
}

std::vector<std::int64_t> regions_of(const std::vector<SamplePlace>& places) {
  return members(places, &SamplePlace::region);
}

std::vector<SampleUnit> units_of(const std::vector<SamplePlace>& places) { return members(places, &SamplePlace::unit); }

std::vector<SampleUnit> single_units(const std::vector<SamplePlace>& places) {
  std::map<std::int64_t, std::int64_t> first;  // sample of every place that several show
  std::vector<SampleUnit> units;
  for (const SamplePlace& place : places) {
    const std::int64_t own = std::ssize(units);
    units.push_back({place.ground ? first.emplace(*place.ground, own).first->second : own, SampleUnit::Reason::single});
  }
  return units;
}

std::vector<SamplePlace> with_units(std::vector<SamplePlace> places, const std::vector<SampleUnit>& units) {
  for (std::size_t i = 0; i < units.size(); ++i) {
    places[i].unit = units[i];
  }
  return places;
}

Index unit_count(const std::vector<SampleUnit>& units) {
  return std::ssize(std::set<SampleUnit>(units.begin(), units.end()));
}

}  // namespace parsimap
