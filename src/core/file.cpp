#include "parsimap/core/file.hpp"

#include <fcntl.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "parsimap/core/error.hpp"

namespace parsimap {

bool read_all(int file, std::string& text, std::uintmax_t largest) {
  std::array<char, 1 << 16> block;
  while (text.size() <= largest) {
    // read() returns 0 at the end of the file, and -1 with EINTR if a signal arrived before any byte did: the call is
    // then repeated.
    const ssize_t count = read(file, block.data(), block.size());
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return count == 0;
    }
    text.append(block.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  return true;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    // write() may take a part of the text only, and a signal may interrupt it before anything was written (EINTR): the
    // rest is written again. A count of 0 would repeat for ever and is an error.
    const ssize_t count = write(file, text.data(), text.size());
    if (count == 0 || (count < 0 && errno != EINTR)) {
      errno = count == 0 ? EIO : errno;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  return true;
}

bool is_plain_file(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(path, failure);
}

bool is_directory(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_directory(path, failure);
}

std::optional<std::int64_t> bytes_of_file(const std::string& path) {
  std::error_code failure;
  const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
  return failure ? std::nullopt : std::optional(static_cast<std::int64_t>(bytes));
}

std::string special_file(const std::string& path) {
  // stat() follows symbolic links, so that a link to a regular file is one. A path that cannot be examined is left to
  // the call that opens it, whose error names the reason.
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) {
    return {};
  }
  return S_ISFIFO(status.st_mode) ? "a named pipe" : S_ISSOCK(status.st_mode) ? "a socket" : "a device";
}

void refuse_special_file(const std::string& path) {
  if (const std::string kind = special_file(path); !kind.empty()) {
    throw DataError(path + " is " + kind + "; an input must be a regular file");
  }
}

std::string read_text_file(const std::string& path, std::uintmax_t largest) {
  refuse_special_file(path);
  // A named pipe that takes the place of the file meanwhile must not be waited for.
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string text;
  if (!file.is_open() || !read_all(file.number(), text, largest)) {
    throw DataError(path + " cannot be read: " + std::strerror(errno));
  }
  // The limit is checked against the bytes that were read. The size that the file system states may be out of date,
  // and is 0 for the files of /proc.
  if (text.size() > largest) {
    throw DataError(path + " has more than " + std::to_string(largest) +
                    " bytes; that is too much for a file of its kind");
  }
  return text;
}

struct Sha256::State {
  sha256_ctx context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { sha256_init(&state_->context); }
Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  sha256_update(&state_->context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Sha256::digits() {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  // This function of nettle also resets the context, so that the next update() begins another sum.
  sha256_digest(&state_->context, digest.size(), digest.data());
  std::string text(BASE16_ENCODE_LENGTH(digest.size()), '\0');
  base16_encode_update(text.data(), digest.size(), digest.data());
  return text;
}

std::string sha256_of_file(const std::string& path) {
  // Blocks of 256 kB: few system calls, and memory that does not grow with the file.
  constexpr std::size_t kAtOnce = std::size_t{1} << 18U;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  std::vector<char> bytes(kAtOnce);
  Sha256 sum;
  std::size_t count = 0;
  while (file != nullptr && (count = std::fread(bytes.data(), 1, bytes.size(), file.get())) > 0) {
    sum.update({bytes.data(), count});
  }
  // fread() returns 0 both at the end of the file and after an error; only ferror() distinguishes the two.
  if (file == nullptr || std::ferror(file.get()) != 0) {
    throw IoError(path + " cannot be read for its checksum: " + std::strerror(errno));
  }
  return sum.digits();
}

}  // namespace parsimap
