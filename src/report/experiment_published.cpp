#include "parsimap/report/experiment_published.hpp"

#include <algorithm>

namespace parsimap {
namespace {

// Empty names the first.
std::optional<std::size_t> index_of_test(const ExperimentRun& run, const std::string& name) {
  for (std::size_t i = 0; i < run.tests.size(); ++i) {
    if (name.empty() || run.tests[i].name == name) {
      return i;
    }
  }
  return std::nullopt;
}

std::optional<double> of_whole_run(const ExperimentRun& run, const PublishedValue& published) {
  if (published.quantity == "seconds") {
    double sum = 0;
    for (const ClassRun& trained : run.classes) {
      sum += trained.seconds;
    }
    return sum;
  }
  const auto test = index_of_test(run, published.test);
  if (!test) {
    return std::nullopt;
  }
  if (published.quantity == "overall_accuracy") {
    return run.tests[*test].overall_accuracy;
  }
  if (published.quantity == "average_binary_accuracy") {
    return run.tests[*test].average_binary_accuracy;
  }
  return std::nullopt;
}

std::optional<double> of_class(const ExperimentRun& run, const ClassRun& trained, const PublishedValue& published) {
  if (published.quantity == "criterion_value") {
    return trained.criterion_value;
  }
  if (published.quantity == "dimension") {
    return static_cast<double>(trained.dimension);
  }
  if (published.quantity == "seconds") {
    return trained.seconds;
  }
  const auto test = index_of_test(run, published.test);
  if (published.quantity == "binary_accuracy" && test) {
    return trained.binary_accuracy.at(*test);
  }
  return std::nullopt;
}

std::optional<double> of_run(const ExperimentRun& run, const PublishedValue& published) {
  if (published.class_name.empty()) {
    return of_whole_run(run, published);
  }
  const auto trained = std::find_if(run.classes.begin(), run.classes.end(),
                                    [&](const ClassRun& other) { return other.name == published.class_name; });
  return trained == run.classes.end() ? std::nullopt : of_class(run, *trained, published);
}

std::string column_of(const PublishedValue& published) {
  if (!published.class_name.empty()) {
    return published.class_name;
  }
  return published.quantity == "average_binary_accuracy" ? "mean" : "all classes";
}

std::string table_quantity(const PublishedValue& published) {
  return published.quantity == "average_binary_accuracy" ? "binary_accuracy" : published.quantity;
}

ComparedTable& table_of(std::vector<ComparedTable>& tables, const PublishedValue& published) {
  const std::string quantity = table_quantity(published);
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const ComparedTable& table) {
    return table.source == published.source && table.quantity == quantity && table.data == published.data &&
           table.test == published.test;
  });
  if (found != tables.end()) {
    return *found;
  }
  return tables.emplace_back(ComparedTable{published.source, quantity, published.data, published.test, {}, {}});
}

std::size_t column_index(ComparedTable& table, const std::string& column) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), column);
  const auto index = static_cast<std::size_t>(found - table.columns.begin());
  if (found == table.columns.end()) {
    table.columns.push_back(column);
  }
  return index;
}

ComparedRow& row_of(ComparedTable& table, const MethodName& method) {
  const auto found =
      std::find_if(table.rows.begin(), table.rows.end(), [&](const ComparedRow& row) { return row.method == method; });
  return found == table.rows.end() ? table.rows.emplace_back(ComparedRow{method, {}}) : *found;
}

}  // namespace

std::optional<double> measured_value(const ExperimentRecord& record, const PublishedValue& published) {
  double sum = 0;
  Index count = 0;
  for (const ExperimentRun& run : record.runs) {
    if (run.data == published.data && run.method == published.method) {
      if (const auto value = of_run(run, published)) {
        sum += *value;
        ++count;
      }
    }
  }
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

std::vector<ComparedTable> compare_published(const ExperimentRecord& record) {
  std::vector<ComparedTable> tables;
  for (const PublishedValue& published : record.published) {
    ComparedTable& table = table_of(tables, published);
    const std::size_t column = column_index(table, column_of(published));
    ComparedRow& row = row_of(table, published.method);
    row.values.resize(std::max(row.values.size(), column + 1));
    row.values[column] = {published.value, measured_value(record, published)};
  }
  for (ComparedTable& table : tables) {
    for (ComparedRow& row : table.rows) {
      row.values.resize(table.columns.size());
    }
  }
  return tables;
}

}  // namespace parsimap
