// What a caller hears while a function of this folder works.
#pragma once

#include <string>

#include "parsimap/core/progress.hpp"

namespace parsimap {

// The functions of this folder take a listener and never print. This one is deaf; a caller derives from it what it
// wants to show.
class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  // Called at the beginning of a stage of the work, such as "training"; the result is told how far the stage is. What
  // it throws ends the work, which leaves no output behind.
  virtual Progress progress(const std::string& /*stage*/) { return {}; }
  // A sentence that says what is done.
  virtual void message(const std::string& /*text*/) {}
  // A sentence about something that may not be what the caller wants.
  virtual void warning(const std::string& /*text*/) {}
  // Asked about every text that is kept: pages, and what a model says of its training. A caller whose inputs are no
  // files, but lie in memory under paths that mean nothing afterwards, puts the names there by which readers know them.
  [[nodiscard]] virtual std::string with_names(std::string text) const { return text; }
};

}  // namespace parsimap
