// The hidden folders in which outputs are made, beside their targets: putting an output in place is a matter of
// renaming.
//
// A folder has a lock that its process holds as long as it lives. A folder whose lock is free was left by a process
// that was killed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace parsimap {

// An open file, closed at the end.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  // Closes the file now; false, with the reason in errno, when what was written has not arrived.
  [[nodiscard]] bool close();

 private:
  int number_;
};

// Waits until the content of a file or folder is on the disk. std::filesystem::filesystem_error.
void sync_to_disk(const std::filesystem::path& path);

// True for a file of any kind by that name, a dangling link included. std::filesystem::filesystem_error.
bool is_there(const std::filesystem::path& path);

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

}  // namespace parsimap
