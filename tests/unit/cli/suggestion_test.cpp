#include "cli/suggestion.hpp"

#include <doctest/doctest.h>

namespace parsimap {

TEST_CASE("closest finds what a slip of the finger meant") {
  const std::vector<std::string> commands = {"train", "classify", "assess", "info", "simulate"};
  CHECK(closest("tarin", commands) == "train");  // a swap is one slip
  CHECK(closest("clasify", commands) == "classify");
  CHECK(closest("simulates", commands) == "simulate");
  CHECK(closest("imfo", commands) == "info");
}

TEST_CASE("closest stays silent when nothing is near, and prefers the first of equals") {
  CHECK_FALSE(closest("predict", {"train", "classify"}));
  CHECK_FALSE(closest("a", {}));
  CHECK_FALSE(closest("inf", {"x"}));
  CHECK(closest("bat", {"cat", "hat"}) == "cat");
}

}  // namespace parsimap
