// Which driver writes a file, and which files come of it.
#pragma once

#include <gdal_priv.h>

#include <optional>
#include <string>
#include <vector>

#include "parsimap/gdal/raster/map_output.hpp"

namespace parsimap {

struct OutputFormat {
  GDALDriver* driver = nullptr;
  bool copies = false;             // the driver writes a copy of a finished raster
  std::string main;                // path of the data file: the target, except for an ENVI .hdr
  std::vector<std::string> files;  // all files that may come of it, or belong to an earlier output of that name
};

// The raster driver of options.format, or else of the extension. ConfigError: unknown format or extension, a format
// that cannot be written, a creation option that the driver does not have.
OutputFormat raster_format(const std::string& path, const OutputOptions& options);

// The vector driver of the extension. ConfigError.
GDALDriver& vector_driver(const std::string& path);

}  // namespace parsimap
