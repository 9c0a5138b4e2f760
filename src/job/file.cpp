#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "parsimap/core/error.hpp"
#include "parsimap/job/output_set.hpp"

#include "publication.hpp"

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
  // write() may take a part of the text only, and a signal may interrupt it before anything was written (EINTR): the
  // rest is written again. A count of 0 would repeat for ever and is an error. Errors of delayed writing appear in
  // close().
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

namespace {

namespace fs = std::filesystem;

// A name that no other process uses, on this computer or another.
fs::path name_beside(const fs::path& path) {
  // The process number is unique on one computer; the name of the computer makes it unique in a folder shared over a
  // network.
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return path.parent_path() / ("." + path.filename().string() + "-" + host.data() + "-" + std::to_string(getpid()));
}

// The text in a file of its own, complete and on the disk, which goes with this object.
class WrittenBeside {
 public:
  WrittenBeside(const fs::path& path, const std::string& text) : name_(name_beside(path)) {
    try {
      write_text(name_, text);
      sync_to_disk(name_);
    } catch (...) {
      unlink(name_.c_str());
      throw;
    }
  }
  ~WrittenBeside() { unlink(name_.c_str()); }
  WrittenBeside(const WrittenBeside&) = delete;
  WrittenBeside& operator=(const WrittenBeside&) = delete;

  void rename_to(const fs::path& path) const { fs::rename(name_, path); }
  // False where there is a file of that name already.
  [[nodiscard]] bool link_to(const fs::path& path) const {
    // link() fails if the name exists, in one step also on network file systems, where opening with O_EXCL is not
    // reliable on old ones. The file therefore appears complete, and of several processes exactly one succeeds.
    if (link(name_.c_str(), path.c_str()) == 0) {
      return true;
    }
    if (errno == EEXIST) {
      return false;
    }
    if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS && errno != EMLINK) {
      fail_with_errno("cannot be made", path);
    }
    // A file system without links: of two that come at the same time the last one counts, which is as good.
    if (is_there(path)) {
      return false;
    }
    rename_to(path);
    return true;
  }

 private:
  fs::path name_;
};

[[noreturn]] void refuse(const std::string& path, const fs::filesystem_error& error) {
  throw IoError("'" + path + "' cannot be written: " + error.code().message());
}

}  // namespace

void write_if_absent(const std::string& path, const std::string& text) {
  try {
    if (!is_there(path) && WrittenBeside(path, text).link_to(path)) {
      // The new name is part of the folder, which has to be on the disk as well.
      sync_to_disk(fs::absolute(path).parent_path());
    }
  } catch (const fs::filesystem_error& error) {
    refuse(path, error);
  }
}

void write_anew(const std::string& path, const std::string& text) {
  try {
    WrittenBeside(path, text).rename_to(path);
    sync_to_disk(fs::absolute(path).parent_path());
  } catch (const fs::filesystem_error& error) {
    refuse(path, error);
  }
}

}  // namespace parsimap
