#include "parsimap/gdal/raster/settings.hpp"

#include <cpl_conv.h>
#include <gdal_priv.h>
#include <hdf5.h>

#include <mutex>

#include "checked_files.hpp"

namespace parsimap {

void initialise_gdal() {
  static std::once_flag done;
  std::call_once(done, [] {
    watch_sqlite_memory();
    install_checked_files();
    // HDF5 complains at the end of the program about files that it could not read. Nothing is left to be closed then,
    // and it only listens before it is used for the first time.
    H5dont_atexit();
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
  });
}

void set_gdal_option(const std::string& key, const std::string& value) {
  CPLSetConfigOption(key.c_str(), value.c_str());
}

void set_gdal_cache(std::int64_t bytes) { GDALSetCacheMax64(bytes); }

}  // namespace parsimap
