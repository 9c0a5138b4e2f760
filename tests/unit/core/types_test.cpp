#include "parsimap/core/types.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

namespace parsimap::test {
namespace {

struct Named {
  std::string name;
};

}  // namespace

TEST_CASE("a list is mapped item by item, by a function or by a member") {
  CHECK(mapped<double>(std::vector<int>{3, 1, 2}, [](int value) { return value / 2.0; }) ==
        std::vector<double>{1.5, 0.5, 1});
  CHECK(mapped<std::string>(std::vector<Named>{{"soil"}, {"water"}}, &Named::name) ==
        std::vector<std::string>{"soil", "water"});
  const std::map<std::string, int> counts = {{"b", 2}, {"a", 1}};
  CHECK(mapped<int>(counts, [](const auto& entry) { return entry.second; }) == std::vector<int>{1, 2});
  CHECK(mapped<int>(std::vector<int>{}, [](int value) { return value; }).empty());
}

TEST_CASE("entries are taken in the order of the indices, and may be taken twice") {
  CHECK(values_at(std::vector<char>{'a', 'b', 'c'}, {2, 0, 2}) == std::vector<char>{'c', 'a', 'c'});
  CHECK(values_at(std::vector<char>{'a'}, {}).empty());
}

TEST_CASE("consecutive indices begin at zero or where they are to") {
  CHECK(consecutive(3) == Indices{0, 1, 2});
  CHECK(consecutive(2, 5) == Indices{5, 6});
  CHECK(consecutive(0).empty());
}

TEST_CASE("the indices for which a condition holds ascend") {
  const std::vector<int> values = {4, 7, 0, 9};
  CHECK(indices_where(values.size(), [&](std::size_t i) { return values[i] > 3; }) == Indices{0, 1, 3});
  CHECK(indices_where(Index{4}, [](Index) { return false; }).empty());
  CHECK(indices_where(0, [](int) { return true; }).empty());
}

}  // namespace parsimap::test
