#include "comparison_table.hpp"

#include <cmath>

namespace parsimap {

static std::string accuracy_of(std::int64_t right, const PairedCounts& counts) {
  return percent(static_cast<double>(right) / static_cast<double>(counts.pixels()));
}

static std::string test_text(const McNemarTest& test) {
  const std::string p = test.p_value < 0.001 ? "p < 0.001" : "p = " + fixed(test.p_value, 3);
  return test.exact ? "exact binomial, " + p
                    : "chi-square " + fixed(test.statistic, 2) + " with continuity correction, " + p;
}

Table comparison_table(const MapComparison& comparison) {
  const PairedCounts& counts = comparison.counts;
  const std::string title = "This map and " + base_name(comparison.map);
  TableRows rows = {{"pixels compared", std::to_string(counts.pixels()), ""},
                    {"right in both", std::to_string(counts.both_right), ""},
                    {"right in this map alone", std::to_string(counts.first_only), ""},
                    {"right in the other map alone", std::to_string(counts.second_only), ""},
                    {"wrong in both", std::to_string(counts.both_wrong), ""}};
  if (comparison.sampled) {
    // Accuracies of the points are those of no map.
    const SampledDifference& sampled = *comparison.sampled;
    rows.push_back({"pixels where the maps differ", percent(sampled.differing_share) + " %", ""});
    rows.push_back(
        {"difference of the overall accuracies", percent(sampled.value), percent_interval(sampled.interval)});
    if (sampled.growing) {
      rows.push_back({"interval at every size of the sample", "", percent_interval(sampled.growing)});
    }
    return {title, {"measure", "value", ""}, std::move(rows), "lri"};
  }
  // The overall accuracies of both maps are (both right + right in one alone) / all, so that the pixels that both maps
  // have right cancel in their difference.
  const auto difference =
      static_cast<double>(counts.first_only - counts.second_only) / static_cast<double>(counts.pixels());
  rows.push_back({"overall accuracy % of this map", accuracy_of(counts.both_right + counts.first_only, counts), ""});
  rows.push_back({"of the other map", accuracy_of(counts.both_right + counts.second_only, counts), ""});
  rows.push_back({"difference", percent(difference), percent_interval(comparison.difference)});
  return {title, {"measure", "value", ""}, std::move(rows), "lri"};
}

// Which of two maps is better, as far as a drawn sample says.
static std::vector<std::string> sampled_notes(const MapComparison& comparison) {
  const SampledDifference& sampled = *comparison.sampled;
  const auto decided = [](const Interval& interval) { return interval.low > 0 || interval.high < 0; };
  const std::string other = base_name(comparison.map);
  const std::string better =
      (sampled.value > 0 ? "This map is better than " + other : other + " is better than this map") + " by " +
      percent(std::abs(sampled.value)) + " points of overall accuracy. ";
  std::vector<std::string> notes = {
      sampled.growing && decided(*sampled.growing)
          ? better + "The interval that holds at every size of the sample excludes 0: labelling may stop."
      : decided(sampled.interval)
          ? better + "The interval for this size of the sample excludes 0, which counts if the size was decided before."
          : "Which map is better is not decided yet."};
  notes.push_back("From the first " + grouped(sampled.labelled) + " of " + counted(sampled.planned, "point") +
                  " and their inclusion probabilities.");
  const std::int64_t more = sampled.points.value_or(0) - sampled.labelled;
  if (sampled.points) {
    notes.push_back(more > 0
                        ? "About " + counted(more, "more point") + (more == 1 ? " reaches" : " reach") + " the aim."
                        : std::string("The aim is met."));
  }
  return notes;
}

std::vector<std::string> comparison_notes(const MapComparison& comparison) {
  if (comparison.sampled) {
    return sampled_notes(comparison);
  }
  std::vector<std::string> notes = {"McNemar's test: " + test_text(comparison.test) + "."};
  if (!comparison.difference) {
    notes.emplace_back("No interval: every sample that could be drawn has the same difference.");
  }
  notes.push_back(comparison.regions ? "The interval draws the " + std::to_string(*comparison.regions) +
                                           " regions of the reference as wholes; the test takes pixels as independent."
                                     : "Interval and test take pixels as independent.");
  if (comparison.unclassified_pixels > 0) {
    notes.push_back("Unclassified in one of the maps, not compared: " + std::to_string(comparison.unclassified_pixels) +
                    " pixels.");
  }
  return notes;
}

}  // namespace parsimap
