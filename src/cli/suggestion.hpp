// What a mistyped word was meant to be.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace parsimap {

// The candidate with the fewest insertions, deletions, substitutions and swaps of neighbours away from `word`, the
// first of equals; none when even that one differs in more than a third of the longer word's letters.
std::optional<std::string> closest(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace parsimap
