#include "parsimap/samples/sample_place.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/places.hpp"

namespace parsimap::test {

using Reason = SampleUnit::Reason;

TEST_CASE("units of different reasons differ, and come in one order") {
  // Those that are matched to the map, groups from the last to the first, regions, and samples by themselves.
  const std::vector<SampleUnit> ordered = {{0, Reason::matched}, {4, Reason::matched}, {3, Reason::group},
                                           {0, Reason::group},   {0, Reason::region},  {3, Reason::region},
                                           {0, Reason::single}};
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    for (std::size_t k = 0; k < ordered.size(); ++k) {
      CHECK((ordered[i] < ordered[k]) == (i < k));
      CHECK((ordered[i] == ordered[k]) == (i == k));
    }
  }
}

TEST_CASE("in files groups are numbers below 0, and other units from 0 up; read back they are in the same order") {
  const std::vector<SampleUnit> units = {{2, Reason::overlap}, {1, Reason::group}, {0, Reason::group}, {0}, {7}};
  std::vector<std::int64_t> numbers;
  std::vector<SampleUnit> read;
  for (const SampleUnit& unit : units) {
    numbers.push_back(number_in_file(unit));
    read.push_back(unit_from_file(numbers.back()));
    CHECK(number_in_file(read.back()) == numbers.back());
  }
  CHECK(numbers == std::vector<std::int64_t>{-3, -2, -1, 0, 7});
  CHECK(std::ranges::is_sorted(read));
  CHECK(read.front() == SampleUnit{2, Reason::group});
  CHECK(read.back() == SampleUnit{7, Reason::kept});
}

TEST_CASE("single samples are units of their own, but for those that show the same place") {
  std::vector<SamplePlace> pixels = places({5, 5, 5, 6});
  pixels[1].ground = pixels[3].ground = 40;
  const std::vector<SampleUnit> single = single_units(pixels);
  CHECK(unit_count(single) == 3);
  CHECK(single[1] == single[3]);
  CHECK(single[0] == SampleUnit{0, Reason::single});
  CHECK(unit_count(units_of(pixels)) == 2);
  CHECK(units_by_class({0, 2, 0, 0}, 3, units_of(pixels)) == std::vector<Index>{2, 0, 1});
  const std::vector<SamplePlace> alone = with_units(pixels, single);
  CHECK(units_of(alone) == single);
  CHECK(pixels_of(alone) == pixels_of(pixels));
  CHECK(regions_of(alone) == std::vector<std::int64_t>{5, 5, 5, 6});
}

TEST_CASE("a spectrum of a library lies in no scene, and a place takes little memory") {
  CHECK_FALSE(SamplePlace{}.in_scene());
  CHECK(SamplePlace{0}.in_scene());
  CHECK(sizeof(SamplePlace) <= 48);
}

}  // namespace parsimap::test
