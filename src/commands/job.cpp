#include "parsimap/commands/job.hpp"

#include <malloc.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/json/json_text.hpp"

#include "command_pages.hpp"
#include "common_options.hpp"
#include "job_frame.hpp"

namespace parsimap {

constexpr std::int64_t kDefaultRam = std::int64_t{512} << 20U;

static bool may_be(const NamedFile& file, FileContent content) {
  const auto& contents = file.syntax.contents;
  return std::ranges::find(contents, content) != contents.end();
}

// What an interrupted command had replaced is put back before the first of the files is opened.
void Job::repair(const CommandSyntax& syntax) {
  // Of a folder, what lies in it.
  const auto place = [](const NamedFile& file) {
    return may_be(file, FileContent::folder) ? file.path + "/output" : file.path;
  };
  repair_files(mapped<std::string>(named_files(syntax), place), listener_);
}

int thread_count(const JobOptions& options) {
  // The number of --threads has precedence over the processors that Slurm has allotted, and these over the processors
  // of the computer: more threads than allotted processors would only take time from each other.
  const char* slurm = std::getenv("SLURM_CPUS_PER_TASK");
  if (options.threads || slurm == nullptr) {
    return resolve_threads(options.threads.value_or(0));
  }
  const auto allotted = parse_number<int>(slurm);
  if (!allotted || *allotted < 1 || *allotted > kMostThreads) {
    throw ConfigError("the environment variable SLURM_CPUS_PER_TASK is '" + std::string(slurm) +
                      "'; it must be a number of threads from 1 to " + std::to_string(kMostThreads) +
                      ", or --threads be given");
  }
  return resolve_threads(*allotted);
}

std::vector<NamedFile> input_files(const CommandSyntax& syntax) {
  std::vector<NamedFile> files = named_files(syntax);
  std::erase_if(files, [](const NamedFile& file) { return file.syntax.written || may_be(file, FileContent::folder); });
  return files;
}

std::vector<std::pair<std::string, std::string>> roles_and_paths(const std::vector<NamedFile>& files) {
  std::vector<std::pair<std::string, std::string>> inputs;
  for (const NamedFile& file : files) {
    std::string role = lower_case(file.role.substr(file.role.starts_with("--") ? 2 : 0));
    std::ranges::replace(role, '-', ' ');
    const bool known = std::ranges::any_of(inputs, [&](const auto& one) { return one.second == file.path; });
    if (!file.path.empty() && !known) {
      inputs.emplace_back(std::move(role), file.path);
    }
  }
  return inputs;
}

void add_inputs(OutputSet& outputs, const std::vector<NamedFile>& files) {
  for (const NamedFile& file : files) {
    outputs.add_input(file.role, file.path);
    if (may_be(file, FileContent::raster) || may_be(file, FileContent::vector)) {
      for (const std::string& side_file : files_of_input(file.path)) {
        outputs.add_input(file.role, side_file);
      }
    }
  }
}

std::int64_t cache_bytes(const JobOptions& options) { return options.ram_bytes.value_or(kDefaultRam) / 4; }

std::int64_t work_bytes(const JobOptions& options) {
  return options.ram_bytes.value_or(kDefaultRam) - cache_bytes(options);
}

void Job::begin(const CommandSyntax& syntax, const JobOptions& options) {
  // Options of GDAL must be set before the first file is opened, and files that an interrupted command has replaced
  // must be restored before they are read.
  initialise_gdal();
  for (const OptionSyntax& option : syntax.options) {
    if (!option.former.empty() && option.field.value()) {
      listener_.message("--" + option.name + " is the former name of " + option.former);
    }
  }
  for (const std::string& setting : options.gdal_settings) {
    const std::size_t equals = setting.find('=');
    set_gdal_option(setting.substr(0, equals), setting.substr(equals + 1));
  }
  if (const std::string ignored = ignored_environment(has_own_data()); options.verbose && !ignored.empty()) {
    listener_.message(ignored);
  }
  set_gdal_cache(cache_bytes(options));
}

DryRunRecord Job::preview(const JobOptions& options, std::int64_t scene_bytes) const {
  DryRunRecord record;
  for (const auto& [role, path, syntax] : inputs_) {
    record.inputs.push_back({role, path, bytes_of_file(path)});  // unknown of a folder or a file of GDAL's
  }
  for (const StagedOutput& output : set_.staged()) {
    record.outputs.push_back({output.role, output.target, std::nullopt});
  }
  record.threads = thread_count(options);
  record.memory_bytes = peak_memory_bytes() + std::min(cache_bytes(options), scene_bytes);
  return record;
}

OutputSet& Job::outputs() {
  // Inputs are registered when the first output is staged: by then the command has opened them, and has refused with
  // better reasons those that cannot be read.
  if (!std::exchange(inputs_added_, true)) {
    add_inputs(set_, inputs_);
  }
  return set_;
}

void Job::stage_page(const std::string& role, const std::optional<std::string>& path) {
  if (path) {
    page_ = &parsimap::stage_page(outputs(), role, *path);
    date_ = page_date();
  }
}

void Job::write_page(const std::string& html) {
  write_text(*page_, listener_.with_names(with_command(html, {words_, date_})));
}

void Job::end_stage(RunCost& record, const std::string& stage) {
  record.stages.emplace_back(stage, watch_.lap());
  record.seconds = watch_.seconds();
  record.peak_memory_bytes = peak_memory_bytes();
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  // Linux reports the maximum resident set in kilobytes.
  return std::int64_t{usage.ru_maxrss} * 1024;
}

void Listener::warn(const std::string& code, const std::string& text) {
  warnings_.push_back({code, text});
  warned(warnings_.back());
}

void Listener::note(const std::string& code, const std::string& text) {
  if (std::ranges::none_of(warnings_, [&](const Warning& one) { return one.code == code && one.text == text; })) {
    warnings_.push_back({code, text});
    noted(warnings_.back());
  }
}

void CommandListener::result(const std::string& document) {
  // The warnings are added to the end of the document, whose other members stay as its command has written them.
  const std::size_t end = document.find_last_of('}');
  if (!json() || end == std::string::npos || document.front() != '{') {
    deliver(document);
    return;
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Warning& warning : warnings()) {
    list.push_back({{"code", warning.code}, {"text", warning.text}});
  }
  const std::string before = document.substr(0, document.find_last_not_of(" \n", end - 1) + 1);
  deliver(before + (before.back() == '{' ? "" : ",") + "\n  \"warnings\": " + line_of(list) + "\n" +
          document.substr(end));
}

Progress writing_progress(Listener& listener) {
  // Copies of this function, one for each output, begin a stage each.
  return [&listener, stage = std::optional<Progress>()](double fraction) mutable {
    if (!stage) {
      stage = listener.progress("writing");
    }
    if (*stage) {
      (*stage)(fraction);
    }
  };
}

void return_large_blocks() {
  // Blocks of 8 MB and more are mapped from the system one by one and returned to it as soon as they are freed, instead
  // of remaining in fragmented arenas of the C library. A single arena keeps the heap of many threads small.
  constexpr int kLargeBlock = 8 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  mallopt(M_TRIM_THRESHOLD, 4 * kLargeBlock);
  mallopt(M_ARENA_MAX, 1);
}

void keep_free_memory(int most) {
  // The largest block that the C library lets be taken from its heap.
  constexpr int kLargestBlock = 32 << 20;
  // Experiments allocate and free matrices of similar sizes very often. Memory that is kept at the top of the heap
  // avoids system calls and page faults for each of them.
  mallopt(M_MMAP_THRESHOLD, kLargestBlock);
  mallopt(M_TRIM_THRESHOLD, most);
}

}  // namespace parsimap
