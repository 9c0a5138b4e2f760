#include "parsimap/io/gdal/settings.hpp"

#include <cpl_conv.h>
#include <gdal_priv.h>

#include <mutex>

#include "checked_files.hpp"
#include "sqlite_memory.hpp"

namespace parsimap {

void initialise_gdal() {
  static std::once_flag done;
  std::call_once(done, [] {
    watch_sqlite_memory();
    install_checked_files();
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
  });
}

void set_gdal_option(const std::string& key, const std::string& value) {
  CPLSetConfigOption(key.c_str(), value.c_str());
}

void set_gdal_cache(std::int64_t bytes) { GDALSetCacheMax64(bytes); }

}  // namespace parsimap
