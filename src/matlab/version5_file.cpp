#include "version5_file.hpp"

#include <matio.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <sstream>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

// What precedes the values of an array.
struct Head {
  MatlabArray array;
  unsigned matlab_class = 0;
};

std::vector<Index> shape_of(ElementStream& stream) {
  const std::string content = stream.content_of_part(MAT_T_INT32, "shape");
  if (content.size() < 8 || content.size() % 4 != 0) {
    stream.refuse("the shape has " + std::to_string(content.size()) +
                  " bytes; it must have 4 for each of two or more dimensions");
  }
  std::vector<Index> shape;
  for (std::size_t i = 0; i < content.size(); i += 4) {
    const auto length = static_cast<std::int32_t>(stream.number(&content[i]));
    if (length < 0) {
      stream.refuse("a length in the shape is " + std::to_string(length) + "; it must not be negative");
    }
    shape.push_back(length);
  }
  return shape;
}

Head head_of(ElementStream& stream, std::int64_t begin) {
  constexpr std::uint32_t kComplex = 0x800;
  constexpr std::uint32_t kLogical = 0x200;
  const std::string flags = stream.content_of_part(MAT_T_UINT32, "flags");
  if (flags.size() != 8) {
    stream.refuse("the flags have " + std::to_string(flags.size()) + " bytes; they must have 8");
  }
  const std::uint32_t word = stream.number(flags.data());
  Head head;
  head.matlab_class = word & 0xFFU;
  if (head.matlab_class != MAT_C_OPAQUE) {
    head.array.shape = shape_of(stream);
  }
  const std::string name = stream.content_of_part(MAT_T_INT8, "name");
  head.array.name = name.substr(0, name.find('\0'));
  head.array.begin = begin;
  set_type(head.array, head.matlab_class, (word & kLogical) != 0, (word & kComplex) != 0);
  return head;
}

// Of a number of one of matio_types; 0 for types that are none of numbers.
std::int64_t bytes_of_type(std::uint32_t type) {
  static constexpr std::array<std::int64_t, MAT_T_UINT64 + 1> bytes = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
  return type < bytes.size() ? bytes[type] : 0;
}

std::uint32_t own_type(unsigned matlab_class) {
  static constexpr std::array<std::uint32_t, 10> types = {MAT_T_DOUBLE, MAT_T_SINGLE, MAT_T_INT8,  MAT_T_UINT8,
                                                          MAT_T_INT16,  MAT_T_UINT16, MAT_T_INT32, MAT_T_UINT32,
                                                          MAT_T_INT64,  MAT_T_UINT64};
  return types.at(matlab_class - MAT_C_DOUBLE);
}

// The part that has the values. MATLAB stores whole numbers in a smaller type than that of their class where they fit.
MatlabPart values_part(ElementStream& stream, const Head& head) {
  const MatlabPart part = stream.next_part();
  const std::int64_t bytes = bytes_of_type(part.type);
  const std::uint32_t own = own_type(head.matlab_class);
  const bool fractions = part.type == MAT_T_SINGLE || part.type == MAT_T_DOUBLE;
  if (bytes == 0 || bytes > bytes_of_type(own) || (fractions && part.type != own)) {
    stream.refuse("the values of " + to_string(head.array) + " are stored as numbers of the type " +
                  std::to_string(part.type) + ", which are none of its class");
  }
  const double needed = value_count(head.array) * static_cast<double>(bytes);
  if (static_cast<double>(part.bytes) != needed) {
    std::ostringstream text;
    text.precision(15);
    text << "the values of " << to_string(head.array) << " take " << part.bytes << " bytes; its shape needs " << needed;
    stream.refuse(text.str());
  }
  if (part.bytes > stream.left()) {
    stream.refuse("the values of " + to_string(head.array) + " take " + std::to_string(part.bytes) +
                  " bytes; there are only " + std::to_string(stream.left()));
  }
  return part;
}

template <typename Stored, typename Value>
void read_as(ElementStream& stream, bool turned, Eigen::Matrix<Value, Eigen::Dynamic, 1>& values) {
  constexpr Index kValuesAtOnce = 8192;
  Eigen::Matrix<Stored, Eigen::Dynamic, 1> part(std::min(values.size(), kValuesAtOnce));
  for (Index begin = 0; begin < values.size(); begin += part.size()) {
    const Index count = std::min(part.size(), values.size() - begin);
    auto* bytes = reinterpret_cast<char*>(part.data());
    stream.read(bytes, count * static_cast<Index>(sizeof(Stored)));
    for (Index i = 0; turned && i < count; ++i) {
      std::reverse(bytes + i * static_cast<Index>(sizeof(Stored)),
                   bytes + (i + 1) * static_cast<Index>(sizeof(Stored)));
    }
    values.segment(begin, count) = part.head(count).template cast<Value>();
  }
}

template <typename Value>
void read_values(ElementStream& stream, std::uint32_t type, bool turned,
                 Eigen::Matrix<Value, Eigen::Dynamic, 1>& values) {
  switch (type) {
    case MAT_T_INT8:
      return read_as<std::int8_t>(stream, turned, values);
    case MAT_T_UINT8:
      return read_as<std::uint8_t>(stream, turned, values);
    case MAT_T_INT16:
      return read_as<std::int16_t>(stream, turned, values);
    case MAT_T_UINT16:
      return read_as<std::uint16_t>(stream, turned, values);
    case MAT_T_INT32:
      return read_as<std::int32_t>(stream, turned, values);
    case MAT_T_UINT32:
      return read_as<std::uint32_t>(stream, turned, values);
    case MAT_T_INT64:
      return read_as<std::int64_t>(stream, turned, values);
    case MAT_T_UINT64:
      return read_as<std::uint64_t>(stream, turned, values);
    case MAT_T_SINGLE:
      return read_as<float>(stream, turned, values);
    default:
      return read_as<double>(stream, turned, values);
  }
}

}  // namespace

Version5File::Version5File(const std::string& path, bool little_endian)
    : file_{path, little_endian, 0, std::ifstream(path, std::ios::binary | std::ios::ate)} {
  file_.bytes = file_.stream.tellg();
  if (file_.bytes < 0) {
    throw IoError(path + " cannot be read: " + std::strerror(errno));
  }
  for (std::int64_t begin = kHeaderBytes; begin < file_.bytes;) {
    ElementStream stream(file_, begin);
    const Head head = head_of(stream, begin);
    if (head.array.real_numbers && value_count(head.array) > 0) {
      values_part(stream, head);
    }
    arrays_.push_back(head.array);
    begin = stream.end();
  }
}

template <typename Value>
Eigen::Matrix<Value, Eigen::Dynamic, 1> Version5File::read(const MatlabArray& array) {
  ElementStream stream(file_, array.begin);
  const Head head = head_of(stream, array.begin);
  if (head.array != array) {
    throw IoError(file_.path + " changed while it was read: " + to_string(array) + " has become " +
                  to_string(head.array));
  }
  const MatlabPart part = values_part(stream, head);
  Eigen::Matrix<Value, Eigen::Dynamic, 1> values(static_cast<Index>(value_count(array)));
  const bool little_endian_machine = std::endian::native == std::endian::little;
  read_values(stream, part.type, file_.little_endian != little_endian_machine, values);
  stream.finish();
  return values;
}

template Eigen::Matrix<float, Eigen::Dynamic, 1> Version5File::read(const MatlabArray& array);
template Eigen::Matrix<double, Eigen::Dynamic, 1> Version5File::read(const MatlabArray& array);

std::string to_string(const MatlabArray& array) {
  std::string text = array.name + " (";
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    text += (i > 0 ? " x " : "") + std::to_string(array.shape[i]);
  }
  return text + ", " + array.type + ")";
}

double value_count(const MatlabArray& array) {
  return std::accumulate(array.shape.begin(), array.shape.end(), 1.0,
                         [](double product, Index length) { return product * static_cast<double>(length); });
}

void set_type(MatlabArray& array, unsigned matlab_class, bool is_logical, bool is_complex) {
  static constexpr std::array<const char*, 18> names = {"empty",  "cell",   "struct", "object", "char",     "sparse",
                                                        "double", "single", "int8",   "uint8",  "int16",    "uint16",
                                                        "int32",  "uint32", "int64",  "uint64", "function", "opaque"};
  const std::string name = is_logical ? "logical" : matlab_class < names.size() ? names[matlab_class] : "unknown";
  array.type = is_complex ? "complex " + name : name;
  array.real_numbers = matlab_class >= MAT_C_DOUBLE && matlab_class <= MAT_C_UINT64 && !is_complex;
}

}  // namespace parsimap
