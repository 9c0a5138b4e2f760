#include "comparison_text.hpp"

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

TableRows comparison_rows(const MapComparison& comparison) {
  const PairedCounts& counts = comparison.counts;
  const auto difference =
      static_cast<double>(counts.first_only - counts.second_only) / static_cast<double>(counts.pixels());
  return {{"pixels compared", std::to_string(counts.pixels()), ""},
          {"right in both", std::to_string(counts.both_right), ""},
          {"right in this map alone", std::to_string(counts.first_only), ""},
          {"right in the other map alone", std::to_string(counts.second_only), ""},
          {"wrong in both", std::to_string(counts.both_wrong), ""},
          {"overall accuracy % of this map", accuracy_of(counts.both_right + counts.first_only, counts), ""},
          {"of the other map", accuracy_of(counts.both_right + counts.second_only, counts), ""},
          {"difference", percent(difference), percent_interval(comparison.difference)}};
}

std::vector<std::string> comparison_notes(const MapComparison& comparison) {
  std::vector<std::string> notes = {"McNemar's test: " + test_text(comparison.test) + "."};
  if (!comparison.difference) {
    notes.emplace_back("No interval: the difference is the same in everything that could be drawn.");
  }
  notes.push_back(comparison.regions ? "The interval draws the " + std::to_string(*comparison.regions) +
                                           " features of the reference as wholes; the test takes pixels as independent."
                                     : "Interval and test take pixels as independent.");
  if (comparison.unclassified_pixels > 0) {
    notes.push_back("Unclassified in one of the maps, not compared: " + std::to_string(comparison.unclassified_pixels) +
                    " pixels.");
  }
  return notes;
}

std::string comparison_text(const MapComparison& comparison) {
  TextTable table({Alignment::left, Alignment::right, Alignment::left});
  table.add_rows(comparison_rows(comparison));
  std::string text = "Compared with " + comparison.map + "\n\n" + table.text() + "\n";
  for (const std::string& note : comparison_notes(comparison)) {
    text += "  " + note + "\n";
  }
  return text;
}

}  // namespace parsimap
