// GDAL as the targets need it: files in its memory, and no drivers but those that are tested.
#pragma once

#include <cpl_conv.h>
#include <cpl_vsi.h>
#include <gdal_priv.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "parsimap/gdal/raster/settings.hpp"

#include "fuzz/target.hpp"

namespace parsimap::fuzz {

// Takes all drivers away but these. Others would open an input by its content, run slowly, or reach the network.
inline bool keep_drivers(const std::set<std::string>& kept) {
  initialise_gdal();
  GDALDriverManager& manager = *GetGDALDriverManager();
  for (int i = manager.GetDriverCount() - 1; i >= 0; --i) {
    GDALDriver* driver = manager.GetDriver(i);
    if (kept.count(driver->GetDescription()) == 0) {
      manager.DeregisterDriver(driver);
      delete driver;
    }
  }
  return true;
}

// A file of GDAL's memory that holds `content`, which outlives it.
class VirtualFile {
 public:
  VirtualFile(std::string path, std::string_view content) : path_(std::move(path)), content_(content) {
    VSILFILE* file =
        VSIFileFromMemBuffer(path_.c_str(), reinterpret_cast<GByte*>(content_.data()), content_.size(), FALSE);
    require(file != nullptr && VSIFCloseL(file) == 0, "a file can be made in GDAL's memory");
  }
  ~VirtualFile() { VSIUnlink(path_.c_str()); }
  VirtualFile(const VirtualFile&) = delete;
  VirtualFile& operator=(const VirtualFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string content_;
};

}  // namespace parsimap::fuzz
