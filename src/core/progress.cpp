#include "parsimap/core/progress.hpp"

#include <algorithm>

namespace parsimap {
namespace {

// The operations that are left of a task of `expected` operations P after `spent` operations s, if the task does not
// know how far it is: P - s up to s = P/2, and P^2/(4 s) beyond. At s = P/2 both are P/2 with the slope -1; the second
// one decreases for ever without reaching 0.
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
    // A task that knows the fraction f that is done has spent f P of its P expected operations. What it had spent
    // before is subtracted; a fraction that decreases counts as no progress.
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
  // What the task took is evidence about the other tasks of its kind, unless it reported fractions: those spend exactly
  // what was expected.
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
    // f <- f + (1 - f) d / (d + R), with R the operations left after these d (core/progress.hpp). f grows towards 1
    // without passing it, whatever the estimate of R was.
    fraction_ += (1 - fraction_) * operations / (operations + left());
  }
  tell();
}

double WorkProgress::left() const {
  // R, the operations left. Tasks that have not begun take what was expected, times the factor by which tasks of their
  // kind exceed the expectation; for those that have begun see left_of().
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

// The ratio of the operations that the tasks in progress will probably take to those that were expected, for one kind
// or for all. What they have left is estimated for tasks that usually take `usual` times the expectation.
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

// The ratio of operations taken to operations expected over all finished tasks, or over those in progress as long as
// none is finished.
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
  // The ratio of one kind: from its finished tasks, or as long as there is none from those in progress.
  const Kind& own = kinds_[kind];
  if (own.expected == 0) {
    return begun_factor(usual, kind);
  }
  // A single task may be exceptional: until a second one is finished, its expectation counts as one more task.
  return own.done < 2 ? (own.spent + own.expected) / (2 * own.expected) : own.spent / own.expected;
}

void WorkProgress::tell() const {
  if (progress_) {
    progress_(fraction_);
  }
}

}  // namespace parsimap
