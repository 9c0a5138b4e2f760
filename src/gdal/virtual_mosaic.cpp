#include "parsimap/gdal/virtual_mosaic.hpp"

#include <cpl_conv.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <gdal_utils.h>

#include <array>
#include <filesystem>
#include <limits>
#include <memory>

#include "parsimap/core/error.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "dataset.hpp"
#include "legend.hpp"
#include "raster_file.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

std::string style_name(const std::string& path) { return fs::path(path).replace_extension("qml"); }

void check_systems(const std::vector<std::string>& maps, const RasterGrid& grid) {
  for (const std::string& map : maps) {
    const RasterGrid own = grid_of(*open_raster(map));
    if (!own.geotransform || !(own.crs.empty() || same_crs(own.crs, grid.crs))) {
      throw ConfigError(map + " is " + (own.geotransform ? "in " + crs_title(own.crs) : "in the sensor's own grid") +
                        ", and the mosaic in " + crs_title(grid.crs) +
                        "; a .vrt cannot bring one to the other: name a GeoTIFF (.tif)");
    }
  }
}

// The VRT as gdalbuildvrt makes it, in memory.
DatasetPtr build(const std::string& path, const std::vector<std::string>& maps, const RasterGrid& grid) {
  const std::array<double, 6>& g = *grid.geotransform;
  CPLStringList words;
  const auto add = [&](const std::vector<double>& numbers) {
    for (const double number : numbers) {
      words.AddString(CPLSPrintf("%.17g", number));
    }
  };
  words.AddString("-te");
  add({g[0], g[3] + static_cast<double>(grid.height) * g[5], g[0] + static_cast<double>(grid.width) * g[1], g[3]});
  words.AddString("-tr");
  add({g[1], -g[5]});
  words.AddString("-srcnodata");
  words.AddString("0");
  words.AddString("-vrtnodata");
  words.AddString("0");
  CPLStringList names;
  for (const std::string& map : maps) {
    names.AddString(fs::absolute(map).lexically_normal().c_str());
  }
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
void make_relative(CPLXMLNode* node, const fs::path& folder) {
  for (; node != nullptr; node = node->psNext) {
    if (node->eType == CXT_Element && EQUAL(node->pszValue, "SourceFilename")) {
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
void write_document(const StagedOutput& output, GDALDataset& mosaic) {
  mosaic.FlushCache(false);
  char** documents = mosaic.GetMetadata("xml:VRT");
  const CPLXMLTreeCloser tree(documents == nullptr ? nullptr : CPLParseXMLString(documents[0]));
  if (tree.get() == nullptr) {
    throw IoError(output.target + " cannot be made: " + CPLGetLastErrorMsg());
  }
  make_relative(tree.get(), fs::absolute(output.target).lexically_normal().parent_path());
  const std::unique_ptr<char, void (*)(void*)> text(CPLSerializeXMLTree(tree.get()), VSIFree);
  write_text(output, text.get());
}

void write_style(const StagedOutput& output, const ClassTable& classes) {
  StagedOutput style = output;
  style.path = style_name(output.path);
  write_text(style, style_text(classes, class_colours(classes)));
}

// With what GDAL needs to know of the source to open it only when it is read.
std::string source_text(const RowsOfRaster& raster, const RasterGrid& grid, int band, GDALDataType type) {
  const std::unique_ptr<char, void (*)(void*)> name(
      CPLEscapeString(fs::absolute(raster.path).lexically_normal().c_str(), -1, CPLES_XML), VSIFree);
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

DatasetPtr stack(const std::string& path, const std::vector<RowsOfRaster>& rasters, const RasterGrid& grid, int bands,
                 GDALDataType type) {
  const ErrorCollector errors;
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("VRT");
  DatasetPtr mosaic(
      driver->Create("", static_cast<int>(grid.width), static_cast<int>(grid.height), bands, type, nullptr));
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

}  // namespace

bool is_virtual_mosaic(const std::string& path) { return EQUAL(CPLGetExtension(path.c_str()), "vrt"); }

const StagedOutput& stage_virtual_mosaic(OutputSet& outputs, const std::string& role, const std::string& path) {
  return outputs.stage(role, path, {path, style_name(path), path + ".aux.xml", path + ".ovr", path + ".msk"});
}

void write_virtual_mosaic(const StagedOutput& output, const std::vector<std::string>& maps, const RasterGrid& grid,
                          const ClassTable& classes) {
  check_systems(maps, grid);
  const DatasetPtr mosaic = build(output.target, maps, grid);
  write_legend(*mosaic->GetRasterBand(1), classes, class_colours(classes), false);
  write_document(output, *mosaic);
  write_style(output, classes);
}

void write_stacked_map(const StagedOutput& output, const std::vector<RowsOfRaster>& rasters, const RasterGrid& grid,
                       const ClassTable& classes) {
  const DatasetPtr mosaic = stack(output.target, rasters, grid, 1, class_code_type(classes));
  write_legend(*mosaic->GetRasterBand(1), classes, class_colours(classes), false);
  write_document(output, *mosaic);
  write_style(output, classes);
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
