#include "text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "staging_folder.hpp"

namespace parsimap {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int reason) {
  throw std::filesystem::filesystem_error(what, path, std::error_code(reason, std::generic_category()));
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    fail("cannot be read", path, errno);
  }
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t count = read(file.number(), buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR) {
      fail("cannot be read", path, errno);
    }
    if (count == 0) {
      return text;
    }
    text.append(buffer.data(), count < 0 ? 0 : static_cast<std::size_t>(count));
  }
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.is_open()) {
    fail("cannot be written", path, errno);
  }
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(file.number(), text.data() + done, text.size() - done);
    if (count == 0 || (count < 0 && errno != EINTR)) {
      fail("cannot be written", path, count == 0 ? EIO : errno);
    }
    done += count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  if (!file.close()) {
    fail("cannot be written", path, errno);
  }
}

}  // namespace parsimap
