#include "parsimap/io/matlab/labels.hpp"

#include <cmath>
#include <map>
#include <sstream>

#include "parsimap/core/error.hpp"

#include "array_file.hpp"

namespace parsimap {
namespace {

constexpr int kLargestCode = 65535;

int to_code(double value, Index column, Index row, const std::string& path) {
  if (std::isnan(value)) {
    return 0;
  }
  if (value >= 0 && value <= kLargestCode && value == std::floor(value)) {
    return static_cast<int>(value);
  }
  std::ostringstream text;
  text.precision(10);
  text << path << ": carries no classes: the value at column " << column << ", row " << row << " is " << value
       << "; codes are whole numbers from 0 to " << kLargestCode << ".";
  throw DataError(text.str());
}

}  // namespace

LabelledPixels read_matlab_labels(const std::string& path, const std::optional<std::string>& variable,
                                  const RasterGrid& grid, const std::string& grid_name) {
  const matlab::ArrayFile file(path);
  const std::string size = std::to_string(grid.height) + " x " + std::to_string(grid.width);
  const matlab::Array& array =
      file.only({grid.height, grid.width}, size + " (rows and columns of " + grid_name + ")", variable);
  const Vector values = file.read<double>(array);
  LabelledPixels labels;
  std::map<int, int> label_of;  // by code; numbered once all are known
  for (Index row = 0; row < grid.height; ++row) {
    for (Index column = 0; column < grid.width; ++column) {
      const int code = to_code(values(row + column * grid.height), column, row, path);
      if (code != 0) {
        label_of.emplace(code, 0);
        labels.pixels.push_back({std::int64_t{row} * grid.width + column, code, 0});
      }
    }
  }
  for (auto& [code, label] : label_of) {
    label = static_cast<int>(labels.classes.size());
    labels.classes.push_back({code, std::to_string(code), std::nullopt});
  }
  for (LabelledPixel& pixel : labels.pixels) {
    pixel.label = label_of.at(pixel.label);
  }
  return labels;
}

}  // namespace parsimap
