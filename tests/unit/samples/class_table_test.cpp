#include "parsimap/samples/class_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"

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

TEST_CASE("texts that are whole numbers are codes") {
  for (const char* name : {"01", "-1", "+1", "1.5", "00", "65536", "65536.0", "1e1", "nan", "wheat", "", " 1"}) {
    CHECK_FALSE(code_of_text(name));
  }
  CHECK(code_of_text("0") == 0);
  CHECK(code_of_text("65535") == 65535);
  CHECK(code_of_text("1.0") == 1);
  CHECK(code_of_text("10.00") == 10);
  CHECK(code_of_text("0.0") == 0);
}

TEST_CASE("every code up to the largest has the index of its class") {
  CHECK(index_of_codes({{2, "a", {}}, {5, "b", {}}}) == Indices{-1, -1, 0, -1, -1, 1});
  CHECK(index_of_codes({}) == Indices{-1});
}

TEST_CASE("numbers that are whole are codes in whatever type they are stored") {
  CHECK(code_of_number(3.0) == 3);
  CHECK(code_of_number(65535) == 65535);
  CHECK(code_of_number(std::nan("")) == 0);
  for (const double value : {1.5, -1.0, 65536.0, HUGE_VAL}) {
    CHECK_FALSE(code_of_number(value));
  }
  CHECK_THROWS_WITH_AS(refuse_code(1.5, "here"),
                       "here is 1.5; codes of classes are whole numbers from 1 to 65535, 0 for unlabelled", DataError);
  check_codes({"1.0", "", "2"}, "a");
  check_codes({"1.5", "oak"}, "a");
  CHECK_THROWS_WITH_AS(check_codes({"1", "1.5"}, "a"),
                       "a has the value 1.5; codes of classes are whole numbers from 1 to 65535, 0 for unlabelled, and "
                       "names are no numbers",
                       DataError);
}

namespace {

std::vector<int> pairs_of(const ClassTable& from, bool from_text, const ClassTable& to, bool to_text = false) {
  return pair_classes({from, from_text, "a"}, {to, to_text, "b"}).index;
}

}  // namespace

TEST_CASE("a value that is no code is shown with all of its digits") {
  CHECK_THROWS_WITH_AS(refuse_code(1.0000000001, "it"),
                       "it is 1.0000000001; codes of classes are whole numbers from 1 to 65535, 0 for unlabelled",
                       DataError);
}

TEST_CASE("classes are the same by name where both have names, and by code otherwise") {
  const ClassTable codes = {{1, "1", {}}, {2, "2", {}}, {10, "10", {}}};
  const ClassTable named = {{1, "oak", {}}, {2, "ash", {}}, {10, "elm", {}}};
  CHECK(pairs_of(codes, false, named) == std::vector<int>{0, 1, 2});
  CHECK_FALSE(pair_classes({codes, false, "a"}, {named, false, "b"}).by_name);
  CHECK(pairs_of({{1, "ash", {}}, {2, "fir", {}}}, true, named) == std::vector<int>{1, -1});
  CHECK(pairs_of({{1, "ash", {}}, {2, "fir", {}}}, false, named) == std::vector<int>{1, -1});
  CHECK(pairs_of(named, true, codes) == std::vector<int>{-1, -1, -1});
  // Models whose texts were numbers in alphabetical order have codes that mean nothing.
  CHECK(pairs_of(codes, false, {{1, "1", {}}, {2, "10", {}}, {3, "2", {}}}) == std::vector<int>{0, 2, 1});
  CHECK(pairs_of({{2, "2", {}}, {3, "3", {}}}, false, {{1, "1", {}}, {2, "10", {}}, {3, "2", {}}}) ==
        std::vector<int>{2, -1});
  // A name that an earlier version has stored in another form of Unicode.
  CHECK(pairs_of({{1, "for\xc3\xaat", {}}}, true, {{4, "for\x65\xcc\x82t", {}}}) == std::vector<int>{0});
  CHECK(find_class({{1, "2", {}}, {2, "oak", {}}}, "2") == 0);
  CHECK(find_class(named, " 10") == -1);
  CHECK(find_class(named, "10") == 2);
  CHECK(find_class(named, "10", true) == -1);
}

TEST_CASE("names that differ only in case, and lists of which few classes are the same, are refused") {
  const ClassTable one = {{1, "Wheat", {}}, {2, "maize", {}}};
  const ClassTable other = {{1, "maize", {}}, {2, "wheat", {}}};
  CHECK_THROWS_WITH_AS(pair_classes({one, true, "a.gpkg"}, {other, false, "map.tif"}),
                       "the classes 'Wheat' of a.gpkg and 'wheat' of map.tif differ only in upper and lower case; "
                       "--classes FILE merges or renames them",
                       DataError);
  const ClassTable both = {{1, "Wheat", {}}, {2, "wheat", {}}};
  CHECK_THROWS_WITH_AS(check_case(both, "a.gpkg"), doctest::Contains("'Wheat' and 'wheat' of a.gpkg"), DataError);
  // As programs write names that may have no blanks.
  CHECK_THROWS_WITH_AS(check_case({{1, "bare soil", {}}, {2, "bare_soil", {}}}, "a.gpkg"),
                       "the classes 'bare soil' and 'bare_soil' of a.gpkg differ only in blanks and underscores; "
                       "--classes FILE merges or renames them",
                       DataError);
  CHECK_NOTHROW(check_case({{1, "soil 1", {}}, {2, "soil1", {}}}, "a.gpkg"));
  CHECK_NOTHROW(check_agreement({one, true, "a"}, {{{1, "maize", {}}}, false, "b"}, ""));
  CHECK_THROWS_WITH_AS(
      check_agreement({{{5, "5", {}}, {7, "seven", {}}}, false, "a.tif"}, {other, false, "map.tif"}, "think"),
      "a.tif: 0 of its 2 classes are classes of map.tif by name; think\n  a.tif    map.tif\n  5        1 maize\n  "
      "7 seven  2 wheat",
      DataError);
}

TEST_CASE("rules without a class are reported") {
  ClassTable table = water_and_forest();
  CHECK(colour_classes(table, {{"lake", std::nullopt, blue}, {"", 2, blue}, {"ice", 9, blue}}) ==
        std::vector<std::string>{"lake", "2", "ice"});
  CHECK(table == water_and_forest());
}

namespace {

const Colour kGreen = {0, 128, 0};

std::string refusal_of_rules(const ClassTable& classes, const std::vector<ClassRule>& rules) {
  try {
    rename_classes(classes, {"table.csv", rules}, false, "labels.tif");
  } catch (const DataError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("texts are merged, renamed and left out, and get codes in the order of their names") {
  const ClassTable classes = {{1, "ash", {}}, {2, "cloud", {}}, {3, "oak", {}}, {4, "pond", {}}};
  const RenamedClasses renamed = rename_classes(
      classes, {"t", {{"ash", "trees"}, {"oak", "trees"}, {"cloud", ""}, {"pond", "deep water"}}}, true, "labels");
  CHECK(renamed.classes == ClassTable{{1, "deep water", {}}, {2, "trees", {}}});
  CHECK(renamed.label_of == std::vector<int>{1, -1, 1, 0});
  CHECK(renamed.notes.empty());
  // A number is a name like any other.
  CHECK(rename_classes(classes, {"t", {{"oak", "7"}}}, true, "").classes ==
        ClassTable{{1, "7", {}}, {2, "ash", {}}, {3, "cloud", {}}, {4, "pond", {}}});
}

TEST_CASE("codes are merged into codes and names; a class that is called so keeps its code and colour") {
  const ClassTable classes = {{2, "2", {}}, {5, "meadow", kGreen}, {9, "9", {}}, {30, "30", {}}};
  const auto renamed = [&](const std::vector<ClassRule>& rules) {
    return rename_classes(classes, {"t", rules}, false, "labels");
  };
  CHECK(renamed({{"2", "meadow"}, {"30", "5"}}).classes == ClassTable{{5, "meadow", kGreen}, {9, "9", {}}});
  CHECK(renamed({{"2", "meadow"}, {"30", "5"}}).label_of == std::vector<int>{0, 0, 1, 0});
  CHECK(renamed({{"9", "water"}, {"30", "water"}}).classes ==
        ClassTable{{2, "2", {}}, {5, "meadow", kGreen}, {9, "water", {}}});
  CHECK(renamed({{"meadow", "4"}, {"2", "4"}}).classes == ClassTable{{4, "4", kGreen}, {9, "9", {}}, {30, "30", {}}});
  // Two classes that change their codes.
  CHECK(renamed({{"2", "9"}, {"9", "2"}}).label_of == std::vector<int>{2, 1, 0, 3});
  // A name takes the code of what it is made of, unless another class has come to it.
  CHECK(renamed({{"2", "water"}, {"9", "2"}, {"30", ""}}).classes ==
        ClassTable{{1, "water", {}}, {2, "2", {}}, {5, "meadow", kGreen}});
}

TEST_CASE("rules that mean no class are reported, and refused where none means any") {
  const ClassTable classes = {{1, "ash", {}}, {2, "oak", {}}};
  CHECK(rename_classes(classes, {"table.csv", {{"oak", "tree"}, {"elm", "tree"}}}, false, "labels.tif").notes ==
        std::vector<std::string>{"table.csv: no class of labels.tif is called 'elm'; they are called 'ash', 'oak'"});
  CHECK(refusal_of_rules(classes, {{"elm", "tree"}}) ==
        "table.csv: no class of labels.tif is called 'elm'; they are called 'ash', 'oak'");
  CHECK(refusal_of_rules(classes, {{"ash", ""}, {"oak", ""}}) == "table.csv leaves no class of labels.tif");
  CHECK(refusal_of_rules(classes, {{"oak", "tree"}, {"2", "wood"}}) ==
        "table.csv: two rules mean the class 'oak' (code 2), to 'tree' and to 'wood'");
  // Codes that were given to texts are none of the user's.
  CHECK_THROWS_AS(rename_classes(classes, {"t", {{"2", "tree"}}}, true, ""), DataError);
  // Numbers that are no codes: 0 means unlabelled everywhere else.
  for (const char* number : {"0", "-5", "70000", "2.5"}) {
    CHECK(refusal_of_rules(classes, {{"oak", number}}) ==
          "table.csv: 'oak' becomes '" + std::string(number) +
              "'; codes of classes are whole numbers from 1 to 65535, and nothing in place of 0 means unlabelled");
  }
  CHECK(rename_classes({{1, "0", {}}, {2, "elm", {}}}, {"t", {{"elm", "0"}}}, true, "").classes ==
        ClassTable{{1, "0", {}}});
}

TEST_CASE("the names of classes are in the order of their table") {
  const ClassTable classes = {{1, "Brocoli", {}}, {7, "Forêt \"dense\"", {}}};
  CHECK(class_names(classes) == std::vector<std::string>{"Brocoli", "Forêt \"dense\""});
}

}  // namespace parsimap::test
