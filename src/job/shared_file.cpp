#include "parsimap/job/shared_file.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

#include "parsimap/core/error.hpp"

#include "file.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

// A name that no other process uses, on this machine or another.
fs::path name_beside(const fs::path& path) {
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
