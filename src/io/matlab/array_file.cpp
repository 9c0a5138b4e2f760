#include "array_file.hpp"

#include <hdf5.h>
#include <matio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text_file.hpp"

namespace parsimap {
namespace {

struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

// HDF5 prints what goes wrong unless it is told not to.
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &report_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, report_, data_); }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t report_ = nullptr;
  void* data_ = nullptr;
};

constexpr std::int64_t kHeaderBytes = 128;
constexpr std::int64_t kTagBytes = 8;

// A value takes a byte at least, and zlib makes at most 1032 bytes of one ("Maximum Compression Factor" of its manual).
constexpr double kLargestRatio = 1032;
// HDF5 keeps parts of an array that were never written out of the file, so that a small file may hold so many values.
constexpr double kUnwrittenValues = 1 << 24;

// libmatio takes a file for one of version 4 when it knows nothing better, and does not tell that a file was cut off:
// the header and the tags of the arrays are read before it sees them ("MAT-File Format", MathWorks, chapter 1).
class FileLayout {
 public:
  explicit FileLayout(const std::string& path) : path_(path) {
    refuse_special_file(path);
    stream_.open(path, std::ios::binary | std::ios::ate);
    bytes_ = stream_ ? static_cast<std::int64_t>(stream_.tellg()) : -1;
    if (bytes_ < 0) {
      throw DataError(path + " cannot be read: " + std::strerror(errno));
    }
  }

  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

  void check() {
    std::array<char, kHeaderBytes> header{};
    const bool whole = read(0, header);
    const std::string order(&header[126], 2);
    if (!whole || (order != "IM" && order != "MI")) {
      throw DataError(path_ + " is not a MATLAB file of version 5 to 7.3: it does not begin like one");
    }
    little_endian_ = order == "IM";
    const char version = header[little_endian_ ? 125 : 124];
    if (version == 2) {
      check_hdf5();
      return;
    }
    if (version != 1) {
      throw DataError(path_ + " is not a MATLAB file of version 5 to 7.3: its header has version " +
                      std::to_string(static_cast<int>(version)));
    }
    check_arrays();
  }

  // Reads all of the file, which had `bytes` at first, for nothing but to see whether it can be read.
  void check_all(std::int64_t bytes) {
    constexpr std::size_t kBytesAtOnce = std::size_t{1} << 20;
    std::vector<char> part(kBytesAtOnce);
    stream_.clear();
    stream_.seekg(0);
    std::int64_t read = 0;
    while (stream_.read(part.data(), static_cast<std::streamsize>(part.size())) || stream_.gcount() > 0) {
      read += stream_.gcount();
    }
    check_stream();
    if (read != bytes) {
      throw IoError(path_ + " changed while it was read");
    }
  }

 private:
  template <std::size_t Count>
  bool read(std::int64_t offset, std::array<char, Count>& target) {
    stream_.seekg(offset);
    stream_.read(target.data(), Count);
    check_stream();
    return static_cast<bool>(stream_);
  }

  void check_stream() const {
    if (stream_.bad() && errno != EISDIR) {
      throw IoError(path_ + " cannot be read: " + std::strerror(errno));
    }
  }

  // Version 7.3 is HDF5 after the header; that library knows the size of the file.
  void check_hdf5() {
    const QuietHdf5 quiet;
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
      throw DataError(path_ + " is a MATLAB file of version 7.3 (HDF5) that is damaged or cut off");
    }
    H5Fclose(file);
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
        throw DataError(path_ + " is cut off: the array that begins at byte " + std::to_string(begin) +
                        " ends at byte " + std::to_string(end) + ", but the file has " + std::to_string(bytes_) +
                        " bytes");
      }
      if (type == MAT_T_MATRIX) {
        check_head(begin, end);
      }
      begin = end;
    }
  }

  // The flags, the shape and the name of an array. libmatio takes memory for the last two before it looks where they
  // end, and finds them where the flags have the length that they always have.
  void check_head(std::int64_t array, std::int64_t end) {
    constexpr std::uint32_t kOpaque = 17;  // a class whose arrays have other parts
    std::array<char, kTagBytes> tag{};
    std::array<char, kTagBytes> flags{};
    const std::int64_t shape = array + 3 * kTagBytes;
    const bool plain = shape <= end && read(array + kTagBytes, tag) && number(tag.data()) == MAT_T_UINT32 &&
                       number(&tag[4]) == kTagBytes && read(array + 2 * kTagBytes, flags);
    if (!plain) {
      throw DataError(path_ + " is damaged: the array that begins at byte " + std::to_string(array) +
                      " does not begin with its flags");
    }
    if ((number(flags.data()) & 0xFFU) == kOpaque) {
      return;
    }
    const std::int64_t name = part_end(shape, MAT_T_INT32, array, end);
    part_end(name, MAT_T_INT8, array, end);
  }

  // Where the part of this type ends that begins at `begin`. One of up to four bytes has its length in its type, and
  // its bytes in the tag.
  std::int64_t part_end(std::int64_t begin, std::uint32_t type, std::int64_t array, std::int64_t end) {
    std::array<char, kTagBytes> tag{};
    const bool whole = begin + kTagBytes <= end && read(begin, tag);
    const std::uint32_t word = number(tag.data());
    const std::int64_t bytes = word >> 16U != 0 ? 0 : number(&tag[4]);
    if (!whole || (word & 0xFFFFU) != type || begin + kTagBytes + bytes > end) {
      throw DataError(path_ + " is damaged: the shape or the name of the array that begins at byte " +
                      std::to_string(array) + " does not lie in it");
    }
    return begin + kTagBytes + (bytes + kTagBytes - 1) / kTagBytes * kTagBytes;
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

MatlabArray describe(const matvar_t& variable) {
  MatlabArray array;
  array.name = variable.name != nullptr ? variable.name : "";
  array.shape.assign(variable.dims, variable.dims + variable.rank);
  array.type = type_name(variable);
  array.real_numbers =
      variable.class_type >= MAT_C_DOUBLE && variable.class_type <= MAT_C_UINT64 && variable.isComplex == 0;
  array.compressed = variable.compression != MAT_COMPRESSION_NONE;
  return array;
}

// A damaged shape may be too large to count in integers.
double count_of(const MatlabArray& array) {
  return std::accumulate(array.shape.begin(), array.shape.end(), 1.0,
                         [](double product, Index length) { return product * static_cast<double>(length); });
}

bool fits(const MatlabArray& array, const std::vector<std::optional<Index>>& shape) {
  return array.real_numbers &&
         std::equal(array.shape.begin(), array.shape.end(), shape.begin(), shape.end(),
                    [](Index length, const auto& wanted) { return length > 0 && length == wanted.value_or(length); });
}

std::string listed(const std::vector<MatlabArray>& arrays) {
  std::string text;
  for (const MatlabArray& array : arrays) {
    text += (text.empty() ? "" : ", ") + to_string(array);
  }
  return text.empty() ? "no arrays" : text;
}

std::size_t hash_of(const void* values, std::size_t bytes) {
  return std::hash<std::string_view>{}({static_cast<const char*>(values), bytes});
}

template <typename Stored, typename Value>
Eigen::Matrix<Value, Eigen::Dynamic, 1> converted(const matvar_t& variable, Index count) {
  return Eigen::Map<const Eigen::Matrix<Stored, Eigen::Dynamic, 1>>(static_cast<const Stored*>(variable.data), count)
      .template cast<Value>();
}

template <typename Value>
Eigen::Matrix<Value, Eigen::Dynamic, 1> values_of(const matvar_t& variable, Index count) {
  switch (variable.class_type) {
    case MAT_C_DOUBLE:
      return converted<double, Value>(variable, count);
    case MAT_C_SINGLE:
      return converted<float, Value>(variable, count);
    case MAT_C_INT8:
      return converted<std::int8_t, Value>(variable, count);
    case MAT_C_UINT8:
      return converted<std::uint8_t, Value>(variable, count);
    case MAT_C_INT16:
      return converted<std::int16_t, Value>(variable, count);
    case MAT_C_UINT16:
      return converted<std::uint16_t, Value>(variable, count);
    case MAT_C_INT32:
      return converted<std::int32_t, Value>(variable, count);
    case MAT_C_UINT32:
      return converted<std::uint32_t, Value>(variable, count);
    case MAT_C_INT64:
      return converted<std::int64_t, Value>(variable, count);
    default:
      return converted<std::uint64_t, Value>(variable, count);
  }
}

}  // namespace

std::string to_string(const MatlabArray& array) {
  std::string text = array.name + " (";
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    text += (i > 0 ? " x " : "") + std::to_string(array.shape[i]);
  }
  return text + ", " + array.type + ")";
}

void ArrayFile::Close::operator()(_mat_t* file) const { Mat_Close(file); }

ArrayFile::ArrayFile(const std::string& path) : path_(path) {
  FileLayout layout(path);
  layout.check();
  bytes_ = layout.bytes();
  const QuietHdf5 quiet;
  file_.reset(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (file_ == nullptr) {
    throw DataError(path + " cannot be opened as a MATLAB file");
  }
  arrays_ = list();
  Mat_Rewind(file_.get());
  if (list() != arrays_) {
    throw IoError(path + " cannot be read: its arrays are others when they are listed again");
  }
}

std::vector<MatlabArray> ArrayFile::list() const {
  std::vector<MatlabArray> arrays;
  while (const Variable variable{Mat_VarReadNextInfo(file_.get())}) {
    arrays.push_back(describe(*variable));
  }
  return arrays;
}

const MatlabArray& ArrayFile::only(const std::vector<std::optional<Index>>& shape, const std::string& shape_text,
                                   const std::optional<std::string>& name) const {
  const auto wanted = [&](const MatlabArray& array) {
    return fits(array, shape) && array.name == name.value_or(array.name);
  };
  std::vector<MatlabArray> fitting;
  std::copy_if(arrays_.begin(), arrays_.end(), std::back_inserter(fitting), wanted);
  if (fitting.empty()) {
    throw DataError(path_ + " has no array " + (name ? "'" + *name + "' " : "") + "of " + shape_text +
                    " real numbers; it holds " + listed(arrays_));
  }
  if (fitting.size() > 1) {
    throw DataError(path_ + " has several arrays of " + shape_text + " real numbers, " + listed(fitting) +
                    "; name one of them");
  }
  const MatlabArray& found = *std::find_if(arrays_.begin(), arrays_.end(), wanted);
  check_size(found);
  return found;
}

// What a file declares is not believed before its size is known to allow it: memory is taken for all of the array.
void ArrayFile::check_size(const MatlabArray& array) const {
  const bool hdf5 = Mat_GetVersion(file_.get()) == MAT_FT_MAT73;
  const double most = static_cast<double>(bytes_) * (hdf5 || array.compressed ? kLargestRatio : 1);
  if (count_of(array) > std::max(most, hdf5 ? kUnwrittenValues : 0)) {
    throw DataError(path_ + ": the size of " + to_string(array) + " is wrong: a file of " + std::to_string(bytes_) +
                    " bytes cannot hold so many values");
  }
}

template <typename Value>
Eigen::Matrix<Value, Eigen::Dynamic, 1> ArrayFile::read(const MatlabArray& array) const {
  const QuietHdf5 quiet;
  const Variable variable(Mat_VarRead(file_.get(), array.name.c_str()));
  const double count = count_of(array);
  if (variable == nullptr || variable->data == nullptr ||
      static_cast<double>(variable->nbytes) != count * variable->data_size) {
    FileLayout(path_).check_all(bytes_);
    throw DataError(path_ + ": the values of " + to_string(array) + " are damaged");
  }
  check_reads(array, variable->data, variable->nbytes);
  return values_of<Value>(*variable, static_cast<Index>(count));
}

// In files of version 5, libmatio does not look whether a read has failed, and goes on with zeros. A read that fails
// once makes a difference between two times, and one that goes on failing is still there when we read by ourselves.
// HDF5, which version 7.3 is read by, reports failures.
void ArrayFile::check_reads(const MatlabArray& array, const void* values, std::size_t bytes) const {
  if (Mat_GetVersion(file_.get()) == MAT_FT_MAT73) {
    return;
  }
  const std::size_t first = hash_of(values, bytes);
  const Variable again(Mat_VarRead(file_.get(), array.name.c_str()));
  if (again == nullptr || again->data == nullptr || again->nbytes != bytes || hash_of(again->data, bytes) != first) {
    throw IoError(path_ + ": the values of " + to_string(array) + " are others when they are read again");
  }
  FileLayout(path_).check_all(bytes_);
}

template Eigen::Matrix<float, Eigen::Dynamic, 1> ArrayFile::read(const MatlabArray& array) const;
template Eigen::Matrix<double, Eigen::Dynamic, 1> ArrayFile::read(const MatlabArray& array) const;

}  // namespace parsimap
