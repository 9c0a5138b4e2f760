#include "run_shape.hpp"

namespace parsimap {

RunShape shape_of(const Dataset& draw, const std::vector<int>& classes) {
  RunShape shape;
  for (const TestSet& test : draw.tests) {
    shape.tests.push_back(test.name);
  }
  for (const int label : classes) {
    shape.classes.push_back(draw.train.classes[static_cast<std::size_t>(label)].name);
  }
  return shape;
}

RunShape shape_of(const ExperimentRun& run) {
  RunShape shape;
  for (const TestRun& test : run.tests) {
    shape.tests.push_back(test.name);
  }
  for (const ClassRun& trained : run.classes) {
    shape.classes.push_back(trained.name);
  }
  return shape;
}

std::string run_title(const ExperimentRun& run) {
  return "data set '" + run.data + "': repeat " + std::to_string(run.repeat) + " of " + to_string(run.method);
}

}  // namespace parsimap
