#include "summary.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace parsimap {
namespace {

using Runs = std::vector<const ExperimentRun*>;

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

std::optional<double> deviation_of(const std::vector<double>& values) {
  if (values.size() < 2) {
    return std::nullopt;
  }
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

// Of the runs of one method on one data set.
MethodSummary summary_of(const Runs& runs, std::size_t test) {
  const ExperimentRun& first = *runs.front();
  std::vector<double> overall;
  std::vector<double> binary;
  std::vector<double> seconds;
  for (const ExperimentRun* run : runs) {
    if (run->tests[test].overall_accuracy) {
      overall.push_back(*run->tests[test].overall_accuracy);
    }
    binary.push_back(run->tests[test].average_binary_accuracy);
    double together = 0;
    for (const ClassRun& trained : run->classes) {
      together += trained.seconds;
    }
    seconds.push_back(together);
  }
  MethodSummary summary{
      first.data, first.method, first.tests[test].name, static_cast<Index>(runs.size()), {}, {}, 0, {}, 0};
  if (overall.size() == runs.size()) {
    summary.mean_overall_accuracy = mean_of(overall);
    summary.deviation_overall_accuracy = deviation_of(overall);
  }
  summary.mean_average_binary_accuracy = mean_of(binary);
  summary.deviation_average_binary_accuracy = deviation_of(binary);
  summary.mean_seconds = mean_of(seconds);
  return summary;
}

}  // namespace

std::vector<MethodSummary> summarise(const std::vector<ExperimentRun>& runs) {
  std::vector<Runs> groups;
  for (const ExperimentRun& run : runs) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Runs& others) {
      return others.front()->data == run.data && others.front()->method == run.method;
    });
    if (group == groups.end()) {
      groups.push_back({&run});
    } else {
      group->push_back(&run);
    }
  }
  std::vector<MethodSummary> summaries;
  for (const Runs& group : groups) {
    for (std::size_t test = 0; test < group.front()->tests.size(); ++test) {
      summaries.push_back(summary_of(group, test));
    }
  }
  return summaries;
}

}  // namespace parsimap
