#include <algorithm>
#include <map>
#include <tuple>

#include "parsimap/samples/sampling.hpp"

namespace parsimap {
namespace {

// What is not divided: samples with their centre.
struct Item {
  Indices samples;
  double x = 0;
  double y = 0;
};

Item item_of(Indices samples, const Matrix& positions) {
  // The centre is the mean of the positions.
  Item item{std::move(samples)};
  for (const Index i : item.samples) {
    item.x += positions(i, 0);
    item.y += positions(i, 1);
  }
  item.x /= static_cast<double>(item.samples.size());
  item.y /= static_cast<double>(item.samples.size());
  return item;
}

using Items = std::vector<Item>;

Index samples_of(Items::const_iterator begin, Items::const_iterator end) {
  Index count = 0;
  for (auto item = begin; item != end; ++item) {
    count += static_cast<Index>(item->samples.size());
  }
  return count;
}

// Sorts the items along the axis on which they are spread farthest.
void sort_along(Items::iterator begin, Items::iterator end) {
  const auto [left, right] = std::minmax_element(begin, end, [](const Item& a, const Item& b) { return a.x < b.x; });
  const auto [top, bottom] = std::minmax_element(begin, end, [](const Item& a, const Item& b) { return a.y < b.y; });
  // Equal coordinates are ordered by the other coordinate and then by the first sample, so that parts do not depend on
  // the sorting algorithm.
  const bool across = right->x - left->x > bottom->y - top->y;
  std::sort(begin, end, [across](const Item& a, const Item& b) {
    const auto key = [across](const Item& item) {
      return std::tuple(across ? item.x : item.y, across ? item.y : item.x, item.samples.front());
    };
    return key(a) < key(b);
  });
}

// Numbers the parts of the items from `first` on.
void cut(Items::iterator begin, Items::iterator end, Index parts, Index first, std::vector<Index>& part_of) {
  if (parts == 1 || end - begin <= 1) {
    for (auto item = begin; item != end; ++item) {
      for (const Index i : item->samples) {
        part_of[static_cast<std::size_t>(i)] = first;
      }
    }
    return;
  }
  sort_along(begin, end);
  // The items are divided in the ratio of the parts, five into two and three: the first side gets as nearly as whole
  // items allow its share of the samples, before / parts. Both sides are divided again, each along its own longest
  // axis, so that parts are compact.
  const Index before = parts / 2;
  const double wanted = static_cast<double>(samples_of(begin, end) * before) / static_cast<double>(parts);
  Index count = 0;
  auto middle = begin;
  // Each item goes to the side on which more of it lies; none of the two stays empty.
  while (
      middle != end - 1 &&
      (middle == begin || static_cast<double>(count) + 0.5 * static_cast<double>(middle->samples.size()) <= wanted)) {
    count += static_cast<Index>(middle->samples.size());
    ++middle;
  }
  cut(begin, middle, before, first, part_of);
  cut(middle, end, parts - before, first + before, part_of);
}

// The class that most samples have, the first of equals.
int majority(const Indices& samples, const std::vector<int>& labels) {
  std::map<int, Index> counts;
  for (const Index i : samples) {
    ++counts[labels[static_cast<std::size_t>(i)]];
  }
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::vector<Items> items_of_classes(const std::vector<int>& labels, std::size_t classes,
                                    const std::vector<std::int64_t>& groups, const Matrix& positions) {
  // A group belongs to the class that most of its samples have. Samples of other classes in it go with the group, as
  // long as it stays whole.
  std::map<std::int64_t, Indices> members;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    members[groups[i]].push_back(static_cast<Index>(i));
  }
  std::vector<std::vector<Indices>> groups_of(classes);
  for (const auto& [group, samples] : members) {
    groups_of[static_cast<std::size_t>(majority(samples, labels))].push_back(samples);
  }
  std::vector<Items> items(classes);
  for (std::size_t c = 0; c < classes; ++c) {
    // Groups stay whole where every part can have one. Otherwise each pixel is an item of its own.
    const bool whole = static_cast<Index>(groups_of[c].size()) >= kSpatialFolds;
    for (const Indices& samples : groups_of[c]) {
      if (whole) {
        items[c].push_back(item_of(samples, positions));
        continue;
      }
      for (const Index i : samples) {
        items[static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])].push_back(item_of({i}, positions));
      }
    }
  }
  return items;
}

FoldRows fold_of(const std::vector<Index>& part_of, Index number, const std::vector<int>& labels, std::size_t classes,
                 const Matrix& positions, double buffer) {
  const FoldRows rows = rows_of_fold(part_of, number);
  FoldRows fold{outside_buffer(positions, rows.train, rows.test, buffer), {}};
  // `all` counts the samples of the other parts, `kept` those of them that are outside of the buffer.
  const std::vector<Index> all = counts_by_class(labels, rows.train, classes);
  const std::vector<Index> kept = counts_by_class(labels, fold.train, classes);
  for (const Index i : rows.test) {
    const auto c = static_cast<std::size_t>(labels[static_cast<std::size_t>(i)]);
    // If the buffer leaves too few samples of a class, it would be trained on other samples than the classifier that is
    // to be evaluated: it is not tested here.
    if (kept[c] >= 2 && 3 * kept[c] >= all[c]) {
      fold.test.push_back(i);
    }
  }
  // Without two classes to train there is no classifier to test.
  if (std::count_if(kept.begin(), kept.end(), [](Index count) { return count > 0; }) < 2) {
    fold.test.clear();
  }
  return fold;
}

}  // namespace

std::vector<Index> spatial_parts(const std::vector<int>& labels, std::size_t classes,
                                 const std::vector<std::int64_t>& groups, const Matrix& positions) {
  std::vector<Index> part_of(labels.size(), 0);
  for (Items& items : items_of_classes(labels, classes, groups, positions)) {
    if (!items.empty()) {
      cut(items.begin(), items.end(), kSpatialFolds, 0, part_of);
    }
  }
  return part_of;
}

std::optional<SpatialFolds> plan_spatial_folds(const std::vector<int>& labels, std::size_t classes,
                                               const std::vector<std::int64_t>& groups, const Matrix& positions,
                                               const std::vector<double>& buffers) {
  const std::vector<Index> part_of = spatial_parts(labels, classes, groups, positions);
  // The largest buffer comes first: the farther apart training and test are, the less the result is flattered by
  // neighbours, as long as enough can be tested.
  for (const double buffer : buffers) {
    SpatialFolds plan{buffer};
    for (Index number = 0; number < kSpatialFolds; ++number) {
      FoldRows fold = fold_of(part_of, number, labels, classes, positions, buffer);
      if (!fold.test.empty()) {
        plan.tested += static_cast<Index>(fold.test.size());
        plan.folds.push_back(std::move(fold));
      }
    }
    if (plan.tested > 0 && 3 * plan.tested >= 2 * static_cast<Index>(labels.size())) {
      for (std::size_t i = 0; i < labels.size(); ++i) {
        // A part of a class is one unit of the standard errors: its pixels lie together and are alike.
        plan.units.push_back(labels[i] * kSpatialFolds + part_of[i]);
      }
      return plan;
    }
  }
  return std::nullopt;
}

}  // namespace parsimap
