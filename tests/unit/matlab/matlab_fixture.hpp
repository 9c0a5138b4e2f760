// MATLAB files written by libmatio, for tests of reading them.
#pragma once

#include <matio.h>

#include <cstdint>
#include <string>
#include <vector>

namespace parsimap::test {

// MATLAB's class, the type in memory and in the file, of a C++ type.
template <typename Value>
struct MatlabType;
template <>
struct MatlabType<double> {
  static constexpr matio_classes kClass = MAT_C_DOUBLE;
  static constexpr matio_types kType = MAT_T_DOUBLE;
};
template <>
struct MatlabType<float> {
  static constexpr matio_classes kClass = MAT_C_SINGLE;
  static constexpr matio_types kType = MAT_T_SINGLE;
};
template <>
struct MatlabType<std::uint8_t> {
  static constexpr matio_classes kClass = MAT_C_UINT8;
  static constexpr matio_types kType = MAT_T_UINT8;
};
template <>
struct MatlabType<std::int8_t> {
  static constexpr matio_classes kClass = MAT_C_INT8;
  static constexpr matio_types kType = MAT_T_INT8;
};
template <>
struct MatlabType<std::uint16_t> {
  static constexpr matio_classes kClass = MAT_C_UINT16;
  static constexpr matio_types kType = MAT_T_UINT16;
};
template <>
struct MatlabType<std::int16_t> {
  static constexpr matio_classes kClass = MAT_C_INT16;
  static constexpr matio_types kType = MAT_T_INT16;
};
template <>
struct MatlabType<std::uint32_t> {
  static constexpr matio_classes kClass = MAT_C_UINT32;
  static constexpr matio_types kType = MAT_T_UINT32;
};
template <>
struct MatlabType<std::int32_t> {
  static constexpr matio_classes kClass = MAT_C_INT32;
  static constexpr matio_types kType = MAT_T_INT32;
};
template <>
struct MatlabType<std::uint64_t> {
  static constexpr matio_classes kClass = MAT_C_UINT64;
  static constexpr matio_types kType = MAT_T_UINT64;
};
template <>
struct MatlabType<std::int64_t> {
  static constexpr matio_classes kClass = MAT_C_INT64;
  static constexpr matio_types kType = MAT_T_INT64;
};

class MatlabWriter {
 public:
  explicit MatlabWriter(const std::string& path, mat_ft version = MAT_FT_MAT5)
      : file_(Mat_CreateVer(path.c_str(), nullptr, version)) {}
  ~MatlabWriter() { Mat_Close(file_); }
  MatlabWriter(const MatlabWriter&) = delete;
  MatlabWriter& operator=(const MatlabWriter&) = delete;

  // `values` in MATLAB's order, the first index running fastest.
  template <typename Value>
  void add(const std::string& name, std::vector<std::size_t> shape, std::vector<Value> values, bool compressed = false,
           int options = 0) {
    write(Mat_VarCreate(name.c_str(), MatlabType<Value>::kClass, MatlabType<Value>::kType,
                        static_cast<int>(shape.size()), shape.data(), values.data(), options),
          compressed);
  }

  // 100 * row + 10 * column + band, counted from 0.
  template <typename Value>
  void add_cube(const std::string& name, std::size_t rows, std::size_t columns, std::size_t bands,
                bool compressed = false) {
    std::vector<Value> values(rows * columns * bands);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t band = 0; band < bands; ++band) {
          values[row + rows * (column + columns * band)] = static_cast<Value>(100 * row + 10 * column + band);
        }
      }
    }
    add(name, {rows, columns, bands}, values, compressed);
  }

  void add_text(const std::string& name, std::string text) {
    std::size_t shape[2] = {1, text.size()};
    write(Mat_VarCreate(name.c_str(), MAT_C_CHAR, MAT_T_UTF8, 2, shape, text.data(), 0), false);
  }

  void add_complex_cube(const std::string& name, std::size_t rows, std::size_t columns, std::size_t bands) {
    std::size_t shape[3] = {rows, columns, bands};
    std::vector<double> values(rows * columns * bands, 1);
    mat_complex_split_t parts{values.data(), values.data()};
    write(Mat_VarCreate(name.c_str(), MAT_C_DOUBLE, MAT_T_DOUBLE, 3, shape, &parts, MAT_F_COMPLEX), false);
  }

 private:
  void write(matvar_t* variable, bool compressed) {
    Mat_VarWrite(file_, variable, compressed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE);
    Mat_VarFree(variable);
  }

  mat_t* file_;
};

}  // namespace parsimap::test
