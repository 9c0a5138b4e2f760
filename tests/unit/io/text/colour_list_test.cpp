#include "parsimap/io/text/colour_list.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

std::vector<ColourRule> rules_of(const std::string& content) {
  const TemporaryFolder folder;
  write_file(folder.file("a.clr"), content);
  return read_colour_list(folder.file("a.clr"));
}

// What follows the path in the message.
std::string refused(const std::string& content) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.clr");
  write_file(path, content);
  try {
    read_colour_list(path);
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    CHECK(text.rfind(path, 0) == 0);
    return text.substr(path.size());
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("the ways in which GIS programs write a list of colours") {
  for (const char* content : {"10 0 128 255 Open water\n200 1 2 3\n",         // ESRI
                              "10,0,128,255,255,Open water\n200,1,2,3,255,",  // QGIS
                              "10 0:128:255 Open water\r\n200 1:2:3\r\n",     // GRASS
                              "# x\nINTERPOLATION:EXACT\n\n\t10\t0 128, 255\t255  Open water \n200 1 2 3 255"}) {
    CAPTURE(content);
    const std::vector<ColourRule> rules = rules_of(content);
    REQUIRE(rules.size() == 2);
    CHECK(rules[0].code == 10);
    CHECK(rules[0].colour == Colour{0, 128, 255});
    CHECK(rules[0].name == "Open water");
    CHECK(rules[1].code == 200);
    CHECK(rules[1].name.empty());
  }
  CHECK(rules_of("0 0 0 0 none\nnv 255:255:255\ndefault 0:0:0\n1 2 3 4 5 crops").front().name == "crops");
  CHECK(rules_of("1 2 3 4 300 m").front().name == "300 m");
}

TEST_CASE("a line that is no colour is told with its number") {
  CHECK(refused("1 2 3 4\n2 red\n") ==
        ": line 2 is '2 red'; it must be a code from 0 to 65535, red, green and blue from 0 to 255, and if wanted a "
        "name");
  for (const char* line : {"1 2 3", "1 2 3 256", "1 -2 3 4", "65536 1 2 3", "1.5 1 2 3", "water 1 2 3", "1 #ff0000"}) {
    CAPTURE(line);
    CHECK(refused(line).find(": line 1 is '" + std::string(line) + "'") == 0);
  }
  CHECK(refused("") == " holds no colours");
  CHECK(refused("0 1 2 3\n") == " holds no colours");
  CHECK_THROWS_AS(read_colour_list("/nonexistent.clr"), ConfigError);
}

}  // namespace parsimap::test
