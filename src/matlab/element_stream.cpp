#include "element_stream.hpp"

#include <matio.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

constexpr std::int64_t kTagBytes = 8;
constexpr std::int64_t kBytesAtOnce = 1 << 16;
// zlib makes at most 1032 bytes of one ("Maximum Compression Factor" of its manual).
constexpr std::int64_t kLargestRatio = 1032;
// A shape has 4 bytes for each dimension, and MATLAB's names have up to 63.
constexpr std::int64_t kLongestContent = 4096;

}  // namespace

void ElementStream::EndInflate::operator()(z_stream_s* stream) const {
  inflateEnd(stream);
  delete stream;
}

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
  const std::int64_t packed = end_ - begin_ - kTagBytes;
  if (unpacker_ != nullptr && left_ > packed * kLargestRatio) {
    refuse(std::to_string(left_) + " bytes are declared; " + std::to_string(packed) +
           " compressed ones cannot hold so many");
  }
}

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
  read(content.data(), part.bytes);
  skip(std::min(part.padding, left_));
  return content;
}

std::uint32_t ElementStream::number(const char* four) const {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    value = value << 8U | static_cast<unsigned char>(four[file_.little_endian ? 3 - i : i]);
  }
  return value;
}

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
  const int status = inflate(unpacker_.get(), Z_NO_FLUSH);
  if (status == Z_MEM_ERROR) {
    throw std::bad_alloc();
  }
  if (status != Z_OK && status != Z_STREAM_END) {
    refuse("the compressed bytes are damaged or cut off");
  }
  return status == Z_STREAM_END;
}

}  // namespace parsimap
