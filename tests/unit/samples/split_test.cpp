#include "parsimap/samples/split.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace parsimap;

namespace {

// 100 samples of class 0, 20 of class 1, 3 of class 2, mixed.
std::vector<int> mixed_labels() {
  std::vector<int> labels;
  for (int i = 0; i < 123; ++i) {
    labels.push_back(i % 40 == 0 && i > 0 ? 2 : (i % 6 == 1 && i < 120 ? 1 : 0));
  }
  return labels;
}

Index count(const Indices& rows, const std::vector<int>& labels, int c) {
  return std::count_if(rows.begin(), rows.end(), [&](Index i) { return labels[static_cast<std::size_t>(i)] == c; });
}

}  // namespace

TEST_CASE("draw_per_class: as many as asked for, all of a small class, no row twice") {
  const std::vector<int> labels = mixed_labels();
  const Indices rows = draw_per_class(labels, 3, 10, 4);
  CHECK(count(rows, labels, 0) == 10);
  CHECK(count(rows, labels, 1) == 10);
  CHECK(count(rows, labels, 2) == 3);
  CHECK(std::set<Index>(rows.begin(), rows.end()).size() == rows.size());
  CHECK(std::is_sorted(rows.begin(), rows.end()));
  CHECK(rows == draw_per_class(labels, 3, 10, 4));
  CHECK(rows != draw_per_class(labels, 3, 10, 5));
}

TEST_CASE("draw_per_class: one class's draw does not depend on the others") {
  std::vector<int> labels = mixed_labels();
  const Indices before = draw_per_class(labels, 3, 10, 9);
  std::vector<int> fewer = labels;
  std::replace(fewer.begin(), fewer.end(), 2, 1);  // class 1 changes, class 0 does not
  const Indices after = draw_per_class(fewer, 3, 10, 9);
  Indices zero_before;
  Indices zero_after;
  std::copy_if(before.begin(), before.end(), std::back_inserter(zero_before),
               [&](Index i) { return labels[static_cast<std::size_t>(i)] == 0; });
  std::copy_if(after.begin(), after.end(), std::back_inserter(zero_after),
               [&](Index i) { return fewer[static_cast<std::size_t>(i)] == 0; });
  CHECK(zero_before == zero_after);
}

TEST_CASE("draw_stratified: proportions, and a least number of every class") {
  const std::vector<int> labels = mixed_labels();
  const Indices rows = draw_stratified(labels, 3, 60, 2, 0);
  const double fraction = 60.0 / 123.0;
  CHECK(count(rows, labels, 0) ==
        std::lround(fraction * static_cast<double>(std::count(labels.begin(), labels.end(), 0))));
  CHECK(count(rows, labels, 2) == 2);
  CHECK(draw_stratified(labels, 3, 1000, 2, 0).size() == labels.size());
}
