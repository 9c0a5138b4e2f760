// Long work that a function of Python waits for. It runs in a thread of its own, without the lock of the interpreter,
// so that other threads of Python go on. Callables of Python are called, and Ctrl-C is noticed, in the thread that
// waits.
//
// The thread ends with the work, and with it the threads that shared it: a process that is forked later, as by
// multiprocessing, finds none that it would wait for in vain.
#pragma once

#include <pybind11/pybind11.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

#include "parsimap/core/progress.hpp"

namespace parsimap::python {

// What the work has to say.
struct Event {
  enum class Kind { progress, message, warning };
  Kind kind = Kind::progress;
  std::string text;     // the sentence, or the stage of the work
  double fraction = 0;  // of the stage, done
};

class BackgroundWork {
 public:
  // Waits for work(), which may call the other functions from its threads. What it throws is thrown here. `deliver`
  // gets what the work says, in its order, with the interpreter's lock held; of a stage's progress perhaps only the
  // latest. What deliver throws (such as an exception of a callable), and Ctrl-C, are thrown here too, but only after
  // the work has been stopped by an exception at its next progress. To be called once, with the interpreter's lock
  // held.
  void run(const std::function<void()>& work, const std::function<void(const Event&)>& deliver);

  // A progress of the work.
  Progress progress(const std::string& stage);
  void say(Event::Kind kind, const std::string& text);

 private:
  void push(Event event);
  void hand_out(const std::function<void(const Event&)>& deliver);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  bool done_ = false;
  bool stopped_ = false;
};

// The same for work that says nothing but how far it is: `progress` is None, or is called with the fraction done.
void run_with_progress(const pybind11::object& progress, const std::function<void(const Progress&)>& work);

}  // namespace parsimap::python
