#include "publication.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <set>
#include <system_error>
#include <utility>

#include "parsimap/core/types.hpp"

namespace parsimap {

namespace fs = std::filesystem;

constexpr const char* kRecord = "record";
constexpr const char* kUnfinishedRecord = "record.new";
constexpr const char* kPointer = "record-folder";
constexpr const char* kFirstField = "moves of parsimap, form 1";

// Paths may hold anything but zero bytes, which therefore end the fields.
static std::string record_text(const std::vector<FileMove>& moves) {
  std::string text = std::string(kFirstField) + '\0';
  for (const FileMove& move : moves) {
    for (const std::string& field :
         {move.staged.string(), move.target.string(), move.kept.string(), std::string(move.replaces ? "1" : "0")}) {
      text += field + '\0';
    }
  }
  return text;
}

static std::vector<FileMove> parse_record(const fs::path& path) {
  const std::string text = read_text_file(path);
  std::vector<std::string> fields;
  for (std::size_t start = 0, end = 0; (end = text.find('\0', start)) != std::string::npos; start = end + 1) {
    fields.push_back(text.substr(start, end - start));
  }
  constexpr std::size_t kFields = 4;
  if (fields.empty() || fields.front() != kFirstField || fields.size() % kFields != 1) {
    errno = EBADMSG;
    fail_with_errno("is no record of moves", path);
  }
  // The first field is the form of the record, and each move has four fields: the staged file (empty for a removal),
  // the target, the place where the earlier file is kept, and whether there was one.
  std::vector<FileMove> moves;
  for (std::size_t i = 1; i < fields.size(); i += kFields) {
    moves.push_back({fields[i], fields[i + 1], fields[i + 2], fields[i + 3] == "1"});
  }
  return moves;
}

// Whole or not at all: a record is valid as soon as it has its name.
static void write_record(const fs::path& folder, const std::string& text) {
  write_text(folder / kUnfinishedRecord, text);
  sync_to_disk(folder / kUnfinishedRecord);
  fs::rename(folder / kUnfinishedRecord, folder / kRecord);
  sync_to_disk(folder);
}

static bool same_inode(const fs::path& first, const fs::path& second) {
  std::error_code failure;
  return fs::equivalent(first, second, failure) && !failure;
}

// Gives a file a new name that nothing has.
static void rename_to_new(const fs::path& from, const fs::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
    return;
  }
  // Not every file system can do it in one step.
  if ((errno != EINVAL && errno != ENOSYS) || link(from.c_str(), to.c_str()) != 0) {
    fail_with_errno("cannot be put in place", to);
  }
  unlink(from.c_str());
}

// A second name of the earlier file, so that the target can be replaced in one step and is never absent. Where there
// are no such names, the file is moved later.
static void link_earlier_file(const FileMove& move) {
  if (move.replaces) {
    static_cast<void>(link(move.target.c_str(), move.kept.c_str()));
  }
}

static void take_away_earlier_file(const FileMove& move) {
  // Without a hard link from link_earlier_file() the earlier file is moved away, and the target is absent until the new
  // one arrives. With it, a replacement needs no step here, and a removal only has to delete the name of the target.
  if (!is_there(move.kept)) {
    if (std::rename(move.target.c_str(), move.kept.c_str()) != 0) {
      fail_with_errno("cannot be replaced", move.target);
    }
  } else if (move.staged.empty() && unlink(move.target.c_str()) != 0) {
    fail_with_errno("cannot be removed", move.target);
  }
}

static void carry_out(const FileMove& move) {
  if (move.replaces) {
    take_away_earlier_file(move);
  }
  if (move.staged.empty()) {
    return;
  }
  // A target that did not exist must not replace a file that appeared meanwhile; one that did is replaced in one step,
  // so that a reader sees either the old or the new file.
  if (!move.replaces || !is_there(move.target)) {
    rename_to_new(move.staged, move.target);
  } else if (std::rename(move.staged.c_str(), move.target.c_str()) != 0) {
    fail_with_errno("cannot be put in place", move.target);
  }
}

static void put_back_kept(const FileMove& move) {
  if (same_inode(move.kept, move.target)) {
    // Renaming one name of a file to another name of it does nothing.
    fs::remove(move.kept);
    return;
  }
  if (std::rename(move.kept.c_str(), move.target.c_str()) == 0) {
    return;
  }
  // What keeps a file from being renamed may let it be linked.
  unlink(move.target.c_str());
  if (link(move.kept.c_str(), move.target.c_str()) != 0) {
    fail_with_errno("cannot be put back", move.target);
  }
  fs::remove(move.kept);
}

// Can be repeated after it was interrupted anywhere. The new file returns to its staging folder, not to nothing: its
// absence there is what says that the target is the new file.
static bool take_back(const FileMove& move) {
  // The state of a move follows from the files alone. A kept file means that the target may be the new file or already
  // the old one: the kept file takes its place. Without a kept file a replacement has not begun. A target that did not
  // exist before and exists now, while its staged file is gone, is the new file and returns.
  if (is_there(move.kept)) {
    put_back_kept(move);
    return true;
  }
  if (move.replaces || move.staged.empty() || !is_there(move.target)) {
    return false;
  }
  if (same_inode(move.staged, move.target)) {
    fs::remove(move.target);
  } else if (!is_there(move.staged)) {
    fs::rename(move.target, move.staged);
  }
  return false;
}

static std::vector<fs::path> take_back(const std::vector<FileMove>& moves) {
  std::vector<fs::path> restored;
  // In reverse order, as steps are undone: a later move may use the place that an earlier one has left.
  for (auto move = moves.rbegin(); move != moves.rend(); ++move) {
    if (take_back(*move)) {
      restored.push_back(move->target);
    }
  }
  return restored;
}

static std::vector<fs::path> parents_of_targets(const std::vector<FileMove>& moves) {
  return distinct(mapped<fs::path>(moves, [](const FileMove& move) { return move.target.parent_path(); }));
}

static void sync_staged(const FileMove& move) {
  try {
    sync_to_disk(move.staged);
  } catch (const fs::filesystem_error& error) {
    throw fs::filesystem_error("cannot be put in place", move.target, error.code());
  }
}

static void prepare(const std::vector<FileMove>& moves, const std::deque<StagingFolder>& folders) {
  // Before the first move everything that a repair may need is on the disk: the contents of the new files, their names
  // in the staging folders, in the further folders a pointer to the first one, and in that one the record, last.
  // Without the record a repair finds nothing to do and removes the folders.
  std::set<fs::path> staging;
  for (const FileMove& move : moves) {
    if (!move.staged.empty()) {
      sync_staged(move);
      staging.insert(move.staged.parent_path());
    }
  }
  for (std::size_t i = 1; i < folders.size(); ++i) {
    write_text(folders[i].path() / kPointer, fs::absolute(folders.front().path()).string());
    sync_to_disk(folders[i].path() / kPointer);
    staging.insert(folders[i].path());
  }
  std::ranges::for_each(staging, sync_to_disk);
  write_record(folders.front().path(), record_text(moves));
}

// The record's folder first: nothing of the others may go before the moves are taken back.
static std::vector<fs::path> repair_recorded(const StagingFolder& folder) {
  const fs::path record = folder.path() / kRecord;
  if (!is_there(record)) {
    return {};
  }
  const std::vector<FileMove> moves = parse_record(record);
  std::vector<fs::path> restored = take_back(moves);
  std::ranges::for_each(parents_of_targets(moves), sync_to_disk);
  fs::remove(record);
  return restored;
}

// True when nothing in the folder is needed any more to take moves back.
static bool settle(StagingFolder& folder, std::vector<fs::path>& restored) {
  // A folder without a pointer may hold the record itself. One with a pointer belongs to a publication whose record is
  // in another folder: if that has no record any more, the publication was completed or taken back; if it cannot be
  // adopted, its process may still be at work, and this folder stays.
  fs::path holder = folder.path();
  std::unique_ptr<StagingFolder> other;
  if (is_there(folder.path() / kPointer)) {
    holder = read_text_file(folder.path() / kPointer);
    if (!is_there(holder.parent_path())) {
      return false;  // on a disk that is not mounted now, perhaps
    }
    if (!is_there(holder / kRecord)) {
      return true;
    }
    other = StagingFolder::adopt(holder);
    if (!other) {
      return false;
    }
  }
  StagingFolder& recorded = other ? *other : folder;
  try {
    add_all(restored, repair_recorded(recorded));
  } catch (...) {
    recorded.keep();
    throw;
  }
  return true;
}

void publish_files(const std::vector<FileMove>& moves, std::deque<StagingFolder>& folders) {
  // The record is the switch between old and new. While it exists, every repair takes the moves back; when it is
  // removed, the new files are valid. The order is: record, second names of the earlier files, moves, folders to the
  // disk, removal of the record. An error on the way takes everything back at once.
  const fs::path record = folders.front().path() / kRecord;
  prepare(moves, folders);
  try {
    std::ranges::for_each(moves, link_earlier_file);
    std::ranges::for_each(folders, sync_to_disk, &StagingFolder::path);
    std::ranges::for_each(moves, carry_out);
    std::ranges::for_each(parents_of_targets(moves), sync_to_disk);
    fs::remove(record);
  } catch (...) {
    try {
      take_back(moves);
      fs::remove(record);
    } catch (...) {
      // Whatever it was, such as no memory for a path: the folders hold the only copies of the earlier files.
      std::ranges::for_each(folders, &StagingFolder::keep);
    }
    throw;
  }
  try {
    sync_to_disk(folders.front().path());
  } catch (const fs::filesystem_error&) {
    // The new files are valid for everybody who looks. At worst, after a loss of power, the old ones are valid again.
  }
}

std::vector<fs::path> repair(const fs::path& parent) {
  std::vector<fs::path> restored;
  for (const fs::path& path : staging_folders_in(parent)) {
    const std::unique_ptr<StagingFolder> folder = StagingFolder::adopt(path);
    if (!folder) {
      continue;
    }
    try {
      if (!settle(*folder, restored)) {
        folder->keep();
      }
    } catch (...) {
      folder->keep();
      throw;
    }
  }
  return restored;
}

std::vector<FileDescriptor> lock_folders(const std::vector<fs::path>& folders) {
  // In one order for all processes, which then cannot wait for each other.
  std::vector<FileDescriptor> locks;
  for (const fs::path& folder : distinct(folders)) {
    FileDescriptor file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.is_open()) {
      // File systems without locks are used without them: the lock protects against simultaneous commands, not against
      // kills.
      flock(file.number(), LOCK_EX);
      locks.push_back(std::move(file));
    }
  }
  return locks;
}

namespace {

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
  // Process number and counter make names unique on one computer; mkdir() decides where several computers share the
  // folder. Between mkdir() and the lock another process may take the new folder for one that was left behind, and
  // remove it: then the next name is tried.
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

void fail_with_errno(const char* what, const fs::path& path) {
  throw fs::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  // Errors of delayed writing appear in close().
  if (!file.is_open() || !write_all(file.number(), text) || !file.close()) {
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
