// Labels of a program that keeps them itself, as a file that exists in GDAL's memory only.
#pragma once

#include <memory>
#include <string>

namespace parsimap {

class MemoryFile;

// A GeoJSON document under the name of a file, which what reads labels takes for one. It is gone with this object.
class MemoryLabels {
 public:
  // IoError: GDAL does not keep it.
  explicit MemoryLabels(const std::string& document);
  ~MemoryLabels();
  MemoryLabels(const MemoryLabels&) = delete;
  MemoryLabels& operator=(const MemoryLabels&) = delete;

  [[nodiscard]] const std::string& path() const;

 private:
  std::unique_ptr<MemoryFile> file_;
};

}  // namespace parsimap
