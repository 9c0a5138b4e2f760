#include "parsimap/report/accuracy_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/report/table.hpp"

#include "unit/accuracy/small_assessment.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using test::small_assessment;

namespace {

const PageFacts kAccuracyFacts{"2026-11-22", "no CRS", "", {}, 4, 4, {}};

}  // namespace

namespace {

// What follows the accuracy of the map itself.
std::string text_of(const AreaAssessment& areas) {
  Assessment record = small_assessment({"yes", "no"});
  record.areas = areas;
  const std::string text = accuracy_text(record);
  return text.substr(text.find("Areas and accuracy"));
}

std::string text_of(const MapComparison& comparison) {
  Assessment record = small_assessment({"yes", "no"});
  record.comparison = comparison;
  const std::string text = accuracy_text(record);
  return text.substr(text.find("Compared with"));
}

}  // namespace

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
        "  In brackets: 95 % intervals for pixels drawn independently; for neighbouring pixels they are too narrow.\n");
}

TEST_CASE("classes have their codes in the map, and a dash where it does not have them") {
  Assessment record = small_assessment({"yes", "no"});
  record.codes = {7, std::nullopt};
  record.areas = test::small_areas();
  const std::string text = accuracy_text(record);
  CHECK(text.find("     reference \\ map   7   -  sum\n  7  yes ") != std::string::npos);
  CHECK(text.find("  -  no ") != std::string::npos);
  const std::vector<Section> sections = accuracy_sections(record, {});
  CHECK(sections[0].tables[1].rows[0][0] == "7");
  CHECK(sections[2].tables[0].rows[1][0] == "-");
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
  const std::size_t regions = text.find("95 % intervals from the 7 regions of the reference as wholes");
  const std::size_t areas = text.find("Areas and accuracy of all 400 classified pixels");
  const std::size_t comparison = text.find("Compared with other.tif");
  CHECK(regions < areas);
  CHECK(areas < comparison);
  CHECK(comparison != std::string::npos);
}

TEST_CASE("intervals from few regions are marked, in the table and in the headline") {
  Assessment record = small_assessment({"yes", "no"});
  record.intervals.regions = 40;
  record.intervals.classes[0].regions = 33;
  record.intervals.overall_accuracy->regions = 15.2;
  record.intervals.kappa->regions = 15.2;
  record.intervals.classes[0].users_accuracy->regions = 3.1;
  const std::string text = accuracy_text(record);
  CHECK(text.find(percent_interval(record.intervals.overall_accuracy) + "\n") != std::string::npos);
  CHECK(percent_interval(record.intervals.overall_accuracy).ends_with(")*"));
  CHECK(percent_interval(record.intervals.classes[0].users_accuracy).ends_with(")**"));
  CHECK(text.find("     class  reference  regions  map  producer's %") != std::string::npos);
  CHECK(text.find("  1  yes           25       33   30          80.0") != std::string::npos);
  CHECK(text.find("  2  no            25        -   20          60.0") != std::string::npos);
  CHECK(text.find("  *  From regions that count as fewer than 20 of equal size: the interval is approximate.\n"
                  "  ** From regions that count as fewer than 10 of equal size: the interval is not reliable.\n") !=
        std::string::npos);
  CHECK(accuracy_verdict(record)[0].find(", approximate: from regions that count as fewer than 20 of equal size)") !=
        std::string::npos);
  record.intervals.overall_accuracy->regions = 4;
  CHECK(accuracy_verdict(record)[0].find(", not reliable: from regions that count as fewer than 10 ") !=
        std::string::npos);
}

TEST_CASE("a long class name widens one column, not every one") {
  const std::string text = accuracy_text(small_assessment({std::string(200, 'x'), "Forêt"}));
  std::size_t longest = 0;
  for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    longest = std::max(longest, end - start);
  }
  CHECK(longest < 160);
}

TEST_CASE("a sample has its intervals that hold at every size, and says how far its aims are") {
  AreaAssessment areas = test::areas_of_sample();
  const std::string text = text_of(areas);
  CHECK(
      test::contains(text, "estimated from a stratified random sample with the inclusion probabilities of plan.gpkg"));
  CHECK(test::contains(text, "(50.0 to 100.0)"));
  CHECK(test::contains(text, "From the first 50 of 80 points of plan.gpkg."));
  CHECK(test::contains(
      text,
      "Aim overall:0.05: the standard error is 7.0 %; about 48 more points reach the aim, 18 beyond this "
      "sample: plan another one of that size."));
  CHECK(test::contains(text, "Aim users:yes:0.1: the standard error is 9.0 %, and the aim is met."));
  CHECK(test::contains(text, "Aim area:bog:0.1: no labelled point says anything of it yet."));
  areas.design = SamplingDesign::systematic;
  areas.sample->overall_accuracy.reset();
  CHECK(test::contains(text_of(areas), "estimated from a systematic sample with"));
  CHECK(test::contains(text_of(areas), "A systematic sample has no intervals that stay valid while it grows."));
}

TEST_CASE("areas of changes are those of the map and those that only the reference has") {
  Assessment record = small_assessment({"oak -> oak", "oak -> town"});
  record.areas = test::small_areas();
  record.change = AssessedChange{"old.tif", {{"oak", "oak"}}};
  const std::string text = accuracy_text(record);
  CHECK(test::contains(text,
                       "  from                        oak                       town\n"
                       "  oak   20.250 (15.297 to 25.203)  15.750 (10.797 to 20.703)\n"));
}

TEST_CASE("areas of Cohen's example as a stratified sample, whole") {
  // Shares of "yes": 0.75 * 2/3 + 0.25 * 1/4; their errors from 0.75^2 * 2/9 / 29 and 0.25^2 * 3/16 / 19.
  CHECK(text_of(test::small_areas()) ==
        "Areas and accuracy of all 400 classified pixels (36 ha),\n"
        "estimated from a stratified random sample with the map's classes as strata\n"
        "\n"
        "     class  mapped ha  estimated ha  std. error                      producer's %                  user's %\n"
        "  1  yes       27.000        20.250       2.527  (15.297 to 25.203)          88.9  (80.8 to 97.0)      66.7  "
        "(49.5 to 83.8)\n"
        "  2  no         9.000        15.750       2.527  (10.797 to 20.703)          42.9  (28.7 to 57.0)      75.0  "
        "(55.5 to 94.5)\n"
        "\n"
        "  overall accuracy %         68.8  (55.0 to 82.5)\n"
        "  quantity disagreement %    18.8\n"
        "  allocation disagreement %  12.5\n"
        "\n"
        "Estimated shares of the area in percent: rows are reference, columns are map.\n"
        "\n"
        "     reference \\ map     1     2    sum\n"
        "  1  yes              50.0   6.2   56.2\n"
        "  2  no               25.0  18.8   43.8\n"
        "     sum              75.0  25.0  100.0\n"
        "\n"
        "  In brackets: 95 % intervals, +- 1.96 standard errors; none where the sample units all agree.\n");
}

TEST_CASE("what must be known to read the numbers is said") {
  AreaAssessment record = test::small_areas();
  record.design = SamplingDesign::simple;
  record.strata = "strata.tif";
  record.pixel_area.reset();
  record.unclassified_pixels = 7;
  record.pixels_outside_strata = 9;
  record.merged_strata = {"a + b"};
  record.estimate.single_unit_strata = {"yes", "no"};
  const std::string text = text_of(record);
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(has("of all 400 classified pixels,\n"));
  CHECK(has("a simple random sample with strata of strata.tif\n"));
  CHECK(has("mapped pixels"));
  CHECK(has("Left out as unclassified in the map: 7 pixels.\n"));
  CHECK(has("Left out as outside the strata: 9 pixels.\n"));
  CHECK(has("Strata merged because they have too few sample units: 'a + b'.\n"));
  CHECK(has("counts with the largest possible: 'yes', 'no'.\n"));
}

TEST_CASE("an accuracy that is not defined is a dash, and units that agree have no interval") {
  AreaAssessment record = test::small_areas();
  record.estimate.classes[1].producers_accuracy.reset();
  record.estimate.classes[1].share.interval.reset();
  const std::string text = text_of(record);
  CHECK(text.find("15.750       2.527                                 -") != std::string::npos);
}

TEST_CASE("two maps that differ in ten pixels, whole") {
  CHECK(text_of(test::small_comparison()) ==
        "Compared with other.tif\n"
        "\n"
        "  pixels compared                   50\n"
        "  right in both                     30\n"
        "  right in this map alone            8\n"
        "  right in the other map alone       2\n"
        "  wrong in both                     10\n"
        "  overall accuracy % of this map  76.0\n"
        "  of the other map                64.0\n"
        "  difference                      12.0  (-1.0 to 25.0)\n"
        "\n"
        "  McNemar's test: exact binomial, p = 0.109.\n"
        "  Interval and test take pixels as independent.\n");
}

TEST_CASE("the test, the regions and what was left out are named") {
  MapComparison record = test::small_comparison();
  record.counts = {30, 40, 10, 20};
  record.test = mcnemar_test(record.counts);
  record.regions = 12;
  record.unclassified_pixels = 3;
  const std::string text = text_of(record);
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(has("chi-square 16.82 with continuity correction, p < 0.001.\n"));
  CHECK(has("draws the 12 regions of the reference as wholes; the test takes pixels as independent.\n"));
  CHECK_FALSE(has("No interval"));
  CHECK(has("Unclassified in one of the maps, not compared: 3 pixels.\n"));
}

TEST_CASE("maps that nothing tells apart have no interval") {
  MapComparison record = test::small_comparison();
  record.difference.reset();
  CHECK(text_of(record).find("No interval: every sample that could be drawn has the same difference.\n") !=
        std::string::npos);
}

TEST_CASE("the page has the accuracies of all classes and of each") {
  ConfusionMatrix confusion({"oak", "pine"});
  confusion.add(0, 0, 6);
  confusion.add(0, 1, 2);
  confusion.add(1, 1, 8);
  Assessment record{"/maps/map.tif", "crowns.gpkg", confusion, pixel_intervals(confusion)};
  record.unclassified_pixels = 4;
  const CommandPage page = assessment_page(record, {}, kAccuracyFacts, {{"class-field", "species"}});
  CHECK(page.title == "Accuracy of map.tif");
  CHECK(page.lead == "The map map.tif compared with the reference crowns.gpkg.");
  CHECK(page.date == "2026-11-22");
  REQUIRE(page.verdict.size() == 3);
  CHECK(page.verdict[0].starts_with("Overall accuracy 87.5 % (95 % interval "));
  CHECK(
      page.verdict[0].ends_with(" on 16 reference pixels of 2 classes; weakest: oak (75.0 % of its 8 pixels found)."));
  CHECK(page.verdict[1].starts_with("The interval takes every pixel by itself"));
  CHECK(page.verdict[2] == "Most confused are oak and pine: 2 of 8 pixels of oak are called pine.");
  const auto& tables = page.sections[0].tables;
  CHECK(tables[0].rows[2] == std::vector<std::string>{"kappa", "0.75", tables[0].rows[2][2]});
  CHECK(tables[0].rows[3] == std::vector<std::string>{"quantity disagreement %", "12.5", ""});
  CHECK(tables[0].rows[6] == std::vector<std::string>{"unclassified in the map, not counted", "4", ""});
  CHECK(page.sections[0].paragraphs ==
        std::vector<std::string>{"In brackets: 95 % intervals for pixels drawn independently; for neighbouring "
                                 "pixels they are too narrow."});
  CHECK(tables[0].rows[0][2] == percent_interval(record.intervals.overall_accuracy));
  CHECK(tables[1].rows[0][4] == "75.0");
  CHECK(tables[1].rows[0][5] == percent_interval(record.intervals.classes[0].producers_accuracy));
  CHECK(tables[1].rows[0][8] == "85.7");
}

TEST_CASE("a second map has a section") {
  const ConfusionMatrix confusion({"oak", "pine"});
  Assessment record{"map.tif", "crowns.gpkg", confusion, pixel_intervals(confusion)};
  MapComparison comparison;
  comparison.map = "other.tif";
  comparison.counts = {30, 6, 2, 2};
  comparison.test = mcnemar_test(comparison.counts);
  record.comparison = comparison;
  const CommandPage page = assessment_page(record, {}, kAccuracyFacts, {});
  REQUIRE(page.sections.size() == 4);
  CHECK(page.sections[2].tables.front().caption == "This map and other.tif");
  CHECK(page.sections[2].tables.front().rows[2] == std::vector<std::string>{"right in this map alone", "6", ""});
  CHECK(page.sections[2].paragraphs.front().starts_with("McNemar's test: exact binomial, p = "));
}

TEST_CASE("probabilities have a section where they are known") {
  const ConfusionMatrix confusion({"oak", "pine"});
  Assessment record{"map.tif", "crowns.gpkg", confusion, pixel_intervals(confusion)};
  CHECK(assessment_page(record, {}, kAccuracyFacts, {}).sections.size() == 3);
  record.reliability.emplace().add(0.75, true);
  const CommandPage page = assessment_page(record, {}, kAccuracyFacts, {});
  REQUIRE(page.sections.size() == 4);
  CHECK(page.sections[2].id == "probabilities");
  CHECK(page.sections[2].paragraphs[0].ends_with("expected calibration error 0.25."));
}

TEST_CASE("where areas are estimated, the accuracy of the whole map comes first") {
  Assessment record = small_assessment({"yes", "no"});
  record.areas = test::small_areas();
  const std::vector<std::string> verdict = accuracy_verdict(record);
  CHECK(verdict[0] ==
        "Overall accuracy of the whole map 68.8 % (95 % interval 55.0 to 82.5), estimated from a stratified random "
        "sample.");
  CHECK(verdict[1].starts_with("In the sample itself: overall accuracy 70.0 %"));
}

TEST_CASE("right and wrong pixels are a picture where there is a map") {
  const Assessment record = small_assessment({"yes", "no"});
  ErrorPictures errors;
  errors.images = {{"Map", "data:a"}, {"Right and wrong", "data:b"}};
  errors.legend = {{"yes", {1, 2, 3}, ""}};
  const std::vector<Section> sections = accuracy_sections(record, errors);
  REQUIRE(sections.size() == 3);
  const std::vector<LegendEntry>& legend = sections[1].pictures[0].legend;
  REQUIRE(legend.size() == 3);
  CHECK(legend[0].text == "35 reference pixels");
  CHECK(legend[1].text == "15 reference pixels");
  CHECK(legend[2].name == "yes");
}
