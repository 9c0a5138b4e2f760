// Arrays under the names of files, for commands that take these.
#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/array_raster.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

#include "arrays.hpp"
#include "errors.hpp"
#include "settings.hpp"

using namespace parsimap;

// The raster that an array is to GDAL.
struct parsimap_array_file {
  ArrayRaster raster;
};

int parsimap_open_array(const parsimap_array* array, const char* name, const parsimap_settings* settings,
                        parsimap_array_file** file, parsimap_array* error) {
  return interface::status_of(error, [&] {
    const parsimap_settings given = interface::copied(settings);
    interface::check_names(given, {"crs", "nodata"});
    const SceneArray values = interface::scene_array(*array, std::string("the ") + name);
    const std::string crs = interface::text_called(given, "crs").value_or("");
    ArrayFacts facts;
    facts.grid = {array->shape[1], array->shape[0], given.geotransform, crs.empty() ? "" : crs_from_text(crs)};
    if (facts.grid.crs.empty() && !crs.empty()) {
      throw DataError(std::string("the ") + name + " has the crs '" + crs + "', which is no known reference system");
    }
    facts.bands = interface::band_table(given.bands, array->shape[2]);
    facts.nodata = interface::number_called(given, "nodata");
    facts.classes = given.classes;
    *file = new parsimap_array_file{ArrayRaster(name, facts, values)};
  });
}

const char* parsimap_array_path(const parsimap_array_file* file) { return file->raster.path().c_str(); }
void parsimap_close_array(parsimap_array_file* file) { delete file; }
