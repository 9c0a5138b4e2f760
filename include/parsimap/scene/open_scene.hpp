// A scene that was opened from a file with what the file says about it, and leaving out the pixels that a quality layer
// or a mask marks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/scene/raster.hpp"

namespace parsimap {

// What a product says of the quality of its pixels, such as clouds, and leaving out the pixels that it marks.

// One kind of mark, on the scene's grid.
struct QualityLayer {
  std::string name;                     // as people ask for it: "cloud", "shadow", "snow"
  std::string meaning;                  // a few words with the product's own name of it, for descriptions
  std::shared_ptr<SceneSource> source;  // may hold the layers of other names, too
  Index band = 0;                       // of `source`
  std::vector<float> marks;             // the values that mark a pixel; a pixel without a value is not marked
};

// The layers of these names, in the order of `layers`. Unset: "cloud" where there is such a layer. A list of "none"
// alone gives none. ConfigError: a name that no layer has (with those that there are); "none" among other names.
std::vector<QualityLayer> choose_quality(const std::vector<QualityLayer>& layers,
                                         const std::optional<std::vector<std::string>>& names,
                                         const std::string& scene_name);

// The scene with all bands NaN where any of the layers marks the pixel. Name, grid, bands and storage blocks are those
// of `scene`. Without layers it is returned as it is. DataError: a layer of another size than the scene.
std::unique_ptr<SceneSource> leave_out_marked(std::unique_ptr<SceneSource> scene,
                                              const std::vector<QualityLayer>& layers);

// A scene some of whose pixels a mask hides.

// The scene with all bands NaN where the mask, a raster of one band on the same grid, is 0 or has no value. Name, grid,
// bands and storage blocks are those of `scene`. DataError: the mask has several bands.
std::unique_ptr<SceneSource> mask_scene(std::unique_ptr<SceneSource> scene, std::unique_ptr<SceneSource> mask);

// A scene that was opened from a file, together with what the file tells about itself.

struct SceneDescription {
  std::string driver;              // GDAL's short name, such as "GTiff", or "MATLAB"
  std::string data_type;           // of the first band, such as "Int16"
  std::vector<std::string> files;  // all files that the scene consists of, the main one first
  std::int64_t bytes = 0;          // of all of them together; 0 where that is unknown
  std::optional<double> nodata;    // of all bands; unset where there is none or where the bands differ
  bool nodata_differs = false;     // True where the bands differ in it; alpha bands do not count.
  // The number of entries of a list of bad bands that does not have one for every band: such a list marks none.
  std::optional<Index> misfit_bad_band_entries;
  // Memory in which the source keeps decoded data by itself, beside GDAL's cache.
  std::int64_t kept_bytes = 0;
  std::string product;   // of an agency, with its level, such as "EnMAP L2A"; empty for other scenes
  std::string note;      // a sentence about what comes of other files, or is missing; empty where there is nothing
  std::string quantity;  // what the values of a product are, as in "reflectance"; empty where it is not known
};

struct OpenScene {
  std::unique_ptr<SceneSource> source;  // with all pixels, whatever the quality layers mark
  SceneDescription description;
  std::vector<QualityLayer> quality = {};              // of a product
  std::unique_ptr<GeometryLookup> geometry = nullptr;  // null where the scene comes with none
};

}  // namespace parsimap
