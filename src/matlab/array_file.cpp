#include "array_file.hpp"

#include <hdf5.h>
#include <matio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

// Keeps HDF5 from printing what goes wrong, which it does by default.
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

// A value takes a byte at least, and zlib makes at most 1032 bytes of one ("Maximum Compression Factor" of its manual).
constexpr double kLargestInflation = 1032;
// HDF5 keeps parts of an array that were never written out of the file, so that a small file may hold so many values.
constexpr double kUnwrittenValues = 1 << 24;

void check_stream(const std::ifstream& stream, const std::string& path) {
  if (stream.bad() && errno != EISDIR) {
    throw IoError(path + " cannot be read: " + std::strerror(errno));
  }
}

struct Header {
  std::int64_t file_bytes = 0;
  bool little_endian = true;
  bool hdf5 = false;
};

// Refuses files of versions that cannot be read, such as 4.
// The header of a file since version 5: 116 bytes of text, 8 for data of subsystems, 2 of the version and 2 of the byte
// order. The order is the number 0x4D49 ("MI"), so that its bytes read "IM" in a little-endian file, and the high byte
// of the version is the second one there. It is 1 for version 5 and 2 for version 7.3.
Header header_of(const std::string& path) {
  refuse_special_file(path);
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  Header header;
  header.file_bytes = stream ? static_cast<std::int64_t>(stream.tellg()) : -1;
  if (header.file_bytes < 0) {
    throw DataError(path + " cannot be read: " + std::strerror(errno));
  }
  std::array<char, kHeaderBytes> bytes{};
  stream.seekg(0);
  stream.read(bytes.data(), kHeaderBytes);
  check_stream(stream, path);
  const std::string order(&bytes[126], 2);
  if (!stream || (order != "IM" && order != "MI")) {
    throw DataError(path + " is not a MATLAB file of version 5 to 7.3: it does not begin like one");
  }
  header.little_endian = order == "IM";
  const char version = bytes[header.little_endian ? 125 : 124];
  if (version != 1 && version != 2) {
    throw DataError(path + " is not a MATLAB file of version 5 to 7.3: its header has version " +
                    std::to_string(static_cast<int>(version)));
  }
  header.hdf5 = version == 2;
  return header;
}

// Reads all of the file, which had `bytes` at first, for nothing but to see whether it can be read.
// libmatio reports a failed read and damaged values in the same way. Where reading the bytes of the file fails as well,
// the disk or the network is the reason (IoError); where it succeeds, the content is (DataError of the caller).
void check_readable(const std::string& path, std::int64_t bytes) {
  constexpr std::size_t kBytesAtOnce = std::size_t{1} << 20;
  std::vector<char> part(kBytesAtOnce);
  std::ifstream stream(path, std::ios::binary);
  std::int64_t read = 0;
  while (stream.read(part.data(), static_cast<std::streamsize>(part.size())) || stream.gcount() > 0) {
    read += stream.gcount();
  }
  check_stream(stream, path);
  if (read != bytes) {
    throw IoError(path + " changed while it was read");
  }
}

MatlabArray describe(const matvar_t& variable) {
  MatlabArray array;
  array.name = variable.name != nullptr ? variable.name : "";
  array.shape.assign(variable.dims, variable.dims + variable.rank);
  set_type(array, variable.class_type, variable.isLogical != 0, variable.isComplex != 0);
  return array;
}

// Lengths that are not set in `shape` match any length but 0, and the number of dimensions must be equal.
bool fits(const MatlabArray& array, const std::vector<std::optional<Index>>& shape) {
  return array.real_numbers &&
         std::equal(array.shape.begin(), array.shape.end(), shape.begin(), shape.end(),
                    [](Index length, const auto& wanted) { return length > 0 && length == wanted.value_or(length); });
}

std::string listed(const std::vector<MatlabArray>& arrays) {
  return arrays.empty() ? "no arrays" : separated(arrays, ", ", [](const auto& array) { return to_string(array); });
}

template <typename Stored, typename Value>
Eigen::Matrix<Value, Eigen::Dynamic, 1> converted(const matvar_t& variable, Index count) {
  return Eigen::Map<const Eigen::Matrix<Stored, Eigen::Dynamic, 1>>(static_cast<const Stored*>(variable.data), count)
      .template cast<Value>();
}

template <typename Value>
Eigen::Matrix<Value, Eigen::Dynamic, 1> values_of(const matvar_t& variable, Index count) {
  // Only arrays of real numbers are read (see fits()).
  return with_number_type(type_of_class(variable.class_type),
                          [&](auto stored) { return converted<decltype(stored), Value>(variable, count); });
}

}  // namespace

void ArrayFile::Close::operator()(_mat_t* file) const { Mat_Close(file); }

ArrayFile::ArrayFile(const std::string& path) : path_(path) {
  const Header header = header_of(path);
  bytes_ = header.file_bytes;
  if (header.hdf5) {
    open_hdf5();
  } else {
    version5_ = std::make_unique<Version5File>(path, header.little_endian);
    arrays_ = version5_->arrays();
  }
}

// HDF5 itself is asked first: libmatio takes a file that HDF5 does not open for one of another version.
void ArrayFile::open_hdf5() {
  const QuietHdf5 quiet;
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) {
    throw DataError(path_ + " is a MATLAB file of version 7.3 (HDF5) that is damaged or cut off");
  }
  H5Fclose(file);
  hdf5_.reset(Mat_Open(path_.c_str(), MAT_ACC_RDONLY));
  if (hdf5_ == nullptr || Mat_GetVersion(hdf5_.get()) != MAT_FT_MAT73) {
    throw DataError(path_ + " cannot be opened as a MATLAB file");
  }
  // Names, shapes and classes only: no values are read here.
  while (const Variable variable{Mat_VarReadNextInfo(hdf5_.get())}) {
    arrays_.push_back(describe(*variable));
  }
}

const MatlabArray& ArrayFile::only(const std::vector<std::optional<Index>>& shape, const std::string& shape_text,
                                   const std::optional<std::string>& name, const std::string& advice) const {
  const auto wanted = [&](const MatlabArray& array) {
    return fits(array, shape) && array.name == name.value_or(array.name);
  };
  const std::vector<MatlabArray> fitting = filtered(arrays_, wanted);
  if (fitting.empty()) {
    throw DataError(path_ + " has no array " + (name ? "'" + *name + "' " : "") + "of " + shape_text +
                    " real numbers; it holds " + listed(arrays_));
  }
  // A choice between several would be a guess; the message lists them all.
  if (fitting.size() > 1) {
    throw DataError(path_ + " has several arrays of " + shape_text + " real numbers, " + listed(fitting) + "; " +
                    advice);
  }
  const MatlabArray& found = *std::ranges::find_if(arrays_, wanted);
  check_size(found);
  return found;
}

// What a file of version 7.3 declares is not believed before its size is known to allow it: memory is taken for all of
// the array.
void ArrayFile::check_size(const MatlabArray& array) const {
  // HDF5 may compress arrays, and need not store parts that were never written: both bounds are generous.
  const double most = std::max(static_cast<double>(bytes_) * kLargestInflation, kUnwrittenValues);
  if (hdf5_ != nullptr && value_count(array) > most) {
    throw DataError(path_ + ": the size of " + to_string(array) + " is wrong: a file of " + std::to_string(bytes_) +
                    " bytes cannot hold so many values");
  }
}

template <typename Value>
Eigen::Matrix<Value, Eigen::Dynamic, 1> ArrayFile::read(const MatlabArray& array) const {
  if (version5_ != nullptr) {
    return version5_->read<Value>(array);
  }
  const QuietHdf5 quiet;
  const Variable variable(Mat_VarRead(hdf5_.get(), array.name.c_str()));
  const double count = value_count(array);
  // libmatio returns a variable without values, or with fewer bytes than its shape needs, where the file does not give
  // them.
  if (variable == nullptr || variable->data == nullptr ||
      static_cast<double>(variable->nbytes) != count * variable->data_size) {
    check_readable(path_, bytes_);
    throw DataError(path_ + ": the values of " + to_string(array) + " are damaged");
  }
  return values_of<Value>(*variable, static_cast<Index>(count));
}

template Eigen::Matrix<float, Eigen::Dynamic, 1> ArrayFile::read(const MatlabArray& array) const;
template Eigen::Matrix<double, Eigen::Dynamic, 1> ArrayFile::read(const MatlabArray& array) const;

}  // namespace parsimap
