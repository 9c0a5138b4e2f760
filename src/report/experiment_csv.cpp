#include "parsimap/report/experiment_csv.hpp"

#include "csv.hpp"

namespace parsimap {
namespace {

std::vector<std::string> row_of(const ExperimentRun& run, std::size_t test_index, const ClassRun& trained) {
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

std::string experiment_csv(const ExperimentRecord& record) {
  const std::vector<std::string> header = {"data",
                                           "kernel",
                                           "criterion",
                                           "dimension",
                                           "repeat",
                                           "seed",
                                           "test",
                                           "samples",
                                           "overall_accuracy",
                                           "average_binary_accuracy",
                                           "class",
                                           "class_dimension",
                                           "criterion_value",
                                           "C",
                                           "support_vectors",
                                           "evaluations",
                                           "stop_reason",
                                           "seconds",
                                           "binary_accuracy",
                                           "rest_weight"};
  std::string text = csv_line(header, header.size());
  for (const ExperimentRun& run : record.runs) {
    for (std::size_t test = 0; test < run.tests.size(); ++test) {
      for (const ClassRun& trained : run.classes) {
        text += csv_line(row_of(run, test, trained), header.size());
      }
    }
  }
  return text;
}

}  // namespace parsimap
