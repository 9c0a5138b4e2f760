// What every use of GDAL needs: handles that close themselves, opening and reading, grids and reference systems.
#pragma once

#include <cpl_minixml.h>
#include <cpl_string.h>
#include <gdal_priv.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsimap/gdal/raster/envi_header.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/scene/raster.hpp"

#include "error_collector.hpp"

namespace parsimap {

struct CloseDataset {
  void operator()(GDALDataset* dataset) const { GDALClose(dataset); }
};
using DatasetPtr = std::unique_ptr<GDALDataset, CloseDataset>;
// For drivers that know the option: GML writes what it has found out about a file beside it otherwise.
inline constexpr const char* kOpenOptions[] = {"@WRITE_GFS=NO", nullptr};

// resolved_source(), and of an ENVI header the data file. DataError when the header has no data file, and when the
// path is a device or a pipe, which must not be opened: names of virtual files and of connections are left to GDAL.
std::string resolve_envi_header(const std::string& path);

// Opens a raster with at least one band for reading. DataError, and IoError when one of its files cannot be read.
DatasetPtr open_raster(const std::string& path);
// True where open_raster() would succeed. IoError as there.
bool is_raster(const std::string& path);

// Reads the window of a band, row-major, into an array of GDAL's type `type`; false where GDAL reports a
// failure. Failed operations on files are left to an ErrorCollector of the caller.
bool read_window(GDALRasterBand& band, const Window& window, void* values, GDALDataType type);

// Likewise of `name`, but IoError "<name> cannot be read at row ..." where GDAL or the system reports a failure.
void read_values(GDALRasterBand& band, const Window& window, void* values, GDALDataType type, const std::string& name);

// A name in GDAL's memory that nothing else has; its last part is `name`.
std::string memory_path(const std::string& name);

// A file of such a name, which goes with the object.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& name) : path_(memory_path(name)) {}
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  // What it holds; empty where it was not made. Valid until it is written again.
  [[nodiscard]] std::string_view content() const;
  // Writes its content to the file `path`; false where that fails, or where there is none.
  [[nodiscard]] bool copy_to(const std::string& path) const;

 private:
  std::string path_;
};

// So many bytes that a file begins with, or all of a shorter one; empty where it cannot be opened.
std::string first_bytes(const std::string& path, std::size_t count);
// Writes a file through GDAL's file systems; false where that fails.
bool write_whole_file(const std::string& path, std::string_view content);

RasterGrid grid_of(GDALDataset& dataset);
// The reference system of what map_point() gives. It is empty for a grid in the sensor's own geometry, whose columns
// and rows are not in the reference system of its control points.
std::string map_crs(const RasterGrid& grid);

// The document of a mosaic (VRT) as GDAL states it; null for other rasters.
CPLXMLTreeCloser mosaic_document(GDALDataset& dataset);
// The elements of the sources of each band of such a document, whose nodes they are; empty without a document.
std::vector<std::vector<const CPLXMLNode*>> sources_of_bands(const CPLXMLTreeCloser& document);
// The file of such an element, in a mosaic in `folder`.
std::string source_file(const CPLXMLNode* source, const std::string& folder);

// The names of its subdatasets, under which each can be opened.
std::vector<std::string> subdataset_names(GDALDataset& dataset);

// Of a dataset or a band; empty where it is not set.
std::string metadata_item(GDALMajorObject& object, const char* key, const char* domain = "");

// The members of a list in such an item, as in "{430.0, 434.2}"; a list without any is "{}".
std::vector<std::string> list_members(const std::string& text);

// The files that a raster is read from, the main one first.
std::vector<std::string> files_of(GDALDataset& dataset);

constexpr int kDegrees = 4326;  // EPSG code of longitudes and latitudes in WGS 84

// Empty for none.
std::string wkt_of(const OGRSpatialReference* reference);
// A reference system in x, y order from WKT.
OGRSpatialReference spatial_reference(const std::string& wkt);

// A scene of a dataset that is open already, as open_scene() reads it. `path` names it in messages; the stamps of
// `files` tell whether it changes while it is read.
std::unique_ptr<SceneSource> scene_of(const std::string& path, DatasetPtr dataset,
                                      const std::vector<std::string>& files);

// The texts as GDAL takes options and names.
CPLStringList string_list(const std::vector<std::string>& texts);

// The header of an ENVI raster; nothing for other formats. DataError as EnviHeader.
std::optional<EnviHeader> header_of(GDALDataset& dataset);
// Sentences about what of it is not used, and about another header that contradicts it.
std::vector<std::string> header_notes(GDALDataset& dataset);

}  // namespace parsimap
