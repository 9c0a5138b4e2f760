// One part of a job that several processes or machines share: part `number` of `count`.
//
// What is shared are items in a row, such as rows of tiles, scenes or runs. Parts are contiguous and as equal as whole
// items allow; together they are all items, each once.
#pragma once

#include <string>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct Shard {
  Index number = 1;  // from 1
  Index count = 1;
  bool operator==(const Shard&) const = default;
};

// "3/64" and back; anything else than 1 <= number <= count <= 1 000 000 is a ConfigError that states the form.
Shard parse_shard(const std::string& text);
// The same with "0/64", which is no part but stands for what the parts have in common.
Shard parse_shard_or_plan(const std::string& text);
std::string to_string(const Shard& shard);

// Items first .. last - 1.
struct ItemRange {
  Index first = 0;
  Index last = 0;
  [[nodiscard]] Index size() const { return last - first; }
  bool operator==(const ItemRange&) const = default;
};

// The shard's share of `items` items; empty where there are fewer items than shards before it.
ItemRange share_of(const Shard& shard, Index items);

}  // namespace parsimap
