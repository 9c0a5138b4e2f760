#include "array_file.hpp"

#include <matio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>

#include "parsimap/core/error.hpp"

namespace parsimap::matlab {
namespace {

struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

constexpr std::int64_t kHeaderBytes = 128;
constexpr std::int64_t kTagBytes = 8;

// libmatio takes a file for one of version 4 when it knows nothing better, and does not tell that a file was cut off:
// the header and the tags of the arrays are read before it sees them ("MAT-File Format", MathWorks, chapter 1).
class FileLayout {
 public:
  explicit FileLayout(const std::string& path) : path_(path), stream_(path, std::ios::binary | std::ios::ate) {
    bytes_ = stream_ ? static_cast<std::int64_t>(stream_.tellg()) : -1;
    if (bytes_ < 0) {
      throw DataError(path + ": cannot be read: " + std::strerror(errno) + ".");
    }
  }

  void check() {
    std::array<char, kHeaderBytes> header{};
    const bool whole = read(0, header);
    const std::string order(&header[126], 2);
    if (!whole || (order != "IM" && order != "MI")) {
      throw DataError(path_ + ": is not a MATLAB file of version 5 to 7: it does not begin like one.");
    }
    little_endian_ = order == "IM";
    const char version = header[little_endian_ ? 125 : 124];
    if (version == 2) {
      throw DataError(path_ + ": is a MATLAB file of version 7.3 (HDF5), which is not read; save it again with " +
                      "save(..., '-v7') in MATLAB or scipy.io.savemat in Python.");
    }
    if (version != 1) {
      throw DataError(path_ + ": is not a MATLAB file of version 5 to 7: its header has version " +
                      std::to_string(static_cast<int>(version)) + ".");
    }
    check_arrays();
  }

 private:
  template <std::size_t Count>
  bool read(std::int64_t offset, std::array<char, Count>& target) {
    stream_.seekg(offset);
    stream_.read(target.data(), Count);
    return static_cast<bool>(stream_);
  }

  void check_arrays() {
    std::int64_t begin = kHeaderBytes;
    while (begin < bytes_) {
      std::array<char, kTagBytes> tag{};
      const bool whole = read(begin, tag);
      const std::uint32_t type = number(tag.data());
      if (whole && type != MAT_T_MATRIX && type != MAT_T_COMPRESSED) {
        return;
      }
      const std::int64_t end = begin + kTagBytes + (whole ? number(&tag[4]) : 0);
      if (end > bytes_) {
        throw DataError(path_ + ": is cut off: the array that begins at byte " + std::to_string(begin) +
                        " ends at byte " + std::to_string(end) + ", but the file has " + std::to_string(bytes_) +
                        " bytes.");
      }
      begin = end;
    }
  }

  [[nodiscard]] std::uint32_t number(const char* four) const {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      value = value << 8 | static_cast<unsigned char>(four[little_endian_ ? 3 - i : i]);
    }
    return value;
  }

  std::string path_;
  std::ifstream stream_;
  std::int64_t bytes_ = 0;
  bool little_endian_ = true;
};

std::string type_name(const matvar_t& variable) {
  static constexpr std::array<const char*, 18> names = {"empty",  "cell",   "struct", "object", "char",     "sparse",
                                                        "double", "single", "int8",   "uint8",  "int16",    "uint16",
                                                        "int32",  "uint32", "int64",  "uint64", "function", "opaque"};
  const auto type = static_cast<std::size_t>(variable.class_type);
  const std::string name = variable.isLogical != 0 ? "logical" : type < names.size() ? names[type] : "unknown";
  return variable.isComplex != 0 ? "complex " + name : name;
}

Array describe(const matvar_t& variable) {
  Array array;
  array.name = variable.name != nullptr ? variable.name : "";
  array.shape.assign(variable.dims, variable.dims + variable.rank);
  array.type = type_name(variable);
  array.real_numbers =
      variable.class_type >= MAT_C_DOUBLE && variable.class_type <= MAT_C_UINT64 && variable.isComplex == 0;
  return array;
}

bool fits(const Array& array, const std::vector<std::optional<Index>>& shape) {
  return array.real_numbers &&
         std::equal(array.shape.begin(), array.shape.end(), shape.begin(), shape.end(),
                    [](Index length, const auto& wanted) { return length > 0 && length == wanted.value_or(length); });
}

std::string listed(const std::vector<Array>& arrays) {
  std::string text;
  for (const Array& array : arrays) {
    text += (text.empty() ? "" : ", ") + to_string(array);
  }
  return text.empty() ? "no arrays" : text;
}

template <typename Value>
Vector converted(const matvar_t& variable, Index count) {
  return Eigen::Map<const Eigen::Matrix<Value, Eigen::Dynamic, 1>>(static_cast<const Value*>(variable.data), count)
      .template cast<double>();
}

Vector values_of(const matvar_t& variable, Index count) {
  switch (variable.class_type) {
    case MAT_C_DOUBLE:
      return converted<double>(variable, count);
    case MAT_C_SINGLE:
      return converted<float>(variable, count);
    case MAT_C_INT8:
      return converted<std::int8_t>(variable, count);
    case MAT_C_UINT8:
      return converted<std::uint8_t>(variable, count);
    case MAT_C_INT16:
      return converted<std::int16_t>(variable, count);
    case MAT_C_UINT16:
      return converted<std::uint16_t>(variable, count);
    case MAT_C_INT32:
      return converted<std::int32_t>(variable, count);
    case MAT_C_UINT32:
      return converted<std::uint32_t>(variable, count);
    case MAT_C_INT64:
      return converted<std::int64_t>(variable, count);
    default:
      return converted<std::uint64_t>(variable, count);
  }
}

}  // namespace

std::string to_string(const Array& array) {
  std::string text = array.name + " (";
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    text += (i > 0 ? " x " : "") + std::to_string(array.shape[i]);
  }
  return text + ", " + array.type + ")";
}

void ArrayFile::Close::operator()(_mat_t* file) const { Mat_Close(file); }

ArrayFile::ArrayFile(const std::string& path) : path_(path) {
  FileLayout(path).check();
  file_.reset(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (file_ == nullptr) {
    throw DataError(path + ": cannot be opened as a MATLAB file.");
  }
  while (const Variable variable{Mat_VarReadNextInfo(file_.get())}) {
    arrays_.push_back(describe(*variable));
  }
}

const Array& ArrayFile::only(const std::vector<std::optional<Index>>& shape, const std::string& shape_text) const {
  std::vector<Array> fitting;
  std::copy_if(arrays_.begin(), arrays_.end(), std::back_inserter(fitting),
               [&](const Array& array) { return fits(array, shape); });
  if (fitting.empty()) {
    throw DataError(path_ + ": has no array of " + shape_text + " real numbers; it holds " + listed(arrays_) + ".");
  }
  if (fitting.size() > 1) {
    throw DataError(path_ + ": has several arrays of " + shape_text + " real numbers, " + listed(fitting) +
                    "; there must be one.");
  }
  return *std::find_if(arrays_.begin(), arrays_.end(), [&](const Array& array) { return fits(array, shape); });
}

Vector ArrayFile::read(const Array& array) const {
  const Variable variable(Mat_VarRead(file_.get(), array.name.c_str()));
  // A damaged shape may be too large to count in integers.
  const double count = std::accumulate(array.shape.begin(), array.shape.end(), 1.0, [](double product, Index length) {
    return product * static_cast<double>(length);
  });
  if (variable == nullptr || variable->data == nullptr ||
      static_cast<double>(variable->nbytes) != count * variable->data_size) {
    throw DataError(path_ + ": the values of " + to_string(array) + " are damaged.");
  }
  return values_of(*variable, static_cast<Index>(count));
}

}  // namespace parsimap::matlab
