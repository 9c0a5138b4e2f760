#include "parsimap/report/experiment_text.hpp"

#include <algorithm>

#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

// "84.1 ± 0.5"
std::string accuracy(std::optional<double> mean, std::optional<double> deviation) {
  return percent(mean) + (deviation ? " ± " + percent(deviation) : "");
}

// Calls visit(class run) for all of a method on a data set.
template <typename Visit>
void each_class(const ExperimentRecord& record, const MethodSummary& summary, const Visit& visit) {
  for (const ExperimentRun& run : record.runs) {
    if (run.data == summary.data && run.method == summary.method) {
      std::for_each(run.classes.begin(), run.classes.end(), visit);
    }
  }
}

std::string mean_criterion(const ExperimentRecord& record, const MethodSummary& summary) {
  double sum = 0;
  Index count = 0;
  each_class(record, summary, [&](const ClassRun& trained) {
    sum += trained.criterion_value;
    ++count;
  });
  return count == 0 ? "-" : short_number(sum / static_cast<double>(count));
}

std::string test_of(const ExperimentRecord& record, const std::string& data) {
  const auto run = std::find_if(record.runs.begin(), record.runs.end(),
                                [&](const ExperimentRun& entry) { return entry.data == data; });
  return run == record.runs.end() ? std::string() : run->tests.front().name;
}

std::string table_of(const ExperimentRecord& record, const std::string& data, const std::string& test) {
  TextTable table({Alignment::left, Alignment::left, Alignment::left, Alignment::right, Alignment::right,
                   Alignment::right, Alignment::right});
  table.add_row({"kernel", "criterion", "dimension", "overall %", "class against rest %", "criterion", "seconds"});
  for (const MethodSummary& summary : record.summary) {
    if (summary.data == data && summary.test == test) {
      table.add_row({summary.method.kernel, summary.method.criterion,
                     summary.method.dimension.empty() ? "-" : summary.method.dimension,
                     accuracy(summary.mean_overall_accuracy, summary.deviation_overall_accuracy),
                     accuracy(summary.mean_average_binary_accuracy, summary.deviation_average_binary_accuracy),
                     mean_criterion(record, summary), short_number(summary.mean_seconds)});
    }
  }
  return table.text();
}

Index trivial_classes(const ExperimentRecord& record, const std::string& data) {
  Index count = 0;
  for (const ExperimentRun& run : record.runs) {
    if (run.data == data) {
      count += std::count_if(run.classes.begin(), run.classes.end(), [](const ClassRun& trained) {
        return trained.stop_reason.find("trivial plateau") != std::string::npos;
      });
    }
  }
  return count;
}

}  // namespace

std::string experiment_text(const ExperimentRecord& record) {
  std::string text = record.title + "\n";
  for (const DataDescription& data : record.data) {
    const std::string test = test_of(record, data.name);
    text += "\n" + data.name + ": " + std::to_string(data.training_samples) + " training samples, " +
            std::to_string(data.bands) + " features; test set '" + test + "'\n\n" + table_of(record, data.name, test);
    if (const Index trivial = trivial_classes(record, data.name); trivial > 0) {
      text += "\nMachines that ended on the trivial plateau of the criterion: " + std::to_string(trivial) + "\n";
    }
  }
  return text;
}

}  // namespace parsimap
