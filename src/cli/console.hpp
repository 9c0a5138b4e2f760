// The only way to the terminal: results to one stream, everything else to another.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/system.hpp"

namespace parsimap {

enum class ProgressStyle {
  none,
  bar,  // one line that is drawn again and again
  json  // a line {"fraction", "seconds", "seconds_left", "stage"} at a time, of the whole command; with it {"warning",
        // "text"} and {"note", "text"} with the codes of warnings
};

struct ConsoleMode {
  bool quiet = false;  // no progress, no messages, and no results that are no JSON documents
  bool json = false;   // results are JSON documents
  ProgressStyle progress = ProgressStyle::none;
};

class Console final : public CommandListener {
 public:
  // `seconds` is a clock that never goes back.
  Console(std::ostream& out, std::ostream& err, const ConsoleMode& mode, std::function<double()> seconds);

  [[nodiscard]] bool json() const override { return mode_.json; }

  // One line to the error stream, unless quiet; a warning says so.
  void message(const std::string& text) override { say("message", "", {"information", text}); }
  void warned(const Warning& warning) override { say("warning", "parsimap: warning: ", warning); }
  void noted(const Warning& note) override { say("note", "", note); }
  void plan(const std::vector<PlannedPhase>& stages) override { time_.plan(stages); }
  // A progress that is shown on the error stream in the mode's style, as the share of the command and with the time
  // left, unless quiet: five times a second at most, and as JSON at the beginning and the end of the stage. It throws
  // IoError after an interrupt in any case. The console is kept by the caller.
  Progress progress(const std::string& stage) override;
  // The command is done.
  void finish_progress();
  // The sentence about an error, whether quiet or not.
  void failed(const std::string& code, const std::string& sentence);

 protected:
  // To the stream of results. IoError when it cannot be written.
  void deliver(const std::string& document) override;

 private:
  void draw(const std::string& stage);
  void report(const std::string& stage);
  void say(const char* kind, const std::string& before, const Warning& warning);
  // Removes a half-drawn bar.
  void clear_progress();
  // False when the last showing was only just now; otherwise this is one.
  bool due();

  std::ostream& out_;
  std::ostream& err_;
  ConsoleMode mode_;
  PhaseClock time_;
  std::string stage_;  // the last one that was begun
  double last_shown_ = 0;
  bool drawn_ = false;
};

// Stopping a run on SIGINT, SIGTERM, SIGHUP, SIGPIPE or SIGXCPU the way an error does, so that everything that cleans
// up after itself does so.

// Forgets what was remembered. From now on these signals are only remembered, but a second SIGINT or SIGTERM ends the
// process at once, and a SIGHUP that was ignored stays so. Writing to a pipe that nobody reads (SIGPIPE) and to a file
// that grows over the process's limit (SIGXFSZ) are errors of that stream or file.
void watch_signals();

// Throws IoError when a signal was remembered, at every call until watch_signals() is called again. To be called often
// during long work, from any thread.
void check_interruption();

// The signal that was remembered, 0 without one.
int stopping_signal();

}  // namespace parsimap
