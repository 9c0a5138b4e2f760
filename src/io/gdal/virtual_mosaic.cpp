#include "parsimap/io/gdal/virtual_mosaic.hpp"

#include <cpl_conv.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <gdal_utils.h>

#include <array>
#include <filesystem>
#include <memory>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/palette.hpp"

#include "dataset.hpp"
#include "legend.hpp"

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

}  // namespace

bool is_virtual_mosaic(const std::string& path) { return EQUAL(CPLGetExtension(path.c_str()), "vrt"); }

const StagedOutput& stage_virtual_mosaic(OutputSet& outputs, const std::string& role, const std::string& path) {
  return outputs.stage(role, path, {path, style_name(path), path + ".aux.xml", path + ".ovr", path + ".msk"});
}

void write_virtual_mosaic(const StagedOutput& output, const std::vector<std::string>& maps, const RasterGrid& grid,
                          const ClassTable& classes) {
  check_systems(maps, grid);
  const DatasetPtr mosaic = build(output.target, maps, grid);
  const std::vector<Colour> colours = class_colours(classes);
  write_legend(*mosaic->GetRasterBand(1), classes, colours, false);
  mosaic->FlushCache(false);
  char** documents = mosaic->GetMetadata("xml:VRT");
  const CPLXMLTreeCloser tree(documents == nullptr ? nullptr : CPLParseXMLString(documents[0]));
  if (tree.get() == nullptr) {
    throw IoError(output.target + " cannot be made: " + CPLGetLastErrorMsg());
  }
  make_relative(tree.get(), fs::absolute(output.target).lexically_normal().parent_path());
  const std::unique_ptr<char, void (*)(void*)> text(CPLSerializeXMLTree(tree.get()), VSIFree);
  write_text(output, text.get());
  StagedOutput style = output;
  style.path = style_name(output.path);
  write_text(style, style_text(classes, colours));
}

}  // namespace parsimap
