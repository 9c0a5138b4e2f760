// The choice of places out of candidates: those that say most about all of them.
//
// Candidates j have weights w_j, which say how little is known of each, and coordinates z_j. With D_j the distance from
// j to the nearest point whose class is known, a place i answers for
//   gain(i) = sum_j w_j max(0, D_j - |z_j - z_i|)
// of what is open. Distances are not squared, as they are in k-means: a few odd spectra far from all others, such as
// shadows and glints, would count more than all that is common. The place of the largest gain is taken, it counts as
// known from then on, and so forth. What is covered, sum_j w_j (D_j(before) - D_j), is submodular: the greedy choice
// gets at least 1 - 1/e of what the best choice of as many places would (Nemhauser, Wolsey, Fisher, An analysis of
// approximations for maximizing submodular set functions, 1978), and gains only fall, so that few have to be computed
// anew for each place (Minoux, Accelerated greedy algorithms for maximizing submodular set functions, 1978).
//
// So a place is one of many that are like it (it stands for them), of which little is known (their weights), unlike all
// that is labelled and all other places (D_j).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// A sample of fixed size from a stream of weighted items, as priority sampling draws it (Duffield, Lund, Thorup,
// Priority sampling for estimation of arbitrary subset sums, 2007): every item has a priority w / u with a random u in
// (0, 1], and those of the largest priorities are kept. With t the largest priority that is not kept, max(w, t) is an
// unbiased estimate of the weight that an item stands for: where all items are kept, t is 0 and the weights are their
// own.
//
// u is a hash of the item's number. So the sample depends on the items alone and not on the order in which they come.

// A pseudo-random number in (0, 1], the same for the same `number`.
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
    std::ranges::sort(entries_, [](const Entry& a, const Entry& b) { return a.number < b.number; });
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

struct PlaceCandidates {
  Matrix spectra;                                // n x d, scaled
  Vector weights;                                // n, >= 0
  std::vector<std::array<double, 2>> positions;  // n, column and row
};

struct ChosenPlace {
  Index candidate = 0;
  double gain = 0;
};

// At most `count` places in the order in which they are chosen; of equal gains the first candidate. Two places are at
// least `least_distance` pixels apart; fewer than `count` where no other candidate is, or where nothing is left to
// gain. `known` are scaled spectra of known classes (m x d, m >= 1). Coordinates are those along the (up to) ten
// directions in which the candidates vary most, each divided by the fourth root of its variance: half way between
// spectra as they are, in which brightness is nearly all, and whitened ones, in which noise counts as much.
std::vector<ChosenPlace> choose_places(const PlaceCandidates& candidates, const Matrix& known, Index count,
                                       double least_distance);

}  // namespace parsimap
