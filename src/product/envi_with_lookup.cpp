// Scenes of AVIRIS and other airborne spectrometers, as rasters of ENVI in the sensor's own geometry. Beside them lie a
// geometry lookup table, <flight>..._glt, and the positions of the pixels: <flight>..._loc in degrees, or
// <flight>..._igm in the reference system of the table.
#include "envi_with_lookup.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>
#include <vector>

#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/scene/sensor_geometry.hpp"

#include "product_place.hpp"

namespace parsimap {
namespace {

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

// The parts of a name that tell flight lines and scenes apart: those between its _, without the kinds of a product, the
// versions of its processing, and digests such as 3f4aef90.
std::vector<std::string> line_words(const std::string& stem) {
  static const std::set<std::string> kinds = {"img",         "rad", "rdn",  "rfl",   "refl", "corr", "radiance",
                                              "reflectance", "ort", "orto", "ortho", "l1b",  "l1c",  "l2a",
                                              "oe",          "obs", "loc",  "igm",   "glt"};
  std::vector<std::string> words;
  const CPLStringList parts(CSLTokenizeString2(lower_case(stem).c_str(), "_", 0));
  for (int i = 0; i < parts.size(); ++i) {
    const std::string word = parts[i];
    const bool version = word.size() > 1 && word[0] == 'v' && std::isdigit(static_cast<unsigned char>(word[1])) != 0;
    const bool digest = word.size() >= 6 && word.find_first_not_of("0123456789abcdef") == std::string::npos &&
                        word.find_first_of("abcdef") != std::string::npos;
    if (!kinds.contains(word) && !version && !digest) {
      words.push_back(word);
    }
  }
  return words;
}

std::size_t common_letters(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// A file in the folder of `path` whose name ends with `ending`.
struct Companion {
  std::string path;   // empty where there is none of the same line and scene
  std::string other;  // the name of one that only begins as the scene does, such as that of another line
};

Companion companion(const std::string& path, const CPLStringList& files, const std::string& ending) {
  const std::string own = stem_of(path);
  const std::vector<std::string> words = line_words(own);
  Companion found;
  for (int i = 0; i < files.size(); ++i) {
    const std::string file = files[i];
    const std::string stem = stem_of(file);
    if (!lower_case(stem).ends_with(ending) || EQUAL(CPLGetExtension(file.c_str()), "hdr") ||
        EQUAL(CPLGetExtension(file.c_str()), "xml")) {
      continue;
    }
    const std::vector<std::string> others = line_words(stem);
    // Of several processing versions, that which has the most in common.
    if (others == words &&
        (found.path.empty() || common_letters(stem, own) > common_letters(stem_of(found.path), own))) {
      found.path = CPLFormFilename(CPLGetPath(path.c_str()), file.c_str(), nullptr);
    } else if (others != words && !others.empty() && !words.empty() && others.front() == words.front()) {
      found.other = file;
    }
  }
  return found;
}

// ENVI headers are named name.hdr or name.dat.hdr.
bool has_envi_header(const std::string& path) {
  return EQUAL(CPLGetExtension(path.c_str()), "hdr") || exists(path + ".hdr") ||
         exists(CPLResetExtension(path.c_str(), "hdr"));
}

std::string product_of(const std::string& stem) {
  return stem.starts_with("ang") ? "AVIRIS-NG" : stem.starts_with("AV3") ? "AVIRIS-3" : "";
}

}  // namespace

std::optional<OpenScene> open_envi_with_lookup(const std::string& path) {
  const std::string stem = stem_of(path);
  if (stem.find('_') == std::string::npos || lower_case(stem).ends_with("_glt") || !exists(path) ||
      !has_envi_header(path)) {
    return std::nullopt;
  }
  const std::string folder = CPLGetPath(path.c_str());
  const CPLStringList files(VSIReadDir(folder.empty() ? "." : folder.c_str()));
  const Companion table = companion(path, files, "_glt");
  if (table.path.empty() && table.other.empty()) {
    return std::nullopt;
  }
  OpenScene scene = open_scene(path);
  RasterGrid grid = scene.source->grid();
  // A raster that lies on a map already needs no table, although one may lie beside it, as after orthorectification.
  if (scene.description.driver != "ENVI" || grid.geotransform) {
    return std::nullopt;
  }
  std::string misfit = "its name is that of another line or scene";
  if (!table.path.empty()) {
    std::unique_ptr<SceneSource> source = open_scene(table.path).source;
    misfit = lookup_misfit(*source, grid.width, grid.height);
    if (misfit.empty()) {
      scene.geometry = table_lookup(std::move(source), grid.width, grid.height);
    }
  }
  if (scene.geometry == nullptr) {
    const std::string file = table.path.empty() ? table.other : CPLGetFilename(table.path.c_str());
    scene.description.note =
        "the geometry lookup table " + file + " beside " + path + " is not used: " + misfit + "; --glt may name it";
    return scene;
  }
  scene.description.product = product_of(stem);
  add_file(table.path, scene.description);
  const std::string degrees = companion(path, files, "_loc").path;
  const std::string positions = degrees.empty() ? companion(path, files, "_igm").path : degrees;
  // Positions place the scene only where it has none of its own. Those of a _loc file are degrees of WGS 84, those of
  // an _igm file are in the reference system of the lookup table.
  if (grid.control_points.empty() && !positions.empty()) {
    grid.control_points = read_control_points(positions, grid.width, grid.height);
    grid.crs = degrees.empty() ? scene.geometry->grid().crs : crs_from_epsg(4326);
    add_file(positions, scene.description);
    scene.source = std::make_unique<SceneDecorator>(std::move(scene.source), grid);
  }
  return scene;
}

}  // namespace parsimap
