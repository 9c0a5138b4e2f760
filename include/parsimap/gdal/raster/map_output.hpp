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
  // What a class map or field says of itself, in the .aux.xml beside it: names and values.
  std::vector<std::pair<std::string, std::string>> metadata = {};
};

// The model that a map says it was made with, and the scene: paths relative to the folder of the map.
inline constexpr const char* kModelItem = "PARSIMAP_MODEL";
inline constexpr const char* kModelDigestItem = "PARSIMAP_MODEL_SHA256";
inline constexpr const char* kSceneItem = "PARSIMAP_SCENE";

// The metadata of a raster by this name; empty without. DataError: no raster. IoError: a file of it cannot be read.
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

}  // namespace parsimap
