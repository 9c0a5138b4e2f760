// What features of a file claim: pixels for their classes. Likewise where labels lie (the reference system that they
// are taken to be in, and the way from it to that of a scene), and points in the columns of a table.
#pragma once

#include <ogr_feature.h>
#include <ogr_geometry.h>
#include <ogr_spatialref.h>
#include <ogrsf_frmts.h>

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// A class as features name it: by a code, or by a text, whose code is 0. Codes are in the order of numbers, texts in
// that of their bytes.
struct ClassKey {
  int code = 0;
  std::string text;
  auto operator<=>(const ClassKey&) const = default;
};

// The code of a key that stands for the code 0 of a file where that is a class.
constexpr int kZeroKey = 65536;

// The pixels that a region, which is a feature or a part of one, claims for its class.
struct RegionClaim {
  ClassKey key;
  std::int64_t region = 0;                   // number in its file
  std::optional<std::string> group;          // what the group field says
  std::optional<std::int64_t> feature = {};  // of which the region is a part
  std::vector<std::int64_t> pixels;          // may be none
};

struct VectorClaims {
  bool named_by_text = false;
  std::set<ClassKey> classes;  // those that lie on the grid, even where they claim no pixel
  std::vector<RegionClaim> regions;
  std::int64_t outside = 0;  // features that claim no pixel
  std::map<ClassKey, Colour> colours = {};
  std::vector<std::string> notes = {};                                                   // as those of LabelledPixels
  std::vector<std::string> messages = {};                                                // likewise
  std::map<std::int64_t, std::string> outside_features = {};                             // as those of LabelledPixels
  std::map<std::string, std::map<std::string, std::set<std::string>>> other_texts = {};  // likewise
  std::set<std::string> texts = {};  // of all classes, wherever their features lie
};

// Replaces texts by codes where all of them, in all files, are whole numbers: "10" is then the class of the code 10, as
// it is in an integer field. One other text makes names of all. `paths` are those of the files.
void read_codes(const std::vector<std::string>& paths, std::vector<VectorClaims>& files);

// DataError where `path`, which has map coordinates, is to be placed on a grid in the sensor's own geometry, of which
// only control points are known.
void check_grid_on_map(const std::string& path, const RasterGrid& grid, const std::string& grid_name);

// The reference system of labels whose file says `own`, and whose user says `epsg`. Empty where it is taken to be that
// of the scene, because the labels or the scene have none; `messages` gets a sentence that says so. ConfigError where
// the file and the user contradict each other; DataError as check_grid_on_map().
std::string crs_of_labels(const std::string& path, const std::string& own, std::optional<int> epsg,
                          const RasterGrid& grid, const std::string& grid_name, std::vector<std::string>& messages);

// What brings coordinates in `from` to `to`, both WKT; null where they are the same, or where one of both is unknown.
// DataError, which begins with `path`, where there is no way.
std::unique_ptr<OGRCoordinateTransformation> transformation_between(const std::string& from, const std::string& to,
                                                                    const std::string& path);

// Points in a table without geometries, such as a CSV file: two of its columns are coordinates.
struct PointColumns {
  int x = 0;  // indices of the fields
  int y = 0;
  bool degrees = false;  // by their names they are longitudes and latitudes
};

// The columns that the options name, or else those with one of the usual pairs of names: lon and lat, longitude and
// latitude, both with words before them if need be, x and y and some others. Nothing for a layer with geometries.
// ConfigError: a column that does not exist, columns named for a layer with geometries. DataError: no column has a
// usual name (the fields are listed).
std::optional<PointColumns> point_columns(OGRLayer& layer, const std::string& path, const LabelOptions& options);

// The point of a row; null where a coordinate is missing. DataError for one that is no number.
std::unique_ptr<OGRGeometry> point_of(const OGRFeature& row, const PointColumns& columns, const std::string& path);

// The field of this name, or else one that differs from it in upper and lower case only; -1 where there is none.
int field_index(const OGRFeatureDefn& definition, const std::string& name);

// "species (String), code (Integer)"
std::string field_list(const OGRFeatureDefn& definition);

}  // namespace parsimap
