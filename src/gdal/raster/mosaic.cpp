#include "parsimap/gdal/raster/mosaic.hpp"

#include <cpl_conv.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <gdal_alg.h>
#include <gdal_utils.h>
#include <gdalwarper.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "dataset.hpp"
#include "legend.hpp"
#include "raster_file.hpp"

namespace parsimap {
namespace {

constexpr double kSameLine = 1e-3;  // pixels: edges that are nearer to a line of the grid lie on it

// Also for grids whose columns run west or whose rows run north.
bool is_rotated(const std::array<double, 6>& g) { return g[2] != 0 || g[4] != 0 || g[1] <= 0 || g[5] >= 0; }

OGREnvelope extent_of(const std::array<double, 6>& g, Index width, Index height) {
  OGREnvelope extent;
  extent.Merge(g[0], g[3]);
  extent.Merge(g[0] + g[1] * static_cast<double>(width), g[3] + g[5] * static_cast<double>(height));
  return extent;
}

// How far a grid is to be moved so that it lies beside another in the same system: by whole turns, if in degrees, as
// beyond the antimeridian.
double turns_to(const RasterGrid& other, const RasterGrid& grid) {
  const OGRSpatialReference reference = spatial_reference(grid.crs);
  if (reference.IsGeographic() == 0 || !grid.geotransform || !other.geotransform || !same_crs(grid.crs, other.crs)) {
    return 0;
  }
  const auto middle = [](const RasterGrid& one) {
    return (*one.geotransform)[0] + (*one.geotransform)[1] * static_cast<double>(one.width) / 2;
  };
  const double turn = 2 * std::numbers::pi / reference.GetAngularUnits();
  return turn * std::round((middle(other) - middle(grid)) / turn);
}

void check_placed(const RasterGrid& grid, const std::string& path, const RasterGrid& first,
                  const std::string& first_path) {
  if (!grid.geotransform && grid.control_points.empty()) {
    throw DataError(path + " has no place on the map (no geotransform and no control points); a mosaic needs one");
  }
  if (grid.crs.empty() != first.crs.empty()) {
    throw DataError((grid.crs.empty() ? path : first_path) + " has no coordinate reference system, but " +
                    (grid.crs.empty() ? first_path : path) + " has one; a mosaic needs it of all rasters or of none");
  }
}

// The raster's own grid without rotation in the coordinate system `crs`, as GDAL suggests it.
RasterGrid suggested_grid(GDALDataset& dataset, const std::string& path, const std::string& crs) {
  const ErrorCollector errors;
  CPLStringList options;
  if (!crs.empty()) {
    options.SetNameValue("DST_SRS", crs.c_str());
  }
  // GDAL transforms the edges of the raster and suggests the grid of about the same pixels around them.
  void* transformer = GDALCreateGenImgProjTransformer2(&dataset, nullptr, options.List());
  std::array<double, 6> transform{};
  int width = 0;
  int height = 0;
  const bool done = transformer != nullptr && GDALSuggestedWarpOutput(&dataset, GDALGenImgProjTransform, transformer,
                                                                      transform.data(), &width, &height) == CE_None;
  if (transformer != nullptr) {
    GDALDestroyGenImgProjTransformer(transformer);
  }
  if (!done) {
    throw DataError(path + " cannot be brought to " + crs_title(crs) + ": " + errors.text());
  }
  return {width, height, transform, crs};
}

// The raster's extent in the coordinate system of `first`.
OGREnvelope extent_in(const std::string& path, const RasterGrid& first, const std::string& first_path) {
  const DatasetPtr dataset = open_raster(path);
  RasterGrid grid = grid_of(*dataset);
  check_placed(grid, path, first, first_path);
  // The extent of a grid in the same system without rotation is known exactly; otherwise that of the suggested grid is
  // used, which surrounds the transformed raster.
  const bool same = grid.crs.empty() || same_crs(grid.crs, first.crs);
  if (!same || !grid.geotransform || is_rotated(*grid.geotransform)) {
    grid = suggested_grid(*dataset, path, first.crs);
  }
  (*grid.geotransform)[0] += turns_to(first, grid);
  return extent_of(*grid.geotransform, grid.width, grid.height);
}

// The grid on whose lines the pixels of a mosaic lie: the first raster's own, or one like it without rotation.
RasterGrid lines_of(const std::string& path) {
  const DatasetPtr dataset = open_raster(path);
  const RasterGrid grid = grid_of(*dataset);
  check_placed(grid, path, grid, path);
  return grid.geotransform && !is_rotated(*grid.geotransform) ? grid : suggested_grid(*dataset, path, grid.crs);
}

// First line at or before `low`, and first one at or behind `high`, counted from `origin` in steps of `size`.
// Positions are counted in pixels. Without the tolerance, rounding of an edge that lies on a line of the grid would add
// a row or column of empty pixels. For rows the caller changes the signs, since y decreases from row to row.
std::array<double, 2> lines_around(double low, double high, double origin, double size) {
  return {std::floor((low - origin) / size + kSameLine), std::ceil((high - origin) / size - kSameLine)};
}

RasterGrid grid_around(const std::vector<OGREnvelope>& extents, const RasterGrid& lines) {
  OGREnvelope all;
  std::ranges::for_each(extents, [&](const OGREnvelope& extent) { all.Merge(extent); });
  // The mosaic begins and ends at lines of the first raster's grid, so that its own pixels are not resampled.
  const std::array<double, 6>& g = *lines.geotransform;
  const auto [left, right] = lines_around(all.MinX, all.MaxX, g[0], g[1]);
  const auto [top, bottom] = lines_around(-all.MaxY, -all.MinY, -g[3], -g[5]);
  constexpr double kMost = std::numeric_limits<int>::max();
  // Negated so that NaN, from extents that could not be computed, is refused as well.
  if (!(right - left <= kMost && bottom - top <= kMost)) {
    throw DataError("a mosaic around all maps would have " + std::to_string(right - left) + " x " +
                    std::to_string(bottom - top) + " pixels, more than a raster can have");
  }
  return {static_cast<Index>(right - left), static_cast<Index>(bottom - top),
          std::array<double, 6>{g[0] + left * g[1], g[1], 0, g[3] + top * g[5], 0, g[5]}, lines.crs};
}

Window window_of(const OGREnvelope& extent, const RasterGrid& grid) {
  const std::array<double, 6>& g = *grid.geotransform;
  // Whole pixels around the extent, cut off where the grid ends.
  const auto [left, right] = lines_around(extent.MinX, extent.MaxX, g[0], g[1]);
  const auto [top, bottom] = lines_around(-extent.MaxY, -extent.MinY, -g[3], -g[5]);
  const auto clamped = [](double line, Index most) {
    return static_cast<Index>(std::clamp(line, 0.0, static_cast<double>(most)));
  };
  Window window{clamped(left, grid.width), clamped(top, grid.height), 0, 0};
  window.width = clamped(right, grid.width) - window.column;
  window.height = clamped(bottom, grid.height) - window.row;
  return window.pixels() > 0 ? window : Window{};
}

RasterGrid grid_like(const std::string& like) {
  const RasterGrid grid = grid_of(*open_raster(like));
  if (!grid.geotransform || is_rotated(*grid.geotransform)) {
    throw ConfigError(like + (grid.geotransform ? " is rotated" : " has no geotransform") +
                      "; a mosaic needs a grid whose lines run east and south");
  }
  return grid;
}

}  // namespace

// Without a raster to follow, the grid has the reference system, the pixel size and the lines of the first raster, and
// covers all of them. Every raster gets the window of the grid around it, which bounds what is read of it later.
MosaicGrid mosaic_grid(const std::vector<std::string>& rasters, const std::optional<std::string>& like) {
  const std::string& first_path = like ? *like : rasters.front();
  const RasterGrid lines = like ? grid_like(*like) : lines_of(first_path);
  const auto extents =
      mapped<OGREnvelope>(rasters, [&](const std::string& path) { return extent_in(path, lines, first_path); });
  const RasterGrid grid = like ? lines : grid_around(extents, lines);
  return {grid, mapped<Window>(extents, [&](const OGREnvelope& extent) { return window_of(extent, grid); })};
}

// A virtual raster on the grid of the mosaic: GDAL transforms the centre of each pixel into the source, when it is
// read, and takes the value of the nearest pixel there. Spectra and class codes must not be interpolated.
std::unique_ptr<SceneSource> open_on_grid(const std::string& path, const RasterGrid& grid) {
  DatasetPtr source = open_raster(path);
  const double turns = turns_to(grid, grid_of(*source));
  const OGREnvelope extent = extent_of(*grid.geotransform, grid.width, grid.height);
  // As gdalwarp's command line. No approximation of the coordinates, so that every pixel is the nearest one.
  std::vector<std::string> words = {
      "-of", "VRT", "-r", "near", "-et", "0", "-ts", std::to_string(grid.width), std::to_string(grid.height), "-te"};
  // The order of gdalwarp's option -te: xmin, ymin, xmax, ymax, in 17 digits, which reproduce a double exactly.
  for (const double edge : {extent.MinX - turns, extent.MinY, extent.MaxX - turns, extent.MaxY}) {
    words.emplace_back(CPLSPrintf("%.17g", edge));
  }
  if (!grid.crs.empty()) {
    words.insert(words.end(), {"-t_srs", grid.crs});
  }
  const std::vector<std::string> files = files_of(*source);
  const ErrorCollector errors;
  const std::unique_ptr<GDALWarpAppOptions, void (*)(GDALWarpAppOptions*)> options(
      GDALWarpAppOptionsNew(string_list(words).List(), nullptr), GDALWarpAppOptionsFree);
  GDALDatasetH input = source.get();
  DatasetPtr warped(GDALDataset::FromHandle(GDALWarp("", nullptr, 1, &input, options.get(), nullptr)));
  // What was made refers to the source, and keeps it open.
  source.release()->ReleaseRef();
  if (warped == nullptr) {
    throw DataError(path + " cannot be brought to the grid of the mosaic: " + errors.text());
  }
  place_on_ground(*warped, grid);
  return scene_of(path, std::move(warped), files);
}

namespace fs = std::filesystem;

static std::string style_name(const std::string& path) { return fs::path(path).replace_extension("qml"); }

// A VRT only places rectangles of its sources on its grid; it does not transform coordinates.
static void check_systems(const std::vector<std::string>& maps, const RasterGrid& grid) {
  for (const std::string& map : maps) {
    const RasterGrid own = grid_of(*open_raster(map));
    const bool beyond = turns_to(grid, own) != 0;
    if (!own.geotransform || beyond || !(own.crs.empty() || same_crs(own.crs, grid.crs))) {
      throw ConfigError(map + " is " +
                        (beyond             ? "on the other side of the antimeridian"
                         : own.geotransform ? "in " + crs_title(own.crs)
                                            : "in the sensor's own grid") +
                        ", and the mosaic in " + crs_title(grid.crs) +
                        "; a .vrt cannot bring one to the other: name a GeoTIFF (.tif)");
    }
  }
}

// The VRT as gdalbuildvrt makes it, in memory.
static DatasetPtr build(const std::string& path, const std::vector<std::string>& maps, const RasterGrid& grid) {
  const std::array<double, 6>& g = *grid.geotransform;
  const OGREnvelope extent = extent_of(g, grid.width, grid.height);
  const auto text = [](double number) { return std::string(CPLSPrintf("%.17g", number)); };
  // Unclassified pixels (0) of a map do not hide those of maps below it; where maps overlap, the last one is on top.
  CPLStringList words = string_list({"-te", text(extent.MinX), text(extent.MinY), text(extent.MaxX), text(extent.MaxY),
                                     "-tr", text(g[1]), text(-g[5]), "-srcnodata", "0", "-vrtnodata", "0"});
  const CPLStringList names = string_list(
      mapped<std::string>(maps, [](const std::string& map) { return fs::absolute(map).lexically_normal().string(); }));
  const ErrorCollector errors;
  const std::unique_ptr<GDALBuildVRTOptions, void (*)(GDALBuildVRTOptions*)> options(
      GDALBuildVRTOptionsNew(words.List(), nullptr), GDALBuildVRTOptionsFree);
  DatasetPtr mosaic(
      GDALDataset::FromHandle(GDALBuildVRT("", names.size(), nullptr, names.List(), options.get(), nullptr)));
  if (mosaic == nullptr || errors.failed()) {
    throw IoError(path + " cannot be made: " + errors.text());
  }
  return mosaic;
}

// Names files in the folder or below it by their way from there.
static void make_relative(CPLXMLNode* node, const fs::path& folder) {
  for (; node != nullptr; node = node->psNext) {
    if (node->eType == CXT_Element && EQUAL(node->pszValue, "SourceFilename")) {
      // A mosaic and its maps can then be moved together. Files elsewhere keep their absolute paths.
      const fs::path way = fs::path(CPLGetXMLValue(node, nullptr, "")).lexically_relative(folder);
      if (!way.empty() && *way.begin() != "..") {
        CPLSetXMLValue(node, "", way.c_str());
        CPLSetXMLValue(node, "#relativeToVRT", "1");
      }
    }
    make_relative(node->psChild, folder);
  }
}

// The text of a mosaic that is in memory.
static void write_document(const StagedOutput& output, GDALDataset& mosaic) {
  mosaic.FlushCache(false);
  const CPLXMLTreeCloser tree = mosaic_document(mosaic);
  if (tree.get() == nullptr) {
    throw IoError(output.target + " cannot be made: " + CPLGetLastErrorMsg());
  }
  make_relative(tree.get(), fs::absolute(output.target).lexically_normal().parent_path());
  const std::unique_ptr<char, void (*)(void*)> text(CPLSerializeXMLTree(tree.get()), VSIFree);
  write_text(output, text.get());
}

// Likewise of a mosaic of class maps, with its legend and style.
static void write_map(const StagedOutput& output, GDALDataset& mosaic, const ClassTable& classes) {
  const std::vector<Colour> colours = class_colours(classes);
  write_legend(*mosaic.GetRasterBand(1), classes, colours, false);
  write_document(output, mosaic);
  StagedOutput style = output;
  style.path = style_name(output.path);
  write_text(style, style_text(classes, colours));
}

// The XML element of a source, with what GDAL needs to know to open the source only when it is read.
static std::string source_text(const RowsOfRaster& raster, const RasterGrid& grid, int band, GDALDataType type) {
  const std::unique_ptr<char, void (*)(void*)> name(
      CPLEscapeString(fs::absolute(raster.path).lexically_normal().c_str(), -1, CPLES_XML), VSIFree);
  // The raster contains complete rows of the grid: all of it (SrcRect) is placed at its first row in the mosaic
  // (DstRect).
  const auto rectangle = [&](const char* element, Index row) {
    return std::string("<") + element + " xOff=\"0\" yOff=\"" + std::to_string(row) + "\" xSize=\"" +
           std::to_string(grid.width) + "\" ySize=\"" + std::to_string(raster.rows.size()) + "\"/>";
  };
  return "<SimpleSource><SourceFilename relativeToVRT=\"0\">" + std::string(name.get()) +
         "</SourceFilename><SourceBand>" + std::to_string(band) + "</SourceBand><SourceProperties RasterXSize=\"" +
         std::to_string(grid.width) + "\" RasterYSize=\"" + std::to_string(raster.rows.size()) + "\" DataType=\"" +
         GDALGetDataTypeName(type) + "\" BlockXSize=\"256\" BlockYSize=\"256\"/>" + rectangle("SrcRect", 0) +
         rectangle("DstRect", raster.rows.first) + "</SimpleSource>";
}

// Rasters of consecutive rows, as the parts of a map that several processes have computed, below each other.
static DatasetPtr stack(const std::string& path, const std::vector<RowsOfRaster>& rasters, const RasterGrid& grid,
                        int bands, GDALDataType type) {
  const ErrorCollector errors;
  DatasetPtr mosaic(GetGDALDriverManager()->GetDriverByName("VRT")->Create(
      "", static_cast<int>(grid.width), static_cast<int>(grid.height), bands, type, nullptr));
  if (mosaic != nullptr) {
    place_on_ground(*mosaic, grid);
    for (int band = 1; band <= bands; ++band) {
      for (std::size_t i = 0; i < rasters.size(); ++i) {
        mosaic->GetRasterBand(band)->SetMetadataItem(CPLSPrintf("source_%d", static_cast<int>(i)),
                                                     source_text(rasters[i], grid, band, type).c_str(),
                                                     "new_vrt_sources");
      }
    }
  }
  if (mosaic == nullptr || errors.failed()) {
    throw IoError(path + " cannot be made: " + errors.text());
  }
  return mosaic;
}

bool is_virtual_mosaic(const std::string& path) { return EQUAL(CPLGetExtension(path.c_str()), "vrt"); }

const StagedOutput& stage_virtual_mosaic(OutputSet& outputs, const std::string& role, const std::string& path) {
  return outputs.stage(role, path, {path, style_name(path), path + ".aux.xml", path + ".ovr", path + ".msk"});
}

void write_virtual_mosaic(const StagedOutput& output, const std::vector<std::string>& maps, const RasterGrid& grid,
                          const ClassTable& classes) {
  check_systems(maps, grid);
  write_map(output, *build(output.target, maps, grid), classes);
}

void write_stacked_map(const StagedOutput& output, const std::vector<RowsOfRaster>& rasters, const RasterGrid& grid,
                       const ClassTable& classes) {
  write_map(output, *stack(output.target, rasters, grid, 1, class_code_type(classes)), classes);
}

void write_stacked_field(const StagedOutput& output, const std::vector<RowsOfRaster>& rasters, const RasterGrid& grid,
                         const std::vector<std::string>& bands) {
  const DatasetPtr mosaic = stack(output.target, rasters, grid, static_cast<int>(bands.size()), GDT_Float32);
  for (std::size_t i = 0; i < bands.size(); ++i) {
    GDALRasterBand& band = *mosaic->GetRasterBand(static_cast<int>(i) + 1);
    band.SetNoDataValue(std::numeric_limits<double>::quiet_NaN());
    band.SetDescription(bands[i].c_str());
  }
  write_document(output, *mosaic);
}

}  // namespace parsimap
