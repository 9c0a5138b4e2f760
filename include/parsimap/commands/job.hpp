// What the functions of all commands share: options of the work, and who is informed of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/system.hpp"

namespace parsimap {

// The options of every command; those of a command derive from them.
struct JobOptions {
  // 0 for all processors; unset: as many as the environment variable SLURM_CPUS_PER_TASK says, or all.
  std::optional<int> threads = {};
  // Memory for the work and GDAL's cache, which gets a quarter of it; unset: 512 MB, or what the command says.
  std::optional<std::int64_t> ram_bytes = {};
  bool overwrite = false;  // replace outputs that exist
  bool dry_run = false;    // of the commands train and classify: preview_training(), preview_map()
  bool verbose = false;    // also say what the solvers have done and what of the environment is ignored
  std::vector<std::string> gdal_settings = {};   // KEY=VALUE
  std::optional<std::string> options_file = {};  // that options were read from; no output may replace it
};

// A sentence about something that may not be what the caller wants, or that it should know of. The sentence may be
// worded otherwise one day; programs read the code, such as "few-places" (docs/formats.md, "Warnings").
struct Warning {
  std::string code;
  std::string text;
};

// Informed while a function of this folder works. The functions never print. This listener ignores everything; a caller
// derives from it what it wants to show.
class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  // The stages that follow, in their order, and about how many seconds each takes. Called again where more is known.
  virtual void plan(const std::vector<PlannedPhase>& /*stages*/) {}
  // Called at the beginning of a stage of the work, such as "training"; the result is called with the fraction of the
  // stage that is done. What it throws ends the work, which leaves no output behind.
  virtual Progress progress(const std::string& /*stage*/) { return {}; }
  // Called before outputs are put in place. What it throws leaves none behind.
  virtual void before_publication() {}
  // A sentence that says what is done.
  virtual void message(const std::string& /*text*/) {}
  // note() is for what is usually as it should be.
  void warn(const std::string& code, const std::string& text);
  void note(const std::string& code, const std::string& text);
  // All of both so far.
  [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }
  // Applied to every text that is kept: pages, and what a model says of its training. A caller whose inputs are no
  // files, but lie in memory under paths that mean nothing afterwards, replaces the paths by names that readers know.
  [[nodiscard]] virtual std::string with_names(std::string text) const { return text; }

 protected:
  // Shows what warn() has, and what note() has.
  virtual void warning(const std::string& /*text*/) {}
  virtual void warned(const Warning& warned) { warning(warned.text); }
  virtual void noted(const Warning& note) { message(note.text); }

 private:
  std::vector<Warning> warnings_;
};

// Large blocks go back to the system as soon as nobody needs them: --ram counts on it. Of small ones, which come and go
// with every tile of pixels, up to 32 MB stay: otherwise the system would clear their pages for each tile again. All
// threads share them: threads come and go with the windows, and what one has given back another one takes.
void return_large_blocks();

// For commands that train: up to `most` bytes of free memory stay with the program, and blocks of a matrix of order
// 2000 are taken from it. Having the system clear their pages for each of thousands of systems takes as long as solving
// them.
inline constexpr int kKeptMemory = 64 << 20;
void keep_free_memory(int most = kKeptMemory);

}  // namespace parsimap
