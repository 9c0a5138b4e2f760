// Writes the page of the example experiment to standard output.
#include <iostream>
#include <string>

#include "parsimap/report/experiment_json.hpp"
#include "parsimap/report/experiment_report.hpp"

#include "support/example_experiment.hpp"

int main(int argc, char** argv) {
  using namespace parsimap;
  const ExperimentRecord record = argc > 1 ? test::example_experiment(std::stoi(argv[1])) : test::example_experiment();
  std::cout << experiment_html(record, results_json(record));
}
