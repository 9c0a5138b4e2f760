// The numeric text tables of the real data sets (Madelon, Arcene).
#pragma once

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap::toy {

// The folder of real data, where there is one.
inline std::optional<std::string> data_folder() {
  const char* folder = std::getenv("PARSIMAP_DATA");
  return folder != nullptr && *folder != '\0' ? std::optional<std::string>(folder) : std::nullopt;
}

// All numbers of a file as rows of `columns`.
inline Matrix read_table(const std::string& path, Index columns) {
  std::ifstream file(path);
  std::vector<double> values;
  for (double value = 0; file >> value;) {
    values.push_back(value);
  }
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values.data(), static_cast<Index>(values.size()) / columns, columns);
}

}  // namespace parsimap::toy
