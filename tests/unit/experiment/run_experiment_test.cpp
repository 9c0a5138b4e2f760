#include "parsimap/experiment/run_experiment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/experiment/experiment_record.hpp"

#include "unit/core/temporary_folder.hpp"
#include "unit/experiment/toy_experiment.hpp"

using namespace parsimap;

namespace {

// Two data sets x two repeats x three methods.
ExperimentSpec small_spec() {
  ExperimentSpec spec;
  spec.title = "small";
  spec.description = "an experiment";
  spec.data = {toy::loaded_data("hills"), toy::loaded_data("drawn")};
  spec.data[0].train_per_class = 12;
  spec.data[0].classes = {"c", "a"};
  spec.data[1].source = toy::small_simulation();
  spec.methods = {toy::method(ExperimentKernel::hdda, ExperimentCriterion::leave_one_out),
                  toy::method(ExperimentKernel::gaussian, ExperimentCriterion::leave_one_out),
                  toy::method(ExperimentKernel::mahalanobis, ExperimentCriterion::leave_one_out)};
  spec.repeats = 2;
  spec.seed = 40;
  return spec;
}

ExperimentServices toy_services() {
  ExperimentServices services;
  services.load = [](const DataSpec&) { return toy::three_class_dataset(); };
  return services;
}

// Everything but the seconds.
void check_same(const ExperimentRun& a, const ExperimentRun& b) {
  CHECK(a.data == b.data);
  CHECK(a.method == b.method);
  CHECK(a.repeat == b.repeat);
  CHECK(a.seed == b.seed);
  REQUIRE(a.tests.size() == b.tests.size());
  for (std::size_t t = 0; t < a.tests.size(); ++t) {
    CHECK(a.tests[t].name == b.tests[t].name);
    CHECK(a.tests[t].samples == b.tests[t].samples);
    CHECK(a.tests[t].overall_accuracy == b.tests[t].overall_accuracy);
    CHECK(a.tests[t].average_binary_accuracy == b.tests[t].average_binary_accuracy);
  }
  REQUIRE(a.classes.size() == b.classes.size());
  for (std::size_t c = 0; c < a.classes.size(); ++c) {
    CHECK(a.classes[c].name == b.classes[c].name);
    CHECK(a.classes[c].criterion_value == b.classes[c].criterion_value);
    CHECK(a.classes[c].C == b.classes[c].C);
    CHECK(a.classes[c].weights == b.classes[c].weights);
    CHECK(a.classes[c].trace == b.classes[c].trace);
    CHECK(a.classes[c].binary_accuracy == b.classes[c].binary_accuracy);
    CHECK(a.classes[c].evaluations == b.classes[c].evaluations);
  }
}

template <typename Change>
std::string refusal_of_run(const Change& change) {
  ExperimentSpec spec = small_spec();
  ExperimentServices services = toy_services();
  change(spec, services);
  return message_of([&] { run_experiment(spec, services, 1); });
}

}  // namespace

TEST_CASE("run experiment: runs come in the order data, repeat, method") {
  const ExperimentSpec spec = small_spec();
  const ExperimentRecord record = run_experiment(spec, toy_services(), 1);
  CHECK(record.title == "small");
  CHECK(record.description == "an experiment");
  REQUIRE(record.runs.size() == 12);
  for (std::size_t i = 0; i < 12; ++i) {
    const ExperimentRun& run = record.runs[i];
    CHECK(run.data == (i < 6 ? "hills" : "drawn"));
    CHECK(run.repeat == static_cast<Index>(i / 3 % 2));
    CHECK(run.seed == 40 + i / 3 % 2);
    CHECK(run.method == name_of(spec.methods[i % 3]));
    CHECK(run.tests.front().name == (i < 6 ? "rest" : "test"));
    CHECK(run.classes.size() == (i < 6 ? 2 : 3));
    CHECK(run.classes.front().name == (i < 6 ? "c" : "soil"));
  }
  CHECK(record.summary.size() == 3 * 3 + 3 * 1);
  REQUIRE(record.data.size() == 2);
  CHECK(record.data[0].training_samples == 36);
  CHECK(record.data[1].training_samples == 90);
  CHECK(record.data[0].classes[1].scree.size() == 1);
}

TEST_CASE("run experiment: a repeat is its own draw, with the seed of the experiment plus its number") {
  ExperimentSpec spec = small_spec();
  spec.methods.resize(1);
  const ExperimentRecord record = run_experiment(spec, toy_services(), 1);
  spec.repeats = 1;
  spec.seed = 41;
  const ExperimentRecord later = run_experiment(spec, toy_services(), 1);
  CHECK(later.runs[0].classes[0].weights == record.runs[1].classes[0].weights);
  CHECK(later.runs[1].classes[0].weights == record.runs[3].classes[0].weights);
  CHECK(record.runs[0].classes[0].weights != record.runs[1].classes[0].weights);
  CHECK(record.runs[2].classes[0].weights != record.runs[3].classes[0].weights);
}

TEST_CASE("run experiment: results do not depend on the number of threads") {
  const ExperimentSpec spec = small_spec();
  const ExperimentRecord one = run_experiment(spec, toy_services(), 1);
  for (const int threads : {2, 5}) {
    const ExperimentRecord several = run_experiment(spec, toy_services(), threads);
    REQUIRE(several.runs.size() == one.runs.size());
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
      check_same(several.runs[i], one.runs[i]);
    }
    CHECK(several.data[1].classes[2].mean == one.data[1].classes[2].mean);
  }
}

TEST_CASE("run experiment: finished runs of other classes or test sets than the data have are refused") {
  const ExperimentSpec spec = small_spec();
  ExperimentServices services = toy_services();
  services.finished = {run_experiment(spec, services, 1).runs.front()};
  const auto refusal = [&] { return message_of([&] { run_experiment(spec, services, 1); }); };
  services.finished[0].tests.front().name = "another";
  CHECK(refusal().ends_with("has other classes or test sets than the data have now"));
  services.finished[0].tests.clear();
  CHECK_THROWS_AS(run_experiment(spec, services, 1), DataError);
}

TEST_CASE("run experiment: finished runs are taken over as they are and not repeated") {
  const ExperimentSpec spec = small_spec();
  const ExperimentRecord whole = run_experiment(spec, toy_services(), 1);
  ExperimentServices services = toy_services();
  std::set<std::size_t> kept = {0, 4, 5, 6, 7, 8, 11};
  for (const std::size_t i : kept) {
    services.finished.push_back(whole.runs[i]);
    services.finished.back().classes[0].stop_reason = "taken over";
  }
  std::vector<ExperimentRun> made;
  services.on_run = [&](const ExperimentRun& run) { made.push_back(run); };
  std::vector<double> fractions;
  services.progress = [&](double fraction) { fractions.push_back(fraction); };
  const ExperimentRecord resumed = run_experiment(spec, services, 2);
  CHECK(made.size() == 5);
  for (const ExperimentRun& run : made) {
    CHECK(run.classes[0].stop_reason != "taken over");
  }
  for (std::size_t i = 0; i < whole.runs.size(); ++i) {
    check_same(resumed.runs[i], whole.runs[i]);
    CHECK((resumed.runs[i].classes[0].stop_reason == "taken over") == (kept.count(i) == 1));
  }
  // The progress is that of the runs that are left.
  CHECK(fractions.front() < 0.1);
  CHECK(fractions.back() == 1);
}

TEST_CASE("run experiment: progress rises to 1, and may stop the computation") {
  ExperimentServices services = toy_services();
  std::vector<double> fractions;
  services.progress = [&](double fraction) { fractions.push_back(fraction); };
  run_experiment(small_spec(), services, 2);
  CHECK(std::is_sorted(fractions.begin(), fractions.end()));
  CHECK(fractions.front() < 0.1);
  CHECK(fractions.back() == 1);
  for (std::size_t i = 1; i < fractions.size(); ++i) {
    CHECK(fractions[i] - fractions[i - 1] < 0.1);
  }

  int runs = 0;
  services.on_run = [&](const ExperimentRun&) { ++runs; };
  services.progress = [](double fraction) {
    if (fraction > 0.3) {
      throw IoError("stopped");
    }
  };
  CHECK(message_of([&] { run_experiment(small_spec(), services, 2); }) == "stopped");
  CHECK(runs < 12);
}

TEST_CASE("run experiment: files are loaded once per data set, before the first run") {
  ExperimentSpec spec = small_spec();
  spec.data.push_back(toy::loaded_data("lakes"));
  std::map<std::string, int> loads;
  int runs = 0;
  ExperimentServices services = toy_services();
  services.load = [&](const DataSpec& data) {
    CHECK(runs == 0);
    ++loads[data.name];
    return toy::three_class_dataset();
  };
  services.on_run = [&](const ExperimentRun&) { ++runs; };
  run_experiment(spec, services, 1);
  CHECK(loads == std::map<std::string, int>{{"hills", 1}, {"lakes", 1}});
}

TEST_CASE("run experiment: published values and kernel surfaces go into the record") {
  ExperimentSpec spec = small_spec();
  spec.data.resize(1);
  spec.repeats = 1;
  spec.published = {{"paper", "seconds", "hills", "", "", name_of(spec.methods[0]), 7}};
  spec.kernel_shape.emplace();
  spec.kernel_shape->surfaces = {{"G", ExperimentKernel::gaussian, {0.5}}};
  const ExperimentRecord record = run_experiment(spec, toy_services(), 1);
  REQUIRE(record.published.size() == 1);
  CHECK(record.published[0].value == 7);
  REQUIRE(record.kernels.size() == 1);
  CHECK(record.kernels[0].values(40, 40) == 1);
  spec.data.clear();
  spec.methods.clear();
  spec.published.clear();
  CHECK(run_experiment(spec, {}, 2).kernels.size() == 1);
}

TEST_CASE("run experiment: errors name the data set") {
  CHECK(refusal_of_run([](ExperimentSpec&, ExperimentServices& services) {
          services.load = [](const DataSpec&) -> Dataset { throw DataError("x.data is missing"); };
        }) == "data set 'hills': x.data is missing");
  CHECK(refusal_of_run([](ExperimentSpec& spec, ExperimentServices&) {
          spec.data[0].classes = {"a", "z"};
        }) == "data set 'hills': there is no class 'z' to train; its classes are a, b, c");
  CHECK(refusal_of_run([](ExperimentSpec& spec, ExperimentServices&) {
          spec.data[0].train_per_class = 20;
        }).rfind("data set 'hills': class 'a' has 20 training samples", 0) == 0);
  CHECK(refusal_of_run([](ExperimentSpec& spec, ExperimentServices&) {
          spec.methods[0].dimension = parse_dimension_rule("fixed:10");
        }).rfind("data set 'hills': class 'c': the dimension fixed:10 must be smaller", 0) == 0);
  CHECK(refusal_of_run([](ExperimentSpec&, ExperimentServices& services) {
          services.load = [](const DataSpec&) {
            Dataset dataset = toy::three_class_dataset();
            dataset.train.classes.resize(1);
            dataset.train.labels.assign(60, 0);
            return dataset;
          };
        }) == "data set 'hills': there is no class 'c' to train; its classes are a");
}

namespace {

// What several calls, one for each of `parts`, hand on.
struct Joined {
  std::vector<ExperimentRun> runs;
  std::vector<DataDescription> descriptions;
  std::vector<std::string> loaded;  // data sets, at every call
};

Joined run_parts(const ExperimentSpec& spec, const std::vector<ItemRange>& parts) {
  Joined joined;
  ExperimentServices services = toy_services();
  services.load = [&](const DataSpec& data) {
    joined.loaded.push_back(data.name);
    return toy::three_class_dataset();
  };
  services.on_run = [&](const ExperimentRun& run) { joined.runs.push_back(run); };
  services.on_description = [&](const DataDescription& one) { joined.descriptions.push_back(one); };
  for (const ItemRange& part : parts) {
    run_experiment_part(spec, services, part, 2);
  }
  return joined;
}

}  // namespace

TEST_CASE("run experiment: its parts together are the whole, and read only what they need") {
  ExperimentSpec spec = small_spec();
  const ExperimentRecord whole = run_experiment(spec, toy_services(), 1);
  const Joined joined = run_parts(spec, {{8, 12}, {0, 1}, {1, 1}, {1, 8}});
  CHECK(joined.loaded == std::vector<std::string>{"hills", "hills"});
  const ExperimentRecord record = joined_record(spec, "", joined.descriptions, joined.runs);
  REQUIRE(record.runs.size() == whole.runs.size());
  for (std::size_t i = 0; i < whole.runs.size(); ++i) {
    check_same(record.runs[i], whole.runs[i]);
  }
  REQUIRE(record.data.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(record.data[i].name == whole.data[i].name);
    CHECK(record.data[i].classes[1].eigenvalues == whole.data[i].classes[1].eigenvalues);
  }
  CHECK(record.summary.size() == whole.summary.size());
}

TEST_CASE("run experiment: a part that is finished reads and does nothing") {
  const ExperimentSpec spec = small_spec();
  const Joined first = run_parts(spec, {{0, 3}});
  ExperimentServices services;
  services.load = [](const DataSpec&) -> Dataset { throw DataError("was read"); };
  services.on_run = [](const ExperimentRun&) { FAIL("a run was repeated"); };
  services.finished = first.runs;
  CHECK_THROWS_AS(run_experiment_part(spec, services, {0, 3}, 1), DataError);
  services.described = {"hills"};
  CHECK_NOTHROW(run_experiment_part(spec, services, {0, 3}, 1));
  CHECK_THROWS_AS(run_experiment_part(spec, services, {0, 4}, 1), DataError);
}
