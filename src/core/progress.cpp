#include "parsimap/core/progress.hpp"

#include <algorithm>

namespace parsimap {
namespace {

// Of a task that does not know how far it is.
double left_of(double expected, double spent) {
  return spent <= expected / 2 ? expected - spent : expected * expected / (4 * spent);
}

}  // namespace

std::size_t WorkProgress::add(const std::string& kind, double expected) {
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& one) { return one.name == kind; });
  const auto place = static_cast<std::size_t>(known - kinds_.begin());
  if (known == kinds_.end()) {
    kinds_.push_back({kind});
  }
  kinds_[place].waiting += expected;
  tasks_.push_back({place, expected});
  waiting_.push_back(true);
  return tasks_.size() - 1;
}

Work WorkProgress::work(std::size_t task) {
  return [this, task](double operations) {
    const std::lock_guard lock(mutex_);
    spend(task, operations);
  };
}

Progress WorkProgress::fraction(std::size_t task) {
  return [this, task](double fraction) {
    const std::lock_guard lock(mutex_);
    tasks_[task].exact = true;
    spend(task, std::max(fraction * tasks_[task].expected - tasks_[task].spent, 0.0));
    if (fraction >= 1) {
      close(task);
    }
  };
}

void WorkProgress::finish(std::size_t task) {
  const std::lock_guard lock(mutex_);
  close(task);
}

void WorkProgress::finish() {
  const std::lock_guard lock(mutex_);
  fraction_ = 1;
  tell();
}

void WorkProgress::begin(std::size_t task) {
  if (waiting_[task]) {
    waiting_[task] = false;
    kinds_[tasks_[task].kind].waiting -= tasks_[task].expected;
    begun_.push_back(task);
  }
}

void WorkProgress::close(std::size_t task) {
  begin(task);
  if (std::erase(begun_, task) > 0 && !tasks_[task].exact) {
    Kind& kind = kinds_[tasks_[task].kind];
    kind.expected += tasks_[task].expected;
    kind.spent += tasks_[task].spent;
    ++kind.done;
  }
}

void WorkProgress::spend(std::size_t task, double operations) {
  begin(task);
  tasks_[task].spent += operations;
  if (operations > 0) {
    fraction_ += (1 - fraction_) * operations / (operations + left());
  }
  tell();
}

double WorkProgress::left() const {
  const double usual = usual_factor();
  double sum = 0;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    sum += factor(kind, usual) * kinds_[kind].waiting;
  }
  for (const std::size_t place : begun_) {
    const Task& task = tasks_[place];
    sum += task.exact ? std::max(task.expected - task.spent, 0.0)
                      : left_of(factor(task.kind, usual) * task.expected, task.spent);
  }
  // Sums of what was added and taken away may fall short of nothing by their rounding.
  return std::max(sum, 0.0);
}

// How many times as much as was expected the tasks take that are begun, of one kind or of all, where tasks usually take
// `usual` times as much.
double WorkProgress::begun_factor(double usual, const std::optional<std::size_t>& kind) const {
  double expected = 0;
  double took = 0;
  for (const std::size_t place : begun_) {
    const Task& task = tasks_[place];
    if (!task.exact && task.kind == kind.value_or(task.kind)) {
      expected += task.expected;
      took += task.spent + left_of(usual * task.expected, task.spent);
    }
  }
  return expected > 0 ? took / expected : usual;
}

// The same of all tasks that are done, or where none is, that are begun.
double WorkProgress::usual_factor() const {
  double expected = 0;
  double took = 0;
  for (const Kind& kind : kinds_) {
    expected += kind.expected;
    took += kind.spent;
  }
  return expected > 0 ? took / expected : begun_factor(1, std::nullopt);
}

double WorkProgress::factor(std::size_t kind, double usual) const {
  const Kind& own = kinds_[kind];
  if (own.expected == 0) {
    return begun_factor(usual, kind);
  }
  // A single task may be an odd one: until a second is done, what was expected counts as one more.
  return own.done < 2 ? (own.spent + own.expected) / (2 * own.expected) : own.spent / own.expected;
}

void WorkProgress::tell() const {
  if (progress_) {
    progress_(fraction_);
  }
}

}  // namespace parsimap
