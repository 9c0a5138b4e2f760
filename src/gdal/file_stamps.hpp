// Whether files stay what they are while they are read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace parsimap {

// The size and the time of the last change of files.
class FileStamps {
 public:
  // Files of GDAL's virtual file systems are passed over: what is in a memory or an archive does not change by itself.
  explicit FileStamps(const std::vector<std::string>& files);

  // IoError when one of them is not what it was.
  void check_unchanged() const;

 private:
  struct Stamp {
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type changed{};
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stamp_of(const std::string& file);

  std::vector<std::pair<std::string, Stamp>> stamps_;
};

}  // namespace parsimap
