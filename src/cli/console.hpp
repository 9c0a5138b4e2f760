// The only way to the terminal: results to one stream, everything else to another.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "parsimap/commands/command.hpp"

namespace parsimap {

enum class ProgressStyle {
  none,
  bar,  // one line that is drawn again and again
  json  // a line {"fraction", "seconds", "seconds_left", "stage"} at a time; seconds_left is null while nothing is done
};

struct ConsoleMode {
  bool quiet = false;  // no progress, no messages
  bool json = false;   // results are JSON documents
  ProgressStyle progress = ProgressStyle::none;
};

class Console final : public CommandListener {
 public:
  // `seconds` is a clock that never goes back.
  Console(std::ostream& out, std::ostream& err, const ConsoleMode& mode, std::function<double()> seconds);

  [[nodiscard]] bool json() const override { return mode_.json; }

  // One line to the error stream, unless quiet; a warning says so.
  void message(const std::string& text) override;
  void warning(const std::string& text) override;
  // A progress that is shown on the error stream in the mode's style, with the time left, unless quiet: five times a
  // second at most, and as JSON at the beginning and the end of the stage. It throws IoError after an interrupt in any
  // case. The console is kept by the caller.
  Progress progress(const std::string& stage) override;
  // Removes a half-drawn bar.
  void clear_progress();

 protected:
  // To the stream of results. IoError when it cannot be written.
  void deliver(const std::string& document) override;

 private:
  void draw(const std::string& stage, double fraction, const std::optional<double>& seconds_left);
  void report(const std::string& stage, double elapsed, double fraction, const std::optional<double>& seconds_left);
  // False when the last showing was only just now; otherwise this is one.
  bool due();

  std::ostream& out_;
  std::ostream& err_;
  ConsoleMode mode_;
  std::function<double()> seconds_;
  double last_shown_ = 0;
  bool drawn_ = false;
};

// Seconds of a steady clock.
double steady_seconds();

// The time that a stage of the work still takes.

// What is left, over the rate of the last third of the time: a rate of the whole time would keep what the beginning was
// like, and one of the last moment would jump.
class TimeLeft {
 public:
  // At so many seconds from the beginning this fraction is done; neither goes back.
  void add(double seconds, double fraction);
  // From the last moment added; unset as long as nothing has moved.
  [[nodiscard]] std::optional<double> seconds() const;

 private:
  struct Moment {
    double seconds = 0;
    double fraction = 0;
  };
  std::deque<Moment> moments_ = {{}};  // from the last one before the window to the last one added
};

}  // namespace parsimap
