// Scenes of AVIRIS and other airborne spectrometers, as rasters of ENVI in the sensor's own geometry. Beside them lie a
// geometry lookup table, <flight>..._glt, and the positions of the pixels: <flight>..._loc in degrees, or
// <flight>..._igm in the reference system of the table.
#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/scene/sensor_geometry.hpp"

#include "kinds.hpp"
#include "product_place.hpp"

namespace parsimap {
namespace {

bool exists(const std::string& path) {
  VSIStatBufL status;
  return VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG) == 0;
}

// The name of a file without its folder and the extensions that ENVI gives.
std::string stem_of(const std::string& path) {
  std::string name = CPLGetFilename(path.c_str());
  for (const char* extension : {".hdr", ".img", ".bin", ".dat", ".bil", ".bip", ".bsq"}) {
    if (lower_case(name).ends_with(extension)) {
      name.resize(name.size() - 4);
    }
  }
  return name;
}

std::size_t common_letters(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// The file in the folder of `path` of the same flight, which is what stands before the first _, whose name ends with
// `ending`; of several that with the most in common. Empty where there is none.
std::string companion(const std::string& path, const CPLStringList& files, const std::string& ending) {
  const std::string stem = stem_of(path);
  const std::string flight = stem.substr(0, stem.find('_') + 1);
  std::string best;
  for (int i = 0; i < files.size(); ++i) {
    const std::string file = files[i];
    const std::string other = stem_of(file);
    if (!file.starts_with(flight) || !lower_case(other).ends_with(ending) || other == stem ||
        EQUAL(CPLGetExtension(file.c_str()), "hdr") || EQUAL(CPLGetExtension(file.c_str()), "xml")) {
      continue;
    }
    // A flight may have several lines or processing versions: the longest common beginning of the names decides.
    if (best.empty() || common_letters(other, stem) > common_letters(stem_of(best), stem)) {
      best = file;
    }
  }
  return best.empty() ? best : CPLFormFilename(CPLGetPath(path.c_str()), best.c_str(), nullptr);
}

// ENVI headers are named name.hdr or name.dat.hdr.
bool has_envi_header(const std::string& path) {
  return EQUAL(CPLGetExtension(path.c_str()), "hdr") || exists(path + ".hdr") ||
         exists(CPLResetExtension(path.c_str(), "hdr"));
}

std::string product_of(const std::string& stem) {
  return stem.starts_with("ang") ? "AVIRIS-NG" : stem.starts_with("AV3") ? "AVIRIS-3" : "";
}

// Another grid of the same pixels.
class PlacedScene final : public SceneDecorator {
 public:
  PlacedScene(std::unique_ptr<SceneSource> scene, RasterGrid grid)
      : SceneDecorator(std::move(scene)), grid_(std::move(grid)) {}

  [[nodiscard]] const RasterGrid& grid() const override { return grid_; }

 private:
  RasterGrid grid_;
};

}  // namespace

std::optional<OpenScene> open_envi_with_lookup(const std::string& path) {
  const std::string stem = stem_of(path);
  if (stem.find('_') == std::string::npos || lower_case(stem).ends_with("_glt") || !exists(path) ||
      !has_envi_header(path)) {
    return std::nullopt;
  }
  const std::string folder = CPLGetPath(path.c_str());
  const CPLStringList files(VSIReadDir(folder.empty() ? "." : folder.c_str()));
  const std::string table = companion(path, files, "_glt");
  if (table.empty()) {
    return std::nullopt;
  }
  OpenScene scene = open_scene(path);
  RasterGrid grid = scene.source->grid();
  // A raster that lies on a map already needs no table, although one may lie beside it, as after orthorectification.
  if (scene.description.driver != "ENVI" || grid.geotransform) {
    return std::nullopt;
  }
  scene.geometry = table_lookup(open_scene(table).source, grid.width, grid.height);
  scene.description.product = product_of(stem);
  add_file(table, scene.description);
  const std::string degrees = companion(path, files, "_loc");
  const std::string positions = degrees.empty() ? companion(path, files, "_igm") : degrees;
  // Positions place the scene only where it has none of its own. Those of a _loc file are degrees of WGS 84, those of
  // an _igm file are in the reference system of the lookup table.
  if (grid.control_points.empty() && !positions.empty()) {
    grid.control_points = read_control_points(positions, grid.width, grid.height);
    grid.crs = degrees.empty() ? scene.geometry->grid().crs : crs_from_epsg(4326);
    add_file(positions, scene.description);
    scene.source = std::make_unique<PlacedScene>(std::move(scene.source), grid);
  }
  return scene;
}

}  // namespace parsimap
