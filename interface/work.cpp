#include "work.hpp"

#include <chrono>
#include <new>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"

#include "errors.hpp"
#include "model.hpp"

using namespace parsimap;
using parsimap::interface::status_of;

parsimap_work::~parsimap_work() {
  stop();
  for (auto& [name, array] : arrays) {
    parsimap_free(array.owner);
  }
}

void parsimap_work::start(const std::function<std::function<void(parsimap_work&)>()>& make) {
  if (std::exchange(started_, true)) {
    return;
  }
  try {
    all_threads_ = resolve_threads(0);
    const auto run = [this, body = make()] {
      try {
        body(*this);
      } catch (...) {
        failure_ = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done_ = true;
      changed_.notify_all();
    };
    done_ = false;
    thread_ = std::thread(run);
  } catch (...) {
    done_ = true;
    failure_ = std::current_exception();
  }
}

void parsimap_work::push(Event event) {
  const std::lock_guard lock(mutex_);
  if (stopped_) {
    throw parsimap::interface::Stopped();
  }
  const bool same_stage = !events_.empty() && events_.back().kind == PARSIMAP_PROGRESS &&
                          event.kind == PARSIMAP_PROGRESS && events_.back().text == event.text;
  if (same_stage) {
    events_.back() = std::move(event);
  } else {
    events_.push_back(std::move(event));
  }
}

Progress parsimap_work::progress(const std::string& stage) {
  return [this, stage](double fraction) { push({PARSIMAP_PROGRESS, stage, fraction}); };
}

void parsimap_work::say(parsimap_event_kind kind, const std::string& text) { push({kind, text, 0}); }

void parsimap_work::wait_until_heard() {
  std::unique_lock lock(mutex_);
  waiting_ = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return stopped_ || finishing_ || (heard_ && events_.empty()); });
  waiting_ = false;
  if (stopped_) {
    throw parsimap::interface::Stopped();
  }
}

// Events are fetched all at once, and then no sooner than the time is over: a caller that hears everything at once
// would take a processor from the work.
parsimap_event_kind parsimap_work::next(int milliseconds, parsimap_event& event) {
  if (!handed_out_.empty()) {
    handed_out_.pop_front();
  }
  bool done = false;
  if (handed_out_.empty()) {
    std::unique_lock lock(mutex_);
    heard_ = true;
    changed_.notify_all();
    const auto is_over = [&] { return done_ || (waiting_ && !events_.empty()); };
    changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), is_over);
    std::swap(handed_out_, events_);
    heard_ = handed_out_.empty();
    done = done_;
  }
  if (handed_out_.empty()) {
    event = {"", 0};
    return done ? PARSIMAP_ENDED : PARSIMAP_WAITING;
  }
  event = {handed_out_.front().text.c_str(), handed_out_.front().fraction};
  return handed_out_.front().kind;
}

void parsimap_work::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
  if (failure_) {
    std::rethrow_exception(failure_);
  }
}

void parsimap_work::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

parsimap_work* parsimap_new_work(void) { return new (std::nothrow) parsimap_work; }
void parsimap_free_work(parsimap_work* work) { delete work; }

int parsimap_next_event(parsimap_work* work, int milliseconds, parsimap_event* event) {
  return work->next(milliseconds, *event);
}

int parsimap_finish(parsimap_work* work, parsimap_array* error) {
  return status_of(error, [&] { work->finish(); });
}

void parsimap_stop(parsimap_work* work) { work->stop(); }

int parsimap_take_array(parsimap_work* work, const char* name, parsimap_array* array, parsimap_array* error) {
  return status_of(error, [&] {
    work->finish();
    const auto taken = work->arrays.extract(name);
    if (taken.empty()) {
      throw ConfigError(std::string("the work has no array '") + name + "', or it was taken");
    }
    *array = taken.mapped();
  });
}

int parsimap_take_model(parsimap_work* work, parsimap_model** model, parsimap_array* error) {
  return status_of(error, [&] {
    work->finish();
    if (!work->model) {
      throw ConfigError("the work has no model, or it was taken");
    }
    *model = std::make_unique<parsimap_model>(std::move(*std::exchange(work->model, nullptr))).release();
  });
}
