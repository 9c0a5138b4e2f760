// What tests ask of the sections of a page.
#pragma once

#include <string>
#include <vector>

#include "parsimap/report/command_page.hpp"

namespace parsimap::test {

inline std::vector<std::string> ids_of(const std::vector<PageSection>& sections) {
  std::vector<std::string> ids;
  for (const PageSection& section : sections) {
    ids.push_back(section.id);
  }
  return ids;
}

}  // namespace parsimap::test
