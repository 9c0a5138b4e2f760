#include "parsimap/report/accuracy_report.hpp"

#include <cmath>

#include "parsimap/accuracy/disagreement.hpp"
#include "parsimap/report/area_text.hpp"
#include "parsimap/report/comparison_text.hpp"
#include "parsimap/report/matrix_text.hpp"
#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

std::string pixel_count(double pixels) { return std::to_string(static_cast<std::int64_t>(pixels)); }

std::string classes_text(const AssessmentRecord& record) {
  constexpr Alignment left = Alignment::left;
  constexpr Alignment right = Alignment::right;
  TextTable table({right, left, right, right, right, left, right, left, right, left});
  table.add_row({"", "class", "reference", "map", "producer's %", "", "user's %", "", "F1 %", ""});
  for (Index c = 0; c < record.confusion.size(); ++c) {
    const ClassAccuracy accuracy = record.confusion.class_accuracy(c);
    const ClassIntervals& intervals = record.intervals.classes[static_cast<std::size_t>(c)];
    table.add_row({std::to_string(c + 1), record.confusion.names()[static_cast<std::size_t>(c)],
                   std::to_string(accuracy.reference_pixels), std::to_string(accuracy.map_pixels),
                   percent(accuracy.producers_accuracy), percent_interval(intervals.producers_accuracy),
                   percent(accuracy.users_accuracy), percent_interval(intervals.users_accuracy), percent(accuracy.f1),
                   percent_interval(intervals.f1)});
  }
  return table.text();
}

std::string four_decimals(double value) { return short_number(std::round(value * 1e4) / 1e4); }

std::string overall_text(const AssessmentRecord& record) {
  const ConfusionMatrix& confusion = record.confusion;
  const AccuracyIntervals& intervals = record.intervals;
  const auto errors = disagreement(confusion.counts().cast<double>());
  const auto kappa = confusion.kappa();
  TextTable table({Alignment::left, Alignment::right, Alignment::left});
  table.add_row(
      {"overall accuracy %", percent(confusion.overall_accuracy()), percent_interval(intervals.overall_accuracy)});
  table.add_row(
      {"average accuracy %", percent(confusion.average_accuracy()), percent_interval(intervals.average_accuracy)});
  table.add_row({"kappa", kappa ? four_decimals(*kappa) : "-",
                 intervals.kappa
                     ? "(" + four_decimals(intervals.kappa->low) + " to " + four_decimals(intervals.kappa->high) + ")"
                     : ""});
  table.add_row({"quantity disagreement %", percent(errors ? std::optional(errors->quantity) : std::nullopt), ""});
  table.add_row({"allocation disagreement %", percent(errors ? std::optional(errors->allocation) : std::nullopt), ""});
  table.add_row({"pixels compared", std::to_string(confusion.pixels()), ""});
  if (record.unclassified_pixels > 0) {
    table.add_row({"unclassified in the map, not counted", std::to_string(record.unclassified_pixels), ""});
  }
  if (record.conflicting_pixels > 0) {
    table.add_row({"claimed by two reference classes, dropped", std::to_string(record.conflicting_pixels), ""});
  }
  return table.text();
}

std::string intervals_text(const AccuracyIntervals& intervals) {
  return intervals.regions
             ? "  In brackets: 95 % intervals from the " + std::to_string(*intervals.regions) +
                   " features of the reference as wholes, since pixels of one are not independent.\n"
             : "  In brackets: 95 % intervals, right for pixels drawn independently and too narrow for neighbours.\n";
}

}  // namespace

std::string accuracy_text(const AssessmentRecord& record) {
  std::string text = "Accuracy of " + record.map + "\nagainst     " + record.reference +
                     "\n\nConfusion matrix in pixels: rows are reference, columns are map.\n\n" +
                     matrix_text(record.confusion.names(), record.confusion.counts().cast<double>(), pixel_count) +
                     "\n" + classes_text(record) + "\n" + overall_text(record) + "\n" +
                     intervals_text(record.intervals);
  if (record.areas) {
    text += "\n" + area_text(*record.areas, record.confusion.names());
  }
  if (record.comparison) {
    text += "\n" + comparison_text(*record.comparison);
  }
  return text;
}

}  // namespace parsimap
