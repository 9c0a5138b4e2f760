// What a MATLAB file says of one of its arrays, whatever its version.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct MatlabArray {
  std::string name;
  std::vector<Index> shape;  // rows, columns, ...
  std::string type;          // MATLAB's class, such as "uint16" or "struct"; complex ones as "complex double"
  bool real_numbers = false;
  std::int64_t begin = 0;  // the first of its bytes in a file of version 5
  bool operator==(const MatlabArray&) const = default;
};

// "paviaU (610 x 340 x 103, uint16)"
std::string to_string(const MatlabArray& array);

// How many values its shape has. A damaged shape may have more than integers can count.
double value_count(const MatlabArray& array);

// Fills in type and real_numbers. `matlab_class` is one of matio_classes.
void set_type(MatlabArray& array, unsigned matlab_class, bool is_logical, bool is_complex);

}  // namespace parsimap
