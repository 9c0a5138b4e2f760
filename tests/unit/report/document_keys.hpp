// The keys of a document, in their order.
#pragma once

#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <vector>

namespace parsimap {

inline std::vector<std::string> first_keys(const std::string& text,
                                           std::size_t count = std::numeric_limits<std::size_t>::max()) {
  std::vector<std::string> keys;
  // Held by name: items() refers to the object it is called on.
  const auto document = nlohmann::ordered_json::parse(text);
  for (const auto& [key, value] : document.items()) {
    if (keys.size() < count) {
      keys.push_back(key);
    }
  }
  return keys;
}

}  // namespace parsimap
