#include "parsimap/report/accuracy_report.hpp"

#include <cmath>

#include "parsimap/accuracy/disagreement.hpp"
#include "parsimap/report/text_table.hpp"

#include "area_text.hpp"
#include "comparison_text.hpp"
#include "matrix_text.hpp"

namespace parsimap {
namespace {

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

std::string four_decimals(double value) { return short_number(std::round(value * 1e4) / 1e4); }

std::string overall_text(const Assessment& record) {
  TextTable table({Alignment::left, Alignment::right, Alignment::left});
  table.add_rows(overall_rows(record));
  return table.text();
}

}  // namespace

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

TableRows overall_rows(const Assessment& record) {
  const ConfusionMatrix& confusion = record.confusion;
  const AccuracyIntervals& intervals = record.intervals;
  const auto errors = disagreement(confusion.counts().cast<double>());
  const auto kappa = confusion.kappa();
  TableRows rows = {
      {"overall accuracy %", percent(confusion.overall_accuracy()), percent_interval(intervals.overall_accuracy)},
      {"average accuracy %", percent(confusion.average_accuracy()), percent_interval(intervals.average_accuracy)},
      {"kappa", kappa ? four_decimals(*kappa) : "-",
       intervals.kappa ? "(" + four_decimals(intervals.kappa->low) + " to " + four_decimals(intervals.kappa->high) + ")"
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

std::string intervals_note(const AccuracyIntervals& intervals) {
  return intervals.regions
             ? "In brackets: 95 % intervals from the " + std::to_string(*intervals.regions) +
                   " features of the reference as wholes, since pixels of one are not independent."
             : "In brackets: 95 % intervals, right for pixels drawn independently and too narrow for neighbours.";
}

std::string accuracy_text(const Assessment& record) {
  std::string text = "Accuracy of " + record.map + "\nagainst     " + record.reference +
                     "\n\nConfusion matrix in pixels: rows are reference, columns are map.\n\n" +
                     matrix_text(record.confusion.names(), record.confusion.counts().cast<double>(), pixel_count) +
                     "\n" + classes_text(record) + "\n" + overall_text(record) + "\n  " +
                     intervals_note(record.intervals) + "\n";
  if (record.areas) {
    text += "\n" + area_text(*record.areas, record.confusion.names());
  }
  if (record.comparison) {
    text += "\n" + comparison_text(*record.comparison);
  }
  return text;
}

}  // namespace parsimap
