// The only way to the terminal: results to one stream, everything else to another.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "parsimap/core/progress.hpp"

namespace parsimap {

struct ConsoleMode {
  bool quiet = false;     // no progress, no messages
  bool json = false;      // results are JSON documents
  bool terminal = false;  // the error stream is a terminal: progress is drawn there
};

class Console {
 public:
  // `seconds` is a clock that never goes back.
  Console(std::ostream& out, std::ostream& err, const ConsoleMode& mode, std::function<double()> seconds);

  [[nodiscard]] bool json() const { return mode_.json; }

  // One line to the error stream, unless quiet; a warning says so.
  void message(const std::string& text);
  void warning(const std::string& text);
  // The document a command ends with. IoError when it cannot be written.
  void result(const std::string& document);
  // A progress that is drawn, with the time left, where there is a terminal and nobody asked for quiet. It throws
  // IoError after an interrupt in any case. The console is kept by the caller.
  [[nodiscard]] Progress progress(const std::string& stage);
  // Removes a half-drawn bar.
  void clear_progress();

 private:
  void draw(const std::string& stage, double started, double fraction);

  std::ostream& out_;
  std::ostream& err_;
  ConsoleMode mode_;
  std::function<double()> seconds_;
  double last_drawn_ = 0;
  bool drawn_ = false;
};

// Seconds of a steady clock.
double steady_seconds();

}  // namespace parsimap
