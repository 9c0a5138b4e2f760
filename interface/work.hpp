// Work in a thread of its own, which the caller asks for what it has to say, and which it may stop.
//
// The thread ends with the work, and with it the threads that shared it: a process that is forked later finds none that
// it would wait for in vain.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/parsimap.h"

struct parsimap_work {
 public:
  parsimap_work() = default;
  ~parsimap_work();
  parsimap_work(const parsimap_work&) = delete;
  parsimap_work& operator=(const parsimap_work&) = delete;

  // Calls make()(*this): make(), which copies what the body needs, at once, and the body in the thread. What either
  // throws is kept for finish(). A second start is ignored.
  void start(const std::function<std::function<void(parsimap_work&)>()>& make);

  // For the body. They throw where the work is to stop.
  parsimap::Progress progress(const std::string& stage);
  void say(parsimap_event_kind kind, const std::string& text);
  // Waits until the caller has heard all events, or calls finish() without hearing them.
  void wait_until_heard();
  // As many as OpenMP allows the thread that began the work.
  [[nodiscard]] int all_threads() const { return all_threads_; }
  // What it has made.
  std::map<std::string, parsimap_array> arrays;  // with their owners
  std::unique_ptr<parsimap::Model> model;

  // For the caller, as parsimap.h says. finish() throws what the body threw.
  parsimap_event_kind next(int milliseconds, parsimap_event& event);
  void finish();
  void stop();

 private:
  struct Event {
    parsimap_event_kind kind = PARSIMAP_PROGRESS;
    std::string text;
    double fraction = 0;
  };
  void push(Event event);

  std::thread thread_;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  std::deque<Event> handed_out_;  // the first is the one that the caller reads
  int all_threads_ = 1;
  bool heard_ = true;     // the caller has done with those that were handed out
  bool waiting_ = false;  // for the caller to hear all
  bool finishing_ = false;
  bool started_ = false;
  bool done_ = true;
  bool stopped_ = false;
};
