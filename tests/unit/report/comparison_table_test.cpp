#include "report/comparison_table.hpp"

#include <doctest/doctest.h>

#include "unit/accuracy/small_assessment.hpp"

namespace parsimap::test {

TEST_CASE("a comparison of pixels has both accuracies and McNemar's test") {
  const TableRows rows = comparison_table(small_comparison()).rows;
  CHECK(rows[5] == std::vector<std::string>{"overall accuracy % of this map", "76.0", ""});
  CHECK(rows[7] == std::vector<std::string>{"difference", "12.0", "(-1.0 to 25.0)"});
  CHECK(comparison_notes(small_comparison())[0].starts_with("McNemar's test: exact binomial"));
}

TEST_CASE("a comparison by a sample says which map is better, and by which interval") {
  MapComparison record = small_comparison();
  record.sampled = SampledDifference{.value = 0.02,
                                     .standard_error = 0.004,
                                     .interval = {0.012, 0.028},
                                     .growing = Interval{-0.01, 0.04},
                                     .differing_share = 0.1,
                                     .labelled = 40,
                                     .planned = 60,
                                     .points = 41};
  CHECK(comparison_table(record).rows[6][1] == "2.0");
  std::vector<std::string> notes = comparison_notes(record);
  CHECK(notes[0] ==
        "This map is better than other.tif by 2.0 points of overall accuracy. The interval for this size of the "
        "sample excludes 0, which counts if the size was decided before.");
  CHECK(notes[2] == "About 1 more point reaches the aim.");
  record.sampled->value = -0.02;
  record.sampled->growing = Interval{-0.04, -0.01};
  record.sampled->points = 40;
  notes = comparison_notes(record);
  CHECK(notes[0] ==
        "other.tif is better than this map by 2.0 points of overall accuracy. The interval that holds at every size "
        "of the sample excludes 0: labelling may stop.");
  CHECK(notes[2] == "The aim is met.");
  record.sampled->interval = {-0.03, 0.01};
  record.sampled->growing = {};
  CHECK(comparison_notes(record)[0] == "Which map is better is not decided yet.");
}

}  // namespace parsimap::test
