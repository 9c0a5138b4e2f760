#include "parsimap/samples/class_rules.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

namespace parsimap::test {
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

TEST_CASE("rules that mean no class are told, and refused where none means any") {
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
}

}  // namespace parsimap::test
