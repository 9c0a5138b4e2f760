// Results as tables for other programs, to RFC 4180.

#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/experiment_report.hpp"

namespace parsimap {
namespace {

using Cells = std::vector<std::string>;

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char character : text) {
    quoted += character;
    if (character == '"') {
      quoted += '"';
    }
  }
  return quoted + '"';
}

// The shortest text that reads back as the same double; empty without a value.
std::string csv_number(std::optional<double> value) {
  if (!value) {
    return {};
  }
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), *value).ptr};
}

// One line with CR LF at its end, in which fields are quoted where they have to be. Rows shorter than `columns` are
// filled up, because RFC 4180 asks for as many fields in every line.
std::string csv_line(Cells fields, std::size_t columns) {
  fields.resize(columns);
  std::string line = csv_field(fields[0]);
  for (std::size_t i = 1; i < fields.size(); ++i) {
    line += ',';
    line += csv_field(fields[i]);
  }
  return line + "\r\n";
}

void append_interval(Cells& row, const std::optional<Interval>& interval) {
  row.push_back(csv_number(interval ? std::optional(interval->low) : std::nullopt));
  row.push_back(csv_number(interval ? std::optional(interval->high) : std::nullopt));
}

// The effective number of regions that an interval is from.
std::string csv_regions(const std::optional<Interval>& interval) {
  return csv_number(interval ? interval->regions : std::nullopt);
}

// Appends the value, its standard error and both ends of its interval.
void append_estimate(Cells& row, const std::optional<Estimate>& estimate, double factor = 1) {
  if (!estimate) {
    row.resize(row.size() + 4);
    return;
  }
  row.push_back(csv_number(estimate->value * factor));
  row.push_back(csv_number(estimate->standard_error * factor));
  append_interval(row, estimate->interval ? std::optional(Interval{estimate->interval->low * factor,
                                                                   estimate->interval->high * factor})
                                          : std::nullopt);
}

Cells measure(const std::string& name, std::optional<double> value, const std::optional<Interval>& interval = {}) {
  Cells row = {name, csv_number(value)};
  append_interval(row, interval);
  row.push_back(csv_regions(interval));
  return row;
}

std::string matrix_rows(const Assessment& record, std::size_t columns) {
  const ConfusionMatrix& confusion = record.confusion;
  std::string text;
  // The last row has the column sums, which are the pixels of each class in the map, and the number of all pixels.
  Cells sums = {"map_pixels"};
  for (Index r = 0; r < confusion.size(); ++r) {
    Cells row = {confusion.names()[static_cast<std::size_t>(r)]};
    for (Index c = 0; c < confusion.size(); ++c) {
      row.push_back(std::to_string(confusion.counts()(r, c)));
    }
    const ClassAccuracy accuracy = confusion.class_accuracy(r);
    const ClassIntervals& intervals = record.intervals.classes[static_cast<std::size_t>(r)];
    row.insert(row.end(), {std::to_string(accuracy.reference_pixels), csv_number(accuracy.producers_accuracy),
                           csv_number(accuracy.users_accuracy), csv_number(accuracy.f1)});
    append_interval(row, intervals.producers_accuracy);
    append_interval(row, intervals.users_accuracy);
    append_interval(row, intervals.f1);
    row.insert(row.end(), {csv_regions(intervals.producers_accuracy), csv_regions(intervals.users_accuracy),
                           csv_regions(intervals.f1)});
    text += csv_line(row, columns);
    sums.push_back(std::to_string(accuracy.map_pixels));
  }
  sums.push_back(std::to_string(confusion.pixels()));
  return text + csv_line(sums, columns);
}

Cells matrix_header(const std::vector<std::string>& names, const Cells& measures) {
  Cells header = {"reference \\ map"};
  // The columns are the classes of the map, then the measures of the class of the row. Rows of measures of the whole
  // map have their values in the first columns and are filled up by csv_line().
  header.insert(header.end(), names.begin(), names.end());
  header.insert(header.end(), measures.begin(), measures.end());
  return header;
}

std::string disagreement_rows(const std::optional<Disagreement>& errors, std::size_t columns) {
  return csv_line(measure("quantity_disagreement", errors ? std::optional(errors->quantity) : std::nullopt), columns) +
         csv_line(measure("allocation_disagreement", errors ? std::optional(errors->allocation) : std::nullopt),
                  columns);
}

Cells row_of(const ExperimentRun& run, std::size_t test_index, const ClassRun& trained) {
  const TestRun& test = run.tests[test_index];
  return {run.data,
          run.method.kernel,
          run.method.criterion,
          run.method.dimension,
          std::to_string(run.repeat),
          std::to_string(run.seed),
          test.name,
          std::to_string(test.samples),
          csv_number(test.overall_accuracy),
          csv_number(test.average_binary_accuracy),
          trained.name,
          std::to_string(trained.dimension),
          csv_number(trained.criterion_value),
          csv_number(trained.C),
          std::to_string(trained.support_vectors),
          std::to_string(trained.evaluations),
          trained.stop_reason,
          csv_number(trained.seconds),
          csv_number(trained.binary_accuracy.at(test_index)),
          csv_number(trained.rest_weight)};
}

}  // namespace

std::string accuracy_csv(const Assessment& record) {
  const ConfusionMatrix& confusion = record.confusion;
  const AccuracyIntervals& intervals = record.intervals;
  const Cells header =
      matrix_header(confusion.names(), {"reference_pixels", "producers_accuracy", "users_accuracy", "f1",
                                        "producers_low", "producers_high", "users_low", "users_high", "f1_low",
                                        "f1_high", "producers_regions", "users_regions", "f1_regions"});
  const std::size_t columns = header.size();
  return csv_line(header, columns) + matrix_rows(record, columns) +
         csv_line({"pixels", std::to_string(confusion.pixels())}, columns) +
         csv_line({"unclassified_pixels", std::to_string(record.unclassified_pixels)}, columns) +
         csv_line(measure("overall_accuracy", confusion.overall_accuracy(), intervals.overall_accuracy), columns) +
         csv_line(measure("average_accuracy", confusion.average_accuracy(), intervals.average_accuracy), columns) +
         csv_line(measure("kappa", confusion.kappa(), intervals.kappa), columns) +
         disagreement_rows(disagreement(confusion.counts().cast<double>()), columns);
}

std::string area_csv(const AreaAssessment& areas, const std::vector<std::string>& names) {
  const AreaUnit unit = area_unit(areas);
  const Cells header =
      matrix_header(names, {"mapped_area", "area", "area_standard_error", "area_low", "area_high", "unit",
                            "producers_accuracy", "producers_standard_error", "producers_low", "producers_high",
                            "users_accuracy", "users_standard_error", "users_low", "users_high"});
  const std::size_t columns = header.size();
  std::string text = csv_line(header, columns);
  for (std::size_t r = 0; r < names.size(); ++r) {
    const ClassEstimate& entry = areas.estimate.classes[r];
    Cells row = {names[r]};
    for (Index c = 0; c < areas.estimate.shares.cols(); ++c) {
      // Cells of the matrix are shares of the area of all classified pixels; areas are these shares times the factor of
      // the unit.
      row.push_back(csv_number(areas.estimate.shares(static_cast<Index>(r), c)));
    }
    row.push_back(csv_number(entry.mapped_share * unit.factor));
    append_estimate(row, entry.share, unit.factor);
    row.push_back(unit.name);
    append_estimate(row, entry.producers_accuracy);
    append_estimate(row, entry.users_accuracy);
    text += csv_line(row, columns);
  }
  Cells overall = {"overall_accuracy"};
  append_estimate(overall, areas.estimate.overall_accuracy);
  return text + csv_line(overall, columns) + disagreement_rows(areas.estimate.disagreement, columns);
}

std::string comparison_csv(const MapComparison& comparison) {
  const PairedCounts& counts = comparison.counts;
  const std::optional<Interval>& interval = comparison.difference;
  // Shares of the pixels that are classified in both maps.
  const auto share = [&](std::int64_t pixels) {
    return csv_number(static_cast<double>(pixels) / static_cast<double>(counts.pixels()));
  };
  const std::vector<Cells> rows = {
      {"measure", "value"},
      {"pixels", std::to_string(counts.pixels())},
      {"both_right", std::to_string(counts.both_right)},
      {"first_only_right", std::to_string(counts.first_only)},
      {"second_only_right", std::to_string(counts.second_only)},
      {"both_wrong", std::to_string(counts.both_wrong)},
      {"unclassified_pixels", std::to_string(comparison.unclassified_pixels)},
      {"first_overall_accuracy", share(counts.both_right + counts.first_only)},
      {"second_overall_accuracy", share(counts.both_right + counts.second_only)},
      {"difference", share(counts.first_only - counts.second_only)},
      {"difference_low", csv_number(interval ? std::optional(interval->low) : std::nullopt)},
      {"difference_high", csv_number(interval ? std::optional(interval->high) : std::nullopt)},
      {"mcnemar_test", comparison.test.exact ? "exact binomial" : "chi-square with continuity correction"},
      {"mcnemar_chi_square",
       csv_number(comparison.test.exact ? std::nullopt : std::optional(comparison.test.statistic))},
      {"mcnemar_p_value", csv_number(comparison.test.p_value)},
  };
  std::string text;
  for (const Cells& row : rows) {
    text += csv_line(row, 2);
  }
  return text;
}

std::string experiment_csv(const ExperimentRecord& record) {
  std::string text =
      "data,kernel,criterion,dimension,repeat,seed,test,samples,overall_accuracy,average_binary_accuracy,class,"
      "class_dimension,criterion_value,C,support_vectors,evaluations,stop_reason,seconds,binary_accuracy,rest_"
      "weight\r\n";
  // Long format: one line for each class of each test set of each run, with the facts of the run repeated, so that the
  // table can be filtered and grouped without joining others.
  for (const ExperimentRun& run : record.runs) {
    for (std::size_t test = 0; test < run.tests.size(); ++test) {
      for (const ClassRun& trained : run.classes) {
        const Cells row = row_of(run, test, trained);
        text += csv_line(row, row.size());
      }
    }
  }
  return text;
}

}  // namespace parsimap
