#include "parsimap/samples/sampling.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

using Counts = std::vector<Index>;

Counts counts_of(const std::string& rule, const Counts& sizes, const Counts& table = {}) {
  return sample_counts(parse_sampling_rule(rule), sizes, table);
}

std::string refusal_of_sampling(const std::string& rule) {
  try {
    parse_sampling_rule(rule);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

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

TEST_CASE("each strategy gives the counts it says, a small class all it has") {
  const Counts sizes = {1000, 200, 40, 5};
  CHECK(counts_of("all", sizes) == sizes);
  CHECK(counts_of("constant:50", sizes) == Counts{50, 50, 40, 5});
  CHECK(counts_of("smallest", sizes) == Counts{5, 5, 5, 5});
  CHECK(counts_of("percent:10", sizes) == Counts{100, 20, 4, 1});
  CHECK(counts_of("percent:1", sizes) == Counts{10, 2, 1, 1});  // none is left without
  CHECK(counts_of("constant:1", sizes) == Counts{1, 1, 1, 1});
  CHECK(counts_of("percent:100", sizes) == sizes);
  CHECK(counts_of("total:249", sizes) == Counts{200, 40, 8, 1});
  CHECK(counts_of("byclass:x.csv", sizes, {7, 300, 2, 5}) == Counts{7, 200, 2, 5});
}

TEST_CASE("a total is reached exactly where the sizes allow") {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    Counts sizes;
    for (int c = 0; c < 6; ++c) {
      sizes.push_back(200 + random.index(2000));
    }
    const Index total = 100 + random.index(1000);
    const Counts counts = counts_of("total:" + std::to_string(total), sizes);
    CHECK(std::accumulate(counts.begin(), counts.end(), Index{0}) == total);
    const double fraction =
        static_cast<double>(total) / static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), Index{0}));
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      CHECK(std::abs(static_cast<double>(counts[c]) - fraction * static_cast<double>(sizes[c])) < 1);
    }
  }
  CHECK(counts_of("total:3", {1, 1, 1}) == Counts{1, 1, 1});
  CHECK(counts_of("total:1000000", {10, 20}) == Counts{10, 20});
}

TEST_CASE("a rule that is none is refused with what is allowed") {
  CHECK(refusal_of_sampling("half") ==
        "sampling 'half' is unknown; it must be all, constant:N, smallest, percent:P, total:N or byclass:FILE, as in "
        "constant:200");
  CHECK(refusal_of_sampling("constant") == refusal_of_sampling("half").replace(10, 4, "constant"));
  CHECK(refusal_of_sampling("byclass:").starts_with("sampling 'byclass:' is unknown"));
  CHECK(refusal_of_sampling("constant:0") ==
        "sampling 'constant:0': the number of pixels must be a whole number of at least 1");
  CHECK(refusal_of_sampling("total:2.5") ==
        "sampling 'total:2.5': the number of pixels must be a whole number of at least 1");
  CHECK(refusal_of_sampling("percent:0") == "sampling 'percent:0': the percentage must be above 0 and at most 100");
  CHECK(refusal_of_sampling("percent:101").ends_with("at most 100"));
  CHECK(refusal_of_sampling("percent:x").ends_with("at most 100"));
}

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

}  // namespace parsimap::test
