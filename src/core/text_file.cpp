#include "parsimap/core/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file_descriptor.hpp"

namespace parsimap {
namespace {

[[noreturn]] void refuse_unreadable(const std::string& path) {
  throw DataError(path + " cannot be read: " + std::strerror(errno));
}

}  // namespace

std::string special_file(const std::string& path) {
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
  if (!file.is_open()) {
    refuse_unreadable(path);
  }
  std::string text;
  std::array<char, 1 << 16> block;
  while (true) {
    const ssize_t count = read(file.number(), block.data(), block.size());
    if (count == 0) {
      return text;
    }
    if (count > 0) {
      text.append(block.data(), static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      refuse_unreadable(path);
    }
    if (text.size() > largest) {
      throw DataError(path + " has more than " + std::to_string(largest) +
                      " bytes; that is too much for a file of its kind");
    }
  }
}

}  // namespace parsimap
