// A sample of fixed size from a stream of weighted items, as priority sampling draws it (Duffield, Lund, Thorup,
// Priority sampling for estimation of arbitrary subset sums, 2007): every item has a priority w / u with a random u in
// (0, 1], and those of the largest priorities are kept. With t the largest priority that is not kept, max(w, t) is an
// unbiased estimate of the weight that an item stands for: where all items are kept, t is 0 and the weights are their
// own.
//
// u is a hash of the item's number. So the sample depends on the items alone and not on the order in which they come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// In (0, 1], as good as random, and the same for the same number.
double hashed_share(std::int64_t number);

template <typename Item>
class WeightedSample {
 public:
  struct Entry {
    std::int64_t number = 0;
    double weight = 0;
    double priority = 0;
    Item item;
  };

  explicit WeightedSample(std::size_t size) : size_(size) {}

  // Whether an item would be kept now; one without weight never is.
  [[nodiscard]] bool takes(std::int64_t number, double weight) const {
    return weight > 0 &&
           (entries_.size() < size_ || before({number, weight, priority(number, weight), {}}, entries_.front()));
  }

  // Adds an item whose number no other has.
  void add(std::int64_t number, double weight, Item item) {
    if (!takes(number, weight)) {
      threshold_ = weight > 0 ? std::max(threshold_, priority(number, weight)) : threshold_;
      return;
    }
    entries_.push_back({number, weight, priority(number, weight), std::move(item)});
    std::push_heap(entries_.begin(), entries_.end(), before);
    if (entries_.size() > size_) {
      std::pop_heap(entries_.begin(), entries_.end(), before);
      threshold_ = std::max(threshold_, entries_.back().priority);
      entries_.pop_back();
    }
  }

  // Ascending by number, each with the weight that it stands for. To be called once, last.
  [[nodiscard]] std::vector<Entry> take() {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.number < b.number; });
    for (Entry& entry : entries_) {
      entry.weight = std::max(entry.weight, threshold_);
    }
    return std::move(entries_);
  }

 private:
  static double priority(std::int64_t number, double weight) { return weight / hashed_share(number); }
  // The heap has the entry of the lowest priority in front; of equal ones that of the largest number.
  static bool before(const Entry& a, const Entry& b) {
    return a.priority > b.priority || (a.priority == b.priority && a.number < b.number);
  }

  std::size_t size_;
  std::vector<Entry> entries_;
  double threshold_ = 0;
};

}  // namespace parsimap
