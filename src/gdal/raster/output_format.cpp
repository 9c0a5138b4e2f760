#include <cpl_conv.h>
#include <cpl_string.h>

#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/settings.hpp"

#include "dataset.hpp"
#include "raster_file.hpp"

namespace parsimap {
namespace {

using ExtensionTable = std::vector<std::pair<const char*, const char*>>;

bool has(GDALDriver& driver, const char* capability) { return driver.GetMetadataItem(capability) != nullptr; }

bool writes_rasters(GDALDriver& driver) {
  return has(driver, GDAL_DCAP_RASTER) && (has(driver, GDAL_DCAP_CREATE) || has(driver, GDAL_DCAP_CREATECOPY));
}

bool has_extension(GDALDriver& driver, const std::string& extension) {
  const char* text = driver.GetMetadataItem(GDAL_DMD_EXTENSIONS);
  const CPLStringList list(CSLTokenizeString2(text != nullptr ? text : "", " ", 0));
  return list.FindString(extension.c_str()) >= 0;
}

// The usual driver of an extension, or the first that claims it, preferring those that need no finished raster to copy.
GDALDriver* driver_of(const std::string& extension, const ExtensionTable& usual, const char* kind) {
  GDALDriverManager& manager = *GetGDALDriverManager();
  for (const auto& [key, name] : usual) {
    if (EQUAL(key, extension.c_str())) {
      return manager.GetDriverByName(name);
    }
  }
  // Drivers that can create a raster and write it in windows come first; the others copy a finished raster.
  for (const char* capability : {GDAL_DCAP_CREATE, GDAL_DCAP_CREATECOPY}) {
    for (int i = 0; i < manager.GetDriverCount(); ++i) {
      GDALDriver& driver = *manager.GetDriver(i);
      if (has(driver, kind) && has(driver, capability) && has_extension(driver, extension)) {
        return &driver;
      }
    }
  }
  return nullptr;
}

GDALDriver& driver_by_name(const std::string& path, const std::string& name) {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(name.c_str());
  if (driver == nullptr || !writes_rasters(*driver)) {
    throw ConfigError(path + ": the format " + name +
                      (driver == nullptr ? " is unknown" : " cannot be written as a raster") +
                      "; usual ones are GTiff, ENVI, COG and PNG");
  }
  return *driver;
}

void check_creation_options(const std::string& path, GDALDriver& driver, const std::vector<std::string>& options) {
  // GDAL would only warn of what it does not know, so that a mistyped option would be ignored.
  CPLStringList list;
  for (const std::string& option : options) {
    if (option.find('=') == std::string::npos || option.front() == '=') {
      throw ConfigError(path + ": the creation option '" + option + "' is not of the form KEY=VALUE");
    }
    list.AddString(option.c_str());
  }
  const ErrorCollector errors;
  if (GDALValidateCreationOptions(&driver, list.List()) == 0) {
    throw ConfigError(path + ": the creation options do not suit the format " + driver.GetDescription() + ": " +
                      errors.text());
  }
}

}  // namespace

OutputFormat raster_format(const std::string& path, const OutputOptions& options) {
  initialise_gdal();
  static const ExtensionTable usual{{"tif", "GTiff"}, {"tiff", "GTiff"}, {"img", "ENVI"}, {"dat", "ENVI"},
                                    {"bil", "ENVI"},  {"bip", "ENVI"},   {"bsq", "ENVI"}, {"envi", "ENVI"},
                                    {"hdr", "ENVI"},  {"png", "PNG"}};
  const std::string extension = CPLGetExtension(path.c_str());
  if (EQUAL(extension.c_str(), "qml")) {
    throw ConfigError(path + ": the extension 'qml' is that of the style beside a map; a raster needs another");
  }
  OutputFormat format;
  format.driver =
      options.format ? &driver_by_name(path, *options.format) : driver_of(extension, usual, GDAL_DCAP_RASTER);
  if (format.driver == nullptr) {
    throw ConfigError(
        path + ": the extension '" + extension +
        "' is not that of a raster format; usual ones are .tif (GTiff) and .img, .dat, .bil, .bsq (ENVI), others "
        "go with --of FORMAT");
  }
  check_creation_options(path, *format.driver, options.creation_options);
  // A GeoTIFF could be written window by window, but its compressed blocks would lie in the order in which the block
  // cache lets go of them, which depends on the cache's size and on time.
  format.copies = !has(*format.driver, GDAL_DCAP_CREATE) || EQUAL(format.driver->GetDescription(), "GTiff");
  // `files` becomes the list of all files that writing may create, so that they are checked, put in place and removed
  // together: the raster, its header, the style, and the side files of GDAL.
  format.main = path;
  if (EQUAL(format.driver->GetDescription(), "ENVI")) {
    // A header is named by its data file: the driver would write both into one file.
    format.main = EQUAL(extension.c_str(), "hdr") ? CPLResetExtension(path.c_str(), "img") : path;
    format.files.emplace_back(CPLResetExtension(format.main.c_str(), "hdr"));
    format.files.push_back(format.main + ".hdr");
  }
  format.files.insert(format.files.begin(), format.main);
  format.files.emplace_back(CPLResetExtension(format.main.c_str(), "qml"));
  for (const char* suffix : {".aux.xml", ".ovr", ".msk"}) {
    format.files.push_back(format.main + suffix);
  }
  return format;
}

GDALDriver& vector_driver(const std::string& path) {
  initialise_gdal();
  static const ExtensionTable usual{
      {"gpkg", "GPKG"}, {"geojson", "GeoJSON"}, {"json", "GeoJSON"}, {"shp", "ESRI Shapefile"}, {"fgb", "FlatGeobuf"}};
  const std::string extension = CPLGetExtension(path.c_str());
  GDALDriver* driver = driver_of(extension, usual, GDAL_DCAP_VECTOR);
  if (driver == nullptr || !has(*driver, GDAL_DCAP_CREATE)) {
    throw ConfigError(path + ": the extension '" + extension +
                      "' is not that of a vector format; usual ones are .gpkg, .geojson, .shp and .fgb");
  }
  return *driver;
}

}  // namespace parsimap
