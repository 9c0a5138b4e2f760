// The arrays of a MATLAB file of any version from 5 to 7.3.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/gdal/hdf5/array_file.hpp"

#include "version5_file.hpp"

namespace parsimap {

class MatlabArrays {
 public:
  // DataError: not readable, no regular file, not of these versions, cut off, damaged. IoError when the system fails to
  // read it.
  explicit MatlabArrays(const std::string& path);

  [[nodiscard]] const std::vector<MatlabArray>& arrays() const { return arrays_; }

  // The only array of real numbers with this shape, where an unset length may be any; with a name the one that has it.
  // DataError, which lists what the file holds and calls the wanted shape `shape_text`, when there is none or several,
  // with `advice` where there are several; also where it has more values than a file of this size can hold.
  [[nodiscard]] const MatlabArray& only(const std::vector<std::optional<Index>>& shape, const std::string& shape_text,
                                        const std::optional<std::string>& name = std::nullopt,
                                        const std::string& advice = "name one of them") const;

  // Its values in MATLAB's order, the first index running fastest, as float or double. DataError when they are damaged,
  // IoError when the system fails to read them.
  template <typename Value>
  [[nodiscard]] Eigen::Matrix<Value, Eigen::Dynamic, 1> read(const MatlabArray& array) const;

 private:
  void check_size(const MatlabArray& array) const;

  std::string path_;
  std::unique_ptr<Version5File> version5_;  // or the next, for version 7.3
  std::unique_ptr<ArrayFile> hdf5_;
  std::vector<MatlabArray> arrays_;
};

}  // namespace parsimap
