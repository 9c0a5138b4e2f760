#include "parsimap/samples/class_colours.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "parsimap/samples/class_table.hpp"

namespace parsimap::test {

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

TEST_CASE("classes have the colours that maps commonly give to what their names mean, wherever they stand") {
  const auto coloured = [](const std::vector<std::string>& names) {
    ClassTable table;
    for (const std::string& name : names) {
      table.push_back({static_cast<int>(table.size()) + 1, name, std::nullopt});
    }
    std::map<std::string, Colour> colours;
    for (std::size_t c = 0; c < table.size(); ++c) {
      colours[names[c]] = class_colours(table)[c];
    }
    return colours;
  };
  const auto colours = coloured({"winter wheat", "Sunflower", "deciduous forest", "bare soil", "Water", "street", "x"});
  CHECK(colours.at("Water")[2] > 150);
  CHECK(colours.at("Water")[0] < 60);
  CHECK(colours.at("deciduous forest") == Colour{10, 70, 10});
  CHECK(colours.at("bare soil") == Colour{130, 98, 60});
  CHECK(colours.at("street") == Colour{90, 90, 90});
  CHECK(colours.at("winter wheat") == Colour{250, 235, 130});
  CHECK(colours.at("Sunflower") == Colour{249, 173, 11});
  CHECK(coloured({"x", "Water"}).at("Water") == colours.at("Water"));
  // A colour of the labels comes before that of a name.
  ClassTable own = {{1, "forest", std::nullopt}, {2, "lake", Colour{12, 72, 12}}};
  CHECK(class_colours(own)[1] == Colour{12, 72, 12});
  CHECK(class_colours(own)[0] != Colour{10, 70, 10});
}

namespace {

// Hunt-Pointer-Estevez cones, the missing one computed from the others (Vienot, Brettel and Mollon 1999): another model
// of colour blindness than the program has.
std::array<double, 3> seen_without(const Colour& colour, int cone) {
  std::array<double, 3> linear{};
  for (std::size_t i = 0; i < 3; ++i) {
    linear[i] = std::pow(colour[i] / 255.0, 2.2);
  }
  const auto& [r, g, b] = linear;
  double l = 17.8824 * r + 43.5161 * g + 4.11935 * b;
  double m = 3.45565 * r + 27.1554 * g + 3.86714 * b;
  const double s = 0.0299566 * r + 0.184309 * g + 1.46709 * b;
  (cone == 0 ? l : m) = cone == 0 ? 2.02344 * m - 2.52581 * s : 0.494207 * l + 1.24827 * s;
  std::array<double, 3> seen = {0.0809445 * l - 0.130504 * m + 0.116721 * s,
                                -0.0102485 * l + 0.0540194 * m - 0.113615 * s,
                                -0.000365297 * l - 0.00412162 * m + 0.693513 * s};
  for (double& value : seen) {
    value = 100 * std::pow(std::clamp(value, 0.0, 1.0), 1 / 2.2);
  }
  return seen;
}

double least_difference(const std::vector<Colour>& colours) {
  double least = 1000;
  for (std::size_t a = 0; a < colours.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (const int cone : {0, 1}) {
        const auto x = seen_without(colours[a], cone);
        const auto y = seen_without(colours[b], cone);
        least = std::min(least, std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]));
      }
    }
  }
  return least;
}

}  // namespace

TEST_CASE("colours of classes differ for readers without red or green cones") {
  ClassTable cover;
  for (const char* name : {"water", "forest", "grass", "soil", "wheat", "roof", "road", "sand", "wetland", "maize"}) {
    cover.push_back({static_cast<int>(cover.size()) + 1, name, std::nullopt});
  }
  CHECK(least_difference(class_colours(cover)) > 12);
  CHECK(least_difference(class_colours(numbered_classes(7))) > 12);
  CHECK(least_difference(class_colours(numbered_classes(16))) > 8);
  CHECK(least_difference(class_colours(numbered_classes(60))) > 1);
  const std::vector<Colour> many = class_colours(numbered_classes(1000));
  CHECK(std::set<Colour>(many.begin(), many.end()).size() == 1000);
}

TEST_CASE("colours are three numbers up to 255, or hexadecimal") {
  CHECK(parse_colour("255,0,7") == Colour{255, 0, 7});
  CHECK(parse_colour("{255, 0, 7}") == Colour{255, 0, 7});
  CHECK(parse_colour("#0080Ff") == Colour{0, 128, 255});
  for (const char* text :
       {"", "1,2", "1,2,3,4", "1,2,256", "1,2,-3", "red", "1,2,", "#12345", "#1234567", "#12345g", "#1,2,3"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_colour(text));
  }
}

}  // namespace parsimap::test
