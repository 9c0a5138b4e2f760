// EMIT L2A reflectance and L1B radiance, as described in the user guides of these products.
#include "emit.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/hdf5/array_file.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/scene/sensor_geometry.hpp"

#include "cube_scene.hpp"

namespace parsimap {
namespace {

const std::string kEmitRoot = "/";
const AxisNames kAxisNames{
    {"downtrack", "number_of_scans"}, {"crosstrack", "pixels_per_scan"}, {"bands", "number_of_bands"}};

struct Kind {
  const char* array;
  const char* product;
};
constexpr std::array<Kind, 2> kEmitKinds{{{"reflectance", "EMIT L2A"}, {"radiance", "EMIT L1B"}}};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_emit(const ArrayFile& file) {
  const std::vector<std::string> members = file.members(kEmitRoot);
  return file.text(kEmitRoot, "instrument") == "EMIT" ||
         (contains(members, "location") && contains(members, "sensor_band_parameters"));
}

// Bands are described by lists in the group sensor_band_parameters: `wavelengths` and `fwhm` in nanometres, and
// `good_wavelengths`, which is 0 in the absorption bands of water vapour.
// The values of a list with an entry for each band; empty where the file has no such list.
std::vector<double> band_list(ArrayFile& file, const std::string& name) {
  const auto array = file.find("sensor_band_parameters/" + name);
  return array ? file.read_all(*array) : std::vector<double>();
}

void check_list(const ArrayFile& file, const std::string& name, std::size_t entries, std::size_t bands) {
  if (entries != 0 && entries != bands) {
    throw DataError(file.name() + ": sensor_band_parameters/" + name + " has " + std::to_string(entries) +
                    " entries for " + std::to_string(bands) + " bands");
  }
}

BandTable band_table(ArrayFile& file, std::size_t count) {
  const std::vector<double> wavelengths = band_list(file, "wavelengths");
  const std::vector<double> fwhm = band_list(file, "fwhm");
  const std::vector<double> good = band_list(file, "good_wavelengths");
  check_list(file, "wavelengths", wavelengths.size(), count);
  check_list(file, "fwhm", fwhm.size(), count);
  check_list(file, "good_wavelengths", good.size(), count);
  // A wavelength or width that is missing, not finite or not positive is unknown, and the band has none.
  const auto positive = [](const std::vector<double>& list, std::size_t i) {
    return !list.empty() && std::isfinite(list[i]) && list[i] > 0 ? std::optional(list[i]) : std::nullopt;
  };
  BandTable bands(count);
  for (std::size_t i = 0; i < count; ++i) {
    bands[i].wavelength = positive(wavelengths, i);
    bands[i].fwhm = positive(fwhm, i);
    bands[i].bad = !good.empty() && good[i] == 0;
  }
  return bands;
}

CubeLayout layout_of(const CubeArray& cube) {
  CubeLayout layout{{cube}, {}};
  for (std::int64_t i = 0; i < cube.array.shape[*cube.axes.band]; ++i) {
    layout.bands.push_back({0, i});
  }
  return layout;
}

// The scene is in the geometry of the sensor. The positions of its pixels become control points, and the lookup table
// (GLT) maps it to a grid: each cell of the table holds column and row of the pixel to show there, counted from 1, or 0
// for none.
// The lookup table; null where the file has none.
std::unique_ptr<GeometryLookup> lookup_of(const std::shared_ptr<ArrayFile>& file, const RasterGrid& scene) {
  const auto columns = file->find("location/glt_x");
  const auto rows = file->find("location/glt_y");
  if (!columns && !rows) {
    return nullptr;
  }
  const auto transform = file->numbers(kEmitRoot, "geotransform");
  const std::string crs = crs_from_text(file->text(kEmitRoot, "spatial_ref").value_or(""));
  if (!columns || !rows || columns->shape.size() != 2 || columns->shape != rows->shape || columns->values() == 0 ||
      !transform || transform->size() != 6 || crs.empty()) {
    const auto state = [](bool found) { return found ? "is there" : "is missing or unusable"; };
    throw DataError(file->name() + " has a geometry lookup table (GLT) that is incomplete: location/glt_x " +
                    (columns ? columns->text() : "is missing") + ", location/glt_y " +
                    (rows ? rows->text() : "is missing") + ", which must have two dimensions of equal lengths; the " +
                    "attribute geotransform, of six numbers, " + state(transform && transform->size() == 6) +
                    "; the attribute spatial_ref, as WKT, " + state(!crs.empty()));
  }
  const CubeAxes axes{0, 1, std::nullopt};
  CubeLayout layout{{{*columns, axes}, {*rows, axes}}, {{0, 0}, {1, 0}}};
  RasterGrid grid = grid_of(layout.arrays.front());
  grid.geotransform.emplace();
  std::copy(transform->begin(), transform->end(), grid.geotransform->begin());
  grid.crs = crs;
  return table_lookup(open_cube(file, grid, BandTable(2), layout), scene.width, scene.height);
}

// The file of the same acquisition with the masks: EMIT_L2A_MASK_<version>_<time>_<orbit>_<scene>.nc beside
// EMIT_L2A_RFL_<version>_<time>_<orbit>_<scene>.nc. The versions may differ; the highest is taken.
// Files of one acquisition have the time, the orbit and the number of the scene in common, at the end of their names.
std::optional<std::string> mask_file(const std::string& path) {
  const std::string prefix = "EMIT_L2A_RFL_";
  const std::string mask_prefix = "EMIT_L2A_MASK_";
  const std::string name = CPLGetFilename(path.c_str());
  const std::size_t end = name.find('_', prefix.size());
  if (!name.starts_with(prefix) || end == std::string::npos) {
    return std::nullopt;
  }
  // The tail is everything from the underscore behind the version. A mask belongs to the scene if the same tail follows
  // its own version. Names of one acquisition differ in the version only, so that the largest name has the highest
  // version.
  const std::string tail = name.substr(end);
  const std::string folder = CPLGetPath(path.c_str());
  const CPLStringList files(VSIReadDir(folder.empty() ? "." : folder.c_str()));
  std::string found;
  for (int i = 0; i < files.size(); ++i) {
    const std::string file = files[i];
    if (file.starts_with(mask_prefix) && file.ends_with(tail) &&
        file.find('_', mask_prefix.size()) == file.size() - tail.size()) {
      found = std::max(found, file);
    }
  }
  return found.empty() ? std::nullopt
                       : std::optional<std::string>(CPLFormFilename(folder.c_str(), found.c_str(), nullptr));
}

// "Dilated Cloud Flag" becomes "dilated-cloud"; nothing for bands that are no flags.
std::optional<std::string> flag_name(const std::string& band) {
  std::string name = lower_case(band);
  std::ranges::replace(name, ' ', '-');
  const std::string suffix = "-flag";
  if (!name.ends_with(suffix) || name.size() == suffix.size()) {
    return std::nullopt;
  }
  name.resize(name.size() - suffix.size());
  return name;
}

// The mask of L2A has bands of two kinds. Those whose names end in "flag" are 1 where a pixel is marked and become
// quality layers; the others, such as the optical depth of aerosols, are quantities and are passed over.
void add_mask(const std::string& path, OpenScene& scene) {
  if (!is_hdf5_file(path)) {
    throw DataError(path + ", the mask of " + scene.source->name() + ", is no netCDF-4 file");
  }
  const std::shared_ptr<ArrayFile> file = std::make_shared<ArrayFile>(path);
  const FileArray array = file->need("mask");
  const std::vector<std::string> names = file->texts("sensor_band_parameters/mask_bands");
  const RasterGrid& grid = scene.source->grid();
  const CubeArray cube{array, find_axes(*file, array, kAxisNames,
                                        {grid.height, grid.width, static_cast<std::int64_t>(names.size())}, {})};
  if (names.empty()) {
    throw DataError(path + " does not name its masks: sensor_band_parameters/mask_bands is missing or empty");
  }
  const auto bands = mapped<Band>(names, [](const std::string& name) { return Band{.name = name}; });
  const std::shared_ptr<SceneSource> source = open_cube(file, grid, bands, layout_of(cube));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const auto name = flag_name(names[i])) {
      scene.quality.push_back({*name, names[i], source, static_cast<Index>(i), {1}});
    }
  }
  scene.description.files.push_back(path);
  scene.description.bytes += file->bytes();
}

// The lengths of the positions and of the list of wavelengths say which dimension of the cube is which, where a copy of
// the product has lost the names of its dimensions.
OpenScene open(const std::shared_ptr<ArrayFile>& file, const Kind& kind) {
  const FileArray array = file->need(kind.array);
  const auto positions = file->find("location/lon");
  AxisLengths lengths;
  // Lengths that cannot be found stay 0, which find_axes() takes as unknown.
  if (positions && positions->shape.size() == 2) {
    lengths = {positions->shape[0], positions->shape[1]};
  }
  if (const auto wavelengths = file->find("sensor_band_parameters/wavelengths")) {
    lengths.bands = wavelengths->values();
  }
  const CubeArray cube{array, find_axes(*file, array, kAxisNames, lengths, {})};
  RasterGrid grid = grid_of(cube);
  grid.control_points = positions_of(*file, "location/lon", "location/lat", grid);
  grid.crs = grid.control_points.empty() ? "" : crs_from_epsg(4326);
  BandTable bands = band_table(*file, static_cast<std::size_t>(array.shape[*cube.axes.band]));
  OpenScene scene;
  scene.description = describe_arrays(*file, array, kind.product);
  if (lengths.bands == 0) {
    scene.description.note = file->name() + " has no wavelengths (sensor_band_parameters/wavelengths)";
  }
  scene.geometry = lookup_of(file, grid);
  scene.source = open_cube(file, grid, std::move(bands), layout_of(cube));
  scene.description.kept_bytes = file->kept_bytes();
  return scene;
}

}  // namespace

// A file that HDF5 cannot open is damaged if its name is that of EMIT, and otherwise the concern of another reader.
std::optional<OpenScene> open_emit(const std::string& path) {
  const bool named = std::string(CPLGetFilename(path.c_str())).starts_with("EMIT_L");
  const std::shared_ptr<ArrayFile> file = open_arrays(path, named);
  if (file == nullptr || !is_emit(*file)) {
    return std::nullopt;
  }
  const std::vector<std::string> members = file->members(kEmitRoot);
  for (const Kind& kind : kEmitKinds) {
    if (contains(members, kind.array)) {
      OpenScene scene = open(file, kind);
      if (const auto mask = mask_file(path)) {
        add_mask(*mask, scene);
      }
      return scene;
    }
  }
  throw DataError(path + " is a file of EMIT without a scene: reflectance and radiance were looked for, and it holds " +
                  separated(members, ", ") + "; the scene is the file whose name begins with EMIT_L2A_RFL");
}

}  // namespace parsimap
