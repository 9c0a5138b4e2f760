#include "file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace parsimap {

namespace fs = std::filesystem;

void fail_with_errno(const char* what, const fs::path& path) {
  throw fs::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.is_open()) {
    fail_with_errno("cannot be written", path);
  }
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(file.number(), text.data() + done, text.size() - done);
    if (count == 0 || (count < 0 && errno != EINTR)) {
      errno = count == 0 ? EIO : errno;
      fail_with_errno("cannot be written", path);
    }
    done += count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  if (!file.close()) {
    fail_with_errno("cannot be written", path);
  }
}

void sync_to_disk(const fs::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    fail_with_errno("cannot be opened", path);
  }
  // Some file systems have nothing to wait for and say so.
  if (fsync(file.number()) != 0 && errno != EINVAL && errno != ENOTSUP) {
    fail_with_errno("cannot be synchronised", path);
  }
}

bool is_there(const fs::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0) {
    return true;
  }
  if (errno != ENOENT && errno != ENOTDIR) {
    fail_with_errno("cannot be looked at", path);
  }
  return false;
}

}  // namespace parsimap
