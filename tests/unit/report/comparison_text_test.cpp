#include "report/comparison_text.hpp"

#include <doctest/doctest.h>

#include "unit/assessment/small_assessment.hpp"

using namespace parsimap;

TEST_CASE("two maps that differ in ten pixels, whole") {
  CHECK(comparison_text(test::small_comparison()) ==
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
        "  McNemar's test: exact binomial, p = 0.109375.\n"
        "  Interval and test take pixels as independent.\n");
}

TEST_CASE("the test, the regions and what was left out are named") {
  MapComparison record = test::small_comparison();
  record.counts = {30, 40, 10, 20};
  record.test = mcnemar_test(record.counts);
  record.regions = 12;
  record.unclassified_pixels = 3;
  const std::string text = comparison_text(record);
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(has("chi-square 16.82 with continuity correction, p = 4.10979e-05.\n"));
  CHECK(has("draws the 12 features of the reference as wholes; the test takes pixels as independent.\n"));
  CHECK_FALSE(has("No interval"));
  CHECK(has("Unclassified in one of the maps, not compared: 3 pixels.\n"));
}

TEST_CASE("maps that nothing tells apart have no interval") {
  MapComparison record = test::small_comparison();
  record.difference.reset();
  CHECK(comparison_text(record).find("No interval: the difference is the same in everything that could be drawn.\n") !=
        std::string::npos);
}
