// Maps written through GDAL as staged outputs (output_set.hpp): they appear with publish() of their set.
//
// After a successful close() the raster has been reopened and checked. A pixel is written at most once: windows that
// hold nothing but 0 (a class map) or NaN (a field) are not written at all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

struct OutputOptions {
  std::optional<std::string> format;          // GDAL driver; unset: by the file's extension
  std::vector<std::string> creation_options;  // KEY=VALUE, as GDAL's -co
  Progress progress{};                        // of close(), which copies some formats and reads all of them back
  // What a class map says of itself, in MAP.aux.xml: names and values.
  std::vector<std::pair<std::string, std::string>> metadata = {};
};

// The model that a map says it was made with, and the scene: paths relative to the folder of the map.
inline constexpr const char* kModelItem = "PARSIMAP_MODEL";
inline constexpr const char* kModelDigestItem = "PARSIMAP_MODEL_SHA256";
inline constexpr const char* kSceneItem = "PARSIMAP_SCENE";

// The metadata of a raster by this name; empty without.
std::string raster_metadata(const std::string& path, const std::string& name);

// The extension, with its dot, that files of the format usually have; ".tif" where none is asked for. ConfigError:
// unknown format.
std::string usual_extension(const OutputOptions& options);

// The height of the storage blocks of a raster that is written with these options: a part of whole ones shares none
// with another part. 256 in formats that do not tell. ConfigError: unknown format or extension.
Index storage_rows(const std::string& path, const OutputOptions& options);

// Announces a raster with its side files. ConfigError: as OutputSet::stage(); unknown format or extension, a creation
// option that is not KEY=VALUE.
const StagedOutput& stage_raster(OutputSet& outputs, const std::string& role, const std::string& path,
                                 const OutputOptions& options);

// A class map: Byte, or UInt16 for codes above 255; nodata 0, category names (0 is "Unclassified") and a palette: the
// classes' colours, or a fixed list that colour-blind people can distinguish. Pixels never written are 0. A raster
// attribute table has a row for each class (Value, Count of what was written, Class, Red, Green, Blue); a .qml of the
// same base name beside the map is QGIS's style for it. Overviews, in formats that come with them (COG), are by mode.
// The same options as for stage_raster(). ConfigError where the format does not take them, and IoError.
std::unique_ptr<ClassMapSink> create_class_map(const StagedOutput& output, const RasterGrid& grid,
                                               const ClassTable& classes, const OutputOptions& options);

// Those of `names`, of classes, that the format of the map at `path` cannot hold, as commas in a header of ENVI: other
// characters take their place there, and MAP.aux.xml has the names as they are.
std::vector<std::string> names_held_otherwise(const std::string& path, std::vector<std::string> names);

// A real-valued raster: float32, nodata NaN, bands described by `band_names`. Pixels never written are NaN.
// Overviews are by average.
std::unique_ptr<FieldSink> create_field(const StagedOutput& output, const RasterGrid& grid,
                                        const std::vector<std::string>& band_names, const OutputOptions& options);

// A scene: uint16 (values are rounded and clamped; NaN becomes 0), wavelengths kept as `wavelength` in nanometres.
std::unique_ptr<FieldSink> create_scene(const StagedOutput& output, const RasterGrid& grid, const BandTable& bands,
                                        const OutputOptions& options);

// A PNG file as the text "data:image/png;base64,...", which a page of HTML can hold. `rgba` has red, green, blue and
// opacity of every pixel, row-major. IoError when GDAL has no PNG driver or fails.
std::string png_data_uri(Index width, Index height, const std::vector<std::uint8_t>& rgba);

// Rasters of different grids and coordinate systems brought to one grid, and mosaics (VRT) that name the rasters they
// are made of in place of a copy.

struct MosaicGrid {
  RasterGrid grid;              // with a geotransform without rotation
  std::vector<Window> windows;  // for each raster, the smallest window around it; of width 0 where it lies outside
};

// A grid for all of `rasters`: that of the raster `like`, or else the smallest one around them in the coordinate system
// and with the pixels of the first, whose lines it continues. Where the first raster is rotated or has control points
// alone, its pixels are those that GDAL suggests for it. DataError: a raster cannot be read or has no place on the map,
// or its coordinates cannot be transformed; one has a coordinate system and the first none, or the other way round; the
// grid would have more lines than a raster can have. ConfigError: `like` is rotated or has no geotransform.
MosaicGrid mosaic_grid(const std::vector<std::string>& rasters, const std::optional<std::string>& like);

// The raster as it is seen on another grid, by the nearest pixel; NaN where it has none. `grid` is one of
// mosaic_grid(). DataError as there.
std::unique_ptr<SceneSource> open_on_grid(const std::string& path, const RasterGrid& grid);

// True where the name ends in .vrt.
bool is_virtual_mosaic(const std::string& path);

// Announces the VRT and the style beside it. ConfigError as OutputSet::stage().
const StagedOutput& stage_virtual_mosaic(OutputSet& outputs, const std::string& role, const std::string& path);

// Writes the VRT over maps that exist already, with names and colours of the classes, and a .qml of the same base name.
// Maps in the folder of the VRT or below it are named relative to it, so that they can be moved together. ConfigError:
// a map in another coordinate system than the grid. IoError.
void write_virtual_mosaic(const StagedOutput& output, const std::vector<std::string>& maps, const RasterGrid& grid,
                          const ClassTable& classes);

// A GeoTIFF with tiles of 256 x 256 pixels that is some rows of a larger raster.
struct RowsOfRaster {
  std::string path;
  ItemRange rows;
};

// Writes a VRT over such rasters, which are not opened: a class map with a .qml, as above, or real values with a band
// for each name. The grid need not be on a map. IoError.
void write_stacked_map(const StagedOutput& output, const std::vector<RowsOfRaster>& rasters, const RasterGrid& grid,
                       const ClassTable& classes);
void write_stacked_field(const StagedOutput& output, const std::vector<RowsOfRaster>& rasters, const RasterGrid& grid,
                         const std::vector<std::string>& bands);

}  // namespace parsimap
