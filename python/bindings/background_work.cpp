#include "background_work.hpp"

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

namespace parsimap::python {
namespace {

namespace py = pybind11;

// Thrown into work that is to stop. The caller never sees it.
struct Stopped {};

constexpr std::chrono::milliseconds kBetweenLooks(50);

}  // namespace

void BackgroundWork::push(Event event) {
  const std::lock_guard lock(mutex_);
  if (stopped_) {
    throw Stopped();
  }
  const bool same_stage = !events_.empty() && events_.back().kind == Event::Kind::progress &&
                          event.kind == Event::Kind::progress && events_.back().text == event.text;
  if (same_stage) {
    events_.back() = std::move(event);
  } else {
    events_.push_back(std::move(event));
  }
}

Progress BackgroundWork::progress(const std::string& stage) {
  return [this, stage](double fraction) { push({Event::Kind::progress, stage, fraction}); };
}

void BackgroundWork::say(Event::Kind kind, const std::string& text) { push({kind, text, 0}); }

void BackgroundWork::hand_out(const std::function<void(const Event&)>& deliver) {
  std::deque<Event> events;
  {
    const std::lock_guard lock(mutex_);
    std::swap(events, events_);
  }
  for (const Event& event : events) {
    deliver(event);
  }
}

void BackgroundWork::run(const std::function<void()>& work, const std::function<void(const Event&)>& deliver) {
  std::exception_ptr failure;
  std::thread thread;
  const auto body = [&] {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  };
  std::exception_ptr from_caller;
  {
    const py::gil_scoped_release release;
    thread = std::thread(body);
    for (bool done = false; !done;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kBetweenLooks, [&] { return done_; });
        done = done_;
      }
      if (from_caller) {
        continue;
      }
      const py::gil_scoped_acquire acquire;
      try {
        if (PyErr_CheckSignals() != 0) {
          throw py::error_already_set();
        }
        hand_out(deliver);
      } catch (...) {
        from_caller = std::current_exception();
        const std::lock_guard lock(mutex_);
        stopped_ = true;
      }
    }
    thread.join();
  }
  if (from_caller) {
    std::rethrow_exception(from_caller);
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

void run_with_progress(const py::object& progress, const std::function<void(const Progress&)>& work) {
  BackgroundWork background;
  const auto deliver = [&](const Event& event) {
    if (!progress.is_none()) {
      progress(event.fraction);
    }
  };
  background.run([&] { work(background.progress("")); }, deliver);
}

}  // namespace parsimap::python
