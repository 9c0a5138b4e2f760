// Files in GDAL's memory, for drivers whose library opens its file by itself: the layer below GDAL does not see their
// writes, and they pass over some that fail.
#pragma once

#include <string>

namespace parsimap {

// A file of a name that nothing else has. It goes with the object.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  // Writes its content to `path`; false where that fails.
  [[nodiscard]] bool copy_to(const std::string& path) const;

 private:
  std::string name_;
};

}  // namespace parsimap
