#include "parsimap/gdal/raster/source_name.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/settings.hpp"

#include "dataset.hpp"

namespace parsimap {

constexpr int kMostEntries = 1000;  // of an archive that are looked at

// GDAL's file system for an archive; empty for other files.
static std::string file_system(const std::string& path) {
  static constexpr std::pair<const char*, const char*> kEndings[] = {
      {".zip", "/vsizip/"}, {".tar", "/vsitar/"}, {".tgz", "/vsitar/"}, {".tar.gz", "/vsitar/"}, {".gz", "/vsigzip/"}};
  const std::string lower = lower_case(path);
  const auto* const found =
      std::ranges::find_if(kEndings, [&](const auto& entry) { return lower.ends_with(entry.first); });
  const bool there = found != std::end(kEndings) && !path.starts_with("/vsi") && exists(path) && !is_folder(path);
  return there ? found->second : "";
}

// What people pack as a scene, labels or a mask; all that belongs to it has other endings.
static bool is_main_file(const std::string& name) {
  static constexpr std::array<std::string_view, 15> kExtensions = {
      "shp", "gpkg", "geojson", "json", "kml", "gml", "fgb", "gpx", "csv", "tif", "tiff", "img", "bsq", "bil", "bip"};
  const bool hidden = name.starts_with("__MACOSX/") || std::string(CPLGetFilename(name.c_str())).starts_with(".");
  return !hidden && std::ranges::find(kExtensions, lower_case(CPLGetExtension(name.c_str()))) != kExtensions.end();
}

static std::vector<std::string> main_files(const std::string& path) {
  initialise_gdal();
  const std::string system = file_system(path);
  if (system == "/vsigzip/") {
    return {system + path};
  }
  std::vector<std::string> files;
  // An archive of a single file counts as that file for GDAL unless its name is in braces.
  const std::string inside = system + "{" + path + "}";
  const CPLStringList names(system.empty() ? nullptr : VSIReadDirRecursive(inside.c_str()));
  for (int i = 0; i < std::min(names.size(), kMostEntries); ++i) {
    if (is_main_file(names[i])) {
      files.push_back(inside + "/" + names[i]);
    }
  }
  return files;
}

SourceName source_name(const std::string& name) {
  const std::size_t bar = name.find('|');
  if (bar == std::string::npos || exists(name)) {
    return {name, {}, {}};
  }
  SourceName source{name.substr(0, bar), {}, {}};
  // A condition may have bars of its own, and is the last part that QGIS writes.
  std::string_view rest = std::string_view(name).substr(bar + 1);
  while (!rest.empty()) {
    const std::string_view key = rest.substr(0, rest.find('='));
    const bool subset = key == "subset";
    const std::string_view part = subset ? rest : rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::string value(part.substr(std::min(key.size() + 1, part.size())));
    if (subset) {
      source.where = value;
    } else if (key == "layername") {
      source.layer = value;
    } else if (key != "geometrytype") {
      throw ConfigError("'" + name + "': '" + std::string(part) + "' is no part of the source of a layer that can be " +
                        "used; it is read as FILE|layername=NAME|subset=CONDITION, and --layer and --where say the "
                        "same beside the name of the file");
    }
  }
  return source;
}

std::string resolved_source(const std::string& name) {
  std::string file = std::regex_replace(source_name(name).file, std::regex("^(s3|gs|az):/"), "/vsi$1");
  const std::vector<std::string> files = main_files(file);
  return files.size() == 1 ? files.front() : file;
}

std::string archive_members(const std::string& path) { return separated(main_files(path), ", "); }

}  // namespace parsimap
