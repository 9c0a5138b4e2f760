// The arrays of a MATLAB file of version 5 ("MAT-File Format", MathWorks, chapter 1). Libmatio is not asked: it
// believes what a file says of its sizes, and takes failed reads and damaged compressed bytes for values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

#include "element_stream.hpp"

namespace parsimap {

// What a MATLAB file says of one of its arrays, whatever its version.

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

class Version5File {
 public:
  // Reads what the arrays say of themselves, without their values. DataError: cut off or damaged. IoError when the
  // system fails to read it.
  Version5File(const std::string& path, bool little_endian);

  [[nodiscard]] const std::vector<MatlabArray>& arrays() const { return arrays_; }

  // The values of one of arrays(), which must have real numbers, in MATLAB's order. Errors are those of the
  // constructor.
  template <typename Value>
  [[nodiscard]] Eigen::Matrix<Value, Eigen::Dynamic, 1> read(const MatlabArray& array);

 private:
  OpenMatlabFile file_;
  std::vector<MatlabArray> arrays_;
};

}  // namespace parsimap
