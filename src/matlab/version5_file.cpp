#include "version5_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>
#include <numeric>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

constexpr std::int64_t kTagBytes = 8;
constexpr std::int64_t kBytesAtOnce = 1 << 16;
// zlib makes at most 1032 bytes of one ("Maximum Compression Factor" of its manual).
constexpr std::int64_t kLargestRatio = 1032;
// A shape has 4 bytes for each dimension, and MATLAB's names have up to 63.
constexpr std::int64_t kLongestContent = 4096;

void ElementStream::EndInflate::operator()(z_stream_s* stream) const {
  inflateEnd(stream);
  delete stream;
}

// An element begins with a tag, its type and its number of bytes in 4 bytes each. A compressed element contains a zlib
// stream, and in this the tag and the content of the array itself. Afterwards `left_` is what remains of the array's
// own content, unpacked, and `end_` is the place in the file at which the next element begins.
ElementStream::ElementStream(OpenMatlabFile& file, std::int64_t begin)
    : file_(file), begin_(begin), end_(begin + kTagBytes) {
  file_.stream.clear();
  file_.stream.seekg(begin);
  std::array<char, kTagBytes> tag{};
  if (end_ <= file_.bytes) {
    read_file(tag.data(), kTagBytes);
    left_ = number(&tag[4]);
    end_ += left_;
  }
  if (end_ > file_.bytes) {
    throw DataError(file_.path + " is cut off: the array that begins at byte " + std::to_string(begin) +
                    " ends at byte " + std::to_string(end_) + ", but the file has " + std::to_string(file_.bytes) +
                    " bytes");
  }
  if (number(tag.data()) == MAT_T_COMPRESSED) {
    start_unpacking(left_);
    unpack(tag.data(), kTagBytes);
    left_ = number(&tag[4]);
  }
  check_tag(number(tag.data()));
}

void ElementStream::check_tag(std::uint32_t type) const {
  if (type != MAT_T_MATRIX) {
    refuse("the type is " + std::to_string(type) + "; it must be that of arrays, " + std::to_string(MAT_T_MATRIX));
  }
  // Later code takes memory for declared bytes. The length of an array stored as it is has been compared with the file;
  // that of a compressed one is limited by what zlib can produce from the bytes that are there.
  const std::int64_t packed = end_ - begin_ - kTagBytes;
  if (unpacker_ != nullptr && left_ > packed * kLargestRatio) {
    refuse(std::to_string(left_) + " bytes are declared; " + std::to_string(packed) +
           " compressed ones cannot hold so many");
  }
}

// Every part of an array is inside of it, whatever lengths the parts declare.
void ElementStream::read(char* target, std::int64_t bytes) {
  if (bytes > left_) {
    refuse("parts are longer than the whole");
  }
  left_ -= bytes;
  if (unpacker_ != nullptr) {
    unpack(target, bytes);
  } else {
    read_file(target, bytes);
  }
}

// Reads the tag of a part. The usual tag has the type and the number of bytes in 4 bytes each, and the content is
// padded to a multiple of 8. The short form has the number in the upper half of the first word, and up to four bytes in
// the second.
MatlabPart ElementStream::next_part() {
  constexpr std::uint32_t kMostInTag = 4;
  std::array<char, 4> four{};
  read(four.data(), 4);
  const std::uint32_t word = number(four.data());
  const std::uint32_t bytes_in_tag = word >> 16U;
  MatlabPart part{word & 0xFFFFU, bytes_in_tag, kMostInTag - bytes_in_tag};
  // A part of up to four bytes has its length beside its type, and its bytes in the tag.
  if (bytes_in_tag == 0) {
    read(four.data(), 4);
    part.bytes = number(four.data());
    part.padding = (kTagBytes - part.bytes % kTagBytes) % kTagBytes;
  } else if (bytes_in_tag > kMostInTag) {
    refuse("a part has " + std::to_string(bytes_in_tag) + " bytes in its tag; there is room for 4");
  }
  return part;
}

std::string ElementStream::content_of_part(std::uint32_t type, const std::string& meaning) {
  const MatlabPart part = next_part();
  if (part.type != type || part.bytes > kLongestContent) {
    refuse("the " + meaning + " has the type " + std::to_string(part.type) + " and " + std::to_string(part.bytes) +
           " bytes; it must have the type " + std::to_string(type) + " and at most " + std::to_string(kLongestContent) +
           " bytes");
  }
  std::string content(static_cast<std::size_t>(part.bytes), '\0');
  // The padding of the last part of an array may be missing.
  read(content.data(), part.bytes);
  skip(std::min(part.padding, left_));
  return content;
}

// The most significant byte first: shifted in from the last byte of a little-endian file, from the first one otherwise.
std::uint32_t ElementStream::number(const char* four) const {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    value = value << 8U | static_cast<unsigned char>(four[file_.little_endian ? 3 - i : i]);
  }
  return value;
}

// After the values a compressed array must end exactly where its tags say. What is left is unpacked, and one byte more
// is asked for, which must not come. On the way zlib reads the end of its stream and compares the checksum there, so
// that damaged values are noticed that were unpacked without an error.
void ElementStream::finish() {
  if (unpacker_ == nullptr) {
    return;
  }
  skip(left_);
  char beyond = 0;
  unpacker_->next_out = reinterpret_cast<Bytef*>(&beyond);
  unpacker_->avail_out = 1;
  while (unpacker_->avail_out > 0 && !unpack_some()) {
  }
  if (unpacker_->avail_out == 0 || unpacker_->avail_in > 0 || packed_left_ > 0) {
    refuse("the compressed bytes unpack to more bytes than are declared, or there are more of them");
  }
}

void ElementStream::refuse(const std::string& rule) const {
  throw DataError(file_.path + " is damaged: of the array that begins at byte " + std::to_string(begin_) + ", " + rule);
}

void ElementStream::skip(std::int64_t bytes) {
  std::vector<char> unused(static_cast<std::size_t>(std::min(bytes, kBytesAtOnce)));
  while (bytes > 0) {
    const std::int64_t count = std::min(bytes, kBytesAtOnce);
    read(unused.data(), count);
    bytes -= count;
  }
}

void ElementStream::read_file(char* target, std::int64_t bytes) {
  errno = 0;
  file_.stream.read(target, bytes);
  if (!file_.stream) {
    throw IoError(file_.path + (file_.stream.bad() && errno != 0
                                    ? " cannot be read: " + std::string(std::strerror(errno))
                                    : " changed while it was read: it is shorter than it was"));
  }
}

void ElementStream::start_unpacking(std::int64_t packed) {
  auto stream = std::make_unique<z_stream>();
  if (inflateInit(stream.get()) != Z_OK) {
    throw std::bad_alloc();
  }
  unpacker_.reset(stream.release());
  packed_left_ = packed;
  packed_.resize(static_cast<std::size_t>(std::min(packed, kBytesAtOnce)));
}

// Unpacks `bytes` bytes to `target`, from as many packed ones as this takes.
void ElementStream::unpack(char* target, std::int64_t bytes) {
  unpacker_->next_out = reinterpret_cast<Bytef*>(target);
  unpacker_->avail_out = static_cast<uInt>(bytes);
  while (unpacker_->avail_out > 0) {
    if (unpack_some() && unpacker_->avail_out > 0) {
      refuse("the compressed bytes unpack to fewer bytes than are declared");
    }
  }
}

// Whether the packed bytes have come to their end.
bool ElementStream::unpack_some() {
  if (unpacker_->avail_in == 0 && packed_left_ > 0) {
    const std::int64_t count = std::min(packed_left_, kBytesAtOnce);
    read_file(packed_.data(), count);
    packed_left_ -= count;
    unpacker_->next_in = reinterpret_cast<Bytef*>(packed_.data());
    unpacker_->avail_in = static_cast<uInt>(count);
  }
  // Without any progress, as at the end of packed bytes that were cut off, the status is Z_BUF_ERROR, which is refused
  // below.
  const int status = inflate(unpacker_.get(), Z_NO_FLUSH);
  if (status == Z_MEM_ERROR) {
    throw std::bad_alloc();
  }
  if (status != Z_OK && status != Z_STREAM_END) {
    refuse("the compressed bytes are damaged or cut off");
  }
  return status == Z_STREAM_END;
}

namespace {

// What precedes the values of an array.
struct Head {
  MatlabArray array;
  unsigned matlab_class = 0;
};

// Lengths are numbers of 32 bits with a sign, in the order of MATLAB: rows, columns, and so on.
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

// The parts at the beginning of an array: flags, shape and name. The first word of the flags has the class of the array
// in its lowest byte, and bits for logical and complex values above it. Objects of newer classes (opaque) have no
// shape.
Head head_of(ElementStream& stream, std::int64_t begin) {
  // The third of the flags above the class in the same word, global, is of no interest here.
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

// The bytes of a number of one of matio_types; 0 for types that are not numbers.
std::int64_t bytes_of_type(std::uint32_t type) {
  // By the number of the type: 1 to 6 are integers of 8 to 32 bits, 7 single, 9 double, 12 and 13 integers of 64 bits.
  static constexpr std::array<std::int64_t, MAT_T_UINT64 + 1> bytes = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
  return type < bytes.size() ? bytes[type] : 0;
}

// The part that has the values. MATLAB stores whole numbers in a smaller type than that of their class where they fit.
MatlabPart values_part(ElementStream& stream, const Head& head) {
  const MatlabPart part = stream.next_part();
  const std::int64_t bytes = bytes_of_type(part.type);
  const std::uint32_t own = type_of_class(head.matlab_class);
  const bool fractions = part.type == MAT_T_SINGLE || part.type == MAT_T_DOUBLE;
  if (bytes == 0 || bytes > bytes_of_type(own) || (fractions && part.type != own)) {
    stream.refuse("the values of " + to_string(head.array) + " are stored as numbers of the type " +
                  std::to_string(part.type) + ", which are none of its class");
  }
  // In double precision, because the product of the lengths in a damaged shape may exceed 64 bits. Exact up to 2^53
  // bytes, more than any file has.
  const double needed = value_count(head.array) * static_cast<double>(bytes);
  if (static_cast<double>(part.bytes) != needed) {
    stream.refuse("the values of " + to_string(head.array) + " take " + std::to_string(part.bytes) +
                  " bytes; its shape needs " + number_text(needed, 15));
  }
  if (part.bytes > stream.left()) {
    stream.refuse("the values of " + to_string(head.array) + " take " + std::to_string(part.bytes) +
                  " bytes; there are only " + std::to_string(stream.left()));
  }
  return part;
}

template <typename Stored, typename Value>
void read_as(ElementStream& stream, bool turned, Eigen::Matrix<Value, Eigen::Dynamic, 1>& values) {
  // Values are converted in small parts, so that the array is in memory once only, in the type that is asked for.
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

}  // namespace

std::uint32_t type_of_class(unsigned matlab_class) {
  static constexpr std::array<std::uint32_t, 10> types = {MAT_T_DOUBLE, MAT_T_SINGLE, MAT_T_INT8,  MAT_T_UINT8,
                                                          MAT_T_INT16,  MAT_T_UINT16, MAT_T_INT32, MAT_T_UINT32,
                                                          MAT_T_INT64,  MAT_T_UINT64};
  return types.at(matlab_class - MAT_C_DOUBLE);
}

Version5File::Version5File(const std::string& path, bool little_endian)
    : file_{path, little_endian, 0, std::ifstream(path, std::ios::binary | std::ios::ate)} {
  file_.bytes = file_.stream.tellg();
  if (file_.bytes < 0) {
    throw IoError(path + " cannot be read: " + std::strerror(errno));
  }
  // Arrays follow each other to the end of the file; each says where the next begins. Their heads are read now, and
  // checked against the bytes that are there; values are read when they are asked for.
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
  // The file is read a second time here, and may have been replaced since it was opened.
  if (head.array != array) {
    throw IoError(file_.path + " changed while it was read: " + to_string(array) + " has become " +
                  to_string(head.array));
  }
  const MatlabPart part = values_part(stream, head);
  Eigen::Matrix<Value, Eigen::Dynamic, 1> values(static_cast<Index>(value_count(array)));
  const bool little_endian_machine = std::endian::native == std::endian::little;
  with_number_type(part.type, [&](auto stored) {
    read_as<decltype(stored)>(stream, file_.little_endian != little_endian_machine, values);
  });
  stream.finish();
  return values;
}

template Eigen::Matrix<float, Eigen::Dynamic, 1> Version5File::read(const MatlabArray& array);
template Eigen::Matrix<double, Eigen::Dynamic, 1> Version5File::read(const MatlabArray& array);

std::string to_string(const MatlabArray& array) {
  const auto number = [](Index length) { return std::to_string(length); };
  return array.name + " (" + separated(array.shape, " x ", number) + ", " + array.type + ")";
}

// In double precision: see values_part().
double value_count(const MatlabArray& array) {
  return std::accumulate(array.shape.begin(), array.shape.end(), 1.0,
                         [](double product, Index length) { return product * static_cast<double>(length); });
}

static constexpr std::array<const char*, 18> kClassNames = {
    "empty", "cell",  "struct", "object", "char",   "sparse", "double", "single",   "int8",
    "uint8", "int16", "uint16", "int32",  "uint32", "int64",  "uint64", "function", "opaque"};

bool is_real_class(const std::string& name) {
  return std::any_of(kClassNames.begin() + MAT_C_DOUBLE, kClassNames.begin() + MAT_C_UINT64 + 1,
                     [&](const char* known) { return name == known; });
}

void set_type(MatlabArray& array, unsigned matlab_class, bool is_logical, bool is_complex) {
  const std::string name = is_logical                          ? "logical"
                           : matlab_class < kClassNames.size() ? kClassNames[matlab_class]
                                                               : "unknown";
  array.type = is_complex ? "complex " + name : name;
  array.real_numbers = matlab_class >= MAT_C_DOUBLE && matlab_class <= MAT_C_UINT64 && !is_complex;
}

}  // namespace parsimap
