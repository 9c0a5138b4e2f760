// The arrays of a MATLAB file of version 5 ("MAT-File Format", MathWorks, chapter 1). Libmatio is not asked: it
// believes what a file says of its sizes, and takes failed reads and damaged compressed bytes for values.
#pragma once

#include <matio.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

struct z_stream_s;

namespace parsimap {

constexpr std::int64_t kHeaderBytes = 128;  // text and version, before the arrays

struct OpenMatlabFile {
  std::string path;
  bool little_endian = true;
  std::int64_t bytes = 0;
  std::ifstream stream;
};

// A part of an array: its shape, its name, its values and so on.
struct MatlabPart {
  std::uint32_t type = 0;  // one of matio_types
  std::int64_t bytes = 0;
  std::int64_t padding = 0;  // bytes without a meaning that follow those
};

// The bytes of one array, one after the other, unpacked where they are compressed. What the file says of sizes is
// believed only where the file has the bytes.
class ElementStream {
 public:
  // The array whose first byte is `begin`. `file` must live as long as this. DataError when the array is cut off or
  // damaged, IoError when the system fails to read it or the file has become shorter; so for all functions.
  ElementStream(OpenMatlabFile& file, std::int64_t begin);

  // Where the next array begins.
  [[nodiscard]] std::int64_t end() const { return end_; }
  // How many bytes are still to be read, by what the array declares.
  [[nodiscard]] std::int64_t left() const { return left_; }

  void read(char* target, std::int64_t bytes);
  // Whether the array has the bytes of the part shows when they are read.
  MatlabPart next_part();
  // All of a part that must have this type and may not be long, and its padding.
  std::string content_of_part(std::uint32_t type, const std::string& meaning);
  [[nodiscard]] std::uint32_t number(const char* four) const;
  // Unpacks the rest of a compressed array, of which zlib checks the sum.
  void finish();

  [[noreturn]] void refuse(const std::string& rule) const;

 private:
  struct EndInflate {
    void operator()(z_stream_s* stream) const;
  };

  void check_tag(std::uint32_t type) const;
  void skip(std::int64_t bytes);
  void read_file(char* target, std::int64_t bytes);
  void start_unpacking(std::int64_t packed);
  void unpack(char* target, std::int64_t bytes);
  [[nodiscard]] bool unpack_some();

  OpenMatlabFile& file_;
  std::int64_t begin_;
  std::int64_t end_;
  std::int64_t left_ = 0;
  std::int64_t packed_left_ = 0;  // compressed bytes that have not been read from the file
  std::unique_ptr<z_stream_s, EndInflate> unpacker_;
  std::vector<char> packed_;
};

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

// The number of matio_types that arrays of real numbers of a class hold.
std::uint32_t type_of_class(unsigned matlab_class);

// Calls use() with a number of the C++ type that a number of matio_types stands for; double for what is none.
template <typename Use>
auto with_number_type(std::uint32_t type, const Use& use) {
  switch (type) {
    case MAT_T_INT8:
      return use(std::int8_t{});
    case MAT_T_UINT8:
      return use(std::uint8_t{});
    case MAT_T_INT16:
      return use(std::int16_t{});
    case MAT_T_UINT16:
      return use(std::uint16_t{});
    case MAT_T_INT32:
      return use(std::int32_t{});
    case MAT_T_UINT32:
      return use(std::uint32_t{});
    case MAT_T_INT64:
      return use(std::int64_t{});
    case MAT_T_UINT64:
      return use(std::uint64_t{});
    case MAT_T_SINGLE:
      return use(float{});
    default:
      return use(double{});
  }
}

// Whether the name is that of a class of numbers.
bool is_real_class(const std::string& name);

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
