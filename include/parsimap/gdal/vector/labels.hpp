// Labels of a scene's pixels, from a class raster, from vector features, from a table of points or from regions of
// interest of ENVI. Memory is bounded by the labelled area.
//
// Labels or a scene without CRS are taken to share the other's, and a message says so. Raster: one that does not lie on
// the grid of the scene (to 1e-3 pixel) gives each pixel of the scene the label that its centre lies in; one without
// georeferencing is taken to lie on the scene, and must have its size. Vector: features are brought to the scene's CRS.
// A table without geometries, such as CSV, has points in two columns. Regions of interest of ENVI, as XML or as
// exported text, are known by their content; a class is called like its region, and has its colour. A polygon owns the
// pixels whose centre lies in it, a point the pixel that contains it, a line the pixels GDAL's line rasterisation
// gives. A pixel claimed by two different classes is dropped and counted; one claimed twice by the same class belongs
// to the first feature, and there to its first part. Empty text, NULL and 0 mean unlabelled. Texts are codes where all
// texts of all files are whole numbers from 0 to 65535 (code_of_text()), and names otherwise.
// Classes without a colour have that of a style beside the labels (.qml of QGIS or .sld, of the same base name), if
// any.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

class MemoryFile;

struct LabelOptions {
  std::optional<std::string> class_field =
      {};  // of a vector: integer (the codes) or text (names, codes 1 .. K in byte order)
  std::optional<std::string> where = {};        // of a vector: SQL condition that selects features
  std::optional<std::string> group_field = {};  // of a vector: features of equal value form a group, whatever its type;
                                                // without a value a feature is by itself
  // Of a vector: every part of a feature (polygon, line or point of a collection, however nested) is a region of its
  // own; otherwise the features are.
  bool separate_parts = false;
  std::optional<std::string> x_field = {};  // of a table: the columns of the coordinates; unset: those with usual names
  std::optional<std::string> y_field = {};
  std::optional<int> epsg = {};           // CRS of labels that do not name theirs
  std::optional<ClassRules> rules = {};   // classes that are merged, renamed or left out
  std::optional<std::string> layer = {};  // of a vector file in which several layers have the class field
  bool zero_class = false;      // 0 is a class, which gets the code after the largest; else it means unlabelled
  bool has_zero_option = true;  // the command has the option --zero-class, which messages name
  std::optional<std::string> unit_field = {};  // of a vector: the group field where it has one of this name, and no
                                               // other is asked for
};

// True where labels lie on the map by their own coordinates, such as vector features; false for rasters without a
// geotransform and for regions of interest of ENVI that name columns and rows of an image, where it has the size of
// `sensor`.
bool labels_on_map(const std::string& path, const RasterGrid& sensor);

// `grid_name` names the scene in messages.
// ConfigError: `class_field` missing, unknown or of another type (the fields are listed), `group_field` unknown,
// options that do not apply to a raster, a condition that does not parse, a CRS that contradicts the file's, several
// layers with the class field of which none is chosen (they are listed), a layer that does not exist. DataError:
// unreadable labels, a raster that does not overlap the scene, no feature on the grid, codes outside 1 .. 65535, and as
// rename_classes().
LabelledPixels read_labels(const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                           const std::string& grid_name);

// The labels of several files but rasters under the same options, as if they were one: classes are the same by name, or
// by code. A single file may be a raster. ConfigError also when several files do not agree in the type of their class
// field.
LabelledPixels read_labels(const std::vector<std::string>& paths, const LabelOptions& options, const RasterGrid& grid,
                           const std::string& grid_name);

// Labels of a program that keeps them itself: a GeoJSON document under the name of a file that exists in GDAL's memory
// only, which what reads labels takes for one. It is gone with this object.
class MemoryLabels {
 public:
  // IoError: GDAL does not keep it.
  explicit MemoryLabels(const std::string& document);
  ~MemoryLabels();
  MemoryLabels(const MemoryLabels&) = delete;
  MemoryLabels& operator=(const MemoryLabels&) = delete;

  [[nodiscard]] const std::string& path() const;

 private:
  std::unique_ptr<MemoryFile> file_;
};

// A layer of a vector file as texts.
struct FeatureTable {
  std::string reference;  // WKT, empty for none
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // a text for each column, empty for none
  std::vector<std::string> geometries;         // of the rows, WKT, empty for none

  bool operator==(const FeatureTable& other) const = default;
};

// The layer and the field of text whose first entry `is_wanted`, in the order of the layers and fields, or of the only
// layer that is asked for; nothing where the file has none or GDAL does not open it as a vector file. IoError when it
// cannot be read.
std::optional<std::pair<std::string, std::string>> find_profile_field(
    const std::string& path, const std::function<bool(const std::string&)>& is_wanted,
    const std::optional<std::string>& only = {});

// All features of the layer in the order of the file. DataError: the file cannot be opened or lacks the layer. IoError
// when it cannot be read.
FeatureTable read_feature_table(const std::string& path, const std::string& layer);

}  // namespace parsimap
