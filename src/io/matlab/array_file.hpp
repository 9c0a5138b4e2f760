// The arrays of a MATLAB file of version 5 to 7.3, through libmatio.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

struct _mat_t;

namespace parsimap {

struct MatlabArray {
  std::string name;
  std::vector<Index> shape;  // rows, columns, ...
  std::string type;          // MATLAB's class, such as "uint16" or "struct"; complex ones as "complex double"
  bool real_numbers = false;
  bool compressed = false;
  bool operator==(const MatlabArray&) const = default;
};

// "paviaU (610 x 340 x 103, uint16)"
std::string to_string(const MatlabArray& array);

class ArrayFile {
 public:
  // DataError: not readable, no regular file, not of these versions, cut off. IoError when the system fails to read it.
  explicit ArrayFile(const std::string& path);

  [[nodiscard]] const std::vector<MatlabArray>& arrays() const { return arrays_; }

  // The only array of real numbers with this shape, where an unset length may be any; with a name the one that has it.
  // DataError, which lists what the file holds and calls the wanted shape `shape_text`, when there is none or several;
  // also where it has more values than a file of this size can hold.
  [[nodiscard]] const MatlabArray& only(const std::vector<std::optional<Index>>& shape, const std::string& shape_text,
                                        const std::optional<std::string>& name = std::nullopt) const;

  // Its values in MATLAB's order, the first index running fastest, as float or double. DataError when they are damaged,
  // IoError when the system fails to read them.
  template <typename Value>
  [[nodiscard]] Eigen::Matrix<Value, Eigen::Dynamic, 1> read(const MatlabArray& array) const;

 private:
  [[nodiscard]] std::vector<MatlabArray> list() const;
  void check_reads(const MatlabArray& array, const void* values, std::size_t bytes) const;

  struct Close {
    void operator()(_mat_t* file) const;
  };

  void check_size(const MatlabArray& array) const;

  std::string path_;
  std::int64_t bytes_ = 0;  // of the file when it was opened
  std::unique_ptr<_mat_t, Close> file_;
  std::vector<MatlabArray> arrays_;
};

}  // namespace parsimap
