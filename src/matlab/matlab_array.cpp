#include "matlab_array.hpp"

#include <matio.h>

#include <array>
#include <numeric>

namespace parsimap {

std::string to_string(const MatlabArray& array) {
  std::string text = array.name + " (";
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    text += (i > 0 ? " x " : "") + std::to_string(array.shape[i]);
  }
  return text + ", " + array.type + ")";
}

double value_count(const MatlabArray& array) {
  return std::accumulate(array.shape.begin(), array.shape.end(), 1.0,
                         [](double product, Index length) { return product * static_cast<double>(length); });
}

void set_type(MatlabArray& array, unsigned matlab_class, bool is_logical, bool is_complex) {
  static constexpr std::array<const char*, 18> names = {"empty",  "cell",   "struct", "object", "char",     "sparse",
                                                        "double", "single", "int8",   "uint8",  "int16",    "uint16",
                                                        "int32",  "uint32", "int64",  "uint64", "function", "opaque"};
  const std::string name = is_logical ? "logical" : matlab_class < names.size() ? names[matlab_class] : "unknown";
  array.type = is_complex ? "complex " + name : name;
  array.real_numbers = matlab_class >= MAT_C_DOUBLE && matlab_class <= MAT_C_UINT64 && !is_complex;
}

}  // namespace parsimap
