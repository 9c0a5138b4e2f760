// The numeric text tables of the real data sets (Madelon, Arcene).
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap::toy {

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
