#include "staging_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

namespace parsimap {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = ".parsimap-";
constexpr const char* kLock = "lock";

// True when the name still leads to the open file.
bool leads_to(const fs::path& path, const FileDescriptor& file) {
  struct stat by_name {};
  struct stat by_number {};
  return stat(path.c_str(), &by_name) == 0 && fstat(file.number(), &by_number) == 0 &&
         by_name.st_dev == by_number.st_dev && by_name.st_ino == by_number.st_ino;
}

enum class Lock { taken, held_by_another, unknown_here };

// Some network file systems know no locks.
Lock take_lock(const fs::path& folder, FileDescriptor& file) {
  const fs::path path = folder / kLock;
  file = FileDescriptor(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!file.is_open() && errno != ENOENT) {
    fail_with_errno("cannot be opened", path);
  }
  if (!file.is_open()) {
    return Lock::held_by_another;  // which has removed the folder
  }
  if (flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    return errno == EWOULDBLOCK ? Lock::held_by_another : Lock::unknown_here;
  }
  // Whoever adopts the folder may have removed it, or its lock, between our opening it and our locking it.
  return leads_to(path, file) ? Lock::taken : Lock::held_by_another;
}

// Somebody else could leave a folder whose record makes us rename files of ours.
bool is_own_folder(const fs::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

}  // namespace

StagingFolder::StagingFolder(fs::path path, FileDescriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}

StagingFolder::StagingFolder(const fs::path& parent) {
  static std::atomic<int> counter{0};
  constexpr int kAttempts = 1000;
  constexpr mode_t kMode = 0777;  // as the umask allows
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    path_ = parent / (kPrefix + std::to_string(getpid()) + "-" + std::to_string(counter++));
    if (mkdir(path_.c_str(), kMode) != 0) {
      if (errno == EEXIST) {
        continue;
      }
      fail_with_errno("cannot be made", path_);
    }
    try {
      if (take_lock(path_, lock_) != Lock::held_by_another) {
        return;
      }
    } catch (...) {
      rmdir(path_.c_str());
      throw;
    }
  }
  errno = EEXIST;
  fail_with_errno("cannot be made", parent);
}

std::unique_ptr<StagingFolder> StagingFolder::adopt(const fs::path& path) {
  FileDescriptor lock;
  try {
    if (is_own_folder(path) && take_lock(path, lock) == Lock::taken) {
      return std::unique_ptr<StagingFolder>(new StagingFolder(path, std::move(lock)));
    }
  } catch (const fs::filesystem_error&) {
    // It may have been removed meanwhile, or be on a disk that is read-only now.
  }
  return nullptr;
}

StagingFolder::~StagingFolder() {
  if (!kept_) {
    std::error_code ignored;  // the next process that looks here tries again
    fs::remove_all(path_, ignored);
  }
}

std::vector<fs::path> staging_folders_in(const fs::path& parent) {
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(parent, fs::directory_options::skip_permission_denied)) {
    if (entry.path().filename().string().starts_with(kPrefix)) {
      folders.push_back(entry.path());
    }
  }
  return folders;
}

}  // namespace parsimap
