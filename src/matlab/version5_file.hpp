// The arrays of a MATLAB file of version 5 ("MAT-File Format", MathWorks, chapter 1). Libmatio is not asked: it
// believes what a file says of its sizes, and takes failed reads and damaged compressed bytes for values.
#pragma once

#include <string>
#include <vector>

#include "element_stream.hpp"
#include "matlab_array.hpp"

namespace parsimap {

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
