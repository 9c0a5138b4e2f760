// A temporary folder beside the target in which an output is made whole before it appears under its name.
#pragma once

#include <string>
#include <vector>

namespace parsimap::gdal {

// ConfigError when the folder of `target` does not exist, is no folder or is not writable, when `target` is a folder,
// or when one of `files` exists and may not be replaced.
void check_target(const std::string& target, const std::vector<std::string>& files, bool overwrite);

class StagingFolder {
 public:
  // IoError when the folder cannot be made.
  explicit StagingFolder(const std::string& target);
  ~StagingFolder();
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;

  // Where a file called `name` is to be written.
  [[nodiscard]] std::string path_of(const std::string& name) const;

  // Moves every file made here beside the target, `main` last, after `stale` (full paths, of an earlier output) have
  // been removed. Without overwrite a file that has appeared meanwhile is an error. IoError.
  void publish(const std::string& main, const std::vector<std::string>& stale, bool overwrite);

 private:
  std::string parent_;
  std::string folder_;
};

}  // namespace parsimap::gdal
