#include "parsimap/report/accuracy_report.hpp"

#include <functional>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/report/text_table.hpp"

#include "verdict.hpp"

namespace parsimap {
namespace {

// A table of reference classes (rows) against map classes (columns), with sums. `values` is K x K for K `names`;
// classes are numbered from 1 in their order, so that long names do not widen the columns; `format` writes values and
// sums.
std::string matrix_text(const std::vector<std::string>& names, const Matrix& values,
                        const std::function<std::string(double)>& format) {
  std::vector<Alignment> alignments(names.size() + 3, Alignment::right);
  alignments[1] = Alignment::left;
  TextTable table(alignments);
  std::vector<std::string> header = {"", "reference \\ map"};
  std::vector<std::string> sums = {"", "sum"};
  for (Index c = 0; c < values.cols(); ++c) {
    header.push_back(std::to_string(c + 1));
    sums.push_back(format(values.col(c).sum()));
  }
  header.emplace_back("sum");
  sums.push_back(format(values.sum()));
  table.add_row(header);
  for (Index r = 0; r < values.rows(); ++r) {
    std::vector<std::string> row = {std::to_string(r + 1), names[static_cast<std::size_t>(r)]};
    for (Index c = 0; c < values.cols(); ++c) {
      row.push_back(format(values(r, c)));
    }
    row.push_back(format(values.row(r).sum()));
    table.add_row(row);
  }
  table.add_row(sums);
  return table.text();
}

// ---- the map ----

// Class, reference pixels, map pixels, then producer's accuracy, user's accuracy and F1, each with its interval.
TableRows class_rows(const Assessment& record) {
  TableRows rows;
  for (Index c = 0; c < record.confusion.size(); ++c) {
    const ClassAccuracy accuracy = record.confusion.class_accuracy(c);
    const ClassIntervals& intervals = record.intervals.classes[static_cast<std::size_t>(c)];
    rows.push_back({record.confusion.names()[static_cast<std::size_t>(c)], std::to_string(accuracy.reference_pixels),
                    std::to_string(accuracy.map_pixels), percent(accuracy.producers_accuracy),
                    percent_interval(intervals.producers_accuracy), percent(accuracy.users_accuracy),
                    percent_interval(intervals.users_accuracy), percent(accuracy.f1), percent_interval(intervals.f1)});
  }
  return rows;
}

// Measure, value, interval.
TableRows overall_rows(const Assessment& record) {
  const ConfusionMatrix& confusion = record.confusion;
  const AccuracyIntervals& intervals = record.intervals;
  // Quantity and allocation disagreement after Pontius and Millones (docs/method.md, "Accuracy and areas"): their sum
  // is 1 minus the overall accuracy.
  const auto errors = disagreement(confusion.counts().cast<double>());
  TableRows rows = {
      {"overall accuracy %", percent(confusion.overall_accuracy()), percent_interval(intervals.overall_accuracy)},
      {"average accuracy %", percent(confusion.average_accuracy()), percent_interval(intervals.average_accuracy)},
      {"kappa", four_decimals(confusion.kappa()),
       intervals.kappa
           ? interval_text(four_decimals(intervals.kappa->low), four_decimals(intervals.kappa->high), *intervals.kappa)
           : ""},
      {"quantity disagreement %", percent(errors ? std::optional(errors->quantity) : std::nullopt), ""},
      {"allocation disagreement %", percent(errors ? std::optional(errors->allocation) : std::nullopt), ""},
      {"pixels compared", std::to_string(confusion.pixels()), ""}};
  if (record.unclassified_pixels > 0) {
    rows.push_back({"unclassified in the map, not counted", std::to_string(record.unclassified_pixels), ""});
  }
  if (record.conflicting_pixels > 0) {
    rows.push_back({"claimed by two reference classes, dropped", std::to_string(record.conflicting_pixels), ""});
  }
  return rows;
}

// What the intervals take for independent, and which of them are from few regions.
std::vector<std::string> intervals_notes(const AccuracyIntervals& intervals) {
  if (!intervals.regions) {
    return {"In brackets: 95 % intervals for pixels drawn independently; for neighbouring pixels they are too narrow."};
  }
  std::vector<std::string> notes = {"In brackets: 95 % intervals from the " + std::to_string(*intervals.regions) +
                                    " regions of the reference as wholes, since pixels of one are not independent."};
  bool few = false;
  bool fewest = false;
  const auto count = [&](const std::optional<Interval>& interval) {
    const double regions = interval ? interval->regions.value_or(kEnoughRegions) : kEnoughRegions;
    few = few || (regions < kEnoughRegions && regions >= kFewestRegions);
    fewest = fewest || regions < kFewestRegions;
  };
  for (const auto& interval : {intervals.overall_accuracy, intervals.average_accuracy, intervals.kappa}) {
    count(interval);
  }
  for (const ClassIntervals& entry : intervals.classes) {
    count(entry.producers_accuracy);
    count(entry.users_accuracy);
    count(entry.f1);
  }
  if (few) {
    notes.emplace_back("*  From regions that count as fewer than 20 of equal size: the interval is approximate.");
  }
  if (fewest) {
    notes.emplace_back("** From regions that count as fewer than 10 of equal size: the interval is not reliable.");
  }
  return notes;
}

std::string pixel_count(double pixels) { return std::to_string(static_cast<std::int64_t>(pixels)); }

std::string classes_text(const Assessment& record) {
  constexpr Alignment left = Alignment::left;
  constexpr Alignment right = Alignment::right;
  TextTable table({right, left, right, right, right, left, right, left, right, left});
  table.add_row({"", "class", "reference", "map", "producer's %", "", "user's %", "", "F1 %", ""});
  const TableRows classes = class_rows(record);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::vector<std::string> row = {std::to_string(c + 1)};
    row.insert(row.end(), classes[c].begin(), classes[c].end());
    table.add_row(std::move(row));
  }
  return table.text();
}

std::string overall_text(const Assessment& record) {
  TextTable table({Alignment::left, Alignment::right, Alignment::left});
  table.add_rows(overall_rows(record));
  return table.text();
}

// ---- areas ----

// Class, area in the map, its estimate, the standard error and the interval.
TableRows area_rows(const AreaAssessment& areas, const std::vector<std::string>& names) {
  // Estimates are shares of the classified area. One common factor converts shares, standard errors and the ends of
  // intervals to the unit of the table, such as hectares.
  const double factor = area_unit(areas).factor;
  TableRows rows;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const Estimate& share = areas.estimate.classes[c].share;
    const auto& interval = share.interval;
    rows.push_back(
        {names[c], short_number(areas.estimate.classes[c].mapped_share * factor), short_number(share.value * factor),
         short_number(share.standard_error * factor),
         interval ? "(" + short_number(interval->low * factor) + " to " + short_number(interval->high * factor) + ")"
                  : ""});
  }
  return rows;
}

std::string interval_of(const std::optional<Estimate>& estimate) {
  return estimate ? percent_interval(estimate->interval) : "";
}

std::string value_of(const std::optional<Estimate>& estimate) {
  return percent(estimate ? std::optional(estimate->value) : std::nullopt);
}

std::string area_table_text(const AreaAssessment& areas, const std::vector<std::string>& names) {
  const AreaUnit unit = area_unit(areas);
  constexpr Alignment left = Alignment::left;
  constexpr Alignment right = Alignment::right;
  TextTable table({right, left, right, right, right, left, right, left, right, left});
  table.add_row({"", "class", "mapped " + unit.name, "estimated " + unit.name, "std. error", "", "producer's %", "",
                 "user's %", ""});
  TableRows rows = area_rows(areas, names);
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const ClassEstimate& entry = areas.estimate.classes[c];
    rows[c].insert(rows[c].begin(), std::to_string(c + 1));
    rows[c].insert(rows[c].end(), {value_of(entry.producers_accuracy), interval_of(entry.producers_accuracy),
                                   value_of(entry.users_accuracy), interval_of(entry.users_accuracy)});
  }
  table.add_rows(rows);
  return table.text();
}

std::string area_overall_text(const AreaEstimate& estimate) {
  TextTable table({Alignment::left, Alignment::right, Alignment::left});
  table.add_row({"overall accuracy %", percent(estimate.overall_accuracy.value),
                 percent_interval(estimate.overall_accuracy.interval)});
  table.add_row({"quantity disagreement %", percent(estimate.disagreement.quantity), ""});
  table.add_row({"allocation disagreement %", percent(estimate.disagreement.allocation), ""});
  return table.text();
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    list += (list.empty() ? "'" : ", '") + name + "'";
  }
  return list;
}

std::string notes_text(const AreaAssessment& areas) {
  std::string text = "  In brackets: 95 % intervals, +- 1.96 standard errors; none where the sample units all agree.\n";
  if (areas.unclassified_pixels > 0) {
    text += "  Left out as unclassified in the map: " + std::to_string(areas.unclassified_pixels) + " pixels.\n";
  }
  if (areas.pixels_outside_strata > 0) {
    text += "  Left out as outside the strata: " + std::to_string(areas.pixels_outside_strata) + " pixels.\n";
  }
  if (!areas.merged_strata.empty()) {
    text += "  Strata merged because they have too few sample units: " + quoted_list(areas.merged_strata) + ".\n";
  }
  if (!areas.estimate.single_unit_strata.empty()) {
    text += "  Strata of one sample unit, which shows no variance and counts with the largest possible: " +
            quoted_list(areas.estimate.single_unit_strata) + ".\n";
  }
  return text;
}

// What must be known to read the numbers is said below them: what the population is, strata of a single unit, strata
// merged.
std::string area_text(const AreaAssessment& areas, const std::vector<std::string>& names) {
  // The estimates follow Olofsson et al. (2014), or Stehman (2014) for strata other than the classes of the map: mapped
  // and estimated areas side by side, producer's and user's accuracies of the whole map and not of the sample, and the
  // matrix of estimated shares of the area.
  const AreaUnit unit = area_unit(areas);
  const std::string strata = areas.strata ? "strata of " + *areas.strata : std::string("the map's classes as strata");
  const std::string size = unit.name == "pixels" ? "" : " (" + short_number(unit.factor) + " " + unit.name + ")";
  return "Areas and accuracy of all " + std::to_string(areas.estimate.pixels) + " classified pixels" + size +
         ",\nestimated from a " + to_string(areas.design) + " random sample with " + strata + "\n\n" +
         area_table_text(areas, names) + "\n" + area_overall_text(areas.estimate) +
         "\nEstimated shares of the area in percent: rows are reference, columns are map.\n\n" +
         matrix_text(names, areas.estimate.shares, [](double share) { return percent(share); }) + "\n" +
         notes_text(areas);
}

// ---- a second map ----

std::string accuracy_of(std::int64_t right, const PairedCounts& counts) {
  return percent(static_cast<double>(right) / static_cast<double>(counts.pixels()));
}

std::string test_text(const McNemarTest& test) {
  const std::string p = "p = " + short_number(test.p_value);
  return test.exact ? "exact binomial, " + p
                    : "chi-square " + short_number(test.statistic) + " with continuity correction, " + p;
}

// Measure, value, interval.
TableRows comparison_rows(const MapComparison& comparison) {
  const PairedCounts& counts = comparison.counts;
  // The overall accuracies of both maps are (both right + right in one alone) / all, so that the pixels that both maps
  // have right cancel in their difference.
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

// The test and what it rests on, a sentence each.
std::vector<std::string> comparison_notes(const MapComparison& comparison) {
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

std::string comparison_text(const MapComparison& comparison) {
  TextTable table({Alignment::left, Alignment::right, Alignment::left});
  table.add_rows(comparison_rows(comparison));
  std::string text = "Compared with " + comparison.map + "\n\n" + table.text() + "\n";
  for (const std::string& note : comparison_notes(comparison)) {
    text += "  " + note + "\n";
  }
  return text;
}

// ---- page ----

PageTable area_table(const AreaAssessment& areas, const std::vector<std::string>& names) {
  return {"Areas in " + area_unit(areas).name + ", estimated from the reference as a probability sample",
          {"class", "mapped", "estimated", "standard error", "interval of 95 %"},
          area_rows(areas, names),
          1};
}

PageSection accuracy_section(const Assessment& record) {
  const PageTable overall{"Of all classes", {"measure", "value", ""}, overall_rows(record), 1};
  const PageTable classes{
      "By class", {"class", "reference", "map", "producer's %", "", "user's %", "", "F1 %", ""}, class_rows(record), 1};
  return {"accuracy", "Accuracy", intervals_notes(record.intervals), {}, {overall, classes}, {}};
}

PageSection comparison_section(const MapComparison& comparison) {
  const PageTable table{
      "This map and " + base_name(comparison.map), {"measure", "value", ""}, comparison_rows(comparison), 1};
  return {"comparison", "Second map", comparison_notes(comparison), {}, {table}, {}};
}

std::int64_t right_pixels(const ConfusionMatrix& confusion) { return confusion.counts().diagonal().sum(); }

PageSection error_section(const Assessment& record, const ErrorPictures& errors) {
  PagePicture picture{"picture-errors",
                      "Where the map is right and wrong",
                      "",
                      errors.images,
                      errors.width,
                      errors.height,
                      errors.legend,
                      errors.sheet};
  const std::int64_t right = right_pixels(record.confusion);
  const std::int64_t wrong = record.confusion.pixels() - right;
  // The two colours of the comparison come before those of the classes, because they are what the picture is about.
  picture.legend.insert(picture.legend.begin(), {{"right", errors.right, counted(right, "reference pixel")},
                                                 {"wrong", errors.wrong, counted(wrong, "reference pixel")}});
  picture.caption = errors.shown +
                    "The map beside its reference pixels: those that it has right and wrong, on the pale map. "
                    "Chequered pixels are not classified.";
  return {"errors", "Errors", {}, {picture}, {}, {}};
}

PageSection reliability_section(const Reliability& reliability) {
  const auto error = reliability.expected_calibration_error();
  PageSection section{"probabilities", "Probabilities", {}, {}, {}, {"reliability"}};
  section.paragraphs = {"By the largest probability at the reference pixels; expected calibration error " +
                        (error ? short_number(*error) : std::string("unknown")) + "."};
  return section;
}

}  // namespace

std::string accuracy_text(const Assessment& record) {
  std::string text = "Accuracy of " + record.map + "\nagainst     " + record.reference +
                     "\n\nConfusion matrix in pixels: rows are reference, columns are map.\n\n" +
                     matrix_text(record.confusion.names(), record.confusion.counts().cast<double>(), pixel_count) +
                     "\n" + classes_text(record) + "\n" + overall_text(record) + "\n";
  for (const std::string& note : intervals_notes(record.intervals)) {
    text += "  " + note + "\n";
  }
  if (record.areas) {
    text += "\n" + area_text(*record.areas, record.confusion.names());
  }
  if (record.comparison) {
    text += "\n" + comparison_text(*record.comparison);
  }
  return text;
}

std::vector<std::string> accuracy_verdict(const Assessment& record) {
  constexpr std::size_t kMostPairs = 3;
  // With areas the estimate for the whole map comes first, since it is what a reader of a map asks for; the counts of
  // the sample follow. A note says where the interval is too narrow, and then come the most confused pairs of classes.
  std::vector<std::string> sentences;
  if (record.areas) {
    const Estimate& overall = record.areas->estimate.overall_accuracy;
    sentences.push_back("Overall accuracy of the whole map " + percent(overall.value) + " %" +
                        (overall.interval ? " (95 % interval " + percent(overall.interval->low) + " to " +
                                                percent(overall.interval->high) + ")"
                                          : "") +
                        ", estimated from a " + to_string(record.areas->design) + " random sample.");
  }
  // The accuracy of the sample itself is that of the map only for a simple random sample. With an estimate for the
  // whole map it is therefore introduced as a property of the sample.
  const std::string measure = record.areas ? "In the sample itself: overall accuracy" : "Overall accuracy";
  sentences.push_back(accuracy_verdict(
      {measure, record.confusion.overall_accuracy(), record.intervals.overall_accuracy, "reference pixel"},
      record.confusion));
  if (!record.areas && !record.intervals.regions) {
    sentences.emplace_back(
        "The interval takes every pixel by itself, and is too narrow where reference pixels are "
        "neighbours.");
  }
  const std::vector<std::string> pairs = confused_pairs(record.confusion, kMostPairs);
  sentences.insert(sentences.end(), pairs.begin(), pairs.end());
  return sentences;
}

std::vector<PageSection> accuracy_sections(const Assessment& record, const ErrorPictures& errors) {
  std::vector<PageSection> sections = {accuracy_section(record)};
  if (!errors.images.empty()) {
    sections.push_back(error_section(record, errors));
  }
  sections.push_back({"confusion", "Confusion matrix", {}, {}, {}, {"confusion"}});
  if (record.areas) {
    sections.push_back({"areas-section", "Areas", {}, {}, {area_table(*record.areas, record.confusion.names())}, {}});
  }
  if (record.comparison) {
    sections.push_back(comparison_section(*record.comparison));
  }
  if (record.reliability) {
    sections.push_back(reliability_section(*record.reliability));
  }
  return sections;
}

CommandPage assessment_page(const Assessment& record, const ErrorPictures& errors, const PageFacts& facts,
                            const std::vector<std::pair<std::string, std::string>>& options) {
  CommandPage page;
  page.title = "Accuracy of " + base_name(record.map);
  page.verdict = accuracy_verdict(record);
  page.lead = "The map " + base_name(record.map) + " compared with the reference " + base_name(record.reference) + ".";
  page.date = facts.date;
  page.sections = accuracy_sections(record, errors);
  page.sections.push_back({"inputs", "Where it comes from", {}, {}, {grid_table(facts), input_table(facts)}, {}});
  page.sections.push_back({"run",
                           "Options and side files",
                           {},
                           {},
                           {option_table("Options as resolved", options), side_file_table(facts)},
                           {},
                           true});
  return page;
}

}  // namespace parsimap
