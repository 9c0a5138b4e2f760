#include "parsimap/core/shard.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

constexpr Index kMostShards = 1'000'000;

// "NUMBER/COUNT" with least <= NUMBER <= COUNT: `least` is 1 for parts, and 0 where the plan of a job is a valid
// choice. The limit of COUNT keeps typing errors from starting absurdly small parts.
Shard parse_from(const std::string& text, Index least) {
  const std::size_t slash = text.find('/');
  const auto number = parse_number<Index>(std::string_view(text).substr(0, slash));
  const auto count = slash == std::string::npos ? std::nullopt : parse_number<Index>(text.substr(slash + 1));
  if (!number || !count || *number < least || *count < 1 || *number > *count || *count > kMostShards) {
    throw ConfigError("shard '" + text + "' is not NUMBER/COUNT such as 3/64, with " + std::to_string(least) +
                      " <= NUMBER <= COUNT <= " + std::to_string(kMostShards));
  }
  return {*number, *count};
}

}  // namespace

Shard parse_shard(const std::string& text) { return parse_from(text, 1); }

Shard parse_shard_or_plan(const std::string& text) { return parse_from(text, 0); }

std::string to_string(const Shard& shard) { return std::to_string(shard.number) + "/" + std::to_string(shard.count); }

ItemRange share_of(const Shard& shard, Index items) {
  // With items = each * count + left, the first `left` shards have each + 1 items and the others have `each`. The end
  // of a shard is computed from quotient and remainder, because the product of items and shard number might overflow.
  const Index each = items / shard.count;
  const Index left = items % shard.count;
  const auto end = [&](Index number) { return number * each + std::min(number, left); };
  return {end(shard.number - 1), end(shard.number)};
}

}  // namespace parsimap
