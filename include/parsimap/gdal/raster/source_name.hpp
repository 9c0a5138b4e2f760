// Names of inputs as other programs and people write them: a layer of a file as QGIS shows it, and archives.
#pragma once

#include <optional>
#include <string>

namespace parsimap {

struct SourceName {
  std::string file;
  std::optional<std::string> layer;  // of the file
  std::optional<std::string> where;  // a condition for its features
};

// The parts of "FILE|layername=NAME|subset=CONDITION", the source of a layer as QGIS shows it. A name that is a file as
// it stands has no other parts. ConfigError: a part with another key, but for geometrytype, which is passed over.
SourceName source_name(const std::string& name);

// The file that GDAL is to open: source_name().file, or the raster or vector file in an archive (.zip, .tar, .tgz,
// .tar.gz, .gz) that holds no other. An archive of several is returned as it is.
std::string resolved_source(const std::string& name);

// The raster and vector files of an archive by the names with which GDAL opens them; empty for other files.
std::string archive_members(const std::string& path);

}  // namespace parsimap
