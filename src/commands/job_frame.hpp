// The frame of every command's work: what comes before it, which files no output may replace, and what it took.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/options/option.hpp"
#include "parsimap/report/dry_run_report.hpp"

namespace parsimap {

// The number of threads that the options, or the environment, ask for. ConfigError: the variable SLURM_CPUS_PER_TASK is
// no number of threads.
int thread_count(const JobOptions& options);

// Memory for GDAL's cache, a quarter of all, and for the work.
std::int64_t cache_bytes(const JobOptions& options);
std::int64_t work_bytes(const JobOptions& options);

// The files that the description names and that are read, without folders.
std::vector<NamedFile> input_files(const CommandSyntax& syntax);

// No output may replace a file of these, nor the files beside it. DataError: a product among them cannot
// be read.
void add_inputs(OutputSet& outputs, const std::vector<NamedFile>& files);

// The description of a command's own options and those of its job, bound to `options`.
template <typename Options>
CommandSyntax work_syntax(Options& options) {
  CommandSyntax syntax = describe(options);
  syntax.common = job_options(options);
  return syntax;
}

// The same for the files that the options of a command name.
template <typename Options>
void add_inputs_of(OutputSet& outputs, const Options& options) {
  Options copy = options;
  add_inputs(outputs, input_files(work_syntax(copy)));
}

// "scene" or "mask" and the path of every file that is read, each once.
std::vector<std::pair<std::string, std::string>> roles_and_paths(const std::vector<NamedFile>& files);
template <typename Options>
std::vector<std::pair<std::string, std::string>> inputs_of(const Options& options) {
  Options copy = options;
  return roles_and_paths(input_files(work_syntax(copy)));
}

// The options that have a value, of those for which `wanted` holds.
template <typename Options>
Settings settings(const Options& options, const std::function<bool(const OptionSyntax&)>& wanted = {}) {
  Options copy = options;
  return settings_of(all_options(work_syntax(copy)), wanted);
}

// A progress of OutputOptions. Every output has a stage "writing" of its own, which begins when it is completed.
Progress writing_progress(Listener& listener);

// The largest resident size of this process so far.
std::int64_t peak_memory_bytes();

// The life of a command's work: a job puts in order what an interrupted command left, knows what is read, stages what
// is written, counts stages, time and memory for the record, and publishes all outputs together or none.
class Job {
 public:
  // Sets GDAL's options and cache, and repairs the files that `options`, those of a command, name. To be made before
  // the first of them is opened. Errors as repair_files(). A `dry` job writes and repairs nothing: its inputs are
  // opened and its outputs checked.
  template <typename Options>
  Job(const Options& options, Listener& listener, bool dry = false)
      : listener_(listener), set_(options.overwrite, dry) {
    Options copy = options;
    const CommandSyntax syntax = work_syntax(copy);
    begin(syntax, options);
    if (!dry) {
      repair(syntax);
    }
    words_ = command_words(syntax);
    inputs_ = input_files(syntax);
  }

  ~Job() { remove_from_memory(set_.dry_folder()); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // The files that are read. Those that only an input names are added before outputs() is called.
  [[nodiscard]] const std::vector<NamedFile>& inputs() const { return inputs_; }
  void add_input(NamedFile file) { inputs_.push_back(std::move(file)); }

  // What is written. No output may replace an input. Errors as add_inputs().
  OutputSet& outputs();

  // Announces the page of the command, which has the date of this day; nothing without a path. Errors as
  // command_pages.hpp has them.
  void stage_page(const std::string& role, const std::optional<std::string>& path);
  [[nodiscard]] bool has_page() const { return page_ != nullptr; }
  [[nodiscard]] const std::string& date() const { return date_; }
  void write_page(const std::string& html);

  // What a dry job has opened and staged so far: files, threads, and the memory that this has taken together with what
  // GDAL's cache may get of `scene_bytes`, decoded.
  [[nodiscard]] DryRunRecord preview(const JobOptions& options, std::int64_t scene_bytes) const;

  // Seconds since the beginning, and since the last stage.
  [[nodiscard]] double seconds() const { return watch_.seconds(); }
  double lap() { return watch_.lap(); }
  // Ends a stage, whose name and time the record gets, with the time and memory that the job has used so far.
  void end_stage(RunCost& record, const std::string& stage);

  // Puts all outputs in place: the stage "write" of a record.
  void publish() {
    listener_.before_publication();
    set_.publish();
  }
  void publish(RunCost& record) {
    publish();
    end_stage(record, "write");
  }

 private:
  void begin(const CommandSyntax& syntax, const JobOptions& options);
  void repair(const CommandSyntax& syntax);

  Listener& listener_;
  Stopwatch watch_;
  std::vector<NamedFile> inputs_;
  OutputSet set_;
  bool inputs_added_ = false;
  const StagedOutput* page_ = nullptr;
  std::string date_;
  std::vector<std::string> words_;  // of the command, for its page
};

}  // namespace parsimap
