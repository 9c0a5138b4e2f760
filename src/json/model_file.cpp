#include "parsimap/json/model_file.hpp"

#include <boost/endian/conversion.hpp>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"

#include "model_cbor.hpp"

namespace parsimap {

namespace fs = std::filesystem;

constexpr std::string_view magic = "PARSIMAP";
// A program that does not know kernels of profiles (version 4) or combined decision values (version 5) would read such
// models as others. All other models are as they were in the version before.
constexpr std::uint32_t newest_version = 5;
constexpr std::uint32_t version_of_profiles = 4;
constexpr std::uint32_t oldest_version = 3;
constexpr std::size_t version_offset = 8, size_offset = 12, checksum_offset = 20, head_bytes = 24;

using Head = std::array<unsigned char, head_bytes>;

static std::uint32_t checksum(const Head& head, const std::string& payload) {
  // The checksum covers the head up to its own place and the payload, so that damage to version and size is found too.
  const uLong of_head = crc32_z(0, head.data(), checksum_offset);
  return static_cast<std::uint32_t>(crc32_z(of_head, reinterpret_cast<const Bytef*>(payload.data()), payload.size()));
}

static std::uintmax_t size_of(const std::string& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status)) {
    throw DataError("model '" + path + "' does not exist");
  }
  const std::uintmax_t size = fs::is_regular_file(status) ? fs::file_size(path, failure) : 0;
  if (!fs::is_regular_file(status) || failure) {
    throw DataError("model '" + path + "' is not a regular file");
  }
  if (size == 0) {
    throw DataError("model '" + path + "' is empty");
  }
  return size;
}

static std::string read_bytes(std::ifstream& file, std::size_t count) {
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

static std::string truncated(const std::string& path, std::uintmax_t expected, std::uintmax_t found) {
  return "model '" + path + "' is truncated: " + std::to_string(expected) + " bytes expected, " +
         std::to_string(found) + " found";
}

// The head of a model of `size` bytes, of which these are the first, with the version and the payload's size checked.
static Head checked_head(const std::string& bytes, const std::string& path, std::uintmax_t size) {
  // A file that ends within the first 8 bytes is a truncated model if it agrees so far; any other file is not a model
  // at all.
  const std::size_t comparable = std::min(bytes.size(), magic.size());
  if (bytes.empty() || std::string_view(bytes).substr(0, comparable) != magic.substr(0, comparable)) {
    throw DataError("'" + path + "' is not a parsimap model");
  }
  if (bytes.size() < head_bytes) {
    throw DataError("model '" + path + "' is truncated: at least " + std::to_string(head_bytes) + " bytes expected, " +
                    std::to_string(bytes.size()) + " found");
  }
  Head head{};
  std::copy_n(bytes.begin(), head.size(), head.begin());
  const std::uint32_t version = boost::endian::load_little_u32(head.data() + version_offset);
  if (version > newest_version) {
    throw DataError("model '" + path + "' has format version " + std::to_string(version) +
                    ", which is newer than version " + std::to_string(newest_version) +
                    " that this program reads; use a newer parsimap");
  }
  const std::uint64_t payload = boost::endian::load_little_u64(head.data() + size_offset);
  const std::uintmax_t found = size - head_bytes;
  // The head's size was subtracted from the file's and not added to the payload's, which may be damaged and overflow.
  if (payload > found) {
    throw DataError(truncated(path, payload > UINT64_MAX - head_bytes ? payload : head_bytes + payload, size));
  }
  if (payload < found) {
    throw DataError("model '" + path + "' is damaged: " + std::to_string(head_bytes + payload) + " bytes expected, " +
                    std::to_string(size) + " found");
  }
  return head;
}

static Model parsed_model(const Head& head, const std::string& payload, const std::string& path) {
  const std::uint32_t version = boost::endian::load_little_u32(head.data() + version_offset);
  // The checksum is tested before the version is reported as too old: a wrong version number of a damaged file would
  // suggest training again, where a copy of the file would do.
  if (version == 0 || boost::endian::load_little_u32(head.data() + checksum_offset) != checksum(head, payload)) {
    throw DataError("model '" + path + "' is damaged: its checksum does not match its content");
  }
  if (version < oldest_version) {
    throw DataError("model '" + path + "' has format version " + std::to_string(version) +
                    ", which is older than version " + std::to_string(oldest_version) +
                    " that this program reads; train it again");
  }
  return naming<DataError>("model '" + path + "' is not valid: ", [&] { return model_from_cbor(payload); });
}

std::string model_bytes(const Model& model) {
  check_model(model);
  const std::string payload = model_to_cbor(model);
  Head head{};
  std::copy(magic.begin(), magic.end(), head.begin());
  // The lowest version that the model can have, so that earlier versions of the program can still read it.
  const std::uint32_t lowest = model.profile ? version_of_profiles : oldest_version;
  boost::endian::store_little_u32(head.data() + version_offset, model.combination.size() > 0 ? newest_version : lowest);
  boost::endian::store_little_u64(head.data() + size_offset, payload.size());
  boost::endian::store_little_u32(head.data() + checksum_offset, checksum(head, payload));
  return std::string(head.begin(), head.end()) + payload;
}

Model load_model(const std::string& path) {
  const std::uintmax_t size = size_of(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw DataError("model '" + path + "' cannot be opened");
  }
  // The size of the file is known and compared with that in the head before the payload is read into memory.
  const Head head = checked_head(read_bytes(file, head_bytes), path, size);
  const std::string payload = read_bytes(file, size - head_bytes);
  if (payload.size() != size - head_bytes) {
    throw DataError(truncated(path, size, head_bytes + payload.size()));
  }
  return parsed_model(head, payload, path);
}

Model model_of_bytes(const std::string& bytes, const std::string& name) {
  const Head head = checked_head(bytes.substr(0, head_bytes), name, bytes.size());
  return parsed_model(head, bytes.substr(head_bytes), name);
}

bool is_model_file(const std::string& path) {
  if (!is_plain_file(path)) {
    return false;
  }
  std::ifstream file(path, std::ios::binary);
  return file && read_bytes(file, magic.size()) == magic;
}

}  // namespace parsimap
