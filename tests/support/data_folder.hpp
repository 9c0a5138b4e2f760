// Where the real data of tests lie.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace parsimap::toy {

// The folder of real data, where there is one.
inline std::optional<std::string> data_folder() {
  const char* folder = std::getenv("PARSIMAP_DATA");
  return folder != nullptr && *folder != '\0' ? std::optional<std::string>(folder) : std::nullopt;
}

}  // namespace parsimap::toy
