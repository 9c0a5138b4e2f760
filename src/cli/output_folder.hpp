// The folder a command fills.
#pragma once

#include <filesystem>

namespace parsimap {

// Made when its parent exists, and taken away again when the run ends without having put anything in it.
class OutputFolder {
 public:
  // ConfigError when it is not there and cannot be made.
  explicit OutputFolder(std::filesystem::path path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

 private:
  std::filesystem::path path_;
  bool made_ = false;
};

}  // namespace parsimap
