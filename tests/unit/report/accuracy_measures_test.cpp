#include "report/accuracy_measures.hpp"

#include <doctest/doctest.h>

#include "parsimap/report/table.hpp"

using namespace parsimap;

namespace {

ConfusionMatrix trees() {
  ConfusionMatrix confusion({"oak", "pine", "elm", "none"});
  confusion.add(0, 0, 28);
  confusion.add(0, 1, 12);
  confusion.add(1, 0, 3);
  confusion.add(1, 1, 1197);
  confusion.add(2, 2, 9);
  confusion.add(2, 0, 1);
  return confusion;
}

}  // namespace

TEST_CASE("numbers have their digits in groups of three, and words their plurals") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(grouped(-123) == "-123");
  CHECK(counted(1, "pixel") == "1 pixel");
  CHECK(counted(1500, "pixel") == "1,500 pixels");
  CHECK(counted(2, "class") == "2 classes");
}

TEST_CASE("the name of a file is without its folders") {
  CHECK(base_name("/a/b/scene.tif") == "scene.tif");
  CHECK(base_name("scene.tif") == "scene.tif");
  CHECK(base_name("/a/scene/") == "scene");
  CHECK(base_name("") == "");
}

TEST_CASE("the verdict has accuracy, interval, pixels, classes with pixels, and the weakest") {
  CHECK(accuracy_verdict({"Overall accuracy", trees().overall_accuracy(), Interval{0.97, 0.995}, "reference pixel"},
                         trees()) ==
        "Overall accuracy 98.7 % (95 % interval 97.0 to 99.5) on 1,250 reference pixels of 3 classes; "
        "weakest: oak (70.0 % of its 40 pixels found).");
  ConfusionMatrix perfect({"a", "b"});
  perfect.add(0, 0, 2);
  CHECK(accuracy_verdict({"Left-out accuracy", 1.0, {}, "training pixel"}, perfect) ==
        "Left-out accuracy 100.0 % on 2 training pixels of 1 class.");
}

TEST_CASE("pairs are named in words, those with the most pixels first") {
  const std::vector<std::string> pairs = confused_pairs(trees(), 3);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0] ==
        "Most confused are oak and pine: 12 of 40 pixels of oak are called pine, and 3 of 1,200 pixels of pine are "
        "called oak.");
  CHECK(pairs[1] == "Then elm and oak: 1 of 10 pixels of elm are called oak.");
  CHECK(confused_pairs(trees(), 1).size() == 1);
  CHECK(confused_pairs(ConfusionMatrix({"a", "b"}), 3).empty());
}
