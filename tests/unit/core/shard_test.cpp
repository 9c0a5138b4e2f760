#include "parsimap/core/shard.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "parsimap/core/error.hpp"

using namespace parsimap;

TEST_CASE("a shard is its number and how many there are") {
  CHECK(parse_shard("3/64") == Shard{3, 64});
  CHECK(parse_shard("1/1") == Shard{1, 1});
  CHECK(to_string(Shard{3, 64}) == "3/64");
  for (const char* text : {"", "3", "/", "3/", "/64", "0/64", "65/64", "-1/64", "3/64/1", "3 / 64", "1/1000001"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_shard(text), ConfigError);
  }
}

TEST_CASE("where parts are planned, 0 stands for what they have in common") {
  CHECK(parse_shard_or_plan("0/64") == Shard{0, 64});
  CHECK(parse_shard_or_plan("64/64") == Shard{64, 64});
  CHECK_THROWS_AS(parse_shard_or_plan("0/0"), ConfigError);
  CHECK_THROWS_WITH_AS(parse_shard_or_plan("65/64"),
                       "shard '65/64' is not NUMBER/COUNT such as 3/64, with 0 <= NUMBER <= COUNT <= 1000000",
                       ConfigError);
}

TEST_CASE("the shards of a job are all items, each once, in shares that differ by one item at most") {
  for (const Index items : {0, 1, 7, 64, 1000}) {
    for (const Index count : {1, 3, 7, 64}) {
      CAPTURE(items);
      CAPTURE(count);
      Index next = 0;
      for (Index number = 1; number <= count; ++number) {
        const ItemRange range = share_of({number, count}, items);
        CHECK(range.first == next);
        CHECK(range.size() >= items / count);
        CHECK(range.size() <= items / count + 1);
        next = range.last;
      }
      CHECK(next == items);
    }
  }
}

TEST_CASE("shares of more items than fit into memory are whole") {
  constexpr Index kMost = std::numeric_limits<Index>::max();
  CHECK(share_of({1000, 1000}, kMost).last == kMost);
}
