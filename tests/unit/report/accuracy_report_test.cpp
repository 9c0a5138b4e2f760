#include "parsimap/report/accuracy_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "unit/assessment/small_assessment.hpp"

using namespace parsimap;
using test::small_assessment;

TEST_CASE("the text report of Cohen's example, whole") {
  Assessment record = small_assessment({"yes", "no"});
  record.unclassified_pixels = 4;
  CHECK(accuracy_text(record) ==
        "Accuracy of map.tif\n"
        "against     reference.gpkg\n"
        "\n"
        "Confusion matrix in pixels: rows are reference, columns are map.\n"
        "\n"
        "     reference \\ map   1   2  sum\n"
        "  1  yes              20   5   25\n"
        "  2  no               10  15   25\n"
        "     sum              30  20   50\n"
        "\n"
        "     class  reference  map  producer's %                  user's %                  F1 %\n"
        "  1  yes           25   30          80.0  (60.9 to 91.1)      66.7  (48.8 to 80.8)  72.7  (58.0 to 83.7)\n"
        "  2  no            25   20          60.0  (40.7 to 76.6)      75.0  (53.1 to 88.8)  66.7  (49.8 to 80.1)\n"
        "\n"
        "  overall accuracy %                    70.0  (56.2 to 80.9)\n"
        "  average accuracy %                    70.0  (56.4 to 80.0)\n"
        "  kappa                                  0.4  (0.1511 to 0.6489)\n"
        "  quantity disagreement %               10.0\n"
        "  allocation disagreement %             20.0\n"
        "  pixels compared                         50\n"
        "  unclassified in the map, not counted     4\n"
        "\n"
        "  In brackets: 95 % intervals, right for pixels drawn independently and too narrow for neighbours.\n");
}

TEST_CASE("what is 0/0 is a dash") {
  ConfusionMatrix confusion({"a", "b"});
  confusion.add(0, 0, 3);
  const std::string text =
      accuracy_text({.map = "m", .reference = "r", .confusion = confusion, .intervals = pixel_intervals(confusion)});
  const std::size_t line = text.find("\n  2  b ", text.find("producer's")) + 1;
  std::string words;
  for (const char c : text.substr(line, text.find('\n', line) - line)) {
    words += c != ' ' || (!words.empty() && words.back() != ' ') ? std::string(1, c) : "";
  }
  CHECK(words == "2 b 0 0 - - -");
  CHECK(text.find("  kappa                          -\n") != std::string::npos);
}

TEST_CASE("intervals of features, areas and a second map follow where there are any") {
  Assessment record = small_assessment({"yes", "no"});
  record.intervals.regions = 7;
  record.areas = test::small_areas();
  record.comparison = test::small_comparison();
  const std::string text = accuracy_text(record);
  const std::size_t regions = text.find("95 % intervals from the 7 features of the reference as wholes");
  const std::size_t areas = text.find("Areas and accuracy of all 400 classified pixels");
  const std::size_t comparison = text.find("Compared with other.tif");
  CHECK(regions < areas);
  CHECK(areas < comparison);
  CHECK(comparison != std::string::npos);
}

TEST_CASE("a long class name widens one column, not every one") {
  const std::string text = accuracy_text(small_assessment({std::string(200, 'x'), "Forêt"}));
  std::size_t longest = 0;
  for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    longest = std::max(longest, end - start);
  }
  CHECK(longest < 160);
}
