#include "experiment/run_shape.hpp"

#include <doctest/doctest.h>

#include "parsimap/experiment/run_experiment.hpp"

#include "unit/experiment/toy_experiment.hpp"

using namespace parsimap;

TEST_CASE("a run has the shape of the draw that it was made on") {
  const Dataset draw = toy::three_class_dataset();
  const RunShape shape = shape_of(draw, {2, 0});
  CHECK(shape.tests == std::vector<std::string>{"near", "far"});
  CHECK(shape.classes == std::vector<std::string>{"c", "a"});
  ExperimentRun run;
  run.tests.resize(2);
  run.tests[0].name = "near";
  run.tests[1].name = "far";
  run.classes.resize(2);
  run.classes[0].name = "c";
  run.classes[1].name = "a";
  CHECK(shape_of(run) == shape);
  run.classes[1].name = "b";
  CHECK_FALSE(shape_of(run) == shape);
}

TEST_CASE("a run is called by its data set, repeat and method") {
  ExperimentRun run;
  run.data = "hills";
  run.repeat = 3;
  run.method = {"hdda", "leave-one-out", "fixed:2"};
  CHECK(run_title(run) == "data set 'hills': repeat 3 of hdda, leave-one-out, fixed:2");
}
