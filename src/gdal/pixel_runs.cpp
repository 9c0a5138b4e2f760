#include "pixel_runs.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace parsimap {

void PixelRuns::add(std::int64_t number, std::vector<std::int64_t> pixels) {
  std::sort(pixels.begin(), pixels.end());
  for (const std::int64_t pixel : pixels) {
    if (!runs_.empty() && runs_.back().number == number && pixel <= runs_.back().end) {
      runs_.back().end = std::max(runs_.back().end, pixel + 1);
    } else {
      runs_.push_back({pixel, pixel + 1, number});
    }
  }
}

void PixelRuns::append(std::vector<Run>& runs, const Run& run) const {
  if (!runs.empty() && runs.back().number == run.number && runs.back().end == run.begin) {
    runs.back().end = run.end;
  } else {
    runs.push_back(run);
  }
}

void PixelRuns::settle() {
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.begin < b.begin; });
  // A sweep over the pixels: among the runs that have begun, the one of the smallest number is on top.
  const auto later = [](const Run& a, const Run& b) { return a.number > b.number; };
  std::priority_queue<Run, std::vector<Run>, decltype(later)> begun(later);
  std::vector<Run> settled;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    std::int64_t position = runs_[i].begin;
    begun.push(runs_[i]);
    const std::int64_t next = i + 1 < runs_.size() ? runs_[i + 1].begin : std::numeric_limits<std::int64_t>::max();
    while (!begun.empty() && position < next) {
      const Run& top = begun.top();
      const std::int64_t end = std::min(top.end, next);
      if (end > position) {
        append(settled, {position, end, top.number});
        position = end;
      } else {
        begun.pop();
      }
    }
  }
  runs_ = std::move(settled);
}

void PixelRuns::fill(std::int64_t first, Index count, std::int64_t* numbers) const {
  const std::int64_t last = first + count;
  auto run = std::upper_bound(runs_.begin(), runs_.end(), first,
                              [](std::int64_t pixel, const Run& one) { return pixel < one.end; });
  for (; run != runs_.end() && run->begin < last; ++run) {
    std::fill(numbers + (std::max(run->begin, first) - first), numbers + (std::min(run->end, last) - first),
              run->number);
  }
}

}  // namespace parsimap
