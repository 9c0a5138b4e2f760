#include "parsimap/samples/class_table.hpp"

#include <doctest/doctest.h>

namespace parsimap::test {
namespace {

const Colour red{255, 0, 0};
const Colour green{0, 255, 0};
const Colour blue{0, 0, 255};

ClassTable water_and_forest() { return {{1, "water", std::nullopt}, {3, "forest", red}, {7, "7", std::nullopt}}; }

}  // namespace

TEST_CASE("a rule means the class of its name, else of its code; other classes keep what they have") {
  ClassTable table = water_and_forest();
  CHECK(colour_classes(table, {{"water", std::nullopt, blue}, {"", 7, green}}).empty());
  CHECK(table == ClassTable{{1, "water", blue}, {3, "forest", red}, {7, "7", green}});
  // The name of one class beside the code of another.
  table = water_and_forest();
  CHECK(colour_classes(table, {{"forest", 1, green}, {"Wald", 7, blue}}).empty());
  CHECK(table == ClassTable{{1, "water", std::nullopt}, {3, "forest", green}, {7, "7", blue}});
}

TEST_CASE("a name counts more than a code, a later rule more than an earlier one") {
  for (const std::vector<ColourRule>& rules :
       {std::vector<ColourRule>{{"", 1, red}, {"", 1, green}, {"water", {}, blue}},
        std::vector<ColourRule>{{"water", {}, red}, {"water", {}, blue}, {"", 1, green}}}) {
    ClassTable table = water_and_forest();
    CHECK(colour_classes(table, rules).empty());
    CHECK(table[0].colour == blue);
  }
}

TEST_CASE("rules without a class are told") {
  ClassTable table = water_and_forest();
  CHECK(colour_classes(table, {{"lake", std::nullopt, blue}, {"", 2, blue}, {"ice", 9, blue}}) ==
        std::vector<std::string>{"lake", "2", "ice"});
  CHECK(table == water_and_forest());
}

}  // namespace parsimap::test
