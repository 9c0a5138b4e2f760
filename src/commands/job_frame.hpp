// The frame of every command's work: what comes before it, which files no output may replace, and what it took.
#pragma once

#include <chrono>
#include <cstdint>

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/job/output_set.hpp"

#include "common_options.hpp"

namespace parsimap {

// The number of threads that the options, or the environment, ask for. ConfigError: the variable SLURM_CPUS_PER_TASK is
// no number of threads.
int thread_count(const JobOptions& options);

// Memory for the work, beside the quarter that GDAL's cache gets.
std::int64_t work_bytes(const JobOptions& options);

// Sets GDAL's options and cache, and puts in order what an interrupted command left beside the files that the
// description names. To be called before the first of them is opened. `syntax` is bound to a struct with `options`.
void begin_job(const CommandSyntax& syntax, const JobOptions& options, Listener& listener);

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

// The same as above for the options of a command.
template <typename Options>
void begin_job(const Options& options, Listener& listener) {
  Options copy = options;
  begin_job(work_syntax(copy), copy, listener);
}

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

// Wall-clock seconds of a piece of work and of its stages.
class Stopwatch {
 public:
  // Seconds since the last lap, or since the beginning.
  double lap() {
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }
  // Seconds since the beginning.
  [[nodiscard]] double total() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace parsimap
