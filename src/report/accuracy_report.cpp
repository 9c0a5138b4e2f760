#include "parsimap/report/accuracy_report.hpp"

#include <cmath>

#include "parsimap/report/csv.hpp"
#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

std::string matrix_text(const ConfusionMatrix& confusion) {
  const Index classes = confusion.size();
  std::vector<Alignment> alignments(static_cast<std::size_t>(classes) + 3, Alignment::right);
  alignments[1] = Alignment::left;
  TextTable table(alignments);
  std::vector<std::string> header = {"", "reference \\ map"};
  for (Index c = 0; c < classes; ++c) {
    header.push_back(std::to_string(c + 1));
  }
  header.emplace_back("sum");
  table.add_row(header);
  std::vector<std::string> sums = {"", "sum"};
  for (Index r = 0; r < classes; ++r) {
    std::vector<std::string> row = {std::to_string(r + 1), confusion.names()[r]};
    for (Index c = 0; c < classes; ++c) {
      row.push_back(std::to_string(confusion.counts()(r, c)));
    }
    row.push_back(std::to_string(confusion.class_accuracy(r).reference_pixels));
    table.add_row(row);
    sums.push_back(std::to_string(confusion.class_accuracy(r).map_pixels));
  }
  sums.push_back(std::to_string(confusion.pixels()));
  table.add_row(sums);
  return table.text();
}

std::string classes_text(const ConfusionMatrix& confusion) {
  TextTable table({Alignment::right, Alignment::left, Alignment::right, Alignment::right, Alignment::right,
                   Alignment::right, Alignment::right});
  table.add_row({"", "class", "reference", "map", "producer's %", "user's %", "F1 %"});
  for (Index c = 0; c < confusion.size(); ++c) {
    const ClassAccuracy accuracy = confusion.class_accuracy(c);
    table.add_row({std::to_string(c + 1), confusion.names()[c], std::to_string(accuracy.reference_pixels),
                   std::to_string(accuracy.map_pixels), percent(accuracy.producers_accuracy),
                   percent(accuracy.users_accuracy), percent(accuracy.f1)});
  }
  return table.text();
}

std::string overall_text(const AssessmentRecord& record) {
  const ConfusionMatrix& confusion = record.confusion;
  TextTable table({Alignment::left, Alignment::right});
  table.add_row({"overall accuracy %", percent(confusion.overall_accuracy())});
  table.add_row({"average accuracy %", percent(confusion.average_accuracy())});
  const auto kappa = confusion.kappa();
  table.add_row({"kappa", kappa ? short_number(std::round(*kappa * 1e4) / 1e4) : "-"});
  table.add_row({"pixels compared", std::to_string(confusion.pixels())});
  if (record.unclassified_pixels > 0) {
    table.add_row({"unclassified in the map, not counted", std::to_string(record.unclassified_pixels)});
  }
  if (record.conflicting_pixels > 0) {
    table.add_row({"claimed by two reference classes, dropped", std::to_string(record.conflicting_pixels)});
  }
  return table.text();
}

}  // namespace

std::string accuracy_text(const AssessmentRecord& record) {
  return "Accuracy of " + record.map + "\nagainst     " + record.reference +
         "\n\nConfusion matrix in pixels: rows are reference, columns are map.\n\n" + matrix_text(record.confusion) +
         "\n" + classes_text(record.confusion) + "\n" + overall_text(record);
}

std::string accuracy_csv(const AssessmentRecord& record) {
  const ConfusionMatrix& confusion = record.confusion;
  std::vector<std::string> header = {"reference \\ map"};
  header.insert(header.end(), confusion.names().begin(), confusion.names().end());
  header.insert(header.end(), {"reference_pixels", "producers_accuracy", "users_accuracy", "f1"});
  std::string text = csv_line(header, header.size());
  std::vector<std::string> sums = {"map_pixels"};
  for (Index r = 0; r < confusion.size(); ++r) {
    std::vector<std::string> row = {confusion.names()[r]};
    for (Index c = 0; c < confusion.size(); ++c) {
      row.push_back(std::to_string(confusion.counts()(r, c)));
    }
    const ClassAccuracy accuracy = confusion.class_accuracy(r);
    row.insert(row.end(), {std::to_string(accuracy.reference_pixels), csv_number(accuracy.producers_accuracy),
                           csv_number(accuracy.users_accuracy), csv_number(accuracy.f1)});
    text += csv_line(row, header.size());
    sums.push_back(std::to_string(accuracy.map_pixels));
  }
  sums.push_back(std::to_string(confusion.pixels()));
  text += csv_line(sums, header.size());
  text += csv_line({"pixels", std::to_string(confusion.pixels())}, header.size());
  text += csv_line({"unclassified_pixels", std::to_string(record.unclassified_pixels)}, header.size());
  text += csv_line({"overall_accuracy", csv_number(confusion.overall_accuracy())}, header.size());
  text += csv_line({"average_accuracy", csv_number(confusion.average_accuracy())}, header.size());
  text += csv_line({"kappa", csv_number(confusion.kappa())}, header.size());
  return text;
}

}  // namespace parsimap
