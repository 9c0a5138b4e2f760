// What tests ask of a page.
#pragma once

#include <string>
#include <vector>

#include "parsimap/report/command_page.hpp"

namespace parsimap::test {

inline std::vector<std::string> ids_of(const std::vector<Section>& sections) {
  std::vector<std::string> ids;
  for (const Section& section : sections) {
    ids.push_back(section.id);
  }
  return ids;
}

// How often `part` is in `text`.
inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace parsimap::test
