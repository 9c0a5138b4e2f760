#include "parsimap/experiment/run_experiment.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/work.hpp"
#include "parsimap/experiment/sample_description.hpp"

#include "draws.hpp"
#include "kernel_shape.hpp"
#include "method_run.hpp"

namespace parsimap {
namespace {

// Returns what `body` returns, and puts the name of the data set in front of its errors.
template <typename Body>
auto with_name(const std::string& data, const Body& body) {
  const auto named = [&](const std::exception& error) { return "data set '" + data + "': " + error.what(); };
  try {
    return body();
  } catch (const DataError& error) {
    throw DataError(named(error));
  } catch (const ConfigError& error) {
    throw ConfigError(named(error));
  }
}

// Indices of the classes to train.
std::vector<int> wanted_classes(const DataSpec& data, const ClassTable& table) {
  std::vector<int> wanted;
  std::string known;
  for (std::size_t c = 0; c < table.size(); ++c) {
    known += (c == 0 ? "" : ", ") + table[c].name;
    if (data.classes.empty()) {
      wanted.push_back(static_cast<int>(c));
    }
  }
  for (const std::string& name : data.classes) {
    const auto entry =
        std::find_if(table.begin(), table.end(), [&](const ClassEntry& one) { return one.name == name; });
    if (entry == table.end()) {
      throw ConfigError("there is no class '" + name + "' to train; its classes are " + known);
    }
    wanted.push_back(static_cast<int>(entry - table.begin()));
  }
  return wanted;
}

// What all runs on a data set have in common: names in their order.
struct RunShape {
  std::vector<std::string> tests;
  std::vector<std::string> classes;
  bool operator==(const RunShape&) const = default;
};

RunShape shape_of(const Dataset& draw, const std::vector<int>& classes) {
  RunShape shape;
  for (const auto& test : draw.tests) {
    shape.tests.push_back(test.name);
  }
  for (const int label : classes) {
    shape.classes.push_back(draw.train.classes[static_cast<std::size_t>(label)].name);
  }
  return shape;
}

// One run that is to be done, and its place among all runs.
struct Pending {
  std::size_t data = 0;
  Index repeat = 0;
  std::size_t method = 0;
  std::size_t place = 0;
  std::size_t step = 0;  // of the progress
};

class Experiment {
 public:
  Experiment(const ExperimentSpec& spec, const ExperimentServices& services, int threads)
      : spec_(spec), services_(services), threads_(threads), progress_(services.progress) {}

  ExperimentRecord run() {
    ExperimentRecord record;
    record.title = spec_.title;
    record.description = spec_.description;
    record.configuration = services_.configuration;
    record.version = PARSIMAP_VERSION;
    record.published = spec_.published;
    if (spec_.kernel_shape) {
      record.kernels = kernel_surfaces(*spec_.kernel_shape);
    }
    // All data are read before the first run, so that bad data are found in the first minute and not in the last hour.
    for (const DataSpec& data : spec_.data) {
      record.data.push_back(with_name(data.name, [&] { return prepare(data); }));
    }
    plan();
    parallel_for(static_cast<Index>(pending_.size()), threads_,
                 [&](Index i) { finish(pending_[static_cast<std::size_t>(i)]); });
    progress_.finish();
    record.summary = summarise(runs_);
    record.runs = std::move(runs_);
    return record;
  }

 private:
  [[nodiscard]] std::uint64_t seed(Index repeat) const { return spec_.seed + static_cast<std::uint64_t>(repeat); }

  // Loads a data set and looks at its first draw.
  DataDescription prepare(const DataSpec& data) {
    const bool simulated = std::holds_alternative<SimulatedData>(data.source);
    loaded_.push_back(simulated ? nullptr : std::make_shared<const Dataset>(services_.load(data)));
    const auto draw = make_draw(data, loaded_.back(), seed(0));
    classes_.push_back(wanted_classes(data, draw->train.classes));
    check_draw(*draw, classes_.back(), spec_.methods, spec_.scaling);
    shapes_.push_back(shape_of(*draw, classes_.back()));
    for (const Method& method : spec_.methods) {
      work_.push_back(method_work(*draw, {data.name, 0, seed(0), classes_.back(), method, spec_.scaling}));
    }
    return describe_samples(data.name, draw->train, draw->wavelengths, dimension_rules(spec_.methods), spec_.scaling);
  }

  [[nodiscard]] const ExperimentRun* finished_run(std::size_t data, Index repeat, const MethodName& method) const {
    for (const ExperimentRun& run : services_.finished) {
      if (run.data == spec_.data[data].name && run.repeat == repeat && run.method == method) {
        return &run;
      }
    }
    return nullptr;
  }

  // Data may have changed since an experiment was stopped.
  void check_finished(const ExperimentRun& run, std::size_t data) const {
    RunShape shape;
    for (const TestRun& test : run.tests) {
      shape.tests.push_back(test.name);
    }
    for (const ClassRun& trained : run.classes) {
      shape.classes.push_back(trained.name);
    }
    if (shape != shapes_[data]) {
      throw DataError("data set '" + run.data + "': a finished run, repeat " + std::to_string(run.repeat) + " of " +
                      to_string(run.method) + ", has other classes or test sets than the data have now");
    }
  }

  // Lists what is to be done and takes over what is finished.
  void plan() {
    std::vector<std::size_t> finished;
    for (std::size_t data = 0; data < spec_.data.size(); ++data) {
      for (Index repeat = 0; repeat < spec_.repeats; ++repeat) {
        draws_.emplace_back();
        for (std::size_t method = 0; method < spec_.methods.size(); ++method) {
          const std::size_t kind = data * spec_.methods.size() + method;
          const ExperimentRun* run = finished_run(data, repeat, name_of(spec_.methods[method]));
          if (run != nullptr) {
            check_finished(*run, data);
            runs_.push_back(*run);
            finished.push_back(progress_.add("finished", work_[kind]));
          } else {
            // What the first repeat of a method on a data set took is expected of the others.
            const std::size_t step = progress_.add(std::to_string(kind), work_[kind]);
            pending_.push_back({data, repeat, method, runs_.size(), step});
            runs_.emplace_back();
            draws_.back().add_run();
          }
        }
      }
    }
    for (const std::size_t step : finished) {
      progress_.fraction(step)(1);
    }
  }

  void finish(const Pending& task) {
    const DataSpec& data = spec_.data[task.data];
    DrawSlot& slot =
        draws_[task.data * static_cast<std::size_t>(spec_.repeats) + static_cast<std::size_t>(task.repeat)];
    ExperimentRun run = with_name(data.name, [&] {
      const std::shared_ptr<const Dataset> draw = slot.take([&] { return checked_draw(task); });
      return run_method(
          *draw,
          {data.name, task.repeat, seed(task.repeat), classes_[task.data], spec_.methods[task.method], spec_.scaling},
          progress_.work(task.step));
    });
    progress_.finish(task.step);
    slot.finish_run();
    const std::lock_guard lock(mutex_);
    if (services_.on_run) {
      services_.on_run(run);
    }
    runs_[task.place] = std::move(run);
  }

  [[nodiscard]] std::shared_ptr<const Dataset> checked_draw(const Pending& task) const {
    const auto draw = make_draw(spec_.data[task.data], loaded_[task.data], seed(task.repeat));
    check_draw(*draw, classes_[task.data], spec_.methods, spec_.scaling);
    return draw;
  }

  const ExperimentSpec& spec_;
  const ExperimentServices& services_;
  int threads_;
  std::vector<std::shared_ptr<const Dataset>> loaded_;  // by data set
  std::vector<std::vector<int>> classes_;               // to train, by data set
  std::vector<RunShape> shapes_;                        // of the runs, by data set
  std::deque<DrawSlot> draws_;                          // by data set and repeat
  std::vector<Pending> pending_;
  std::vector<ExperimentRun> runs_;
  std::vector<double> work_;  // expected of a run, by data set and method
  WorkProgress progress_;
  std::mutex mutex_;  // of the services and runs_
};

}  // namespace

ExperimentRecord run_experiment(const ExperimentSpec& spec, const ExperimentServices& services, int threads) {
  check_experiment(spec);
  return Experiment(spec, services, threads).run();
}

}  // namespace parsimap
