#include "parsimap/experiment/run_experiment.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>

#include "parsimap/core/error.hpp"

#include "draws.hpp"
#include "method_run.hpp"

namespace parsimap {
namespace {

// What `body` returns. The name of the data set is put in front of its errors.
template <typename Body>
auto with_name(const std::string& data, const Body& body) {
  const std::string place = "data set '" + data + "': ";
  return naming<DataError>(place, [&] { return naming<ConfigError>(place, body); });
}

// Indices of the classes to train.
std::vector<int> wanted_classes(const DataSpec& data, const ClassTable& table) {
  // Without a list all classes are trained.
  std::vector<int> wanted;
  std::string known;
  for (std::size_t c = 0; c < table.size(); ++c) {
    known += (c == 0 ? "" : ", ") + table[c].name;
    if (data.classes.empty()) {
      wanted.push_back(static_cast<int>(c));
    }
  }
  for (const std::string& name : data.classes) {
    const auto entry = std::ranges::find(table, name, &ClassEntry::name);
    if (entry == table.end()) {
      throw ConfigError("there is no class '" + name + "' to train; its classes are " + known);
    }
    wanted.push_back(static_cast<int>(entry - table.begin()));
  }
  return wanted;
}

// One run that is to be done, and its place among all runs.
struct Pending {
  std::size_t data = 0;
  Index repeat = 0;
  std::size_t method = 0;
  std::size_t place = 0;
  std::size_t step = 0;  // of the progress
};

// Runs are ordered by data set, repeat and method, and numbered in this order; a part of an experiment is a range of
// these numbers. Runs are independent and are distributed over the threads. A repeat of a data set is drawn once, for
// all methods.
class Experiment {
 public:
  Experiment(const ExperimentSpec& spec, const ExperimentServices& services, const ItemRange& part, int threads)
      : spec_(spec), services_(services), part_(part), threads_(threads), progress_(services.progress) {}

  void run() {
    // All data are read before the first run, so that bad data are found in the first minute and not in the last hour.
    for (std::size_t data = 0; data < spec_.data.size(); ++data) {
      with_name(spec_.data[data].name, [&] { prepare(data); });
    }
    plan();
    // Each thread takes the next run that is left. Results have their places in the order of the runs, so that they do
    // not depend on which run is finished first.
    parallel_for(static_cast<Index>(pending_.size()), threads_,
                 [&](Index i) { finish(pending_[static_cast<std::size_t>(i)]); });
    report_done(services_.progress, 1, 1);
  }

  [[nodiscard]] const std::vector<DataDescription>& descriptions() const { return descriptions_; }
  [[nodiscard]] const std::vector<ExperimentRun>& runs() const { return runs_; }

 private:
  [[nodiscard]] std::uint64_t seed(Index repeat) const { return spec_.seed + static_cast<std::uint64_t>(repeat); }

  [[nodiscard]] bool in_part(Index place) const { return place >= part_.first && place < part_.last; }

  // Whether this part has to describe a data set.
  [[nodiscard]] bool to_describe(std::size_t data) const {
    // A data set is described by the part that contains its first run, unless a journal has the description.
    const std::vector<std::string>& described = services_.described;
    return in_part(first_run_of_data(spec_, data)) &&
           std::ranges::find(described, spec_.data[data].name) == described.end();
  }

  // Whether anything on a data set is left to be done.
  [[nodiscard]] bool needed(std::size_t data) const {
    // A data set of which every run in this part is in the journal need not be read again.
    Index place = first_run_of_data(spec_, data);
    bool pending = to_describe(data);
    for (Index repeat = 0; repeat < spec_.repeats; ++repeat) {
      for (const Method& method : spec_.methods) {
        pending = pending || (in_part(place) && finished_run(data, repeat, name_of(method)) == nullptr);
        ++place;
      }
    }
    return pending;
  }

  // Loads a data set and looks at its first draw. Nothing where nothing is to be done.
  void prepare(std::size_t index) {
    const DataSpec& data = spec_.data[index];
    loaded_.emplace_back();
    classes_.emplace_back();
    shapes_.emplace_back();
    work_.resize(work_.size() + spec_.methods.size());
    if (!needed(index)) {
      return;
    }
    // Files are read once for all repeats; simulated data are drawn anew for each.
    if (!std::holds_alternative<SimulatedData>(data.source)) {
      loaded_.back() = std::make_shared<const Dataset>(services_.load(data));
    }
    const auto draw = make_draw(data, loaded_.back(), seed(0));
    classes_.back() = wanted_classes(data, draw->train.classes);
    check_draw(*draw, classes_.back(), spec_.methods, spec_.scaling);
    shapes_.back() = shape_of(*draw, classes_.back());
    // The operations that a run of each method will take are expected from the first draw; they weigh the runs in the
    // progress.
    std::transform(spec_.methods.begin(), spec_.methods.end(), work_.end() - static_cast<Index>(spec_.methods.size()),
                   [&](const Method& method) {
                     return method_work(*draw, {data.name, 0, seed(0), classes_.back(), method, spec_.scaling});
                   });
    if (to_describe(index)) {
      descriptions_.push_back(
          describe_samples(data.name, draw->train, draw->wavelengths, dimension_rules(spec_.methods), spec_.scaling));
      if (services_.on_description) {
        services_.on_description(descriptions_.back());
      }
    }
  }

  [[nodiscard]] const ExperimentRun* finished_run(std::size_t data, Index repeat, const MethodName& method) const {
    for (const ExperimentRun& run : services_.finished) {
      if (run.data == spec_.data[data].name && run.repeat == repeat && run.method == method) {
        return &run;
      }
    }
    return nullptr;
  }

  // Data may have changed since an experiment was stopped. Those on which nothing is left to be done are not read.
  void check_finished(const ExperimentRun& run, std::size_t data) const {
    if (shapes_[data] && !(shape_of(run) == *shapes_[data])) {
      throw DataError("data set '" + run.data + "': a finished run, repeat " + std::to_string(run.repeat) + " of " +
                      to_string(run.method) + ", has other classes or test sets than the data have now");
    }
  }

  // Lists what is to be done and takes over what is finished.
  void plan() {
    Index place = 0;
    for (std::size_t data = 0; data < spec_.data.size(); ++data) {
      for (Index repeat = 0; repeat < spec_.repeats; ++repeat) {
        draws_.emplace_back();
        for (std::size_t method = 0; method < spec_.methods.size(); ++method) {
          if (!in_part(place++)) {
            continue;
          }
          const ExperimentRun* run = finished_run(data, repeat, name_of(spec_.methods[method]));
          if (run != nullptr) {
            check_finished(*run, data);
            runs_.push_back(*run);
          } else {
            const double expected = work_[data * spec_.methods.size() + method];
            pending_.push_back({data, repeat, method, runs_.size(), progress_.add(expected)});
            // Places of runs that are still to be done are filled by finish().
            runs_.emplace_back();
            draws_.back().add_run();
          }
        }
      }
    }
  }

  void finish(const Pending& task) {
    const DataSpec& data = spec_.data[task.data];
    // The draw is made by the first run that needs it, and dropped after the last one.
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
    // The journal is written before the run counts as done, by one thread at a time.
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
  ItemRange part_;
  int threads_;
  std::vector<std::shared_ptr<const Dataset>> loaded_;  // by data set
  std::vector<std::vector<int>> classes_;               // to train, by data set
  std::vector<std::optional<RunShape>> shapes_;         // of the runs, by data set
  std::vector<DataDescription> descriptions_;
  std::deque<DrawSlot> draws_;  // by data set and repeat
  std::vector<Pending> pending_;
  std::vector<ExperimentRun> runs_;
  std::vector<double> work_;  // expected of a run, by data set and method
  WorkProgress progress_;
  std::mutex mutex_;  // of the services and runs_
};

}  // namespace

ExperimentRecord run_experiment(const ExperimentSpec& spec, const ExperimentServices& services, int threads) {
  Experiment experiment(spec, services, {0, run_count(spec)}, threads);
  experiment.run();
  return joined_record(spec, services.configuration, experiment.descriptions(), experiment.runs());
}

void run_experiment_part(const ExperimentSpec& spec, const ExperimentServices& services, const ItemRange& part,
                         int threads) {
  Experiment(spec, services, part, threads).run();
}

}  // namespace parsimap
