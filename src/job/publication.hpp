// Putting many files in place together, whatever happens on the way: an error, a kill, or a loss of power.
//
// Before the first file moves, a record of all moves is on the disk. As long as it is there, the moves can be taken
// back from it, by this process when one of them fails, and by a later one when this process was killed. Removing the
// record is what makes the new files the valid ones.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/core/file.hpp"

namespace parsimap {

// The hidden folders in which outputs are made, beside their targets: putting an output in place is a matter of
// renaming.
//
// A folder has a lock that its process holds as long as it lives. A folder whose lock is free was left by a process
// that was killed.
class StagingFolder {
 public:
  // Makes a folder in `parent` that nothing else uses. std::filesystem::filesystem_error.
  explicit StagingFolder(const std::filesystem::path& parent);
  // Takes over a folder that a killed process of this user has left; none when it has a living owner or cannot be had.
  static std::unique_ptr<StagingFolder> adopt(const std::filesystem::path& path);
  // Removes the folder with all that is in it, as far as that goes.
  ~StagingFolder();
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Leaves the folder where it is at the end, for a later process to adopt.
  void keep() { kept_ = true; }

 private:
  StagingFolder(std::filesystem::path path, FileDescriptor lock);

  std::filesystem::path path_;
  FileDescriptor lock_;
  bool kept_ = false;
};

// The folders in `parent` that look like staging folders, whoever owns them. std::filesystem::filesystem_error.
std::vector<std::filesystem::path> staging_folders_in(const std::filesystem::path& parent);

// Absolute paths.
struct FileMove {
  std::filesystem::path staged;  // the new file; empty where there is none and the target is only taken away
  std::filesystem::path target;
  std::filesystem::path kept;  // where an earlier file of the target's name is kept meanwhile, in a staging folder
  bool replaces = false;       // whether there is such an earlier file
};

// Moves all files, in their order. The record goes to the first of the folders; the others, in which there are staged
// or kept files too, point to it. std::filesystem::filesystem_error, whose first path is a target where the failure has
// to do with one: all is as it was before. When that cannot be had at once, the folders stay, and repair() takes the
// moves back later.
void publish_files(const std::vector<FileMove>& moves, std::deque<StagingFolder>& folders);

// Takes back the moves of killed processes of this user that have left staging folders in `parent`, and removes these
// folders. Returns the targets that have their earlier content again. std::filesystem::filesystem_error: a record is
// there, but its moves cannot be taken back.
std::vector<std::filesystem::path> repair(const std::filesystem::path& parent);

// Keeps other processes that do the same from publishing into these folders, where the file system has locks, until the
// result is destroyed.
std::vector<FileDescriptor> lock_folders(const std::vector<std::filesystem::path>& folders);

// What the standard library lacks of files: every failure noticed, and content that is on the disk for certain.

// Throws a filesystem_error with the reason that errno holds.
[[noreturn]] void fail_with_errno(const char* what, const std::filesystem::path& path);

// The file is new, or replaced. std::filesystem::filesystem_error, with the system's reason, such as a full disk.
void write_text(const std::filesystem::path& path, const std::string& text);

// Waits until the content of a file or folder is on the disk. std::filesystem::filesystem_error.
void sync_to_disk(const std::filesystem::path& path);

// True for a file of any kind by that name, a dangling link included. std::filesystem::filesystem_error.
bool is_there(const std::filesystem::path& path);

}  // namespace parsimap
