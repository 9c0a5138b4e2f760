#include "parsimap/report/map_parts.hpp"

#include <algorithm>

#include "parsimap/core/file.hpp"

namespace parsimap {

std::string facts_digest(const std::vector<std::pair<std::string, std::string>>& facts) {
  Sha256 sum;
  const auto add = [&](const std::string& text) {
    // With their lengths, so that no two lists of texts are the same bytes.
    sum.update(std::to_string(text.size()) + ":" + text);
  };
  for (const auto& [name, value] : facts) {
    add(name);
    add(value);
  }
  return sum.digits();
}

std::string plan_digest(const MapPlan& plan) {
  std::vector<std::pair<std::string, std::string>> facts = plan.facts;
  facts.emplace_back("regularised", plan.regularisation);
  return facts_digest(facts);
}

std::string plan_difference(const MapPlan& plan, const std::vector<std::pair<std::string, std::string>>& facts) {
  for (const auto& [name, here] : facts) {
    const auto there = std::find_if(plan.facts.begin(), plan.facts.end(),
                                    [&, wanted = name](const auto& fact) { return fact.first == wanted; });
    if (there == plan.facts.end()) {
      return name + " is not known there";
    }
    if (there->second != here) {
      return name + " is " + there->second + " there and " + here + " here";
    }
  }
  return facts.size() == plan.facts.size() ? "" : "more is known there";
}

ItemRange part_rows(const MapPlan& plan, const Shard& shard) {
  const ItemRange units = share_of(shard, (plan.grid.height + plan.unit - 1) / plan.unit);
  return {std::min(units.first * plan.unit, plan.grid.height), std::min(units.last * plan.unit, plan.grid.height)};
}

}  // namespace parsimap
