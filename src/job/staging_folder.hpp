// The hidden folders in which outputs are made, beside their targets: putting an output in place is a matter of
// renaming.
//
// A folder has a lock that its process holds as long as it lives. A folder whose lock is free was left by a process
// that was killed.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "file.hpp"

namespace parsimap {

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
