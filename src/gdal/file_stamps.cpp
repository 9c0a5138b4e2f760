#include "file_stamps.hpp"

#include <system_error>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {

FileStamps::FileStamps(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (!file.starts_with("/vsi")) {
      stamps_.emplace_back(file, stamp_of(file));
    }
  }
}

FileStamps::Stamp FileStamps::stamp_of(const std::string& file) {
  // A file that cannot be looked at has a stamp as well, which differs from that of any other.
  std::error_code failure;
  Stamp stamp;
  stamp.bytes = std::filesystem::file_size(file, failure);
  stamp.changed = std::filesystem::last_write_time(file, failure);
  return stamp;
}

void FileStamps::check_unchanged() const {
  for (const auto& [file, stamp] : stamps_) {
    if (stamp_of(file) != stamp) {
      throw IoError(file + " changed while it was read; nothing is made of what may be halves of two files");
    }
  }
}

}  // namespace parsimap
