#include "parsimap/report/comparison_text.hpp"

#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

std::string accuracy_of(std::int64_t right, const PairedCounts& counts) {
  return percent(static_cast<double>(right) / static_cast<double>(counts.pixels()));
}

std::string test_text(const McNemarTest& test) {
  const std::string p = "p = " + short_number(test.p_value);
  return test.exact ? "exact binomial, " + p
                    : "chi-square " + short_number(test.statistic) + " with continuity correction, " + p;
}

}  // namespace

std::string comparison_text(const MapComparisonRecord& comparison) {
  const PairedCounts& counts = comparison.counts;
  const auto difference =
      static_cast<double>(counts.first_only - counts.second_only) / static_cast<double>(counts.pixels());
  TextTable table({Alignment::left, Alignment::right, Alignment::left});
  table.add_row({"pixels compared", std::to_string(counts.pixels()), ""});
  table.add_row({"right in both", std::to_string(counts.both_right), ""});
  table.add_row({"right in this map alone", std::to_string(counts.first_only), ""});
  table.add_row({"right in the other map alone", std::to_string(counts.second_only), ""});
  table.add_row({"wrong in both", std::to_string(counts.both_wrong), ""});
  table.add_row({"overall accuracy % of this map", accuracy_of(counts.both_right + counts.first_only, counts), ""});
  table.add_row({"of the other map", accuracy_of(counts.both_right + counts.second_only, counts), ""});
  table.add_row({"difference", percent(difference), percent_interval(comparison.difference)});
  std::string text = "Compared with " + comparison.map + "\n\n" + table.text() + "\n";
  text += "  McNemar's test: " + test_text(comparison.test) + ".\n";
  if (!comparison.difference) {
    text += "  No interval: the difference is the same in everything that could be drawn.\n";
  }
  text += comparison.regions ? "  The interval draws the " + std::to_string(*comparison.regions) +
                                   " features of the reference as wholes; the test takes pixels as independent.\n"
                             : "  Interval and test take pixels as independent.\n";
  if (comparison.unclassified_pixels > 0) {
    text += "  Unclassified in one of the maps, not compared: " + std::to_string(comparison.unclassified_pixels) +
            " pixels.\n";
  }
  return text;
}

}  // namespace parsimap
