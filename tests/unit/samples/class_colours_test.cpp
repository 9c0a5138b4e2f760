#include "parsimap/samples/class_colours.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace parsimap;

namespace {

ClassTable numbered_classes(int count) {
  ClassTable table;
  for (int code = 1; code <= count; ++code) {
    table.push_back({code, std::to_string(code), std::nullopt});
  }
  return table;
}

}  // namespace

TEST_CASE("colours differ, are repeatable, and do not change when classes are added") {
  const std::vector<Colour> few = class_colours(numbered_classes(6));
  const std::vector<Colour> many = class_colours(numbered_classes(60));
  CHECK(class_colours(numbered_classes(60)) == many);
  CHECK(std::set<Colour>(many.begin(), many.end()).size() == 60);
  CHECK(std::equal(few.begin(), few.end(), many.begin()));
  CHECK(few[0] == Colour{230, 159, 0});  // Okabe and Ito's orange
}

TEST_CASE("a class keeps its own colour, which no other class gets") {
  ClassTable table = numbered_classes(4);
  table[2].colour = Colour{86, 180, 233};  // second in the list
  const std::vector<Colour> colours = class_colours(table);
  CHECK(colours[2] == Colour{86, 180, 233});
  CHECK(std::set<Colour>(colours.begin(), colours.end()).size() == 4);
}
