#include "array_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

void check_stream(const std::ifstream& stream, const std::string& path) {
  if (stream.bad() && errno != EISDIR) {
    throw IoError(path + " cannot be read: " + std::strerror(errno));
  }
}

struct Header {
  bool little_endian = true;
  bool hdf5 = false;
};

// Refuses files of versions that cannot be read, such as 4.
// The header of a file since version 5: 116 bytes of text, 8 for data of subsystems, 2 of the version and 2 of the byte
// order. The order is the number 0x4D49 ("MI"), so that its bytes read "IM" in a little-endian file, and the high byte
// of the version is the second one there. It is 1 for version 5 and 2 for version 7.3.
Header header_of(const std::string& path) {
  refuse_special_file(path);
  std::ifstream stream(path, std::ios::binary);
  Header header;
  if (!stream) {
    throw DataError(path + " cannot be read: " + std::strerror(errno));
  }
  std::array<char, kHeaderBytes> bytes{};
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

// The array of that name as MATLAB knows it: version 7.3 turns the order of the dimensions round, and keeps the class
// as an attribute. Structures and sparse matrices are groups.
MatlabArray described(const ArrayFile& file, const std::string& name) {
  const FileArray stored = file.describe(name).value_or(FileArray{name, {1, 1}});
  const std::string own = file.text(name, "MATLAB_class").value_or(stored.type.empty() ? "unknown" : stored.type);
  const bool sparse = file.numbers(name, "MATLAB_sparse").has_value();
  const bool complex = stored.type.empty() && is_real_class(own) && !sparse;
  MatlabArray array;
  array.name = name;
  array.shape.assign(stored.shape.rbegin(), stored.shape.rend());
  array.type = sparse ? "sparse" : complex ? "complex " + own : own;
  array.real_numbers = !stored.type.empty() && own != "char";
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

}  // namespace

MatlabArrays::MatlabArrays(const std::string& path) : path_(path) {
  const Header header = header_of(path);
  if (!header.hdf5) {
    version5_ = std::make_unique<Version5File>(path, header.little_endian);
    arrays_ = version5_->arrays();
    return;
  }
  try {
    hdf5_ = std::make_unique<ArrayFile>(path);
  } catch (const DataError&) {
    throw DataError(path + " is a MATLAB file of version 7.3 (HDF5) that is damaged or cut off");
  }
  // Names, shapes and classes only: no values are read here. What begins with # belongs to the arrays.
  for (const std::string& name : hdf5_->members("/")) {
    if (!name.starts_with('#')) {
      arrays_.push_back(described(*hdf5_, name));
    }
  }
}

const MatlabArray& MatlabArrays::only(const std::vector<std::optional<Index>>& shape, const std::string& shape_text,
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
void MatlabArrays::check_size(const MatlabArray& array) const {
  if (hdf5_ != nullptr && !hdf5_->can_hold({array.shape.begin(), array.shape.end()})) {
    throw DataError(path_ + ": the size of " + to_string(array) + " is wrong: a file of " +
                    std::to_string(hdf5_->bytes()) + " bytes cannot hold so many values");
  }
}

template <typename Value>
Eigen::Matrix<Value, Eigen::Dynamic, 1> MatlabArrays::read(const MatlabArray& array) const {
  if (version5_ != nullptr) {
    return version5_->read<Value>(array);
  }
  Eigen::Matrix<Value, Eigen::Dynamic, 1> values(static_cast<Index>(value_count(array)));
  const std::vector<std::int64_t> lengths(array.shape.rbegin(), array.shape.rend());
  hdf5_->check_unchanged();
  try {
    hdf5_->read({array.name, lengths}, std::vector<std::int64_t>(lengths.size(), 0), lengths, values.data());
  } catch (const DataError&) {
    hdf5_->check_unchanged();
    throw DataError(path_ + ": the values of " + to_string(array) + " are damaged");
  }
  return values;
}

template Eigen::Matrix<float, Eigen::Dynamic, 1> MatlabArrays::read(const MatlabArray& array) const;
template Eigen::Matrix<double, Eigen::Dynamic, 1> MatlabArrays::read(const MatlabArray& array) const;

}  // namespace parsimap
